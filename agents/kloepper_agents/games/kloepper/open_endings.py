"""The last two tricks with open cards: payoffs by minimax over their few lines of play."""

from typing import Final, NamedTuple

import numpy as np

from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.games.kloepper.kernels import normal_score
from kloepper_env.games.kloepper.record import PACK_POINTS, POINTS
from kloepper_env.solver.kloepper.position import ALL_TRUMPS, SUIT_MASK, follow

MOST_POINTS: Final = int(PACK_POINTS.max())
SWEPT: Final = MOST_POINTS + 1  # in place of card points: all tricks


def _payoffs() -> IntArray:
    table = np.zeros((len(PACK_POINTS), 2, SWEPT + 1), np.int64)
    for pack, whole in enumerate(PACK_POINTS.tolist()):
        for alone in (0, 1):
            for points in range(SWEPT + 1):
                score = normal_score(points, whole, points == SWEPT, alone == 1)
                table[pack, alone, points] = score * 3 // 2 if alone else score
    return table


PAYOFFS: Final = _payoffs()
"""[pack, alone, card points of the black side, or SWEPT] payoff of each seat of the black side."""

Four = tuple[int, int, int, int]  # one number for each seat


class Stakes(NamedTuple):
    """What the rest of a hand is about, for one black side."""

    pack: int
    alone: int  # 1 when the black side is a single seat
    black: int  # mask of relative seats
    taken: int  # card points of the black side
    left: int  # card points in the hands and on the table
    swept: int  # 1 when the black side has taken all tricks
    worst: int  # payoff of the black side if it takes no more points
    best: int  # ... if it takes all


@jit
def payoff_at_end(stakes: Stakes, points: int, swept: int) -> int:
    """Payoff of a black seat when its side takes `points` of those left, or all tricks."""
    index = SWEPT if swept else min(stakes.taken + points, MOST_POINTS)
    return int(PAYOFFS[stakes.pack, stakes.alone, index])


@jit
def last_two(
    stakes: Stakes,
    hands: Four,
    moves: Four,
    sides: int,
    gained: int,
    left: int,
    swept: int,
    low: int,
    high: int,
) -> int:
    """Payoff of a black seat with two tricks left and best play of all, if from `low` to `high`.

    `hands` are those of the leader and of the seats to its left, with what lies on the table;
    `moves` are the cards that seats have played already, else 0. Bit k of `sides` is 1 when the
    k-th of them is black. The black side has `gained` points of those left at first, and `left` are
    still to come. Alpha-beta: a black seat raises the lower bound, a red one lowers the upper.
    """
    low0 = max(low, payoff_at_end(stakes, gained, 0))
    high0 = min(high, payoff_at_end(stakes, gained + left, swept))
    h0, h1, h2, h3 = hands
    black0, black1, black2, black3 = sides & 1, sides >> 1 & 1, sides >> 2 & 1, sides >> 3 & 1
    cards = h0 | h1 | h2 | h3
    black = h0 & -black0 | h1 & -black1 | h2 & -black2 | h3 & -black3
    moves0 = moves[0] if moves[0] else h0
    while moves0 and low0 < high0:
        card0 = moves0 & -moves0
        moves0 ^= card0
        led = int(SUIT_MASK[lowest(card0)])
        low1, high1 = low0, high0
        moves1 = moves[1] if moves[1] else follow(h1, led)
        while moves1 and low1 < high1:
            card1 = moves1 & -moves1
            moves1 ^= card1
            low2, high2 = low1, high1
            moves2 = moves[2] if moves[2] else follow(h2, led)
            while moves2 and low2 < high2:
                card2 = moves2 & -moves2
                moves2 ^= card2
                low3, high3 = low2, high2
                moves3 = moves[3] if moves[3] else follow(h3, led)
                while moves3 and low3 < high3:
                    card3 = moves3 & -moves3
                    moves3 ^= card3
                    trick = card0 | card1 | card2 | card3
                    points = int(POINTS[lowest(card0)] + POINTS[lowest(card1)])
                    points += int(POINTS[lowest(card2)] + POINTS[lowest(card3)])
                    best = first_of(trick & (led | ALL_TRUMPS))
                    last = first_of(cards & ~trick)
                    if last & ALL_TRUMPS == 0:  # else a trump wins, whatever is led
                        lead = hand_with(hands, best) & ~trick
                        last = first_of(cards & ~trick & int(SUIT_MASK[lowest(lead)]))
                    won, end = int(best & black != 0), int(last & black != 0)
                    more = gained + points * won + (left - points) * end
                    value = payoff_at_end(stakes, more, swept & won & end)
                    low3, high3 = narrowed(low3, high3, value, black3)
                low2, high2 = narrowed(low2, high2, low3 if black3 else high3, black2)
            low1, high1 = narrowed(low1, high1, low2 if black2 else high2, black1)
        low0, high0 = narrowed(low0, high0, low1 if black1 else high1, black0)
    return low0 if black0 else high0


@jit
def first_of(cards: int) -> int:
    """The strongest of some cards of a suit, or of trumps and the suit led, as a bit."""
    return cards & -cards


@jit
def hand_with(hands: Four, card: int) -> int:
    """The one of four hands that holds a card (a bit)."""
    h0, h1, h2, h3 = hands
    return h0 if h0 & card else h1 if h1 & card else h2 if h2 & card else h3


@jit
def narrowed(low: int, high: int, value: int, black: int) -> tuple[int, int]:
    """Bounds on what the black side gets after a move of one side is found to bring a value."""
    return max(low, value) if black else low, high if black else min(high, value)


@jit
def rotated(four: Four, first: int) -> Four:
    """Four numbers by seat, from seat `first` on."""
    return four[first], four[first + 1 & 3], four[first + 2 & 3], four[first + 3 & 3]


@jit
def turned(seats: int, first: int) -> int:
    """A mask of seats as seat `first` numbers them."""
    return (seats | seats << 4) >> first & 15


@jit
def of_player(stakes: Stakes, payoff: int) -> int:
    """The payoff of a black seat as that of the player: against a soloist three share it."""
    if stakes.black & 1:
        return payoff
    return -payoff // 3 if stakes.alone else -payoff
