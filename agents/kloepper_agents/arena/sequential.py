"""Intervals that hold however often one looks, and when a match has answered its question.

The 95 % interval of Student is made for a number of deals that was fixed beforehand. Whoever looks
after every deal, and stops when the interval leaves out 0, finds a difference between equal players
far more often than once in twenty times. A confidence sequence (Darling and Robbins 1967) is one
interval for each number of deals, and with a probability of 95 % not one of them misses the truth:
a match may be watched, and stopped for any reason.

The price is an interval some 1.5 times as wide as that of Student. The margin of a match that
was stopped because it was large is too large on average; its interval is right.
"""

import math
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError, shown

MISSED: Final = 0.05  # most probable that any interval of a sequence misses the truth
SPREAD: Final = 0.004
"""Variance of the effects, means in standard deviations, over which likelihoods are mixed.
Intervals are narrowest, for their number of deals, at about 8 / SPREAD = 2,000 deals."""
TELLING: Final = 30
"""Deals that must differ from the commonest score before a match may stop: until then the interval
knows nothing of rare deals that decide, such as knocks."""


class Answer(StrEnum):
    """What a match says of the first of its two agents."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"  # no difference that matters


def anytime_quantile(deals: int) -> float:
    """By how many standard errors the mean of so many deals may be wrong at any time.

    Infinite for a few deals. The interval holds the means whose mixed likelihood ratio of Student's
    t stays below 1 / MISSED (Lai 1976; Wang and Ramdas 2023): the effect is mixed over a normal
    distribution of variance SPREAD and the unknown standard deviation over its invariant measure,
    which makes the ratio a martingale. So the interval is exact for normal scores, and good for
    others as soon as their mean is nearly normal.
    """
    if deals < 2:
        return math.inf
    mixed = 1 + deals * SPREAD
    log_bound = (math.log(mixed) - 2 * math.log(MISSED)) / deals
    left = 1 - math.exp(log_bound) / mixed
    if left <= 0:
        return math.inf
    return math.sqrt((deals - 1) * math.expm1(log_bound) / left)


def require_difference(until: Any) -> float:
    """Read the difference that matters. Raises ConfigError unless it is a positive number."""
    is_number = isinstance(until, int | float) and not isinstance(until, bool)
    if not is_number or not 0 < until < math.inf:
        raise ConfigError(
            f"until is {shown(until)}, but must be the difference that matters, a positive number"
        )
    return float(until)


def answer(low: float, high: float, until: float) -> Answer | None:
    """What an interval says, or None while it says nothing.

    `until` is the difference that matters: between -until and until the agents count as level.
    """
    if low > 0:
        return Answer.BETTER
    if high < 0:
        return Answer.WORSE
    return Answer.LEVEL if -until < low and high < until else None


def is_telling(scores: NDArray[Any]) -> bool:
    """Whether enough scores [deals] differ from the commonest for an interval to be believed."""
    _, counts = np.unique(scores, return_counts=True)
    return len(scores) - int(counts.max(initial=0)) >= TELLING
