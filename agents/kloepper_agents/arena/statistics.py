"""Means with intervals when each deal is played at several tables.

The tables of a deal share its cards and are far from independent, so a deal counts as one
observation: first the mean over its tables, then everything here over deals.
"""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.sequential import anytime_quantile

FloatArray = NDArray[np.float64]

LEVEL: Final = 0.95  # of the intervals
FEWEST: Final = 3  # observations of which an interval says anything to a reader
POWER: Final = 0.80  # with which a detectable difference is detected


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over deals. Without two deals there is no interval: `standard_error` is infinite.

    The interval is that of Student, for a number of deals that was fixed beforehand; with `anytime`
    it is wider and holds however often one looked (sequential.py).
    """

    mean: float
    standard_error: float
    deals: int
    anytime: bool = False

    @classmethod
    def of(cls, scores: FloatArray, *, anytime: bool = False) -> "Estimate":
        """The mean of scores [deals] and its standard error, s / sqrt(n)."""
        n = len(scores)
        mean = float(np.mean(scores)) if n else 0.0
        error = float(np.std(scores, ddof=1)) / math.sqrt(n) if n > 1 else math.inf
        return cls(mean, error, n, anytime)

    def __neg__(self) -> "Estimate":
        """The same of the other side."""
        return replace(self, mean=0.0 - self.mean)  # -0.0 would be printed

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval."""
        if self.deals < 2:
            return math.inf
        if self.anytime:
            quantile = anytime_quantile(self.deals)
            return quantile * self.standard_error if math.isfinite(quantile) else math.inf
        return t_quantile((1 + LEVEL) / 2, self.deals - 1) * self.standard_error

    @property
    def is_shown(self) -> bool:
        """Whether the interval is worth showing: that of two observations is all but endless."""
        return self.deals >= FEWEST and math.isfinite(self.half_width)

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width

    @property
    def detectable(self) -> float:
        """The smallest true difference that as many deals would show with a power of 80 %.

        Infinite where the number of deals was not fixed beforehand: there it is not known.
        """
        return math.inf if self.anytime else _sum_of_quantiles() * self.standard_error

    def deals_needed(self, difference: float) -> int | None:
        """Deals that would show a difference with a power of 80 %; None if that is unknown."""
        if self.deals < 2 or self.anytime:
            return None
        deviation = self.standard_error * math.sqrt(self.deals)
        return sample_size(difference, deviation)


def _sum_of_quantiles() -> float:
    normal = NormalDist()
    return normal.inv_cdf((1 + LEVEL) / 2) + normal.inv_cdf(POWER)


def sample_size(difference: float, deviation: float) -> int:
    """Deals needed to tell `difference` from 0 when deal scores have this standard deviation.

    n = ((z_0.975 + z_0.80) * deviation / difference) ** 2, and never fewer than 2.
    """
    return max(2, math.ceil((_sum_of_quantiles() * deviation / difference) ** 2))


def t_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t with `freedom` >= 1 degrees of freedom.

    Exact for 1 and 2, else the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), which is
    right to 0.005 at 3 degrees and a probability of 0.975, and soon much closer.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        side = 2 * probability - 1
        return side * math.sqrt(2 / (1 - side * side))
    z, n = NormalDist().inv_cdf(probability), freedom
    return z + sum(
        (
            (z**3 + z) / (4 * n),
            (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
        )
    )


def cluster_means(values: NDArray[Any], clusters: NDArray[np.int64], n: int) -> FloatArray:
    """The mean of the values of each cluster 0..n-1, NaN for a cluster without values."""
    sums = np.bincount(clusters, values, n)
    counts = np.bincount(clusters, minlength=n)
    means = np.full(n, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def bootstrap_interval(
    scores: FloatArray, generator: np.random.Generator, resamples: int = 2000
) -> tuple[float, float]:
    """The 95 % percentile interval of the mean of scores [deals], n >= 1 deals redrawn at a time.

    Scores take few values, so a resample is one multinomial draw of how often each value occurs.
    """
    values, counts = np.unique(scores, return_counts=True)
    drawn = generator.multinomial(len(scores), counts / len(scores), size=resamples)
    means = drawn @ values / len(scores)
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)
