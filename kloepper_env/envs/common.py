"""What the environments of all libraries share: settings, deals, rewards, pictures."""

from collections.abc import Collection, Mapping
from operator import index
from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env.errors import ConfigError, IllegalActionError, listed, whole_number
from kloepper_env.games.game import Game
from kloepper_env.state import State
from kloepper_env.view import Int8Array

EPISODES: Final = ("hand", "game")
REWARDS: Final = ("points", "relative", "win")
RENDER_MODES: Final = ("human", "ansi", "svg")

ILLEGAL_REWARD: Final = -1.0
"""What an illegal action costs where it is not refused with an error."""

NO_EPISODE: Final = "no episode is going on: reset the environment first"
"""What is said to who steps or looks before `reset`."""

Observation = dict[str, Int8Array]
"""`observation` int8 [W] by the layout, `action_mask` int8 [A]."""


def check_setting(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Raise ConfigError unless `value` is one of the allowed ones, also by type: True is no 1."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not any(type(plain) is type(one) and plain == one for one in allowed):
        raise ConfigError(f"{name} is {value!r}, but must be {listed(map(repr, allowed))}")


def observation_space(width: int, n_actions: int) -> spaces.Space[Observation]:
    """The space of one seat's observation and mask."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, 127, (width,), np.int8),
        "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
    }
    return cast(spaces.Space[Observation], spaces.Dict(parts))


def action_number(action: Any) -> int | None:
    """An action as an int; None for what is no whole number. A truth value is none."""
    if isinstance(action, bool):
        return None
    try:
        return index(action)
    except TypeError:
        return None


def read_actions(name: str, actions: Any, count: int) -> NDArray[np.int64]:
    """Actions [count] as int64; `name` says in the IllegalActionError whose or what they are."""
    try:
        array = np.asarray(actions)
        found = f"{array.dtype} of shape {array.shape}"
    except ValueError:  # a sequence of sequences of several lengths
        array = np.empty(0, object)
        found = "a ragged sequence"
    if array.dtype.kind not in "iu" or array.shape != (count,):
        raise IllegalActionError(f"{name} must be integers of shape ({count},), not {found}")
    return array.astype(np.int64)


def read_seed(seed: int | None) -> int:
    """A seed as a whole number from 0 on; None takes one from the system's entropy."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return whole_number("the seed", seed)


def read_wishes(
    game: Game, options: Any, wishes: Mapping[str, Any] | None, dealer: int = -1
) -> tuple[State | None, int]:
    """What the options of a `reset` ask for: the hand of a `deck`, and the dealer, -1 for any.

    A `dealer` in `wishes` goes before the argument; where both leave it open, seat 0 deals a given
    deck. Other keys are ignored. Raises ConfigError or NotationError.
    """
    if wishes is None:
        wishes = {}
    if not isinstance(wishes, Mapping):
        raise ConfigError(f"the options of reset are {wishes!r}, but must be a mapping")
    deck, wished = wishes.get("deck"), wishes.get("dealer")
    if deck is None and wished is None:
        return None, dealer
    if wished is None and dealer >= 0:
        wished = dealer
    given = State.deal(game, options.changed(), deck=deck, dealer=wished)
    return (None if deck is None else given), given.dealer


def deal_hands(game: Game, hands: engine.Records, given: State | None, dealer: int) -> None:
    """Deal the hands that key and serial name, or in all of them the given hand."""
    if given is None:
        engine.start(hands, game.tables, dealer)
        return
    streams = hands[["key", "serial"]].copy()
    hands[:] = given.hands[0]
    hands["key"], hands["serial"] = streams["key"], streams["serial"]


def render_hand(state: State, mode: str | None, seat: int | None) -> str | None:
    """Draw a hand as a seat knows it, or all of it; "human" prints and returns None."""
    from kloepper_env import render  # noqa: PLC0415  # nothing is loaded unless somebody draws

    if mode == "svg":
        return render.render_svg(state, seat)
    if mode is None:
        return None
    text = render.render_text(state, seat)
    if mode == "human":
        print(text, end="\n\n")
        return None
    return text
