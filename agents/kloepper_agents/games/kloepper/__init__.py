"""Players of Kloepper, how they are compared, and the lab for its decisions."""

from typing import TYPE_CHECKING, Final

from kloepper_agents.registry import Players

if TYPE_CHECKING:
    from kloepper_agents.arena.designs import Design
    from kloepper_agents.base import Agent
    from kloepper_agents.inputs import Derived
    from kloepper_agents.teaching import Worth


def _greedy(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.greedy import make_greedy  # noqa: PLC0415

    return make_greedy(settings)


def _rules(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.rules import make_rules  # noqa: PLC0415

    return make_rules(settings)


def _pimc(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy  # noqa: PLC0415
    from kloepper_agents.games.kloepper.search.worlds import MODEL  # noqa: PLC0415
    from kloepper_agents.search.pimc import make_pimc  # noqa: PLC0415

    return make_pimc(MODEL, DoubleDummy(), settings)


def _rollout(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.search.worlds import MODEL  # noqa: PLC0415
    from kloepper_agents.search.pimc import make_rollout  # noqa: PLC0415

    return make_rollout(MODEL, settings)


def _ismcts(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.search.ismcts import make_ismcts  # noqa: PLC0415

    return make_ismcts(settings)


def _net_search(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.search.net_search import make_net_search  # noqa: PLC0415

    return make_net_search(settings)


def _level(settings: str) -> "Agent":
    from kloepper_agents.search.levels import Levels, make_level  # noqa: PLC0415

    thinkers = ("pimc:worlds=8", "ismcts:iterations=1000")
    return make_level(Levels("kloepper", (0.55, 0.28), thinkers), settings)


def _oracle(settings: str) -> "Agent":
    from kloepper_agents.games.kloepper.search.oracle import make_oracle  # noqa: PLC0415

    return make_oracle(settings)


def _design() -> "Design":
    from kloepper_agents.games.kloepper.duplicate import DESIGN  # noqa: PLC0415

    return DESIGN


def _derived() -> "Derived":
    from kloepper_agents.games.kloepper.inputs import derived  # noqa: PLC0415

    return derived()


def _with_endings() -> "Derived":
    from kloepper_agents.games.kloepper.last_cards_inputs import with_endings  # noqa: PLC0415

    return with_endings()


def _worth() -> "Worth":
    from kloepper_agents.games.kloepper.worth import OpenCards  # noqa: PLC0415

    return OpenCards()


PLAYERS: Final = Players(
    makers={
        "greedy": _greedy,
        "rules": _rules,
        "pimc": _pimc,
        "rollout": _rollout,
        "ismcts": _ismcts,
        "net+search": _net_search,
        "level": _level,
        "oracle": _oracle,
    },
    design=_design,
    inputs={1: _derived, 2: _with_endings},
    worth_of_cards=_worth,
)
