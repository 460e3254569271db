"""Klammern: 32 cards, two fixed pairs, trump by choice. Rules: seeds/rules/klammern.md."""

from collections.abc import Mapping
from typing import Any, Final

from kloepper_env.games.game import Game, Outcome
from kloepper_env.games.klammern import kernels, observe, record, wording
from kloepper_env.games.klammern.learning import LEARNING
from kloepper_env.games.klammern.match import Match
from kloepper_env.games.klammern.melds import MOST_MELDS
from kloepper_env.games.klammern.options import ALLOWED, Options
from kloepper_env.games.klammern.settlement import BELLE, CARDS, MOST_FACTOR, augen, settlement
from kloepper_env.games.options import MOST
from kloepper_env.tricks import NONE


def _pack(options: Options) -> tuple[str, ...]:
    return record.CODES


def _deal_deck(hand: Any, deck: list[str], dealer: int) -> None:
    numbers = {code: card for card, code in enumerate(record.CODES)}
    hand.deck[:] = [numbers[code] for code in deck]
    kernels.begin(hand, dealer)


def _taken(hand: Any) -> list[tuple[int, int]]:
    counts = int(hand["counts"])
    return [(counts >> 32 + 8 * s & 255, counts >> 8 * s & 255) for s in range(record.N_SEATS)]


def _worst(options: Options, carry: Mapping[str, int]) -> float:
    """A round in which the other team scores all there can be, doubled twice, and the carry."""
    most = CARDS + MOST_MELDS + BELLE + options.durchmarsch_bonus
    return -(MOST_FACTOR * most + sum(carry.values())) / 2  # two of four seats are a team


def _best(options: Options, carry: Mapping[str, int]) -> float:
    """What the other team then has lost."""
    return -_worst(options, carry)


def _is_public(action: int, options: Options) -> bool:
    return True


def _outcome(hand: Any, options: Options) -> Outcome:
    settled = settlement(hand)
    return Outcome(
        dealer=int(hand.dealer),
        scores=[settled.scores[seat & 1] for seat in range(record.N_SEATS)],
        gains=list(augen(hand, options) if options.liga else settled.scores),
        played=hand.taker != NONE,
        carry={"litige": settled.litige},
    )


def _summary(hand: Any, options: Options) -> dict[str, Any]:
    return {"augen": list(augen(hand, options))} if options.liga else {}


def _carries(options: Options) -> dict[str, int]:
    return {"litige": MOST if options.tie81 == "litige" else 0}


GAME: Final = Game(
    name="klammern",
    title="Klammern",
    version=0,
    n_seats=record.N_SEATS,
    accounts=(0, 1, 0, 1),
    codes=record.CODES,
    pack=_pack,
    actions=record.ACTIONS,
    dtype=record.HAND,
    layout=observe.LAYOUT,
    options_type=Options,
    allowed=ALLOWED,
    make_tables=record.no_tables,
    deal_deck=_deal_deck,
    deck_of=record.deck_of,
    is_public=_is_public,
    turns_are_public=True,
    outcome=_outcome,
    summary=_summary,
    carries=_carries,
    taken=_taken,
    worst=_worst,
    best=_best,
    match_type=Match,
    fact_names=observe.FACT_NAMES,
    facts=observe.facts,
    wording=wording,
    learning=LEARNING,
)
