"""Payoff (`kloepper_env.payoff`) from what the solver and `kernels.outcome` say of a hand."""

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray, jit, popcount
from kloepper_env.games.kloepper.record import N_SEATS


@jit
def payoff(points: int, black: int, seat: int) -> int:
    """Twice what a seat scores over the mean of all seats, when the hand ends with `points` (K27).

    `points` are those of `kernels.outcome`: to each seat of the black side or, negative, to each
    of the red side; `black` is the mask of the black side. In a hand of two against two this is the
    stake with its sign; a soloist wins or loses half as much again, and his opponents half.
    """
    winners = black if points > 0 else ~black & (1 << N_SEATS) - 1
    amount = abs(points)
    return 2 * amount * (winners >> seat & 1) - (amount * popcount(winners) >> 1)


@jit
def _fill(points: IntArray, black: IntArray, seats: IntArray, out: IntArray) -> None:
    for i in range(len(points)):
        out[i] = payoff(int(points[i]), int(black[i]), int(seats[i]))


def payoffs_to(
    points: NDArray[np.int64], black: NDArray[np.int64], seats: NDArray[np.int64] | int
) -> NDArray[np.int64]:
    """`payoff` of `points`, `black` and `seats`, which are broadcast to one shape."""
    arrays = np.broadcast_arrays(points, black, seats)
    flat = [np.ascontiguousarray(array, np.int64).ravel() for array in arrays]
    out = np.empty(arrays[0].size, np.int64)
    _fill(flat[0], flat[1], flat[2], out)
    return out.reshape(arrays[0].shape)
