"""Players of Klammern, and how they are compared."""

from typing import TYPE_CHECKING, Final

from kloepper_agents.registry import Players

if TYPE_CHECKING:
    from kloepper_agents.arena.designs import Design
    from kloepper_agents.base import Agent


def _greedy(settings: str) -> "Agent":
    from kloepper_agents.games.klammern.greedy import make_greedy  # noqa: PLC0415

    return make_greedy(settings)


def _rules(settings: str) -> "Agent":
    from kloepper_agents.games.klammern.rules import make_rules  # noqa: PLC0415

    return make_rules(settings)


def _rollout(settings: str) -> "Agent":
    from kloepper_agents.games.klammern.worlds import MODEL  # noqa: PLC0415
    from kloepper_agents.search.pimc import make_rollout  # noqa: PLC0415

    return make_rollout(MODEL, settings)


def _level(settings: str) -> "Agent":
    from kloepper_agents.search.levels import Levels, make_level  # noqa: PLC0415

    return make_level(
        Levels("klammern", (0.8, 0.4), ("rollout:worlds=8", "rollout:worlds=64")), settings
    )


def _design() -> "Design":
    from kloepper_agents.games.klammern.duplicate import DESIGN  # noqa: PLC0415

    return DESIGN


PLAYERS: Final = Players(
    makers={"greedy": _greedy, "rules": _rules, "rollout": _rollout, "level": _level},
    design=_design,
)
