"""What an episode in play consists of, and whether a value can be one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError

EPISODE: Final = (  # the attributes that, with the hand, are the state of an episode
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "_cumulative_rewards",
    "_skip_agent_selection",
    "_seeded",
    "_match",
)
_NUMBERS: Final = ("rewards", "_cumulative_rewards")
_FLAGS: Final = ("terminations", "truncations")


def check_state(
    state: Any, identity: object, seats: Sequence[str], hands: Records, match: object
) -> None:
    """Raise ConfigError for what `get_state` of such an environment cannot have given.

    `seats` are all its agents, `hands` its record, `match` a new game of hands or None. What
    stands inside a hand or a game of the right type is not looked at.
    """
    if not isinstance(state, Mapping) or not {"of", "_hands", *EPISODE} <= state.keys():
        raise ConfigError("the state was not made by get_state: it lacks parts of an episode")
    if state["of"] != identity:
        raise ConfigError(f"a state of {state['of']} does not fit {identity}")
    for name in ("_hands", *EPISODE):
        if not _fits(name, state, seats, hands, match):
            raise ConfigError(f"the state was not made by get_state: {name} is {state[name]!r}")


def _fits(
    name: str, state: Mapping[str, Any], seats: Sequence[str], hands: Records, match: object
) -> bool:
    value = state[name]
    if name == "_hands":
        same = isinstance(value, np.ndarray) and value.dtype == hands.dtype
        return same and value.shape == hands.shape
    if name == "agents":
        return isinstance(value, list) and value == [seat for seat in seats if seat in value]
    if name == "agent_selection":
        return value in (state["agents"] or seats)
    if name == "_skip_agent_selection":
        return value is None or value in seats
    if name in (*_NUMBERS, *_FLAGS):
        kind = bool if name in _FLAGS else (int, float)
        alike = isinstance(value, dict) and list(value) == state["agents"]
        return alike and all(isinstance(one, kind) for one in value.values())
    if name == "_match":
        return type(value) is type(match)
    return value is True if name == "_seeded" else type(value) is int
