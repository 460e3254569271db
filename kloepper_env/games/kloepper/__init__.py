"""Kloepper: 24 cards, four seats, the black queens are partners. Rules: seeds/rules/kloepper.md."""

from typing import Any, Final

from kloepper_env.games.game import Game
from kloepper_env.games.kloepper import kernels, observe, record
from kloepper_env.games.kloepper.match import Match
from kloepper_env.games.kloepper.options import ALLOWED, Options


def _is_public(action: int, options: Options) -> bool:
    return action != record.PASS or options.prompt_all


def _summary(hand: Any) -> dict[str, Any]:
    whole = int(hand.plies) == record.N_CARDS
    return {"black_points": int(kernels.black_points(hand)) if whole else None}


GAME: Final = Game(
    name="kloepper",
    title="Kloepper",
    version=0,
    n_seats=record.N_SEATS,
    codes=record.CODES,
    action_names=record.ACTION_NAMES,
    dtype=record.HAND,
    layout=observe.LAYOUT,
    options_type=Options,
    allowed=ALLOWED,
    make_tables=record.subset_table,
    begin=kernels.begin,
    hands_of=record.hands_of,
    packets=record.packets,
    is_public=_is_public,
    summary=_summary,
    match_type=Match,
)
