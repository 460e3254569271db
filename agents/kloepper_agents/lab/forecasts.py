"""How well probabilities tell what is so from what is not, beyond their calibration.

C forecasts; `deals` [C] says to which deal each belongs.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.statistics import LEVEL, FloatArray
from kloepper_agents.base import IntArray
from kloepper_agents.lab.statistics import calibration

BoolArray = NDArray[np.bool_]
RESAMPLES: Final = 500
DRAWS: Final = 200  # of outcomes, for the error that calibrated forecasts show


def auc(foretold: NDArray[Any], happened: BoolArray, weights: FloatArray | None = None) -> float:
    """The area under the ROC curve of forecasts [C]; NaN unless some came true and some did not.

    It is the probability that one that came true was held likelier than one that did not, ties
    counting half (Hanley and McNeil 1982): 1 for a perfect forecaster, 1/2 for a blind one.
    """
    weights = np.ones(len(foretold)) if weights is None else weights
    values, place = np.unique(foretold, return_inverse=True)
    true = np.bincount(place, weights * happened, len(values))
    false = np.bincount(place, weights * ~happened, len(values))
    pairs = true.sum() * false.sum()
    return float(true @ (false.cumsum() - false / 2) / pairs) if pairs else float("nan")


def auc_interval(
    foretold: NDArray[Any], happened: BoolArray, deals: IntArray, generator: np.random.Generator
) -> tuple[float, float]:
    """The 95 % percentile interval of the area, with deals drawn anew and all their forecasts."""
    _, cluster = np.unique(deals, return_inverse=True)
    n = int(cluster.max(initial=-1)) + 1
    drawn = generator.multinomial(n, np.full(n, 1 / n), size=RESAMPLES) if n else np.zeros((1, 0))
    areas = [auc(foretold, happened, times[cluster].astype(float)) for times in drawn]
    known = [area for area in areas if not np.isnan(area)] or [np.nan]
    low, high = np.quantile(known, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)


def error_by_luck(foretold: FloatArray, generator: np.random.Generator) -> float:
    """The expected calibration error that these forecasts [C] show on average if they are right.

    It is no 0, for a share of so many forecasts is never quite what it should be: an error that is
    no larger says nothing against them.
    """
    weights = np.ones(len(foretold))
    errors = [
        found.ece
        for _ in range(DRAWS)
        if (found := calibration(foretold, generator.random(len(foretold)) < foretold, weights))
    ]
    return float(np.mean(errors)) if errors else 0.0
