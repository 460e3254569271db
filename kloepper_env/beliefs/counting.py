"""How many ways there are to deal cards to three hidden seats, and each of the ways by its number.

The hidden seats are called first, second and third. Cards are dealt class by class: all cards of a
class, such as those of a suit, may lie with the same of them. `barred` int64 [class] is the mask of
the hidden seats that can have none of it.

This is for games of four. With five hidden seats the numbers outgrow 64 bits: 40 cards can lie with
five seats of eight in 8e24 ways.
"""

from math import comb
from typing import Final

import numpy as np

from kloepper_env._jit import IntArray, deposit, jit, popcount
from kloepper_env.engine import Records

MOST_CARDS: Final = 48  # of a pack
MOST_ROOM: Final = 12  # of a seat
CHOOSE: Final = np.array(
    [[comb(n, k) for k in range(MOST_ROOM + 1)] for n in range(MOST_CARDS + 1)], np.int64
)


@jit
def splits(cards: int, first: int, second: int, barred: int) -> int:
    """Ways to give so many of the cards of a class to the first, to the second, the rest to the
    third; 0 if one would get a card that is barred from it."""
    third = cards - first - second
    given = int(first > 0) | int(second > 0) << 1 | int(third > 0) << 2
    if given & barred:
        return 0
    return int(CHOOSE[cards, first] * CHOOSE[cards - first, second])


@jit
def count_ways(classes: IntArray, barred: IntArray, ways: IntArray) -> None:
    """Fill `ways` int64 [class + 1, capacity of one seat, of the other], which holds zeros.

    Row c counts the ways to deal the cards of the classes from c on, which `classes` int64 [class]
    has as masks. The third has the capacity left.
    """
    most = ways.shape[1] - 1
    left = 0
    ways[len(classes), 0, 0] = 1
    for c in range(len(classes) - 1, -1, -1):
        cards = popcount(int(classes[c]))
        left += cards
        for a in range(min(left, most) + 1):
            for b in range(min(left - a, most) + 1):
                total = 0
                for i in range(min(cards, a) + 1):
                    for j in range(min(cards - i, b) + 1):
                        later = ways[c + 1, a - i, b - j]
                        total += splits(cards, i, j, int(barred[c])) * later
                ways[c, a, b] = total


@jit
def nth_split(
    number: int, cards: int, barred: int, a: int, b: int, later: IntArray
) -> tuple[int, int, int]:
    """How many cards of a class the first and the second get in the deal with this number.

    `a` and `b` are their capacities, `later` the row of `ways` for the classes behind. Returns the
    two and the number of the deal among those with the same split.
    """
    x, y = 0, 0
    size = splits(cards, 0, 0, barred) * int(later[a, b])
    while number >= size:
        number -= size
        y += 1
        if y > min(cards - x, b):
            x, y = x + 1, 0
        size = splits(cards, x, y, barred) * int(later[a - x, b - y])
    return x, y, number


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
    capacity: IntArray,
    others: IntArray,
    barred: IntArray,
    ways: IntArray,
) -> None:
    """Write the hands that the hidden seats of `seat` hold in each of some worlds.

    World i is number `numbers[i]` of the deals of its case, in which the hidden seats hold the
    cards `given` int64 [case, hidden seat] and `capacity` int64 [case, hidden seat] for `others`,
    which are classed by suit.
    """
    for i in range(len(worlds)):
        number, k = int(numbers[i]), case[i]
        a, b = int(capacity[k, 0]), int(capacity[k, 1])
        first, second, third = int(given[k, 0]), int(given[k, 1]), int(given[k, 2])
        for suit in range(len(others)):
            cards, later = popcount(int(others[suit])), ways[suit + 1]
            x, y, number = nth_split(number, cards, int(barred[suit]), a, b, later)
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
