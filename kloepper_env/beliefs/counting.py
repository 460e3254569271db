"""How many ways there are to deal cards to the hidden seats, and each of the ways by its number.

The three hidden seats are called first, second and third. All cards of a suit may lie with the
same of them, since a seat that did not follow a suit holds none of it, so deals are counted suit
by suit: in how many ways the suits from `suit` on can fill a given room.
"""

from math import comb
from typing import Final

import numpy as np

from kloepper_env._jit import IntArray, deposit, jit, popcount
from kloepper_env.beliefs.knowledge import N_SUITS
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.record import HAND_SIZE, SUIT_SIZE

ROOMS: Final = HAND_SIZE + 1  # a hidden seat has room for 0 to 6 cards
CHOOSE: Final = np.array(
    [[comb(n, k) for k in range(ROOMS)] for n in range(max(SUIT_SIZE) + 1)], np.int64
)


@jit
def _splits(cards: int, first: int, second: int, barred: int) -> int:
    """Ways to give so many of some cards of a suit to the first, to the second, the rest to the
    third; 0 if one would get a card that is barred from it."""
    third = cards - first - second
    given = int(first > 0) | int(second > 0) << 1 | int(third > 0) << 2
    if given & barred or third >= ROOMS:
        return 0
    return int(CHOOSE[cards, first] * CHOOSE[cards - first, second])


@jit
def count_ways(others: IntArray, barred: IntArray, ways: IntArray) -> None:
    """Fill `ways` int64 [suit + 1, room of the first, room of the second], which holds zeros.

    Row s counts the ways to deal the cards of the suits from s on. The third has the room that is
    left. `others` and `barred` are those of Knowledge.
    """
    left = 0
    ways[N_SUITS, 0, 0] = 1
    for suit in range(N_SUITS - 1, -1, -1):
        cards = popcount(int(others[suit]))
        left += cards
        for a in range(min(left, HAND_SIZE) + 1):
            for b in range(min(left - a, HAND_SIZE) + 1):
                total = 0
                for i in range(min(cards, a) + 1):
                    for j in range(min(cards - i, b) + 1):
                        later = ways[suit + 1, a - i, b - j]
                        total += _splits(cards, i, j, int(barred[suit])) * later
                ways[suit, a, b] = total


@jit
def _subset(number: int, cards: int, size: int) -> int:
    """The subset with this number in the combinatorial number system, as a mask of places."""
    chosen = 0
    for card in range(cards - 1, -1, -1):
        without = int(CHOOSE[card, size])
        if number >= without:
            number -= without
            chosen |= 1 << card
            size -= 1
    return chosen


@jit
def deal_hidden(
    worlds: Records,
    seat: int,
    numbers: IntArray,
    case: IntArray,
    given: IntArray,
    room: IntArray,
    others: IntArray,
    barred: IntArray,
    ways: IntArray,
) -> None:
    """Write the hands that the hidden seats of `seat` hold in each of some worlds.

    World i is number `numbers[i]` of the deals of its case, in which the hidden seats hold the
    cards `given` int64 [case, hidden seat] and have `room` int64 [case, hidden seat] for others.
    """
    for i in range(len(worlds)):
        number, k = int(numbers[i]), case[i]
        a, b = int(room[k, 0]), int(room[k, 1])
        first, second, third = int(given[k, 0]), int(given[k, 1]), int(given[k, 2])
        for suit in range(N_SUITS):
            cards, bar = popcount(int(others[suit])), int(barred[suit])
            later = ways[suit + 1]
            x, y = 0, 0
            size = _splits(cards, 0, 0, bar) * later[a, b]
            while number >= size:
                number -= size
                y += 1
                if y > min(cards - x, b):
                    x, y = x + 1, 0
                size = _splits(cards, x, y, bar) * later[a - x, b - y]
            a, b = a - x, b - y
            split, number = number // later[a, b], number % later[a, b]
            of_second = CHOOSE[cards - x, y]
            left = int(others[suit])
            chosen = deposit(_subset(split // of_second, cards, x), left)
            first |= chosen
            left ^= chosen
            chosen = deposit(_subset(split % of_second, cards - x, y), left)
            second |= chosen
            third |= left ^ chosen
        hands = worlds[i].hands
        hands[seat + 1 & 3] = first
        hands[seat + 2 & 3] = second
        hands[seat + 3 & 3] = third
