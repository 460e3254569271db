"""What the searches tell of a hand: exact points, score class, and both for each card.

All functions take the record of a hand at any point, with the true cards of all seats, and its
black side as it stands now. They answer for the cards alone: nobody announces anything more.
"""

from typing import Final

import numpy as np

from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import black_points, pack_of, score_if
from kloepper_env.games.kloepper.record import FOLLOW, PACK_POINTS, POINTS, Hand
from kloepper_env.solver.kloepper.position import (
    Position,
    blockers_of,
    equals,
    follow,
    points_at,
    points_of,
    position_after,
)
from kloepper_env.solver.kloepper.search import search
from kloepper_env.solver.kloepper.sweep import sweep

TOTAL_POINTS: Final = int(POINTS.sum())
THRESHOLDS: Final = np.array(
    [
        [points // 2 + 1, 3 * points // 4 + 1, -(-points // 2), -(-points // 4)]
        for points in PACK_POINTS.tolist()
    ]
)
"""[pack, 4] fewest points for a score (K20, K21, K32), likeliest first; 61, 91, 60, 30 of 120."""
FIRST_GUESS: Final = 80  # black points of a fresh deal, on average 81
STRIDE: Final = 2  # how far beyond a bound the next question goes; tuned on plays per deal
ILLEGAL: Final = -1000  # in place of a value, for a card that may not be played


# --- one hand ----------------------------------------------------------------------------------


@jit
def _word(field: int) -> int:
    """A field of a record as a whole word, so that all positions are of one type."""
    return int(np.int64(field))


@jit
def position_of(hand: Hand) -> Position:
    """Where a hand stands."""
    player = _word(hand.player)
    h0 = _word(hand.hands[player])
    h1 = _word(hand.hands[player + 1 & 3])
    h2 = _word(hand.hands[player + 2 & 3])
    h3 = _word(hand.hands[player + 3 & 3])
    black = _word(hand.black)
    in_trick = _word(hand.plies) & 3
    points = _word(hand.table_points)
    return Position(  # by place: numba takes no call with this many keywords
        h0,
        h1,
        h2,
        h3,
        (black | black << 4) >> player & 15,
        3 - in_trick,
        _word(FOLLOW[hand.led]),
        1 << _word(hand.best),
        player - _word(hand.winner) & 3 if in_trick else 0,
        points,
        points_of(h0 | h1 | h2 | h3) + points,
    )


@jit
def _bound(transpositions: IntArray, target: int, position: Position) -> int:
    """`search` of a position."""
    return search(
        transpositions,
        target,
        position.h0,
        position.h1,
        position.h2,
        position.h3,
        position.sides,
        position.coming,
        position.led,
        position.best,
        position.back,
        position.points,
        position.left,
    )


@jit
def _sweeps(transpositions: IntArray, position: Position) -> bool:
    """`sweep` of a position."""
    return sweep(
        transpositions,
        position.h0,
        position.h1,
        position.h2,
        position.h3,
        position.sides,
        position.coming,
        position.led,
        position.best,
        position.back,
    )


@jit
def _exact(transpositions: IntArray, position: Position, low: int, high: int, guess: int) -> int:
    """Card points that the black side takes of those left, known to be `low` to `high`."""
    target = guess
    while low < high:
        target = min(max(target, low + 1), high)
        bound = _bound(transpositions, target, position)
        if bound >= target:
            low = bound
            target = bound + 1 + STRIDE
        else:
            high = bound
            target = bound - STRIDE
    return low


@jit
def points_of_hand(transpositions: IntArray, hand: Hand) -> int:
    """Card points that the black side has at the end, with best play of all."""
    position = position_of(hand)
    taken = black_points(hand)
    return taken + _exact(transpositions, position, 0, position.left, FIRST_GUESS - taken)


@jit
def reaches(transpositions: IntArray, hand: Hand, points: int) -> bool:
    """Whether the black side can have at least so many card points at the end."""
    taken = black_points(hand)
    return _bound(transpositions, points - taken, position_of(hand)) >= points - taken


@jit
def sweeps(transpositions: IntArray, hand: Hand) -> bool:
    """Whether the black side can take all tricks, earlier ones included."""
    return not _lost_one(hand) and _sweeps(transpositions, position_of(hand))


@jit
def _lost_one(hand: Hand) -> bool:
    return int(hand.won) & ~int(hand.black) != 0


@jit
def _score(transpositions: IntArray, hand: Hand, position: Position, taken: int, lost: bool) -> int:
    """`outcome` of a hand from a position of it, the black side having `taken` card points.

    Scores rise with the card points, and all tricks come above all of them. So the score is at
    least s exactly when black can reach the fewest points that are worth s, or can sweep; and
    a sweep that black can force shows in no other number.
    """
    if not lost and _sweeps(transpositions, position):
        return score_if(hand, TOTAL_POINTS, True)
    low, high = taken, taken + position.left
    for threshold in THRESHOLDS[pack_of(hand)]:
        if low < threshold <= high and score_if(hand, low, False) != score_if(hand, high, False):
            bound = taken + _bound(transpositions, threshold - taken, position)
            if bound >= threshold:
                low = bound
            else:
                high = bound
    return score_if(hand, low, False)


@jit
def score_of_hand(transpositions: IntArray, hand: Hand) -> int:
    """Points to each seat of the black side or, negative, of the red side, with best play."""
    return _score(transpositions, hand, position_of(hand), black_points(hand), _lost_one(hand))


# --- the cards of one hand ---------------------------------------------------------------------


@jit
def points_of_cards(transpositions: IntArray, hand: Hand, out: IntArray) -> None:
    """Write `points_of_hand` after each card [24] of the seat that plays next."""
    out[:] = ILLEGAL
    position = position_of(hand)
    blockers = blockers_of(position)
    moves = follow(position.h0, position.led)
    before = black_points(hand)
    guess = FIRST_GUESS
    first = 0  # of the run that is looked at
    while moves:
        card = moves & -moves
        moves ^= card
        after, gained = position_after(position, card)
        taken = before + gained
        low, high = taken, taken + after.left
        if first and equals(first, card, blockers):
            # The bound of search.py for two cards of one run: they differ by their points at most.
            value = int(out[lowest(first)])
            apart = abs(points_at(first) - points_at(card))
            low, high = max(low, value - apart), min(high, value + apart)
        else:
            first = card
        guess = taken + _exact(transpositions, after, low - taken, high - taken, guess - taken)
        out[lowest(card)] = guess


@jit
def scores_of_cards(transpositions: IntArray, hand: Hand, out: IntArray) -> None:
    """Write `score_of_hand` after each card [24] of the seat that plays next."""
    out[:] = ILLEGAL
    position = position_of(hand)
    blockers = blockers_of(position)
    moves = follow(position.h0, position.led)
    before = black_points(hand)
    lost = _lost_one(hand)
    previous = 0
    while moves:
        card = moves & -moves
        moves ^= card
        if previous and equals(previous, card, blockers) and points_at(previous) == points_at(card):
            out[lowest(card)] = out[lowest(previous)]
        else:
            after, gained = position_after(position, card)
            lost_now = lost or (position.coming == 0 and after.sides & 1 == 0)
            out[lowest(card)] = _score(transpositions, hand, after, before + gained, lost_now)
        previous = card


# --- the first record of an array --------------------------------------------------------------


@jit
def points_of_record(transpositions: IntArray, hands: Records) -> int:
    """`points_of_hand` of hands[0]."""
    return points_of_hand(transpositions, hands[0])


@jit
def record_reaches(transpositions: IntArray, hands: Records, points: int) -> bool:
    """`reaches` of hands[0]."""
    return reaches(transpositions, hands[0], points)


@jit
def score_of_record(transpositions: IntArray, hands: Records) -> int:
    """`score_of_hand` of hands[0]."""
    return score_of_hand(transpositions, hands[0])


@jit
def record_sweeps(transpositions: IntArray, hands: Records) -> bool:
    """`sweeps` of hands[0]."""
    return sweeps(transpositions, hands[0])


# --- many hands --------------------------------------------------------------------------------


@jit
def points_of_hands(transpositions: IntArray, hands: Records, out: IntArray) -> None:
    """`points_of_hand` of each hand [N]."""
    for i in range(len(hands)):
        out[i] = points_of_hand(transpositions, hands[i])


@jit
def scores_of_hands(transpositions: IntArray, hands: Records, out: IntArray) -> None:
    """`score_of_hand` of each hand [N]."""
    for i in range(len(hands)):
        out[i] = score_of_hand(transpositions, hands[i])


@jit
def sweeps_of_hands(transpositions: IntArray, hands: Records, out: IntArray) -> None:
    """`sweeps` of each hand [N]."""
    for i in range(len(hands)):
        out[i] = sweeps(transpositions, hands[i])


@jit
def points_of_all_cards(transpositions: IntArray, hands: Records, out: IntArray) -> None:
    """`points_of_cards` of each hand [N, 24]."""
    for i in range(len(hands)):
        points_of_cards(transpositions, hands[i], out[i])


@jit
def scores_of_all_cards(transpositions: IntArray, hands: Records, out: IntArray) -> None:
    """`scores_of_cards` of each hand [N, 24]."""
    for i in range(len(hands)):
        scores_of_cards(transpositions, hands[i], out[i])
