"""What an observation of Klammern says, read back into card masks for players that reason.

Everything comes from the observation and the mask of legal actions, so a player built on it cannot
know more than its seat. Seats are relative: 0 the player, 1 his left, 2 his partner, 3 his right.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.compiled import bits_of
from kloepper_env._jit import IntArray, jit, lowest, popcount
from kloepper_env.games.klammern import observe
from kloepper_env.games.klammern.record import (
    ACTION_NAMES,
    ALL_CARDS,
    FOLLOW,
    HAND_SIZE,
    N_CARDS,
    N_RANKS,
    N_SEATS,
    N_SUITS,
    POINTS,
    STRENGTH,
)
from kloepper_env.tricks import NONE

MASK_WORDS: Final = -(-len(ACTION_NAMES) // 8)
_CARD_WORDS: Final = N_CARDS // 8  # of a part with one value for each card

Four = tuple[int, int, int, int]  # one number for each relative seat


def _above() -> NDArray[np.int64]:
    above = np.zeros((N_SUITS, N_CARDS), np.int64)
    for trump in range(N_SUITS):
        for card in range(N_CARDS):
            suit = card // N_RANKS
            for other in range(N_RANKS * suit, N_RANKS * (suit + 1)):
                if STRENGTH[trump, suit, other] > STRENGTH[trump, suit, card]:
                    above[trump, card] |= 1 << other
    return above


ABOVE: Final = _above()
"""[trump, card] the cards of the card's own suit that are stronger, as a mask."""


class Features(NamedTuple):
    """One decision as its seat sees it. Cards are masks, seats relative, sets of seats masks."""

    hand: int  # cards held
    legal: int  # legal actions
    unseen: int  # cards in the other hands or, before a take, in the pack
    played: Four  # cards each seat has played
    table: Four  # its card in the trick in play, as a mask
    known: Four  # cards everybody knows the seat to hold
    turned: int  # the turned card
    voids: Four  # suits it certainly does not hold, bit s for suit s
    step: int  # of the order of decisions
    trump: int  # suit, or NONE
    taker: int  # seat, or NONE
    kontra: int  # seat, or NONE
    dealer: int  # seat
    winning: int  # seat whose card wins the trick in play, or NONE
    best: int  # that card, or NONE
    led: int  # suit led, or NONE
    behind: int  # seats that play after the player in this trick
    on_table: int  # points of the trick in play
    trick: int  # 0 to 7


@jit
def _four_cards(words: IntArray, start: int) -> Four:
    return (
        bits_of(words, start, _CARD_WORDS),
        bits_of(words, start + _CARD_WORDS, _CARD_WORDS),
        bits_of(words, start + 2 * _CARD_WORDS, _CARD_WORDS),
        bits_of(words, start + 3 * _CARD_WORDS, _CARD_WORDS),
    )


@jit
def _index(mask: int) -> int:
    return lowest(mask) if mask else NONE


@jit
def points_of(cards: int, trump: int) -> int:
    """Card points of a mask."""
    total = 0
    while cards:
        total += int(POINTS[trump, lowest(cards)])
        cards &= cards - 1
    return total


@jit
def features_of(words: IntArray, legal: int) -> Features:
    """Read an observation (int64 [W / 8]) and a mask of legal actions."""
    hand = bits_of(words, 0, _CARD_WORDS)
    played = _four_cards(words, _CARD_WORDS)
    table = _four_cards(words, 5 * _CARD_WORDS)
    known = _four_cards(words, 9 * _CARD_WORDS)
    first = bits_of(words, observe.FLAG_WORDS, 8)
    second = bits_of(words, observe.FLAG_WORDS + 8, 4)
    trump = _index(first >> observe.TRUMP & 15)
    winning = _index(second >> observe.WINNING & 15)
    gone = played[0] | played[1] | played[2] | played[3]
    on_table = points_of(table[0] | table[1] | table[2] | table[3], trump) if trump != NONE else 0
    behind = 0
    for k in range(1, N_SEATS):
        behind |= (table[k] == 0) << k
    return Features(  # by place: numba takes no call with this many keywords
        hand,
        legal,
        ALL_CARDS & ~(hand | gone),
        played,
        table,
        known,
        lowest(bits_of(words, 13 * _CARD_WORDS, _CARD_WORDS)),
        (0, first & 15, first >> 4 & 15, first >> 8 & 15),
        lowest(first >> observe.STEP & 63),
        trump,
        _index(second & 15),
        _index(second >> observe.KONTRA & 15),
        lowest(second >> observe.DEALER & 15),
        winning,
        lowest(table[winning]) if winning != NONE else NONE,
        _index(second >> observe.LED & 15),
        behind,
        on_table,
        _index(bits_of(words, observe.TRICK_WORD, 1)),
    )


@jit
def held_by(features: Features, k: int) -> int:
    """How many cards a seat holds while cards are played."""
    return HAND_SIZE - popcount(features.played[k])


@jit
def suit_cards(suit: int) -> int:
    """The cards of a suit, none for NONE."""
    return int(FOLLOW[suit])
