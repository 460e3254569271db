"""What a hand is worth to a seat."""

from kloepper_env._jit import IntArray, jit, popcount
from kloepper_env.games.kloepper.record import N_SEATS


@jit
def payoff(points: int, black: int, seat: int) -> int:
    """Twice what a seat scores over the mean of all seats, when the hand ends with `points`.

    `points` are those of `kernels.outcome`: to each seat of the black side or, negative, to each
    of the red side; `black` is the mask of the black side. In a hand of two against two this is the
    stake with its sign; a soloist wins or loses half as much again, and his opponents half.
    """
    winners = black if points > 0 else ~black & (1 << N_SEATS) - 1
    amount = abs(points)
    return 2 * amount * (winners >> seat & 1) - (amount * popcount(winners) >> 1)


@jit
def payoffs(points: IntArray, black: IntArray, seat: int, out: IntArray) -> None:
    """`payoff` of `points` [N, A] in hands whose black sides are `black` [N], into `out` [N, A]."""
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            out[i, j] = payoff(int(points[i, j]), int(black[i]), seat)
