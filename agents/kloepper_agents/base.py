"""Agent: something that chooses an action from what a seat knows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError, IllegalActionError, shown
from kloepper_env.games import Game
from kloepper_env.state import State
from kloepper_env.view import View

Int8Array = NDArray[np.int8]
IntArray = NDArray[np.int64]
WordArray = NDArray[np.uint64]
FloatArray = NDArray[np.float64]


class Agent(ABC):
    """Chooses actions. It gets no more than a View, and its randomness from the caller.

    `random` is a word of 64 random bits for this one decision, so that a match can be repeated
    and two agents can be given the same luck.
    """

    name: str
    rules: Mapping[str, Any] | None = None
    """Options it was made for, those that differ from their defaults; None: for any."""

    @abstractmethod
    def act(self, view: View, random: int) -> int:
        """The number of a legal action; the view's seat is the one to decide."""


class ObservationAgent(Agent):
    """An agent that needs nothing but observation and mask, and answers many seats at once."""

    @abstractmethod
    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        """Actions [N] for observations [N, W], masks [N, A] and random words [N]."""

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        """Probabilities [N, A] of its actions, for observations [N, W] and masks [N, A].

        Raises ConfigError unless the agent knows them.
        """
        raise ConfigError(f"{name_of(self)} cannot tell how probable its actions are")

    def act(self, view: View, random: int) -> int:
        require_turn(view)
        words = np.array([random], np.uint64)
        return int(self.act_many(view.observation[None], view.action_mask[None], words)[0])


def policy_of(agent: Agent) -> Callable[[Int8Array, Int8Array], FloatArray]:
    """What gives the probabilities of an agent's actions, as beliefs take it.

    Raises ConfigError for an agent that does not know them.
    """
    if isinstance(agent, ObservationAgent):
        own = type(agent).probabilities
        if own is not ObservationAgent.probabilities:
            return agent.probabilities
    raise ConfigError(
        f"{name_of(agent)} cannot tell how probable its actions are: rules, greedy, level:1 to "
        "level:3, random and net:PATH can, and net:PATH,sample best"
    )


def certain(actions: IntArray, n_actions: int) -> FloatArray:
    """Probabilities [N, A] of an agent that takes actions [N] for sure."""
    sure = np.zeros((len(actions), n_actions))
    sure[np.arange(len(actions)), actions] = 1.0
    return sure


def name_of(agent: Agent) -> str:
    """What an agent is called: its class where it has no name of its own."""
    return str(getattr(agent, "name", type(agent).__name__))


def require_turn(view: View) -> None:
    """Raise IllegalActionError for the View of a seat that has nothing to decide."""
    if not view.action_mask.any():
        raise IllegalActionError(f"seat {view.seat} is asked out of turn: it has no legal action")


def require_rows(
    observations: Int8Array,
    masks: Int8Array,
    random: WordArray,
    width: int | None = None,
    n_actions: int | None = None,
) -> None:
    """Check what `act_many` is given before compiled code reads it.

    Raises ConfigError unless there are as many rows and words of each and, where a width is given,
    they are of its game, and IllegalActionError for a row without a legal action.
    """
    n = len(masks)
    for name, array, columns in (
        ("observations", observations, width),
        ("masks", masks, n_actions),
    ):
        if array.dtype != np.int8 or array.ndim != 2 or len(array) != n:
            raise ConfigError(f"{name} must be int8 of {n} rows, not {_described(array)}")
        if columns is not None and array.shape[1] != columns:
            raise ConfigError(f"{name} must have {columns} columns, not {array.shape[1]}")
    if random.dtype != np.uint64 or random.shape != (n,):
        raise ConfigError(f"random must be uint64 of shape ({n},), not {_described(random)}")
    idle = np.flatnonzero(~masks.any(axis=1))
    if idle.size:
        raise IllegalActionError(f"row {idle[0]} is asked out of turn: it has no legal action")


def _described(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"


class SeesAll(Agent):
    """A yardstick that is shown the true cards of all seats. The arena alone hands them out."""

    @abstractmethod
    def act_on(self, state: State, random: int) -> int:
        """The number of a legal action for the seat that decides in `state`."""

    def act(self, view: View, random: int) -> int:
        raise self.refusal()

    def refusal(self) -> ConfigError:
        """What to raise where it is to play in something else than a match."""
        return ConfigError(f"{name_of(self)} sees all cards, so it plays in the arena only")


_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)


def _mix(words: WordArray) -> WordArray:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def decision_words(seed: int, *coordinates: Any) -> WordArray:
    """One random word for each decision: a hash of the seed and of arrays [N] of coordinates.

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
                f"{name_of(agent)} was made for the rules {dict(agent.rules)}, "
                f"not for {options.changed()}"
            )


def refuse_settings(kind: str, settings: str) -> None:
    """Raise ConfigError when a name has settings that its kind does not know."""
    if settings:
        raise ConfigError(f"agent {kind} takes no settings, but got {shown(settings)}")
