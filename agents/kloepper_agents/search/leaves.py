"""What the actions of a seat are worth in given worlds: the ends of a search."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records

Leaf = Callable[[Records, IntArray], NDArray[Any]]
"""Worlds [N], hands in play in all of which the same seat decides, and legal actions [A] to the
payoff [N, A] of that seat after each: `playing.Playout`, a game's solver, or a network that values
positions."""
