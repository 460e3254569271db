"""Why a search player chose what it chose: as data and as a line of text."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env.cards import pretty

FloatArray = NDArray[np.float64]
SPOKEN = 4  # actions that a line of text compares


@dataclass(frozen=True, eq=False)
class Explanation:
    """What a player thinks of its choices in one decision.

    A value is twice what the seat is expected to score over the mean of all seats: in a hand of two
    against two the stake won or lost. Its standard error is that of drawing worlds: 0 when all were
    looked at. It says nothing of how well the rest of the hand was guessed.
    """

    agent: str
    actions: tuple[str, ...]  # legal ones
    values: FloatArray  # [A]
    errors: FloatArray  # [A] standard errors
    gap_errors: FloatArray  # [A] standard errors of the difference to the chosen one
    chosen: int  # index of the choice
    worlds: int  # looked at
    possible: int | None  # deals that the View leaves possible; None where they are not counted
    partners: FloatArray  # [seat] probability that it is on the player's side; 0 for the player
    tries: NDArray[np.int64]  # [A] how often each was tried

    @cached_property
    def order(self) -> list[int]:
        """Indices of the actions, the chosen one first, then by value."""
        rest = sorted(range(len(self.actions)), key=lambda i: -self.values[i])
        return [self.chosen, *(i for i in rest if i != self.chosen)]

    @property
    def gap(self) -> float:
        """By how much the choice is better than the next; 0 when there was none."""
        if len(self.actions) == 1:
            return 0.0
        gap = float(self.values[self.chosen] - self.values[self.order[1]])
        return max(gap, 0.0)  # of equal ones either may come out ahead by a rounding

    def text(self) -> str:
        """One line for people."""
        parts = [self._one(i) for i in self.order[:SPOKEN]]
        if len(self.actions) > SPOKEN:
            parts.append(f"{len(self.actions) - SPOKEN} more")
        partner = ", ".join(
            f"seat {seat} {share:.0%}" for seat, share in enumerate(self.partners) if share > 0
        )
        return (
            f"{'; '.join(parts)} (over {self._scope()} possible deals; "
            f"on my side: {partner or 'nobody'})"
        )

    def meaning(self) -> str:
        """What the comparison of the best two says, in sentences with its unit."""
        scope = f"over {self._scope()} possible deals"
        unit = "Points are twice what you score over the mean of all seats"
        if len(self.actions) == 1:
            return f"{self._name(0)} is the only choice ({scope}). {unit}."
        other = self.order[1]
        half_width = 1.96 * self.gap_errors[other]
        best, next_best = self._name(self.chosen), self._name(other)
        if self.gap <= max(half_width, 0.05):
            found = f"{best} and {next_best} are about equal {scope}"
        else:
            found = f"{next_best} costs about {self.gap:.1f} points more than {best} {scope}"
        return (
            f"{found}. {unit}: with two against two what is won or lost. "
            "After ± stands half a 95 % interval."
        )

    def _name(self, i: int) -> str:
        action = self.actions[i]
        return pretty(action) if len(action) == 2 else action

    def _scope(self) -> str:
        if self.possible is None:
            return f"{self.worlds:,}"
        known = f"{self.possible:,}"
        return f"all {known}" if self.worlds >= self.possible else f"{self.worlds:,} of {known}"

    def _one(self, i: int) -> str:
        half_width = 1.96 * self.errors[i]
        error = f" ± {half_width:.1f}" if half_width >= 0.05 else ""
        return f"{self._name(i)} {self.values[i]:+.1f}{error}"

    def data(self) -> dict[str, Any]:
        """The same for programs, in types that JSON has."""
        return {
            "agent": self.agent,
            "chosen": self.actions[self.chosen],
            "gap": self.gap,
            "worlds": self.worlds,
            "possible": self.possible,
            "partners": [float(share) for share in self.partners],
            "actions": [
                {
                    "action": self.actions[i],
                    "value": float(self.values[i]),
                    "error": float(self.errors[i]),
                    "gap_error": float(self.gap_errors[i]),
                    "tries": int(self.tries[i]),
                }
                for i in self.order
            ],
        }
