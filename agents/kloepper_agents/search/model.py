"""What a search needs of a game beyond its rules: one object, which the game fills in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.search.leaves import Leaf
from kloepper_agents.search.worlds import Worlds
from kloepper_env.beliefs.weights import Policy
from kloepper_env.engine import Records
from kloepper_env.games import Game
from kloepper_env.view import View

FloatArray = NDArray[np.float64]


class Source(Protocol):
    """Where the worlds of one View come from."""

    @property
    def count(self) -> int | None:
        """How many deals the View leaves possible; None where they are not counted."""

    def draw(self, n: int) -> Worlds:
        """About `n` worlds drawn anew, or all there are if they are few."""


@dataclass(frozen=True, eq=False)
class SearchModel:
    """A game as searches see it."""

    game: Game
    source: Callable[[View, np.random.Generator, Policy | None], Source]
    points: Callable[[Records, int], int]  # worlds, card -> its card points
    partners: Callable[[View, Worlds], FloatArray]
    """View and worlds -> probability [seat] of being on the view's side; 0 for its own seat."""
    open_cards: Callable[[], Leaf] | None = None
    """Makes a leaf that solves hands with open cards, for games that have a solver: cards, and the
    announcements of views that are `in_question`."""
    in_question: Callable[[View], int] = lambda _: 0
    """How many worlds to solve where they cannot all be, since only what open cards tell matters
    in the rest of the hand; 0 where more does."""
    known: Callable[[View], dict[int, float]] = lambda _: {}
    """Actions of a view whose payoff is known without looking at single worlds."""
