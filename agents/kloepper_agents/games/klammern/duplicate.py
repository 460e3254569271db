"""Duplicate tables of Klammern, and what can be counted there."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.designs import BoolArray, Design, Rate, Seats, Unit
from kloepper_agents.arena.lockstep import Played
from kloepper_agents.base import IntArray
from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.games.klammern.record import HAND_SIZE, KONTRA, N_SEATS, RE, TAKE
from kloepper_env.games.klammern.settlement import augen, settle
from kloepper_env.tricks import NONE

TABLES: Final[tuple[Seats, ...]] = ((0, 1, 0, 1), (1, 0, 1, 0))
"""The pairs are fixed (M1), so each agent plays either pair once."""

_SEATS: Final = np.arange(N_SEATS)
PARTNERS: Final = (_SEATS + 2) % N_SEATS
_TAKES: Final = 0b1111 << TAKE


def tables_of(hand: Any) -> tuple[Seats, ...]:
    """The tables of a deal: the same two for all."""
    return TABLES


def credited(played: Played, options: Any) -> IntArray:
    """The scores, in Liga mode the Augen."""
    if not options.liga:
        return played.scores
    return np.array([augen(hand, options) * 2 for hand in played.hands], np.int64)


def unit_of(options: Any) -> Unit:
    """Points, in Liga mode Augen (M32, M33)."""
    return Unit("Augen a hand", 0.1) if options.liga else Unit("points a hand", 1.0)


@jit
def _count_lost(hands: Records, lost: NDArray[np.bool_]) -> None:
    """Write whether the takers were beaten (M28) in every hand."""
    for i in range(len(hands)):
        lost[i] = settle(hands[i])[4]


def _lost(hands: Records) -> BoolArray:
    lost = np.zeros(len(hands), np.bool_)
    _count_lost(hands, lost)
    return lost


def strata(played: Played, own: BoolArray) -> dict[str, BoolArray]:
    """The first agent `takes`, the other one does, nobody; `second` and `kontra` cut across."""
    hands = played.hands
    taken = hands["taker"] != NONE
    by_first = own[np.arange(len(hands)), hands["taker"]] & taken
    return {
        "takes": by_first,
        "defends": taken & ~by_first,
        "passed_out": ~taken,
        "second": taken & (hands["trump"] != hands["turned"] >> 3),
        "kontra": hands["kontra"] != NONE,
    }


def rates(played: Played, own: BoolArray) -> dict[str, Rate]:
    """What the seats of an agent announced, out of the seats that could have.

    A take comes off when it is made, a Kontra when it is not, a Re when it is. `durchmarsch` is
    out of the seats in rounds played, and always comes off.
    """
    hands, offered = played.hands, played.offered()[..., 0]
    lost = _lost(hands)[:, None]
    taker, turned = hands["taker"][:, None], 1 << TAKE + (hands["turned"].astype(np.int64) >> 3)
    first = (offered & turned[:, None]) != 0
    second = (offered & _TAKES & ~turned[:, None]) != 0
    in_second = (hands["trump"] != hands["turned"] >> 3)[:, None]
    is_played = np.broadcast_to(taker != NONE, own.shape)
    tricks = hands["counts"][:, None] >> 32 + 8 * _SEATS & 255
    swept = tricks + tricks[:, PARTNERS] == HAND_SIZE

    def rate(could: BoolArray, did: BoolArray, came_off: BoolArray) -> Rate:
        did = did & own
        return Rate(int((could & own).sum()), int(did.sum()), int((did & came_off).sum()))

    return {
        "first": rate(first, (taker == _SEATS) & ~in_second, ~lost),
        "second": rate(second, (taker == _SEATS) & in_second, ~lost),
        "kontra": rate((offered >> KONTRA & 1) != 0, hands["kontra"][:, None] == _SEATS, lost),
        "re": rate((offered >> RE & 1) != 0, hands["re"][:, None] == _SEATS, ~lost),
        "durchmarsch": rate(is_played, swept, swept),
    }


DESIGN: Final = Design(tables_of, TABLES, credited, unit_of, strata, rates)
