"""Duplicate tables of Kloepper, and what can be counted there."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.designs import BoolArray, Design, Rate, Seats, Unit, splits
from kloepper_agents.arena.lockstep import Played
from kloepper_agents.base import IntArray
from kloepper_env.games.kloepper.record import CALL, KNOCK, KNOCK_OFF, N_SEATS
from kloepper_env.tricks import NONE

SPLITS: Final = splits(range(N_SEATS))
"""The six ways to give two seats to either agent."""

_CALLS = 0b111 << CALL


def tables_of(hand: Any) -> tuple[Seats, ...]:
    """The tables of a deal.

    Black queens in two hands fix the sides (K10): each agent plays either side once. With both in
    one hand the sides depend on the call (K11), so every split of the seats is played.
    """
    queens = int(hand.queens)
    if queens.bit_count() == 1:
        return SPLITS
    black = tuple(1 - (queens >> seat & 1) for seat in range(N_SEATS))
    return black, tuple(1 - agent for agent in black)


def _bits(masks: NDArray[np.int8]) -> BoolArray:
    """[N, S] whether a seat is in a mask of seats [N]."""
    return (masks[:, None] >> np.arange(N_SEATS) & 1).astype(np.bool_)


def credited(played: Played, options: Any) -> IntArray:
    """The scores: a game goes to 30 of them (K29)."""
    return played.scores


def unit_of(options: Any) -> Unit:
    """Points, whatever the options."""
    return Unit("points a hand", 0.05)


def strata(played: Played, own: BoolArray) -> dict[str, BoolArray]:
    """`split`, `called` and `alone` are the three kinds of hand; `knocked` cuts across them."""
    hands = played.hands
    split = _bits(hands["queens"]).sum(axis=1) == 2
    called = hands["caller"] != NONE
    return {
        "split": split,
        "called": called,
        "alone": ~split & ~called,
        "knocked": hands["knocker"] != NONE,
    }


def rates(played: Played, own: BoolArray) -> dict[str, Rate]:
    """What the seats of an agent announced, out of the seats that could have.

    A knock succeeds when the black side takes all tricks, a knock-off when it does not, a call or
    playing alone when the caller or soloist scores. `alone` is out of all seats with both queens,
    also those that no ace was left to call.
    """
    hands, offered = played.hands, played.offered()[..., 0]
    seats = np.arange(N_SEATS)
    swept = (hands["won"] & ~hands["black"]) == 0
    both = _bits(hands["queens"]) & (_bits(hands["queens"]).sum(axis=1) == 1)[:, None]
    caller = hands["caller"][:, None]
    scored = played.scores > 0

    def rate(could: BoolArray, did: BoolArray, came_off: BoolArray) -> Rate:
        did = did & own
        return Rate(int((could & own).sum()), int(did.sum()), int((did & came_off).sum()))

    return {
        "knock": rate(
            (offered >> KNOCK & 1) != 0, hands["knocker"][:, None] == seats, swept[:, None]
        ),
        "knock_off": rate(
            (offered >> KNOCK_OFF & 1) != 0,
            hands["knocked_off"][:, None] == seats,
            ~swept[:, None],
        ),
        "call": rate((offered & _CALLS) != 0, caller == seats, scored),
        "alone": rate(both, both & (caller == NONE), scored),
    }


DESIGN: Final = Design(tables_of, SPLITS, credited, unit_of, strata, rates)
