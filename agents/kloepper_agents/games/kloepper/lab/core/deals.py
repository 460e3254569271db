"""Deals around one hand: the other eighteen cards dealt at random."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_env import engine
from kloepper_env._jit import deposit, high_half, jit
from kloepper_env.cards import mask_of, parse_cards
from kloepper_env.engine import Records
from kloepper_env.errors import NotationError, listed, shown
from kloepper_env.games.kloepper.kernels import begin
from kloepper_env.games.kloepper.record import (
    ALL_CARDS,
    CODES,
    HAND_SIZE,
    HAND_SUBSETS,
    N_SEATS,
    Hand,
)

OFFSET_18: Final = HAND_SUBSETS[0]
OFFSET_12: Final = HAND_SUBSETS[0] + HAND_SUBSETS[1]


def read_hand(text: str) -> int:
    """The mask of six cards written with blanks or commas. Raises NotationError for another."""
    cards = parse_cards(text, CODES)
    if len(cards) != HAND_SIZE:
        raise NotationError(
            f"the hand {shown(text)} has {len(cards)} cards, but must have {HAND_SIZE}"
        )
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        raise NotationError(f"the hand {shown(text)} holds {listed(twice)} more than once")
    return mask_of(cards, CODES)


def deals_around(own: int, position: int, options: Any, key: int, start: int, stop: int) -> Records:
    """Deals `start` to `stop` - 1 around a hand (a mask) that plays at `position` to trick 1.

    Seat 0 leads. Each of the 17,153,136 ways to deal the others is as likely, and a deal depends
    on `key` (engine.seed_key) and its number alone.
    """
    hands = GAME.new_hands(stop - start, options, key)
    hands["serial"] += start
    owns = np.full(len(hands), own, np.int64)
    deal_rest(hands, GAME.tables, owns, position)
    return hands


@jit
def deal_rest(hands: Records, tables: NDArray[Any], own: IntArray, seat: int) -> None:
    """Give `seat` the cards `own` [N] and deal the rest; seat 0 leads."""
    for i in range(len(hands)):
        deal_rest_of(hands[i], tables, int(own[i]), seat)


@jit
def deal_rest_of(hand: Hand, tables: NDArray[Any], own: int, seat: int) -> None:
    """`deal_rest` of one hand, by its key and serial."""
    engine.start_random(hand)
    word = engine.draw(hand)
    left = ALL_CARDS ^ own
    first = deposit(int(tables[OFFSET_18 + (high_half(word) * HAND_SUBSETS[1] >> 32)]), left)
    left ^= first
    low = word & 0xFFFFFFFF
    second = deposit(int(tables[OFFSET_12 + (low * HAND_SUBSETS[2] >> 32)]), left)
    hand.hands[seat] = own
    hand.hands[seat + 1 & 3] = first
    hand.hands[seat + 2 & 3] = second
    hand.hands[seat + 3 & 3] = left ^ second
    begin(hand, N_SEATS - 1)
