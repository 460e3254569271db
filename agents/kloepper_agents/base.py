"""Agent: something that chooses an action from what a seat knows; and agents by name.

A name is a kind, then settings behind a colon: `random`, `rules`, `net:runs/a`.
"""

import csv
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError, IllegalActionError, listed, shown
from kloepper_env.games import Game, get_game
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
        require_turn(view)
        words = np.array([random], np.uint64)
        return int(self.act_many(view.observation[None], view.action_mask[None], words)[0])


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
                f"{name_of(agent)} was made for the rules {dict(agent.rules)}, "
                f"not for {options.changed()}"
            )


ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Kind:
    """Agents that are named alike in all games that have them."""

    about: str  # one line for people
    makers: Mapping[str, str]
    """Game, or ANY for all games -> "module:factory"; a factory takes the game and the settings."""


KINDS: Final[dict[str, Kind]] = {
    "random": Kind(
        "a legal action, each equally likely", {ANY: "kloepper_agents.simple:make_random"}
    ),
    "greedy": Kind(
        "takes the trick when it can, else low",
        {
            "kloepper": "kloepper_agents.simple:make_greedy",
            "klammern": "kloepper_agents.klammern.simple:make_greedy",
        },
    ),
    "rules": Kind(
        "the rules of thumb of a regular",
        {
            "kloepper": "kloepper_agents.heuristic:make_rules",
            "klammern": "kloepper_agents.klammern.heuristic:make_rules",
        },
    ),
    "pimc": Kind(
        "samples deals, sees all their cards from the next one on: pimc:worlds=50",
        {"kloepper": "kloepper_agents.search.pimc:make_pimc"},
    ),
    "rollout": Kind(
        "samples deals, lets `rules` play them out: rollout:worlds=50",
        {
            "kloepper": "kloepper_agents.search.pimc:make_rollout",
            "klammern": "kloepper_agents.search.pimc:make_rollout",
        },
    ),
    "ismcts": Kind(
        "a tree over what each seat can tell apart: ismcts:iterations=1000",
        {"kloepper": "kloepper_agents.search.ismcts:make_ismcts"},
    ),
    "level": Kind(
        "a beginner, level:1, to an expert, level:5",
        {
            "kloepper": "kloepper_agents.search.levels:make_level",
            "klammern": "kloepper_agents.search.levels:make_level",
        },
    ),
    "oracle": Kind(
        "sees the cards of all; plays in the arena only",
        {"kloepper": "kloepper_agents.search.oracle:make_oracle"},
    ),
    "net": Kind("a trained network, net:PATH", {ANY: "kloepper_agents.neural:make_net"}),
}


def plays(kind: str, game: str) -> bool:
    """Whether agents of a kind play a game."""
    return not {game, ANY}.isdisjoint(KINDS[kind].makers)


def make_agent(name: str, game: str = "kloepper") -> Agent:
    """The agent with this name, for one game.

    Raises ConfigError for an unknown name, and for a game that the agent does not play.
    """
    if not isinstance(name, str):
        raise ConfigError(f"an agent is {name!r:.80}, but must be a name such as `rules`")
    kind, _, settings = name.partition(":")
    get_game(game)
    if kind not in KINDS:
        raise ConfigError(f"unknown agent {shown(name)}; the kinds are {listed(KINDS)}")
    makers = KINDS[kind].makers
    maker = makers.get(game) or makers.get(ANY)
    if maker is None:
        others = listed(other for other in KINDS if plays(other, game))
        raise ConfigError(
            f"agent {kind} plays {listed(makers)}, not {game}; that is played by {others}"
        )
    module, _, factory = maker.partition(":")
    agent: Agent = getattr(import_module(module), factory)(game, settings)
    agent.name = name
    return agent


def take_agent(agent: Agent | str, game: str) -> Agent:
    """An agent, or the one with this name. Raises ConfigError for anything else."""
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, str):
        return make_agent(agent, game)
    raise ConfigError(
        f"an agent is {agent!r:.80}, but must be a name such as `rules` or an object of a class "
        "derived from kloepper_agents.base.Agent"
    )


def split_names(text: str, *others: str) -> list[str]:
    """The names in a text with commas between them: agents, or one of `others`.

    What follows a comma and is no kind of agent belongs to the settings before it, so that
    `net:runs/a,sample,rules` is two names. A name whose path holds ",rules" or a comma and a blank
    goes in double quotes, as in a CSV file. Raises ConfigError for a text that cannot be read.
    """
    try:
        (fields,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise ConfigError(
            f"{text!r:.80} is no list of names: they stand on one line with commas between them, "
            "and a name has both its double quotes or none"
        ) from None
    names: list[str] = []
    for field in fields:
        word = field.strip()
        begins = word in others or word.partition(":")[0] in KINDS
        if not begins and names and ":" in names[-1]:
            names[-1] += f",{word}"
        else:
            names.append(word)
    return names


def refuse_settings(kind: str, settings: str) -> None:
    """Raise ConfigError when a name has settings that its kind does not know."""
    if settings:
        raise ConfigError(f"agent {kind} takes no settings, but got {shown(settings)}")
