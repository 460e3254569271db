"""Means of decisions with intervals that count a deal once, and the calibration of forecasts.

C decisions; `deals` [C] says to which deal each belongs.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.statistics import LEVEL, Estimate, FloatArray
from kloepper_agents.base import IntArray

BINS: Final = 10
_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)


def weighted(values: NDArray[Any], deals: IntArray, weights: FloatArray) -> Estimate:
    """The weighted mean of values [C], the deals being drawn and not the decisions.

    Its standard error is that of a ratio, linearised (Cochran 1977, 6.4): what a deal adds to the
    sum beyond its share is one observation.
    """
    if not len(values):
        return Estimate(0.0, math.inf, 0)
    total = weights.sum()
    mean = float((weights * values).sum() / total)
    _, cluster = np.unique(deals, return_inverse=True)
    beyond = np.bincount(cluster, weights * (values - mean))
    n = len(beyond)
    error = math.sqrt(n / (n - 1) * np.square(beyond).sum()) / total if n > 1 else math.inf
    return Estimate(mean, float(error), n)


def share_interval(successes: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share; 0 to 1 when there were no trials."""
    if trials <= 0:
        return 0.0, 1.0
    share, z2 = successes / trials, _Z * _Z
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    half = _Z * spread / (1 + z2 / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, eq=False)
class Calibration:
    """How well probabilities foretold what happened (Murphy 1973; Naeini et al. 2015)."""

    foretold: FloatArray  # [B] mean probability of each bin that is not empty
    happened: FloatArray  # [B] share in which it came true
    low: FloatArray  # [B] of the interval of that share
    high: FloatArray  # [B]
    counts: FloatArray  # [B] decisions, by weight
    brier: float  # mean square of the difference
    baseline: float  # the same for one who always foretells the mean share
    ece: float  # expected calibration error: mean distance of the bins from the diagonal


def calibration(
    foretold: FloatArray, happened: NDArray[np.bool_], weights: FloatArray
) -> Calibration | None:
    """Calibration of probabilities [C] in BINS bins of equal width; None without decisions.

    The intervals take a bin for as many independent decisions as Kish's effective number.
    """
    if not len(foretold):
        return None
    bins = np.minimum((foretold * BINS).astype(np.int64), BINS - 1)
    used = np.unique(bins)
    sums = np.bincount(bins, weights, BINS)[used]
    means = np.bincount(bins, weights * foretold, BINS)[used] / sums
    shares = np.bincount(bins, weights * happened, BINS)[used] / sums
    effective = sums**2 / np.bincount(bins, weights**2, BINS)[used]
    intervals = [share_interval(s * n, n) for s, n in zip(shares, effective, strict=True)]
    total = weights.sum()
    base = float((weights * happened).sum() / total)
    return Calibration(
        foretold=means,
        happened=shares,
        low=np.array([low for low, _ in intervals]),
        high=np.array([high for _, high in intervals]),
        counts=sums,
        brier=float((weights * np.square(foretold - happened)).sum() / total),
        baseline=base * (1 - base),
        ece=float((sums * np.abs(means - shares)).sum() / total),
    )
