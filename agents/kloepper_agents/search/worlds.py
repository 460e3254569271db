"""The worlds that a player thinks about, drawn from what its View leaves possible."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.engine import Records

SOLVED: Final = 400  # consistent deals up to which a choice of a card is solved in all of them
POOL: Final = 8  # worlds drawn for each one that the likelihood then picks


@dataclass(frozen=True, eq=False)
class Worlds:
    """Some deals that a View leaves possible: records, and weights that sum to 1."""

    hands: Records  # [N]
    weights: NDArray[np.float64]  # [N]
    complete: bool  # they are all there are

    def __len__(self) -> int:
        return len(self.hands)


def systematic(weights: NDArray[np.float64], n: int, offset: float) -> NDArray[np.intp]:
    """Indices [n] drawn by their weights: one point in each n-th part of the total."""
    ends = weights.cumsum()
    return np.searchsorted(ends / ends[-1], (np.arange(n) + offset) / n, side="right")
