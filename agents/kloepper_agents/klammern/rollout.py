"""`rollout:worlds=N` for Klammern: try every action in sampled worlds, let `rules` play them out.

Tesauro and Galperin 1996. Nobody sees through the cards on the way, so a card is not valued by what
its player cannot know.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

import kloepper_agents.klammern.heuristic  # noqa: F401  # defines what a playout plays
from kloepper_agents.base import Agent
from kloepper_agents.klammern.worlds import WorldSource
from kloepper_agents.playing import Playout
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import N_CARDS, POINTS
from kloepper_env.view import View

FloatArray = NDArray[np.float64]
MOST_WORLDS: Final = 100_000
FOR_ANNOUNCING: Final = 16
"""Worlds of an announcement for each one of a card: Kontra and Re move a round by hundreds of
points, and with few worlds the luckier of two choices is taken too often."""


@dataclass(frozen=True, eq=False)
class Thought:
    """What a player thinks of its choices in one decision.

    A value is what its team is expected to score less the other team, in points. The standard
    errors are those of drawing worlds; they say nothing of how well the rest was played out.
    """

    actions: tuple[str, ...]  # legal ones
    values: FloatArray  # [A]
    errors: FloatArray  # [A] standard errors
    gap_errors: FloatArray  # [A] standard errors of the difference to the chosen one
    chosen: int  # index of the choice
    worlds: int  # looked at


class Rollout(Agent):
    """Takes the action with the best mean over the same worlds for all; `worlds` for a card."""

    def __init__(self, worlds: int) -> None:
        self.name = f"rollout:worlds={worlds}"
        self.worlds = worlds
        self._playout = Playout(get_game("klammern"))

    def act(self, view: View, random: int) -> int:
        if len(view.legal) == 1:
            return int(view.action_mask.argmax())
        thought = self.explain(view, random)
        return view.action_names.index(thought.actions[thought.chosen])

    def explain(self, view: View, random: int) -> Thought:
        """What it thinks of its choices where the view's seat decides; same arguments as `act`."""
        legal = np.flatnonzero(view.action_mask)
        n = self.worlds * (FOR_ANNOUNCING if legal[-1] >= N_CARDS else 1)
        worlds = WorldSource(view).sample(n, np.random.default_rng(random))
        payoffs = self._playout(worlds, legal)
        values = payoffs.mean(axis=0)
        chosen = _best_of(values, legal, int(worlds["trump"][0]))
        return Thought(
            actions=view.legal,
            values=values,
            errors=_errors(payoffs),
            gap_errors=_errors(payoffs[:, [chosen]] - payoffs),
            chosen=chosen,
            worlds=len(worlds),
        )


def _errors(payoffs: FloatArray) -> FloatArray:
    """Standard errors [A] of the means of payoffs [N, A]; infinite for a single world."""
    n = len(payoffs)
    if n == 1:
        return np.full(payoffs.shape[1], np.inf)
    errors: FloatArray = payoffs.std(axis=0, ddof=1) / np.sqrt(n)
    return errors


def _best_of(values: FloatArray, legal: NDArray[np.int64], trump: int) -> int:
    """Index of the highest value; of equal ones the pass, or the card with the fewest points."""
    ties = np.flatnonzero(values > values.max() - 1e-9)
    points = [int(POINTS[trump, a]) if a < N_CARDS else 0 for a in legal[ties]]
    return int(ties[int(np.argmin(points))])


def make_rollout(game: str, settings: str) -> Rollout:
    """`worlds=N`. Raises ConfigError for other settings."""
    name, _, text = settings.partition("=")
    if name != "worlds" or not text.isdecimal() or not 1 <= int(text) <= MOST_WORLDS:
        raise ConfigError(
            f"rollout got {settings!r}, but takes worlds=N, N from 1 to {MOST_WORLDS}, as in "
            "rollout:worlds=50"
        )
    return Rollout(int(text))
