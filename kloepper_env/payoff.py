"""Payoff: the one unit in which searches, the lab and training weigh what a hand brings."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def payoffs(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Payoff [..., seat] of scores [..., seat]: twice what a seat scores over the mean of all.

    It sums to zero over the seats. Where two play two it is what one side scores less the other; in
    Kloepper a soloist's counts half as much again. The reward "relative" of environments and
    training is half of it.
    """
    over: NDArray[np.float64] = 2 * (scores - scores.mean(-1, keepdims=True))
    return over


def hand_rewards(scores: NDArray[np.int64], reward: str) -> NDArray[np.float64]:
    """Rewards [..., seat] for the scores of ended hands: "points", or "relative" to their mean."""
    return payoffs(scores) / 2 if reward == "relative" else scores.astype(np.float64)
