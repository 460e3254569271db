"""All tricks with open cards: can the black side take every trick that is left?

A search for a yes or no that ends with the first trick of the red side. Card points play no part,
so cards of one run are one move and a position is its structure.
"""

from kloepper_env._jit import IntArray, jit, jit_recursive, lowest
from kloepper_env.solver.position import (
    ALL_TRUMPS,
    NO_WINNER,
    SUIT_MASK,
    SUIT_STARTS,
    answers,
    follow,
    next_seat,
    run_from,
    structure,
    turned,
)
from kloepper_env.solver.table import PLAYS, find_sweep, keep_sweep

UNDECIDED = -1


@jit
def _certain(h0: int, h1: int, h2: int, h3: int, sides: int) -> int:
    """1 or 0 when the answer is plain at the start of a trick, else UNDECIDED."""
    live = h0 | h1 | h2 | h3
    if live == 0:
        return 1
    s0, s1, s2, s3 = -(sides & 1), -(sides >> 1 & 1), -(sides >> 2 & 1), -(sides >> 3 & 1)
    red = h0 & ~s0 | h1 & ~s1 | h2 & ~s2 | h3 & ~s3
    if red == 0:
        return 1  # never with two sides at the table, but true
    trumps = live & ALL_TRUMPS
    # The highest trump wins the trick in which it is played, and every card is played.
    if trumps & -trumps & red:
        return 0
    # Trumps above all other seats' cards win their tricks; a leader with no others keeps the lead.
    others = (h1 | h2 | h3) & ALL_TRUMPS
    if sides & 1 and h0 & ~((others & -others) - 1 & ALL_TRUMPS) == 0:
        return 1
    return UNDECIDED


@jit_recursive
def sweep(
    table: IntArray,
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    sides: int,
    coming: int,
    led: int,
    best: int,
    back: int,
) -> bool:
    """Whether the black side can take this trick and all that follow, against any defence.

    The position is given as in `search.search`.
    """
    key = 0
    if coming == 3:
        plain = _certain(h0, h1, h2, h3, sides)
        if plain != UNDECIDED:
            return plain == 1
        key = structure(h0, h1, h2, h3, sides)
        known = find_sweep(table, key)
        if known >= 0:
            return known == 1
    black = sides & 1
    enemies = sides ^ -black
    hostile, friendly = answers(h1, h2, h3, led, enemies, coming)
    held = coming < 3 and (enemies >> (4 - back & 3) & 1) == 0
    blockers = h1 | h2 | h3 | SUIT_STARTS | best
    moves = follow(h0, led)
    suit = led
    swept = black == 0  # black needs one card that sweeps, red one that does not
    while moves and swept == (black == 0):
        card = moves & -moves
        moves ^= run_from(card, moves, blockers)
        if coming == 3 and not card & suit:
            suit = int(SUIT_MASK[lowest(card)])
            hostile, friendly = answers(h1, h2, h3, suit, enemies, 3)
        takes = card & (suit | ALL_TRUMPS) != 0 and card < best
        winning = card if takes else best
        pick = (hostile | friendly) & winning - 1
        # The trick goes to the side of the strongest card that can still be played to it, if that
        # side wants it: its owner plays it, and nobody has a better one.
        ours = pick & -pick & friendly != 0 if pick else takes or held
        if not ours and black:
            continue  # red can take this trick
        if ours and not black:
            swept = False
            continue
        table[PLAYS] += 1
        ago = 1 if takes else back + 1
        rest, next_sides = h0 ^ card, next_seat(sides)
        if coming:
            swept = sweep(
                table, h1, h2, h3, rest, next_sides, coming - 1, suit, winning, ago
            )
            continue
        # Here the black side has taken the trick: the others were sorted out above.
        n0, n1, n2, n3, next_sides = turned(h1, h2, h3, rest, next_sides, 4 - ago & 3)
        swept = sweep(table, n0, n1, n2, n3, next_sides, 3, 0, NO_WINNER, 0)
    if coming == 3:
        keep_sweep(table, key, swept)
    return swept
