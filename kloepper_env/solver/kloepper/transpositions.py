"""The transposition table of a solver: what is known of positions at the start of a trick.

An int64 array: a header, then slots of two words. The first word of a slot is the structure of a
position (position.structure), complete and not hashed, so no entry is ever taken for another. The
second packs, from the lowest bit: the live cards (24 bits), the least and the most that the black
side takes of their points (8 bits each), and the card that did best, plus 1 (5 bits).

What an entry says is true of the position itself, whatever hand it came from. So nothing has to be
cleared or stamped between hands, and sampled worlds that share an ending share the work.
"""

from typing import Final

from kloepper_env._jit import IntArray, jit, lowest, mix
from kloepper_env.games.kloepper.record import POINTS

PLAYS: Final = 0  # word that counts the cards played in searches
HEADER: Final = 8
SLOTS: Final = 1 << 14  # 256 KiB: stays in the second-level cache; more saves 1 % of the plays
WORDS: Final = HEADER + 2 * SLOTS

_SWEEP: Final = -(1 << 63)  # marks the structure of an entry of sweep.py


@jit
def _slot(structure: int) -> int:
    return HEADER + 2 * (mix(structure) & SLOTS - 1)


@jit
def find(transpositions: IntArray, structure: int, live: int, left: int) -> tuple[int, int, int]:
    """Least and most black points of a position and its best card (a bit, or 0) if known."""
    at = _slot(structure)
    if transpositions[at] != structure:
        return 0, left, 0
    entry = int(transpositions[at + 1])
    low, high = entry >> 24 & 255, entry >> 32 & 255
    if entry & 0xFFFFFF == live:
        return low, high, 1 << (entry >> 40) >> 1
    # The same structure with other cards. Cards correspond in order; follow one line of play in
    # both. Black takes corresponding cards, so its points differ by the sum of (points here -
    # points there) over the cards it takes: at least the sum of the negative, at most the sum of
    # the positive differences. As that holds for every line, it holds for the values
    # (Kupferschmid and Helmert 2006, quasi-symmetry).
    there = entry & 0xFFFFFF
    loss, gain = 0, 0
    while live:
        difference = int(POINTS[lowest(live)] - POINTS[lowest(there)])
        gain += max(difference, 0)
        loss += min(difference, 0)
        live &= live - 1
        there &= there - 1
    return max(low + loss, 0), min(high + gain, left), 0


@jit
def keep(
    transpositions: IntArray, structure: int, live: int, low: int, high: int, card: int
) -> None:
    """Note what is known of a position now; it takes the place of what was in its slot."""
    at = _slot(structure)
    transpositions[at] = structure
    transpositions[at + 1] = live | low << 24 | high << 32 | card + 1 << 40


@jit
def find_sweep(transpositions: IntArray, structure: int) -> int:
    """1 or 0 if it is known whether the black side takes all tricks, else -1."""
    at = _slot(structure)
    return int(transpositions[at + 1]) if transpositions[at] == structure | _SWEEP else -1


@jit
def keep_sweep(transpositions: IntArray, structure: int, swept: bool) -> None:
    """Note whether the black side takes all tricks."""
    at = _slot(structure)
    transpositions[at] = structure | _SWEEP
    transpositions[at + 1] = swept
