"""The last two tricks, and what is certain at the start of a trick."""

from kloepper_env._jit import jit, lowest
from kloepper_env.solver.kloepper.position import ALL_TRUMPS, SUIT_MASK, follow, points_of


@jit
def winner_of(card0: int, card1: int, card2: int, card3: int, led: int) -> int:
    """Who wins a trick of four cards (bits) when the first was led from the suit mask `led`."""
    best = (card0 | card1 | card2 | card3) & (led | ALL_TRUMPS)
    best &= -best
    return (best == card1) + 2 * (best == card2) + 3 * (best == card3)


@jit
def last_trick(h0: int, h1: int, h2: int, h3: int, sides: int, left: int) -> int:
    """Card points of the black side in the last trick, whose cards are worth `left`."""
    winner = winner_of(h0, h1, h2, h3, int(SUIT_MASK[lowest(h0)]))
    return left * (sides >> winner & 1)


@jit
def _last_two_of(
    h0: int, h1: int, h2: int, h3: int, trick: int, sides: int, led: int, left: int
) -> int:
    """Black points of the last two tricks when `trick` is the first of them."""
    points = points_of(trick)
    winner = winner_of(h0 & trick, h1 & trick, h2 & trick, h3 & trick, led)
    r0, r1, r2, r3 = h0 & ~trick, h1 & ~trick, h2 & ~trick, h3 & ~trick
    lead = r0 if winner == 0 else r1 if winner == 1 else r2 if winner == 2 else r3
    last = winner_of(r0, r1, r2, r3, int(SUIT_MASK[lowest(lead)]))
    return points * (sides >> winner & 1) + (left - points) * (sides >> last & 1)


@jit
def last_two(h0: int, h1: int, h2: int, h3: int, sides: int, left: int, target: int) -> int:
    """Black points of the last two tricks: a bound in the sense of `search.search`.

    Plain minimax over the cards of the first of them. Every level stops as soon as its value is
    on the mover's side of `target`: more can only move it further (fail-soft alpha-beta with the
    window target - 1, target).
    """
    # With sign +1 for black and -1 for red, each level maximises sign * value up to its goal.
    sign0, sign1 = 2 * (sides & 1) - 1, 2 * (sides >> 1 & 1) - 1
    sign2, sign3 = 2 * (sides >> 2 & 1) - 1, 2 * (sides >> 3 & 1) - 1
    value0 = -sign0 * 1000
    moves0 = h0
    while moves0 and (sign0 * value0 < _goal(sign0, target)):
        card0 = moves0 & -moves0
        moves0 ^= card0
        led = int(SUIT_MASK[lowest(card0)])
        value1 = -sign1 * 1000
        moves1 = follow(h1, led)
        while moves1 and (sign1 * value1 < _goal(sign1, target)):
            card1 = moves1 & -moves1
            moves1 ^= card1
            value2 = -sign2 * 1000
            moves2 = follow(h2, led)
            while moves2 and (sign2 * value2 < _goal(sign2, target)):
                card2 = moves2 & -moves2
                moves2 ^= card2
                value3 = -sign3 * 1000
                moves3 = follow(h3, led)
                while moves3 and (sign3 * value3 < _goal(sign3, target)):
                    card3 = moves3 & -moves3
                    moves3 ^= card3
                    trick = card0 | card1 | card2 | card3
                    value = _last_two_of(h0, h1, h2, h3, trick, sides, led, left)
                    value3 = _better(sign3, value3, value)
                value2 = _better(sign2, value2, value3)
            value1 = _better(sign1, value1, value2)
        value0 = _better(sign0, value0, value1)
    return value0


@jit
def _goal(sign: int, target: int) -> int:
    return target if sign > 0 else 1 - target


@jit
def _better(sign: int, old: int, new: int) -> int:
    return new if sign * new > sign * old else old
