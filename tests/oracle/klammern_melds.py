"""Melds of Klammern: what a hand holds, and whose melds count.

Every rule stands where it is applied and is named by its id (M19 to M25).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .klammern_rules import RANKS, SUITS, playing_order, team_of

RUN_NAMES = {3: "Terz", 4: "Quart"}  # M19; longer runs are Quints
POINTS_OF_RUN = {"Terz": 20, "Quart": 50, "Quint": 100}  # M19
FOUR = "Four"
POINTS_OF_FOUR = {"J": 200, "9": 150}  # M20; the other ranks 100
FOUR_ORDER = ["J", "9", "A", "T", "K", "Q", "8", "7"]  # M23 (c), best first
BELLE = 20  # M25


@dataclass(frozen=True)
class Meld:
    """A run, its cards from low to high, or a four; kind is Terz, Quart, Quint or Four."""

    kind: str
    points: int
    cards: tuple[str, ...]


# What a hand holds


def blocks(hand: list[str]) -> list[list[str]]:
    """List the cards that hang together in a suit, each block from low to high (M19)."""
    found: list[list[str]] = []
    for suit in SUITS:
        block: list[str] = []
        for rank in RANKS:
            if rank + suit in hand:
                block.append(rank + suit)
            elif block:
                found.append(block)
                block = []
        if block:
            found.append(block)
    return found


def runs_of(block: list[str]) -> list[Meld]:
    """List every run a block holds: each stretch of three cards or more (M19)."""
    runs = []
    for start in range(len(block)):
        for end in range(start + 3, len(block) + 1):
            kind = RUN_NAMES.get(end - start, "Quint")
            runs.append(Meld(kind, POINTS_OF_RUN[kind], tuple(block[start:end])))
    return runs


def fours_of(hand: list[str], options: Mapping[str, Any]) -> list[Meld]:
    """List the fours of a hand (M20)."""
    fours = []
    for rank in RANKS:
        cards = tuple(rank + suit for suit in SUITS)
        if rank in ["7", "8"] and options["quad_ranks"] == "no_7_8":
            continue
        if all(card in hand for card in cards):
            fours.append(Meld(FOUR, POINTS_OF_FOUR.get(rank, 100), cards))
    return fours


def go_together(one: Meld, other: Meld, hand: list[str], options: Mapping[str, Any]) -> bool:
    """Say whether two different melds may stand in one meld set (M19, M21)."""
    share = any(card in other.cards for card in one.cards)
    if (one.kind == FOUR) != (other.kind == FOUR):
        return not share or options["meld_card_reuse"] is True  # M21
    if one.kind == FOUR:
        return True  # two ranks
    same_block = any(one.cards[0] in block and other.cards[0] in block for block in blocks(hand))
    return not same_block or (options["split_long_runs"] is True and not share)  # M19


def all_sets(hand: list[str], options: Mapping[str, Any]) -> list[list[Meld]]:
    """List every choice of melds that is a meld set, the empty one too (M21)."""
    sets: list[list[Meld]] = [[]]
    runs = [run for block in blocks(hand) for run in runs_of(block)]
    for meld in runs + fours_of(hand, options):
        sets += [
            [*chosen, meld]
            for chosen in sets
            if all(go_together(meld, other, hand, options) for other in chosen)
        ]
    return sets


def worth(meld: Meld, options: Mapping[str, Any]) -> tuple[int, int]:
    """Rank a meld by M23 (a) and (b); more is better."""
    return meld.points, int((meld.kind == FOUR) == options["quad_beats_quint"])


def height(meld: Meld, trump: str) -> tuple[int, int, int]:
    """Rank a meld by M23 (c) among those of its kind; more is better."""
    if meld.kind == FOUR:
        return -FOUR_ORDER.index(meld.cards[0][0]), 0, 0
    top = meld.cards[-1]
    return len(meld.cards), RANKS.index(top[0]), int(top[1] == trump)


def meld_key(meld: Meld, trump: str, options: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Rank a meld by M23 (a) to (c); more is better, equal is level."""
    return worth(meld, options), height(meld, trump)


def meld_set(hand: list[str], trump: str, options: Mapping[str, Any]) -> list[Meld]:
    """Give the meld set of a hand, from its best meld to its worst (M21).

    M21 names (a) to (c) only, so count_over_height has no say here.
    """

    def key(meld: Meld) -> tuple[tuple[int, ...], ...]:
        return meld_key(meld, trump, options)

    sets = [sorted(chosen, key=key, reverse=True) for chosen in all_sets(hand, options)]
    return max(sets, key=lambda melds: (sum_of(melds), [key(meld) for meld in melds]))


def sum_of(melds: list[Meld]) -> int:
    """Add up the points of some melds."""
    return sum(meld.points for meld in melds)


# Whose melds count


def prevailing_team(
    melds: list[list[Meld]], dealer: int, trump: str, options: Mapping[str, Any]
) -> int | None:
    """Name the team whose melds count, given the announced melds of each seat (M23, M24)."""
    of_team = [melds[0] + melds[2], melds[1] + melds[3]]
    if not of_team[0] or not of_team[1]:
        return next((team for team in [0, 1] if of_team[team]), None)  # M24
    best = [max(of_team[team], key=lambda meld: meld_key(meld, trump, options)) for team in [0, 1]]
    ranks: list[list[Any]] = [[worth(best[team], options)] for team in [0, 1]]  # M23 (a), (b)
    if options["count_over_height"]:
        for team in [0, 1]:
            alike = [meld for meld in of_team[team] if same_sort(meld, best[team])]
            ranks[team].append(len(alike))
    for team in [0, 1]:
        ranks[team].append(height(best[team], trump))  # M23 (c)
    if ranks[0] != ranks[1]:
        return 0 if ranks[0] > ranks[1] else 1
    if options["meld_tie"] == "none":
        return None
    level = meld_key(best[0], trump, options)
    for seat in playing_order(dealer):  # M23 (d)
        if any(meld_key(meld, trump, options) == level for meld in melds[seat]):
            return team_of(seat)
    raise AssertionError("nobody holds the best meld")


def same_sort(one: Meld, other: Meld) -> bool:
    """Say whether two melds have the same points and are both runs or both fours (M23)."""
    return one.points == other.points and (one.kind == FOUR) == (other.kind == FOUR)


def has_belle(hand: list[str], trump: str) -> bool:
    """Say whether a hand holds king and queen of trump (M25)."""
    return "K" + trump in hand and "Q" + trump in hand
