"""What networks take: the observation of a game and, in later versions, facts worked out from it.

A perceptron finds it hard to see whether a card beats what is still out, or to whom the points so
far belong, though the observation says it all. Such facts are worked out here, from the observation
alone, so a network on them knows no more than its seat. A policy file names its version; version
0 is the observation as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Int8Array, IntArray
from kloepper_agents.registry import players_of
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.games.game import Game

PLAIN: Final = 0
"""The version that adds nothing."""


@dataclass(frozen=True, eq=False)
class Twin:
    """The same decision with two names exchanged that the rules do not tell apart.

    Each array says where a number goes, and where it comes from: twice exchanged is as before.
    Who learns from every other decision as its twin learns twice as much from a hand.
    """

    inputs: IntArray  # [X]
    actions: IntArray  # [A]
    hidden: IntArray  # [H]


@dataclass(frozen=True, eq=False)
class Derived:
    """Facts [N, F] that a game works out from observations [N, W]."""

    scale: tuple[float, ...]  # [F] factors that bring them into 0 to 1, or little above it
    work_out: Callable[[Int8Array], Int8Array]
    twin: Callable[[], Twin] | None = None


@dataclass(frozen=True, eq=False)
class Inputs:
    """One version of the inputs of a game: X numbers, the W of the observation first."""

    version: int
    scale: NDArray[np.float32]  # [X] factors that bring the inputs into 0 to 1, or little above it
    derived: Derived | None = None
    twin: Twin | None = None

    @property
    def size(self) -> int:
        return len(self.scale)

    def widen(self, observations: Int8Array) -> Int8Array:
        """Inputs int8 [N, X] of observations int8 [N, W]."""
        if self.derived is None:
            return observations
        return np.concatenate([observations, self.derived.work_out(observations)], axis=1)


def inputs_of(game: Game, version: int = PLAIN) -> Inputs:
    """A version of the inputs of a game. Raises ConfigError for one that it does not have."""
    versions = players_of(game.name).inputs
    if type(version) is not int or version not in (PLAIN, *versions):
        raise ConfigError(
            f"inputs is {shown(version)}, but the versions of {game.name} are "
            f"{listed([PLAIN, *versions])}"
        )
    return _made(game, version)


@cache
def _made(game: Game, version: int) -> Inputs:
    scale = np.ones(game.layout.size, np.float32)
    for name, part in game.layout.items():
        scale[part] = 1.0 / game.learning.counts.get(name.partition(".")[0], 1.0)
    if version == PLAIN:
        return Inputs(version, scale)
    derived: Derived = players_of(game.name).inputs[version]()
    twin = None if derived.twin is None else derived.twin()
    return Inputs(version, np.append(scale, derived.scale).astype(np.float32), derived, twin)
