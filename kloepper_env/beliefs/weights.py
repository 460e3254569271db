"""A policy as a likelihood, and how much weighed worlds say."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env.view import Int8Array

FloatArray = NDArray[np.float64]
Policy = Callable[[Int8Array, Int8Array], NDArray[Any]]
"""Observations int8 [N, W] and masks int8 [N, A] to the probabilities of actions, float [N, A]."""


def effective_size(weights: FloatArray) -> float:
    """How many worlds of equal weight would say as much (Kish): 1 / sum of squares, if they sum
    to 1."""
    return float(1 / np.square(weights).sum())
