"""What each game brings to this package, found in one place: its `Players`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

_HOMES: Final = {
    "kloepper": "kloepper_agents.games.kloepper",
    "klammern": "kloepper_agents.games.klammern",
}
"""Game -> the module whose PLAYERS are its own. Adding a game adds one line."""


@dataclass(frozen=True, eq=False)
class Players:
    """One game's own players, and how they are compared.

    All of it is functions, so that a player is imported when it is first asked for.
    """

    makers: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    """Kind -> a function that makes the `base.Agent` from the settings behind the colon."""
    design: Callable[[], Any] | None = None
    """The `arena.designs.Design` of its duplicate tables; None: a plain one will do."""
    inputs: Mapping[int, Callable[[], Any]] = field(default_factory=dict)
    """Version -> a function that makes the `inputs.Derived` that networks take besides the
    observation."""
    worth_of_cards: Callable[[], Any] | None = None
    """A function that makes the `teaching.Worth` of its cards, by which learners are taught; None:
    nobody can say."""


def players_of(game: str) -> Players:
    """What a game brings; nothing where it has no folder here."""
    if game not in _HOMES:
        return Players()
    players: Players = import_module(_HOMES[game]).PLAYERS
    return players
