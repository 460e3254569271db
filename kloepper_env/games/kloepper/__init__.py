"""Kloepper: 24 cards, four seats, the black queens are partners. Rules: seeds/rules/kloepper.md."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from kloepper_env.cards import cards_of
from kloepper_env.games.game import Game, Outcome
from kloepper_env.games.kloepper import kernels, observe, record, wording
from kloepper_env.games.kloepper.learning import LEARNING
from kloepper_env.games.kloepper.match import Match
from kloepper_env.games.kloepper.options import ALLOWED, Options


def _pack(options: Options) -> tuple[str, ...]:
    return record.pack_codes(options.pack)


def _deal_deck(hand: Any, deck: list[str], dealer: int) -> None:
    hand.hands[:] = record.hands_of(deck, dealer)
    kernels.begin(hand, dealer)


def _deck_of(hand: Any) -> list[str]:
    dealt = [cards_of(mask, record.CODES) for mask in hand.hands | hand.played]
    return record.packets(dealt, int(hand.dealer))


def _outcome(hand: Any, options: Options) -> Outcome:
    points = np.zeros(record.N_SEATS, np.int64)
    kernels.result(hand, points)
    scores = points.tolist()
    return Outcome(dealer=int(hand.dealer), scores=scores, gains=scores)


def _carries(options: Options) -> dict[str, int]:
    return {}


def _worst(options: Options, carry: Mapping[str, int]) -> float:
    """A lone knock that fails (K26), for the knocker: three score the dearest stake, he nothing."""
    others = record.N_SEATS - 1
    return -kernels.STAKE_LONE_KNOCK * others / record.N_SEATS


def _best(options: Options, carry: Mapping[str, int]) -> float:
    """A lone knock that succeeds (K26), for the knocker: he scores the dearest stake alone."""
    return -_worst(options, carry)


def _is_public(action: int, options: Options) -> bool:
    return action != record.PASS or options.prompt_all


def _summary(hand: Any, options: Options) -> dict[str, Any]:
    whole = kernels.all_played(hand)
    return {"black_points": int(kernels.black_points(hand)) if whole else None}


def _taken(hand: Any) -> list[tuple[int, int]]:
    counts = int(hand["counts"])
    return [(counts >> 32 + 8 * s & 255, counts >> 8 * s & 255) for s in range(record.N_SEATS)]


def _facts(hand: Any) -> tuple[str, ...]:
    return (LONE,) if hand["lone"] else ()


LONE: Final = "lone"  # the knocker plays alone, and the table knows it (K17)

GAME: Final = Game(
    name="kloepper",
    title="Kloepper",
    version=0,
    n_seats=record.N_SEATS,
    accounts=tuple(range(record.N_SEATS)),
    codes=record.CODES,
    pack=_pack,
    actions=record.ACTIONS,
    dtype=record.HAND,
    layout=observe.LAYOUT,
    options_type=Options,
    allowed=ALLOWED,
    make_tables=record.subset_table,
    deal_deck=_deal_deck,
    deck_of=_deck_of,
    is_public=_is_public,
    turns_are_public=False,
    outcome=_outcome,
    summary=_summary,
    carries=_carries,
    taken=_taken,
    worst=_worst,
    best=_best,
    match_type=Match,
    fact_names=(LONE,),
    facts=_facts,
    wording=wording,
    learning=LEARNING,
)
