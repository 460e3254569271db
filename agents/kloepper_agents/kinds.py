"""Agents by name: a kind, then settings behind a colon, `random`, `net:runs/a`, `pimc:worlds=50`.

A player of your own is named by the module and the class or function that makes it,
`my_module:MyAgent`, or by a kind that an installed package offers under the entry point group
`kloepper.kinds`. Both import code, so a name that comes out of a file must not reach them: code
that reads one passes `own=False`.
"""

import csv
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import signature
from types import FunctionType
from typing import Any, Final

from kloepper_agents.base import Agent
from kloepper_agents.registry import players_of
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.games import GAMES, get_game

ANY: Final = "any"
ENTRY_POINTS: Final = "kloepper.kinds"
"""Group in which packages offer kinds: `NAME = "module:factory"`, where the factory takes the name
of the game and the settings and returns an Agent."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Agents that are named alike in all games that have them."""

    about: str  # one line for people
    maker: str | None = None
    """`module:factory` of a kind that plays every game; the factory takes the game and the
    settings. None: games have makers of their own (registry.py)."""


KINDS: Final[dict[str, Kind]] = {
    "random": Kind("a legal action, each equally likely", "kloepper_agents.simple:make_random"),
    "passive": Kind("announces nothing and plays any card", "kloepper_agents.simple:make_passive"),
    "greedy": Kind("takes the trick when it can, else low"),
    "rules": Kind("the rules of thumb of a regular"),
    "pimc": Kind("samples deals, sees all their cards from the next one on: pimc:worlds=50"),
    "rollout": Kind("samples deals, lets `rules` play them out: rollout:worlds=50"),
    "ismcts": Kind("a tree over what each seat can tell apart: ismcts:iterations=1000"),
    "level": Kind("a beginner, level:1, to an expert, level:5"),
    "oracle": Kind("sees the cards of all; plays in the arena only"),
    "net": Kind("a trained network, net:PATH", "kloepper_agents.neural:make_net"),
    "net+search": Kind("a trained network that thinks ahead: net+search:PATH,worlds=64"),
}


def games_of(kind: str) -> list[str]:
    """The games that a kind plays; ANY alone if it plays every game."""
    if KINDS[kind].maker is not None:
        return [ANY]
    return [game for game in GAMES if kind in players_of(game).makers]


def plays(kind: str, game: str) -> bool:
    """Whether agents of a kind play a game."""
    return not {game, ANY}.isdisjoint(games_of(kind))


def make_agent(name: str, game: str = "kloepper", *, own: bool = True) -> Agent:
    """The agent with this name, for one game.

    Raises ConfigError for an unknown name, and for a game that the agent does not play. With
    `own=False` also for one that would import a module of somebody else's.
    """
    if not isinstance(name, str) or not name:
        raise ConfigError(f"an agent is {shown(name)}, but must be a name such as `rules`")
    kind, _, settings = name.partition(":")
    get_game(game)
    if kind in KINDS:
        agent = _packaged(kind, settings, game)
    elif is_own(name):
        if not own:
            raise ConfigError(
                f"agent {shown(name)} would import code, which a name out of a file must not do: "
                "name it yourself"
            )
        agent = _own(name, game)
    else:
        raise ConfigError(
            f"unknown agent {shown(name)}; the kinds are {listed(KINDS)}, and my_module:MyAgent is "
            "one of your own"
        )
    agent.name = name
    return agent


def _packaged(kind: str, settings: str, game: str) -> Agent:
    maker = KINDS[kind].maker
    if maker is not None:
        made: Agent = _attribute(maker)(game, settings)
        return made
    makers = players_of(game).makers
    if kind not in makers:
        others = listed(other for other in KINDS if plays(other, game))
        raise ConfigError(
            f"agent {kind} plays {listed(games_of(kind))}, not {game}; that is played by {others}"
        )
    agent: Agent = makers[kind](settings)
    return agent


def take_agent(agent: Agent | str, game: str) -> Agent:
    """An agent, or the one with this name. Raises ConfigError for anything else."""
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, str):
        return make_agent(agent, game)
    raise ConfigError(
        f"an agent is {shown(agent)}, but must be a name such as `rules` or an object of a class "
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
            f"{shown(text)} is no list of names: they stand on one line with commas between them, "
            "and a name has both its double quotes or none"
        ) from None
    names: list[str] = []
    for field in fields:
        word = field.strip()
        begins = word in others or word.partition(":")[0] in KINDS or is_own(word)
        if not begins and names and ":" in names[-1]:
            names[-1] += f",{word}"
        else:
            names.append(word)
    return names


# --- players that this package does not know -----------------------------------------------------


def is_own(name: str) -> bool:
    """Whether making this agent imports a module that is not of this package.

    A mistyped kind, `levle:4` or `nett:run`, does not: no module has that name.
    """
    kind, _, attribute = name.partition(":")
    if kind in KINDS:
        return False
    return _installed(kind) is not None or (attribute.isidentifier() and _is_module(kind))


def _own(name: str, game: str) -> Agent:
    kind, _, settings = name.partition(":")
    offer = _installed(kind)
    try:
        with _working_directory_importable():
            maker = _attribute(name) if offer is None else offer.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"agent {shown(name)} cannot be had: {error}") from None
    if isinstance(maker, Agent):
        return maker
    given = () if offer is None else (game, settings)
    agent = maker(*given) if _takes(maker, given) else maker
    if not isinstance(agent, Agent):
        raise ConfigError(
            f"agent {shown(name)} is {type(agent).__name__}, but must be a kloepper_agents.Agent, "
            "its class, or a function that returns one; class and function take no arguments"
        )
    return agent


def _takes(maker: Any, given: tuple[str, ...]) -> bool:
    """Whether something is a class or a function that may be called with these."""
    if not isinstance(maker, type | FunctionType):
        return False
    try:
        signature(maker).bind(*given)
    except TypeError:
        return False
    return True


def _attribute(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def _installed(kind: str) -> EntryPoint | None:
    return next(iter(entry_points(group=ENTRY_POINTS, name=kind)), None)


def _is_module(path: str) -> bool:
    """Whether there is a module or package to look in; nothing is imported to find out."""
    package, *inner = path.split(".")
    if not package.isidentifier() or not all(part.isidentifier() for part in inner):
        return False
    with _working_directory_importable():
        return package in sys.modules or find_spec(package) is not None


@contextmanager
def _working_directory_importable() -> Iterator[None]:
    """A module beside the user is found, behind all that is installed."""
    here = os.getcwd()
    if here in sys.path or "" in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)
