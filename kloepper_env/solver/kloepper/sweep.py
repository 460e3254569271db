"""All tricks with open cards: can the black side take every trick that is left?

A search for a yes or no that ends with the first trick of the red side. Card points play no part,
so cards of one run are one move and a position is its structure.
"""

from kloepper_env._jit import IntArray, deposit, jit, jit_recursive, lowest, popcount
from kloepper_env.solver.kloepper.position import (
    ALL_TRUMPS,
    SUIT_MASK,
    SUIT_STARTS,
    answers,
    follow,
    play,
    run_from,
    structure,
)
from kloepper_env.solver.kloepper.transpositions import PLAYS, find_sweep, keep_sweep

UNDECIDED = -1


@jit
def _must_take(red_hand: int, black_trumps: int) -> bool:
    """Whether a red hand has too many high trumps for the black side to beat each of them.

    Every card is played, those of one hand in different tricks. So the j highest trumps of a hand
    lose only to j different black trumps, each higher than the one it beats and therefore higher
    than the j-th.
    """
    trumps = red_hand & ALL_TRUMPS
    needed = 0
    while trumps:
        card = trumps & -trumps
        trumps ^= card
        needed += 1
        if popcount(black_trumps & card - 1) < needed:
            return True
    return False


@jit
def _weakest_of_each_run(moves: int, blockers: int) -> int:
    """One card of every run of a hand."""
    cards = 0
    while moves:
        run = run_from(moves & -moves, moves, blockers)
        moves ^= run
        cards |= _weakest(run)
    return cards


@jit
def _weakest(cards: int) -> int:
    """The weakest card (a bit) of a mask that is not 0, by number."""
    return deposit(1 << popcount(cards) - 1, cards)


@jit
def _certain(h0: int, h1: int, h2: int, h3: int, sides: int) -> int:
    """1 or 0 when the answer is plain at the start of a trick, else UNDECIDED."""
    live = h0 | h1 | h2 | h3
    if live == 0:
        return 1
    s0, s1, s2, s3 = -(sides & 1), -(sides >> 1 & 1), -(sides >> 2 & 1), -(sides >> 3 & 1)
    red = h0 & ~s0 | h1 & ~s1 | h2 & ~s2 | h3 & ~s3
    black_trumps = live & ~red & ALL_TRUMPS
    if (
        _must_take(h0 & ~s0, black_trumps)
        or _must_take(h1 & ~s1, black_trumps)
        or _must_take(h2 & ~s2, black_trumps)
        or _must_take(h3 & ~s3, black_trumps)
    ):
        return 0
    # A leader who holds nothing but trumps above all others' wins each trick with one of them.
    others = (h1 | h2 | h3) & ALL_TRUMPS
    if sides & 1 and h0 & ~((others & -others) - 1 & ALL_TRUMPS) == 0:
        return 1
    return UNDECIDED


@jit_recursive(f"boolean(int64[::1], {', '.join(9 * ['int64'])})")
def sweep(
    transpositions: IntArray,
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

    The position is given as in `position.play`.
    """
    key = 0
    if coming == 3:
        plain = _certain(h0, h1, h2, h3, sides)
        if plain != UNDECIDED:
            return plain == 1
        key = structure(h0, h1, h2, h3, sides)
        known = find_sweep(transpositions, key)
        if known >= 0:
            return known == 1
    black = sides & 1
    enemies = sides ^ -black
    hostile, friendly = answers(h1, h2, h3, led, enemies, coming)
    held = coming < 3 and (enemies >> (4 - back & 3) & 1) == 0
    moves = _weakest_of_each_run(follow(h0, led), h1 | h2 | h3 | SUIT_STARTS | best)
    suit = led
    swept = black == 0  # black needs one card that sweeps, red one that does not
    while moves and swept == (black == 0):
        card = _weakest(moves)  # fewest plays of all orders tried
        moves ^= card
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
        transpositions[PLAYS] += 1
        # When this ends the trick, black takes it: the other plays were sorted out above.
        n0, n1, n2, n3, turned_sides, to_come, led_now, top, ago, _, _, _ = play(
            h0, h1, h2, h3, sides, coming, led, best, back, 0, 0, card
        )
        swept = sweep(transpositions, n0, n1, n2, n3, turned_sides, to_come, led_now, top, ago)
    if coming == 3:
        keep_sweep(transpositions, key, swept)
    return swept
