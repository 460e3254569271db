"""Agent: something that chooses an action from what a seat knows."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError
from kloepper_env.games import Game
from kloepper_env.state import State
from kloepper_env.view import View

Int8Array = NDArray[np.int8]
IntArray = NDArray[np.int64]
WordArray = NDArray[np.uint64]


class Agent(ABC):
    """Chooses actions. It gets no more than a View, and its chance from the caller.

    `random` is a word of 64 random bits for this one decision, so that a match can be repeated
    and two agents can be given the same luck.
    """

    name: str
    rules: Mapping[str, Any] | None = None
    """Options it was made for, as far as they differ from their default; None: for any."""

    @abstractmethod
    def act(self, view: View, random: int) -> int:
        """The number of a legal action; the view's seat is the one to decide."""


class ObservationAgent(Agent):
    """An agent that needs nothing but observation and mask, and answers many seats at once."""

    @abstractmethod
    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        """Actions [N] for observations [N, W], masks [N, A] and random words [N]."""

    def act(self, view: View, random: int) -> int:
        words = np.array([random], np.uint64)
        return int(self.act_many(view.observation[None], view.action_mask[None], words)[0])


class SeesAll(Agent):
    """A yardstick that is shown the true cards of all seats. The arena alone hands them out."""

    @abstractmethod
    def act_on(self, state: State, random: int) -> int:
        """The number of a legal action for the seat that decides in `state`."""

    def act(self, view: View, random: int) -> int:
        raise ConfigError(f"{self.name} sees all cards, so it plays in the arena only")


_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)


def _mix(words: WordArray) -> WordArray:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def decision_words(seed: int, *coordinates: Any) -> WordArray:
    """One word of chance a decision: a hash of the seed and of arrays [N] of coordinates.

    Deal, seat and number of the decision as coordinates give an agent the same luck wherever the
    deal is played again (common random numbers).
    """
    first = np.atleast_1d(np.asarray(coordinates[0]))
    words = np.full(first.shape, seed & 0xFFFFFFFFFFFFFFFF, np.uint64)
    for coordinate in coordinates:
        words = _mix(words + _GOLDEN * (np.atleast_1d(coordinate).astype(np.uint64) + np.uint64(1)))
    return words


def require_rules(agents: Iterable[Agent], game: Game, options: Any) -> None:
    """Raise ConfigError for an agent that was made for other rules of a hand."""
    for agent in agents:
        if agent.rules is None:
            continue
        if game.options(agent.rules).flags() != options.flags():
            raise ConfigError(
                f"{agent.name} was made for the rules {dict(agent.rules)}, "
                f"not for {options.changed()}"
            )


def refuse_settings(kind: str, settings: str) -> None:
    """Raise ConfigError when a name has settings that its kind does not know."""
    if settings:
        raise ConfigError(f"agent {kind} takes no settings, but got {settings!r}")
