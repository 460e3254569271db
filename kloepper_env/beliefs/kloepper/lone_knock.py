"""How many consistent deals a lone knocker who leads sweeps: counted, without a search.

For him one order of cards takes all tricks if any does: trumps from the top, then each plain suit
from the top. Whether it does is a condition on him and on one defender at a time, and in it on one
suit at a time. docs/lone-knocker.md proves it. So the deals that sweep are counted suit by suit, as
all deals are. And as the order looks at no hidden card, the share of deals that can be swept with
open cards is the share that he sweeps at the table.
"""

from typing import NamedTuple

import numpy as np

from kloepper_env._jit import IntArray, jit, popcount
from kloepper_env.beliefs.counting import CHOOSE, count_ways
from kloepper_env.beliefs.kloepper.knowledge import N_SUITS, Knowledge
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALL,
    FOLLOW,
    HAND_SIZE,
    N_CARDS,
    N_SEATS,
    STRENGTH,
    SUIT,
    TRUMPS,
)
from kloepper_env.view import View


class SweepCount(NamedTuple):
    """Consistent deals, and those of them in which a lone knocker takes all tricks."""

    sweeps: int
    deals: int

    @property
    def share(self) -> float:
        """The share of deals that sweep."""
        return self.sweeps / self.deals


# --- open cards ----------------------------------------------------------------------------------


@jit
def nth_highest(cards: int, n: int) -> int:
    """The n-th highest card (a bit) of a mask of one suit, which has at least n; n is 1 or more."""
    for _ in range(n - 1):
        cards &= cards - 1
    return cards & -cards


@jit
def beaten_by_order(knocker: int, defender: int) -> bool:
    """Whether a defender takes no trick from a lone knocker who leads; masks of equally many cards.

    In each suit the defender's highest card must be below the knocker's min(c, l)-th, of c cards
    that the defender has and l that the knocker has; and he may not have more trumps than the
    knocker, unless the knocker has nothing but trumps.
    """
    for suit in range(N_SUITS):
        mine = int(FOLLOW[suit])
        own, theirs = knocker & mine, defender & mine
        n = min(popcount(own), popcount(theirs))
        if n and theirs & -theirs < nth_highest(own, n):
            return False
    trumps = int(FOLLOW[TRUMPS])
    outlasts = popcount(defender & trumps) > popcount(knocker & trumps)
    return not outlasts or knocker & ~trumps == 0


@jit
def lone_sweep(knocker: int, first: int, second: int, third: int) -> bool:
    """Whether a lone knocker who leads takes all tricks left, against any defence."""
    return (
        beaten_by_order(knocker, first)
        and beaten_by_order(knocker, second)
        and beaten_by_order(knocker, third)
    )


# --- hidden cards --------------------------------------------------------------------------------


@jit
def _below(knocker: int, unseen: int, n: int) -> int:
    """How many unseen cards of a suit a defender who has n cards of it may hold."""
    n = min(n, popcount(knocker))
    if n == 0:
        return popcount(unseen)
    return popcount(unseen & -(nth_highest(knocker, n) << 1))


@jit
def _split(knocker: int, unseen: int, first: int, second: int, third: int) -> int:
    """Ways to give the unseen cards of a suit, so many to each defender, that all are beaten.

    The more cards of it a defender has, the lower they must be, so the sets he may draw from lie
    in one another: whoever has most of them draws first, and takes nothing from the others' choice
    but cards that they may have as well.
    """
    high, low = max(first, second, third), min(first, second, third)
    middle = first + second + third - high - low
    ways = 1
    used = 0
    for n in (high, middle, low):
        free = _below(knocker, unseen, n) - used
        if free < n:
            return 0
        ways *= int(CHOOSE[free, n])
        used += n
    return ways


@jit
def _count_sweeps(knocker: int, unseen: IntArray, barred: IntArray, ways: IntArray) -> None:
    """Fill `ways` as `counting.count_ways` does, with the deals that sweep alone."""
    most = HAND_SIZE
    left = 0
    ways[N_SUITS, 0, 0] = 1
    trumps = popcount(knocker & int(FOLLOW[TRUMPS]))
    for suit in range(N_SUITS - 1, -1, -1):
        cards, own = int(unseen[suit]), knocker & int(FOLLOW[suit])
        n = popcount(cards)
        left += n
        longest = trumps if suit == TRUMPS and trumps < popcount(knocker) else most
        for i in range(min(n, longest) + 1):
            for j in range(min(n - i, longest) + 1):
                k = n - i - j
                given = int(i > 0) | int(j > 0) << 1 | int(k > 0) << 2
                if k > longest or given & int(barred[suit]):
                    continue
                split = _split(own, cards, i, j, k)
                if split == 0:
                    continue
                for a in range(i, min(left, most) + 1):
                    for b in range(j, min(left - a, most) + 1):
                        ways[suit, a, b] += split * ways[suit + 1, a - i, b - j]


def leads_alone(view: View) -> bool:
    """Whether the View's seat was dealt both black queens, has called nobody, and leads next."""
    return _leads(view, Knowledge.of(view))[0]


def count_lone_sweeps(view: View) -> SweepCount:
    """Count the consistent deals, and those in which the View's seat takes all tricks alone.

    The seat was dealt both black queens and has called nobody, and it leads to the next trick; it
    may have knocked or not. Raises ConfigError for any other View.
    """
    known = Knowledge.of(view)
    led, took_all = _leads(view, known)
    if not led:
        raise ConfigError(
            f"seat {view.seat} does not lead alone here: deals that sweep are counted for a seat "
            "that was dealt both black queens, has called nobody and leads to the next trick"
        )
    a, b, _ = known.capacity.tolist()
    unseen = known.others
    ways = np.zeros((2, N_SUITS + 1, HAND_SIZE + 1, HAND_SIZE + 1), np.int64)
    count_ways(unseen, known.barred, ways[0])
    if took_all:
        _count_sweeps(known.held, unseen, known.barred, ways[1])
    return SweepCount(int(ways[1, 0, a, b]), int(ways[0, 0, a, b]))


def _leads(view: View, known: Knowledge) -> tuple[bool, bool]:
    """Whether the seat of a View leads next, and alone; and whether it has taken all tricks."""
    dealt = known.held | int(known.played[known.seat])
    plays = [(seat, view.action_names.index(action)) for seat, action in view.history]
    called = any(action >= CALL for _, action in plays)
    cards = [(seat, action) for seat, action in plays if action < N_CARDS]
    leader, took_all = (known.dealer + 1) % N_SEATS, True
    for start in range(0, len(cards) - N_SEATS + 1, N_SEATS):
        trick = cards[start : start + N_SEATS]
        led = SUIT[trick[0][1]]
        leader = max(trick, key=lambda play: STRENGTH[led, play[1]])[0]
        took_all &= leader == known.seat
    alone = dealt & BLACK_QUEENS == BLACK_QUEENS and not called
    between = len(cards) % N_SEATS == 0 and known.held != 0
    return alone and between and leader == known.seat, took_all
