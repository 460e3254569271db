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


def _taken(hand: Any) -> list[tuple[int, int]]:
    counts = int(hand.counts)
    return [(counts >> 32 + 8 * s & 255, counts >> 8 * s & 255) for s in range(record.N_SEATS)]


def _facts(hand: Any) -> tuple[str, ...]:
    return (LONE,) if hand.lone else ()


LONE: Final = "lone"  # the knocker plays alone, and the table knows it (K17)

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
    taken=_taken,
    match_type=Match,
    fact_names=(LONE,),
    facts=_facts,
)
