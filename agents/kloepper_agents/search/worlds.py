"""The worlds that a player thinks about, drawn from what its View leaves possible."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.beliefs import Belief, Policy
from kloepper_env.engine import Records
from kloepper_env.view import View

LISTED: Final = 8  # all worlds are taken when there are at most so many times the number asked for
POOL: Final = 16  # worlds drawn for each one that the likelihood then picks


@dataclass(frozen=True, eq=False)
class Worlds:
    """Some deals that a View leaves possible: records, and weights that sum to 1."""

    hands: Records  # [N]
    weights: NDArray[np.float64]  # [N]
    complete: bool  # they are all there are

    def __len__(self) -> int:
        return len(self.hands)


class WorldSource:
    """Draws worlds of one View, uniformly or in proportion to a policy's likelihood.

    Where few are left they are all taken, weighed exactly. Drawn ones are picked from a pool of
    POOL times as many in proportion to their likelihood (sampling, importance resampling).
    """

    def __init__(self, view: View, rng: np.random.Generator, policy: Policy | None = None) -> None:
        self.belief = Belief(view)
        self.count = self.belief.count()
        self._rng = rng
        self._policy = policy

    def draw(self, n: int) -> Worlds:
        """About `n` worlds: `n` drawn anew at each call, or all if there are few."""
        if self.count <= LISTED * n:
            hands = self.belief.enumerate()
            return Worlds(hands, self._weights(hands), complete=True)
        if self._policy is None:
            return Worlds(self.belief.sample(n, self._rng), np.full(n, 1 / n), complete=False)
        pool = self.belief.sample(POOL * n, self._rng)
        picked = systematic(self._weights(pool), n, self._rng.random())
        return Worlds(pool[picked], np.full(n, 1 / n), complete=False)

    def draw_exactly(self, n: int) -> Worlds:
        """`n` worlds in an order of chance, also where there are fewer: then they come again."""
        worlds = self.draw(n)
        if not worlds.complete:
            return worlds
        picked = systematic(worlds.weights, n, self._rng.random())
        self._rng.shuffle(picked)
        return Worlds(worlds.hands[picked], np.full(n, 1 / n), complete=False)

    def _weights(self, hands: Records) -> NDArray[np.float64]:
        if self._policy is None:
            return np.full(len(hands), 1 / len(hands))
        return self.belief.weights(hands, self._policy)


def systematic(weights: NDArray[np.float64], n: int, offset: float) -> NDArray[np.intp]:
    """Indices [n] drawn by their weights: one point in each n-th part of the total."""
    ends = weights.cumsum()
    return np.searchsorted(ends / ends[-1], (np.arange(n) + offset) / n, side="right")
