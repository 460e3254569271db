"""Card points with open cards: alpha-beta from trick to trick.

`search` answers one question, "does the black side take at least `target` of the points that are
left?", with a bound on the exact number (fail-soft): an answer of target or more is a lower bound,
a smaller one an upper bound. Whoever wants the exact number asks again until both meet.
"""

from kloepper_env._jit import IntArray, deposit, jit, jit_recursive, lowest, popcount
from kloepper_env.solver.endings import last_trick, last_two
from kloepper_env.solver.ordering import FAVOURITE, order
from kloepper_env.solver.position import (
    ALL_TRUMPS,
    NO_WINNER,
    SUIT_MASK,
    SUIT_STARTS,
    answers,
    follow,
    next_seat,
    points_at,
    points_of,
    run_from,
    structure,
    turned,
)
from kloepper_env.solver.table import PLAYS, find, keep

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


@jit
def _candidates(
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    sides: int,
    coming: int,
    led: int,
    best: int,
    back: int,
    favourite: int,
) -> int:
    """The cards worth a search, each with its rank in the order of trying, packed by `order`."""
    enemies = sides ^ -(sides & 1)
    blockers = h1 | h2 | h3 | SUIT_STARTS | best
    hostile, friendly = answers(h1, h2, h3, led, enemies, coming)
    # Whether the winning card of the trick so far is a friend's.
    held = coming < 3 and (enemies >> (4 - back & 3) & 1) == 0
    candidates = 0
    shift = 0
    suit = led
    moves = follow(h0, led)
    while moves:
        first = moves & -moves
        run = run_from(first, moves, blockers)
        moves ^= run
        if coming == 3 and not first & suit:
            suit = int(SUIT_MASK[lowest(first)])
            hostile, friendly = answers(h1, h2, h3, suit, enemies, 3)
        takes = first & (suit | ALL_TRUMPS) != 0 and first < best
        winning = first if takes else best
        ours = takes or held
        against, with_us = hostile & winning - 1, friendly & winning - 1
        certain = against == 0 if ours else with_us == 0
        # Certain: nobody of the side that does not hold the trick can take it any more. Compare
        # two cards of a run, the dearer played here or kept for later. Every further play of one
        # line is possible in the other with the same winners, so the two results differ by d (the
        # difference of the cards) times (1 if we take this trick, else 0) - (1 if we take the kept
        # card, else 0). With this trick ours for certain that is never negative: play the dearest;
        # with it lost for certain never positive: play the cheapest. The rest need no search.
        if certain:
            run = _dearest(run) if ours else _cheapest(run)
        pick = against | with_us
        expected = pick & -pick & with_us != 0 if pick else ours
        seen = -1
        while run:
            card = run & -run
            run ^= card
            points = points_at(card)
            if points != seen:  # equal cards with equal points are one move
                seen = points
                rank = order(coming, certain, expected, takes, card, points)
                if card == favourite:
                    rank = FAVOURITE
                candidates |= (rank << 3 | popcount(h0 & card - 1)) << shift
                shift += 10
    return candidates


@jit
def _dearest(run: int) -> int:
    """The card of a run, not empty, with the most points."""
    card = run & -run
    while run:
        other = run & -run
        run ^= other
        if points_at(other) > points_at(card):
            card = other
    return card


@jit
def _cheapest(run: int) -> int:
    """The card of a run, not empty, with the fewest points."""
    card = run & -run
    while run:
        other = run & -run
        run ^= other
        if points_at(other) < points_at(card):
            card = other
    return card


@jit
def _first_of(candidates: int) -> int:
    """Where in `candidates` the highest rank stands."""
    shift, highest, at = 0, 0, 0
    while candidates >> shift:
        entry = candidates >> shift & 1023
        if entry > highest:
            highest = entry
            at = shift
        shift += 10
    return at


@jit
def _equals(card: int, other: int, blockers: int) -> bool:
    """Whether two cards (bits) of one hand are of one run."""
    lower, higher = min(card, other), max(card, other)
    return blockers & higher - 1 & -(lower << 1) == 0 and higher & SUIT_STARTS == 0


@jit_recursive
def search(
    table: IntArray,
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

    The position is seen from the seat to play (position.py). `coming` seats play after it in this
    trick; of the trick so far, `led` is the suit mask (0: none yet), `best` the winning card (a
    bit, or NO_WINNER), `back` how many plays ago it fell, `points` the card points. `left` counts
    the cards in the hands and on the table.
    """
    favourite, key, live = 0, 0, 0
    if coming == 3:
        bound = _certain(h0, h1, h2, h3, sides, left, target)
        if bound != UNDECIDED:
            return bound
        key = structure(h0, h1, h2, h3, sides)
        live = h0 | h1 | h2 | h3
        low, high, favourite = find(table, key, live, left)
        if low >= target:
            return low
        if high < target:
            return high
    candidates = _candidates(h0, h1, h2, h3, sides, coming, led, best, back, favourite)
    blockers = h1 | h2 | h3 | SUIT_STARTS | best
    # Both sides maximise sign * points, black up to target, red up to (below target).
    sign = 2 * (sides & 1) - 1
    goal = target if sign > 0 else 1 - target
    value, good = -1000, 0
    tried, of_tried = 0, 0
    while candidates:
        shift = _first_of(candidates)
        card = deposit(1 << (candidates >> shift & 7), h0)
        candidates &= ~(1023 << shift)
        gained = points_at(card)
        if tried and _equals(card, tried, blockers):
            # Of two cards of one run, play one or the other: the lines correspond, and only the
            # points of these two change places. Black's result changes by their difference or not
            # at all, so the value of this card is at most that of the card tried plus it.
            most = of_tried + abs(gained - points_at(tried))
            if most < goal:
                value = max(value, most)
                continue
        table[PLAYS] += 1
        suit = led if led else int(SUIT_MASK[lowest(card)])
        takes = card & (suit | ALL_TRUMPS) != 0 and card < best
        winning = card if takes else best
        ago = 1 if takes else back + 1
        if coming:
            result = search(
                table,
                target,
                h1,
                h2,
                h3,
                h0 ^ card,
                next_seat(sides),
                coming - 1,
                suit,
                winning,
                ago,
                points + gained,
                left,
            )
        else:
            trick = points + gained
            n0, n1, n2, n3, turned_sides = turned(
                h1, h2, h3, h0 ^ card, next_seat(sides), 4 - ago & 3
            )
            taken = trick * (turned_sides & 1)
            result = taken + search(
                table, target - taken, n0, n1, n2, n3, turned_sides, 3, 0, NO_WINNER, 0, 0, left - trick
            )
        tried, of_tried = card, sign * result
        if of_tried > value:
            value, good = of_tried, card
            if value >= goal:
                break
    value *= sign
    if coming == 3:
        # What was known may have been replaced meanwhile; what was found is enough.
        if value >= target:
            keep(table, key, live, value, left, lowest(good))
        else:
            keep(table, key, live, 0, value, lowest(good))
    return value
