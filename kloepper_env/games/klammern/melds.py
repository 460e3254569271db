"""Melds of Klammern (M19 to M24): the meld set of a hand, and whose melds score.

A meld is a number of 12 bits that compares as M23 (a) to (c) says:

    11..9  class: its points, see CLASS_POINTS
        8  whether its kind, run or four, goes before the other at equal points
     7..4  cards of a run; 0 for a four
     3..1  a run's top card; what a four's rank is worth in the order J 9 A T K Q 8 7
        0  whether a run is in trump

A meld set is up to four of them in one word, the best at the top.
"""

from typing import Final

import numpy as np

from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.games.klammern.options import (
    FLAG_COUNT,
    FLAG_FOURS_FIRST,
    FLAG_LOW_FOURS,
    FLAG_REUSE,
    FLAG_SPLIT_RUNS,
    FLAG_TIE_TO_FIRST,
)
from kloepper_env.games.klammern.record import N_RANKS, N_SEATS, N_SUITS, RANKS, SUIT_CARDS, Hand
from kloepper_env.tricks import NONE

CLASS_POINTS: Final = np.array([0, 20, 50, 100, 150, 200], np.int64)
"""Points of a class; 0 is no meld."""
MOST_MELDS: Final = 550
"""The most points of melds that the two hands of a team can have: four fours, those of jacks, of
nines and two more. No eight cards have more than a run of 100 beside a four."""
QUINT = 3  # the class of a run of five cards or more
_CLASS_SHIFT, _KIND_SHIFT, _LENGTH_SHIFT, _TOP_SHIFT = 9, 8, 4, 1
MELD_BITS: Final = 12
MELD: Final = (1 << MELD_BITS) - 1
_PLACES: Final = (36, 24, 12, 0)  # of the melds in a set

_FOUR_ORDER = "78QKTA9J"  # the best last (M23)
_FOUR_CLASS = {"J": 5, "9": 4}  # M20
FOURS: Final = np.array(
    [_FOUR_CLASS.get(r, 3) << _CLASS_SHIFT | _FOUR_ORDER.index(r) << _TOP_SHIFT for r in RANKS],
    np.int64,
)
"""[rank] the meld of four cards of a rank, without the bit for its kind."""
PUBLIC_MELDS: Final = (
    "terz",
    "second_terz",
    "quart",
    "second_quart",
    "quint",
    "four_100",
    "second_four_100",
    "four_150",
    "four_200",
)
"""What all learn of an announced meld: its kind and its points. A hand of eight has no third."""
_PUBLIC: Final = np.array([[0, 0, 0, 5, 7, 8], [0, 0, 2, 4, 0, 0]], np.int64)
"""[whether it is a run, class] the place of a meld in PUBLIC_MELDS if there is none before."""
LOW_FOURS: Final = 0b11  # sevens and eights, as ranks


def _run(first: int, last: int) -> int:
    """The run of the ranks from `first` to `last`, outside trump, without the bit for its kind."""
    cards = last - first + 1
    return min(cards - 2, QUINT) << _CLASS_SHIFT | cards << _LENGTH_SHIFT | last << _TOP_SHIFT


def _value(runs: tuple[tuple[int, int], ...]) -> tuple[int, list[int]]:
    """What makes a choice of runs better than another (M21): points, then the runs themselves."""
    numbers = sorted((_run(*run) for run in runs), reverse=True)
    return sum(int(CLASS_POINTS[number >> _CLASS_SHIFT]) for number in numbers), numbers


def _blocks(cards: int) -> list[tuple[int, int]]:
    """First and last rank of each block of a suit's cards."""
    ends = [r for r in range(N_RANKS) if cards >> r & 1 and not cards >> r + 1 & 1]
    starts = [r for r in range(N_RANKS) if cards >> r & 1 and not cards << 1 >> r & 1]
    return list(zip(starts, ends, strict=True))


def _best_of_block(first: int, last: int, split: bool) -> tuple[tuple[int, int], ...]:
    """The best runs that a block gives: one, or with `split` also two that share no card."""
    runs = [(a, b) for a in range(first, last + 1) for b in range(a + 2, last + 1)]
    pairs = [(one, two) for one in runs for two in runs if split and one[1] < two[0]]
    return max([(), *((run,) for run in runs), *pairs], key=_value)


def _run_tables() -> tuple[IntArray, IntArray]:
    numbers = np.zeros((2, 1 << N_RANKS), np.int64)
    cards = np.zeros((2, 1 << N_RANKS), np.int64)
    for split in (0, 1):
        for held in range(1 << N_RANKS):
            for block in _blocks(held):
                for first, last in _best_of_block(*block, bool(split)):
                    numbers[split, held] = numbers[split, held] << MELD_BITS | _run(first, last)
                    cards[split, held] |= (2 << last) - (1 << first)
    return numbers, cards


RUNS, RUN_CARDS = _run_tables()
"""[split, cards of a suit] the runs that these give, two at most; and their cards.

That a block gives at most one run unless `split_long_runs` is seen here from the cards alone: where
the cards of a four are taken out of a block, the eight cards of a hand leave no two runs of it."""


@jit
def inserted(melds: int, meld: int) -> int:
    """A meld set with one more."""
    result = 0
    for place in _PLACES:
        other = melds >> place & MELD
        result |= max(other, meld) << place
        meld = min(other, meld)
    return result


@jit
def points_of(melds: int) -> int:
    """Points of a meld set."""
    points = 0
    for place in _PLACES:
        points += int(CLASS_POINTS[melds >> place + _CLASS_SHIFT & 7])
    return points


@jit
def best_of(melds: int) -> int:
    """The best meld of a set; 0 if it is empty."""
    return melds >> 36


@jit
def public_melds(melds: int) -> int:
    """What all learn of a meld set once it is announced, as a mask of PUBLIC_MELDS (M22)."""
    public = 0
    for place in _PLACES:
        meld = melds >> place & MELD
        is_run = int(meld >> _LENGTH_SHIFT & 15 != 0)
        flag = int(meld != 0) << int(_PUBLIC[is_run, meld >> _CLASS_SHIFT])
        public |= flag << int(public & flag != 0)
    return public


@jit
def fours_in(held: int, flags: int) -> int:
    """The ranks of which a hand holds all four cards and that may be melded, as a mask (M20)."""
    ranks = held & held >> 8 & held >> 16 & held >> 24 & SUIT_CARDS
    return ranks if flags & FLAG_LOW_FOURS else ranks & ~LOW_FOURS


@jit
def _with_runs(melds: int, cards: int, trump: int, flags: int) -> int:
    """A meld set with the best runs that some cards give."""
    split = int(flags & FLAG_SPLIT_RUNS != 0)
    kind = int(flags & FLAG_FOURS_FIRST == 0) << _KIND_SHIFT
    for suit in range(N_SUITS):
        runs = int(RUNS[split, cards >> N_RANKS * suit & SUIT_CARDS])
        while runs:
            melds = inserted(melds, runs & MELD | kind | int(suit == trump))
            runs >>= MELD_BITS
    return melds


@jit
def _run_cards(cards: int, flags: int) -> int:
    """The cards of the best runs that some cards give."""
    split = int(flags & FLAG_SPLIT_RUNS != 0)
    found = 0
    for suit in range(N_SUITS):
        own = cards >> N_RANKS * suit & SUIT_CARDS
        found |= int(RUN_CARDS[split, own]) << N_RANKS * suit
    return found


@jit
def _all_suits(ranks: int) -> int:
    """The cards of some ranks."""
    return ranks | ranks << 8 | ranks << 16 | ranks << 24


@jit
def find_melds(hand: Hand, seat: int) -> None:
    """Write the meld set of the eight cards that a seat holds (M21).

    Every choice of its fours is tried; the runs of the cards that are left follow suit by suit.
    """
    held, trump, flags = int(hand.hands[seat]), int(hand.trump), int(hand.option_flags)
    fours = fours_in(held, flags)
    kind = int(flags & FLAG_FOURS_FIRST != 0) << _KIND_SHIFT
    hand.melds[seat] = 0
    hand.meld_cards[seat] = 0
    chosen = fours
    while True:
        melds, left = 0, chosen
        while left:
            melds = inserted(melds, int(FOURS[lowest(left)]) | kind)
            left &= left - 1
        four_cards = _all_suits(chosen)
        free = held if flags & FLAG_REUSE else held & ~four_cards
        melds = _with_runs(melds, free, trump, flags)
        best = int(hand.melds[seat])
        gain = points_of(melds) - points_of(best)
        if gain > 0 or (gain == 0 and melds > best):
            hand.melds[seat] = melds
            hand.meld_cards[seat] = four_cards | _run_cards(free, flags)
        if chosen == 0 or flags & FLAG_REUSE:
            return
        chosen = chosen - 1 & fours


@jit
def _best_of_team(hand: Hand, team: int) -> int:
    best = 0
    for seat in (team, team + 2):
        if int(hand.declared) >> seat & 1:
            best = max(best, best_of(int(hand.melds[seat])))
    return best


@jit
def _count_of_team(hand: Hand, team: int, best: int) -> int:
    """How many melds of a team have the points and the kind of its best one."""
    count = 0
    for seat in (team, team + 2):
        if int(hand.declared) >> seat & 1:
            for place in _PLACES:
                count += (int(hand.melds[seat]) >> place & MELD) >> _KIND_SHIFT == (
                    best >> _KIND_SHIFT
                )
    return count


@jit
def contest(hand: Hand) -> int:
    """The team whose melds score, NONE if no team's do (M23, M24)."""
    own, other = _best_of_team(hand, 0), _best_of_team(hand, 1)
    if own >> _KIND_SHIFT != other >> _KIND_SHIFT:
        return int(other > own)
    if own == 0:
        return NONE
    if hand.option_flags & FLAG_COUNT:
        lead = _count_of_team(hand, 0, own) - _count_of_team(hand, 1, other)
        if lead:
            return int(lead < 0)
    if own != other:
        return int(other > own)
    if not hand.option_flags & FLAG_TIE_TO_FIRST:
        return NONE
    seat = int(hand.dealer) + 1 & 3
    for _ in range(N_SEATS):
        if int(hand.declared) >> seat & 1 and best_of(int(hand.melds[seat])) == own:
            return seat & 1
        seat = seat + 1 & 3
    return NONE


@jit
def team_points(hand: Hand, team: int) -> int:
    """What the announced melds of a team are worth; which team scores them, `contest` tells."""
    points = 0
    for seat in (team, team + 2):
        points += points_of(int(hand.melds[seat])) * (int(hand.declared) >> seat & 1)
    return points
