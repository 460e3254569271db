"""Players for the games of kloepper_env, and the arena in which they are compared."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kloepper_agents.arena.league import League, play_league
    from kloepper_agents.arena.match import MatchResult, play_match
    from kloepper_agents.base import Agent, ObservationAgent
    from kloepper_agents.kinds import make_agent

_HOMES = {
    "Agent": "base",
    "League": "arena.league",
    "MatchResult": "arena.match",
    "ObservationAgent": "base",
    "make_agent": "kinds",
    "play_league": "arena.league",
    "play_match": "arena.match",
}

__all__ = [
    "Agent",
    "League",
    "MatchResult",
    "ObservationAgent",
    "make_agent",
    "play_league",
    "play_match",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: the engine behind it takes a while to import."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
