"""Which cards are worth a search, and in which order they are tried."""

from typing import Final

import numpy as np

from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.solver.kloepper.position import (
    ALL_TRUMPS,
    SUIT_MASK,
    SUIT_STARTS,
    answers,
    follow,
    points_at,
    run_from,
)

FAVOURITE: Final = 127  # rank of the card that did best here before

# The rank of a card is a sum of weights that were tuned on the number of plays per deal.
# Rows: a lead, then a card to a trick; in each the trick is expected to be lost or won, then
# certain to be lost or won (`rank_of`). Columns: base, per card point, for a trump, for a card that
# takes the trick for now. A lead always does, and the trick is never certain to be lost with it.
WEIGHTS: Final = np.array(
    [
        [[40, -1, 14, 0], [52, 1, 35, 0], [0, 0, 0, 0], [72, 8, -21, 0]],
        [[36, -1, -20, 5], [44, 6, -9, -3], [9, 0, -11, 0], [53, 4, -4, -11]],
    ],
    np.int64,
)


@jit
def rank_of(coming: int, certain: bool, expected: bool, takes: bool, card: int, points: int) -> int:
    """Rank of a card (a bit), 1 to 126; the highest is tried first.

    `expected` is whether the side that plays it takes the trick if everybody plays his best card,
    `certain` whether that cannot change any more.
    """
    weights = WEIGHTS[int(coming < 3), 2 * int(certain) + int(expected)]
    rank = weights[0] + weights[1] * points + weights[2] * (card < 1 << 11) + weights[3] * takes
    return min(max(int(rank), 1), FAVOURITE - 1)


@jit
def candidates_of(
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
    """The cards worth a search, ten bits each: rank in the order of trying, place in the hand.

    The arguments are those of `position.play`; `favourite` is the card (a bit, or 0) to try first.
    The place of a card is the number of cards of its hand below it (three bits).
    """
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
                rank = rank_of(coming, certain, expected, takes, card, points)
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
def first_of(candidates: int) -> int:
    """Where in `candidates` the highest rank stands."""
    shift, highest, at = 0, 0, 0
    while candidates >> shift:
        entry = candidates >> shift & 1023
        if entry > highest:
            highest = entry
            at = shift
        shift += 10
    return at
