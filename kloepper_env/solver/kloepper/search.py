"""Card points with open cards: alpha-beta from trick to trick.

`search` answers one question, "does the black side take at least `target` of the points that are
left?", with a bound on the exact number (fail-soft): an answer of target or more is a lower bound,
a smaller one an upper bound. For the exact number, ask again until both meet.
"""

from kloepper_env._jit import IntArray, deposit, jit, jit_recursive, lowest, popcount
from kloepper_env.solver.kloepper.candidates import candidates_of, first_of
from kloepper_env.solver.kloepper.endings import last_trick, last_two
from kloepper_env.solver.kloepper.position import (
    ALL_TRUMPS,
    SUIT_STARTS,
    equals,
    play,
    points_at,
    points_of,
    structure,
)
from kloepper_env.solver.kloepper.transpositions import PLAYS, find, keep

UNDECIDED = -1


@jit
def _certain(h0: int, h1: int, h2: int, h3: int, sides: int, left: int, target: int) -> int:
    """A bound at the start of a trick that settles the question without a search, or UNDECIDED."""
    # Nobody takes less than nothing or more than there is.
    if target <= 0:
        return 0
    if target > left:
        return left
    size = popcount(h0)
    if size == 1:
        return last_trick(h0, h1, h2, h3, sides, left)
    if size == 2:
        return last_two(h0, h1, h2, h3, sides, left, target)
    # Take the trumps that are above every trump of the other side. Each of them will be played,
    # for all cards are, and then the trick goes to the side that plays it: only a higher trump
    # beats a trump, and all higher ones are its own. So their points are certain for this side.
    s0, s1, s2, s3 = -(sides & 1), -(sides >> 1 & 1), -(sides >> 2 & 1), -(sides >> 3 & 1)
    black = (h0 & s0 | h1 & s1 | h2 & s2 | h3 & s3) & ALL_TRUMPS
    red = (h0 & ~s0 | h1 & ~s1 | h2 & ~s2 | h3 & ~s3) & ALL_TRUMPS
    least = points_of(black & ((red & -red) - 1))
    if least >= target:
        return least
    most = left - points_of(red & ((black & -black) - 1))
    return most if most < target else UNDECIDED


@jit_recursive(f"int64(int64[::1], {', '.join(12 * ['int64'])})")
def search(
    transpositions: IntArray,
    target: int,
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    sides: int,
    coming: int,
    led: int,
    best: int,
    back: int,
    points: int,
    left: int,
) -> int:
    """A bound on the card points that the black side takes of the `left` ones (module docstring).

    The position is given as in `position.play`, seen from the seat to play.
    """
    favourite, key, live, low, high = 0, 0, 0, 0, 0
    if coming == 3:
        bound = _certain(h0, h1, h2, h3, sides, left, target)
        if bound != UNDECIDED:
            return bound
        key = structure(h0, h1, h2, h3, sides)
        live = h0 | h1 | h2 | h3
        low, high, favourite = find(transpositions, key, live, left)
        if low >= target:
            return low
        if high < target:
            return high
    candidates = candidates_of(h0, h1, h2, h3, sides, coming, led, best, back, favourite)
    blockers = h1 | h2 | h3 | SUIT_STARTS | best
    # Both sides maximise sign * points, black up to target, red up to (below target).
    sign = 2 * (sides & 1) - 1
    goal = target if sign > 0 else 1 - target
    value, good = -1000, 0
    tried, of_tried = 0, 0
    while candidates:
        shift = first_of(candidates)
        card = deposit(1 << (candidates >> shift & 7), h0)
        candidates &= ~(1023 << shift)
        if tried and equals(card, tried, blockers):
            # Of two cards of one run, play one or the other: the lines correspond, and only the
            # points of these two change places. Black's result changes by their difference or not
            # at all, so the value of this card is at most that of the card tried plus it.
            most = of_tried + abs(points_at(card) - points_at(tried))
            if most < goal:
                value = max(value, most)
                continue
        transpositions[PLAYS] += 1
        n0, n1, n2, n3, turned_sides, to_come, suit, winning, ago, on_table, rest, taken = play(
            h0, h1, h2, h3, sides, coming, led, best, back, points, left, card
        )
        result = taken + search(
            transpositions,
            target - taken,
            n0,
            n1,
            n2,
            n3,
            turned_sides,
            to_come,
            suit,
            winning,
            ago,
            on_table,
            rest,
        )
        tried, of_tried = card, sign * result
        if of_tried > value:
            value, good = of_tried, card
            if value >= goal:
                break
    value *= sign
    if coming == 3:
        if value >= target:
            low = value
        else:
            high = value
        keep(transpositions, key, live, low, high, lowest(good))
    return value
