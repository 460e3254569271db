"""Melds of Klammern the slow way (M19 to M25), from cards and what was done, for comparison.

A meld is a tuple of cards. Nothing here looks at the compiled code.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cmp_to_key
from itertools import combinations
from typing import Any

RANKS, SUITS = "789TJQKA", "CSHD"
Meld = tuple[str, ...]
Rules = Mapping[str, Any]


def is_run(meld: Meld) -> bool:
    return meld[0][1] == meld[1][1]


def points(meld: Meld) -> int:
    """M19, M20."""
    if is_run(meld):
        return {3: 20, 4: 50}.get(len(meld), 100)
    return {"J": 200, "9": 150}.get(meld[0][0], 100)


def all_melds(hand: Sequence[str], rules: Rules) -> list[Meld]:
    """Every run and every four that a hand holds."""
    runs = [
        tuple(rank + suit for rank in RANKS[first:last])
        for suit in SUITS
        for first in range(8)
        for last in range(first + 3, 9)
    ]
    fours = [
        tuple(rank + suit for suit in SUITS)
        for rank in RANKS
        if not (rank in "78" and rules.get("quad_ranks") == "no_7_8")
    ]
    return [meld for meld in (*runs, *fours) if set(meld) <= set(hand)]


def block_of(run: Meld, hand: Sequence[str]) -> str:
    """The lowest card of the block that a run is a stretch of."""
    rank = RANKS.index(run[0][0])
    while rank and RANKS[rank - 1] + run[0][1] in hand:
        rank -= 1
    return RANKS[rank] + run[0][1]


def fits(melds: Sequence[Meld], hand: Sequence[str], rules: Rules) -> bool:
    """Whether melds may be chosen together (M19, M21)."""
    runs, fours = [m for m in melds if is_run(m)], [m for m in melds if not is_run(m)]
    blocks = [block_of(run, hand) for run in runs]
    if len(set(blocks)) < len(blocks) and not rules.get("split_long_runs", False):
        return False
    kinds = [runs, fours] if rules.get("meld_card_reuse", False) else [[*runs, *fours]]
    used = [[card for meld in kind for card in meld] for kind in kinds]
    return all(len(set(cards)) == len(cards) for cards in used)


def worth(meld: Meld, trump: str, rules: Rules) -> tuple[int, ...]:
    """What M23 (a) to (c) compare, in that order."""
    four_goes_first = rules.get("quad_beats_quint", True)
    if is_run(meld):
        height = RANKS.index(meld[-1][0])
        return (points(meld), int(not four_goes_first), len(meld), height, int(meld[0][1] == trump))
    return (points(meld), int(four_goes_first), "78QKTA9J".index(meld[0][0]))


def meld_set(hand: Sequence[str], trump: str, rules: Rules) -> list[Meld]:
    """The meld set of a hand, the best meld first (M21)."""
    candidates = all_melds(hand, rules)
    sets = [
        choice
        for size in range(5)
        for choice in combinations(candidates, size)
        if fits(choice, hand, rules)
    ]

    def value(melds: Sequence[Meld]) -> tuple[int, list[tuple[int, ...]]]:
        listed = sorted((worth(meld, trump, rules) for meld in melds), reverse=True)
        return sum(map(points, melds)), listed

    best = max(sets, key=value)
    return sorted(best, key=lambda meld: worth(meld, trump, rules), reverse=True)


def contest(sets: Sequence[Sequence[Meld]], dealer: int, trump: str, rules: Rules) -> int | None:
    """The team that scores, of the melds that each seat has announced (M23)."""
    order = [(dealer + 1 + place) % 4 for place in range(4)]
    holders = [(seat, meld) for seat in order for meld in sets[seat]]
    if not holders:
        return None

    def count(seat: int, meld: Meld) -> int:
        """Melds of the seat's team with the same points and of the same kind."""
        return sum(
            (points(other), is_run(other)) == (points(meld), is_run(meld))
            for partner, other in holders
            if partner % 2 == seat % 2
        )

    def compare(one: tuple[int, Meld], other: tuple[int, Meld]) -> int:
        left, right = worth(one[1], trump, rules), worth(other[1], trump, rules)
        if left[:2] != right[:2]:
            return 1 if left > right else -1
        if rules.get("count_over_height", False) and count(*one) != count(*other):
            return 1 if count(*one) > count(*other) else -1
        return (left > right) - (left < right)

    best = max(holders, key=cmp_to_key(compare))  # of equal ones the first in playing order
    level = {seat % 2 for seat, meld in holders if compare((seat, meld), best) == 0}
    if len(level) == 2 and rules.get("meld_tie") == "none":
        return None
    return best[0] % 2


def kind_of(meld: Meld) -> str:
    """What is told of an announced meld."""
    return ("run" if is_run(meld) else "four") + str(points(meld))


def told(
    hands: Sequence[Sequence[str]], dealer: int, rules: Rules, history: Sequence[tuple[int, str]]
) -> dict[str, Any]:
    """What is public of melds and Belle; `hands` are the eight cards of each seat."""
    plays = [(seat, action) for seat, action in history if action[0] in RANKS]
    takes = [action[-1] for _, action in history if action.startswith("take:")]
    if not plays:
        return {}
    trump = takes[0]
    by_choice = rules.get("meld_declare") == "choice"
    silent = {s for s in range(4) if by_choice and (s, "declare") not in history}
    sets = [[] if s in silent else meld_set(hands[s], trump, rules) for s in range(4)]
    announced = {seat: [kind_of(meld) for meld in sets[seat]] for seat, _ in plays[:4]}
    team = contest(sets, dealer, trump, rules) if len(plays) >= 4 else None
    shown = {
        seat: {card for meld in sets[seat] for card in meld}
        for seat in range(4)
        if team is not None and seat % 2 == team
    }
    return {
        "announced": announced,
        "shown": shown,
        "belle": set(belles(hands, trump, rules, plays)),
    }


def belles(
    hands: Sequence[Sequence[str]], trump: str, rules: Rules, plays: Sequence[tuple[int, str]]
) -> Iterator[int]:
    """The seats whose Belle is public (M25)."""
    enough = 1 if rules.get("belle_announce") == "first" else 2
    both = {"K" + trump, "Q" + trump}
    for seat in range(4):
        if both <= set(hands[seat]) and len([c for s, c in plays if c in both]) >= enough:
            yield seat
