"""What the environments of all libraries share: settings, deals, rewards, pictures."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env.errors import ConfigError, listed, whole_number
from kloepper_env.games.game import Game, Match
from kloepper_env.layout import Layout
from kloepper_env.payoff import hand_rewards
from kloepper_env.state import State
from kloepper_env.terminal import say
from kloepper_env.view import Int8Array

EPISODES: Final = ("hand", "game")
REWARDS: Final = ("points", "relative", "win")
FORMS: Final = ("dict", "flat")
MASKS: Final = ("int8", "bool")
RENDER_MODES: Final = ("human", "ansi", "svg", "rgb_array")

ILLEGAL_REWARD: Final = -1.0
"""What an illegal action brings where it ends nothing, or where no hand can bring less than 0."""

MOST_SEEN: Final = 127  # the largest int8: what is more looks as if it were this

BY_PLAY: Final = "play"
BY_ILLEGAL_ACTION: Final = "illegal_action"
"""What an episode was ended by, as infos say under `ended_by`."""

NO_EPISODE: Final = "no episode is going on: reset the environment first"
"""What is said to who steps or looks before `reset`."""

Observation = dict[str, Int8Array]
"""`observation` int8 [W] by the layout, `action_mask` int8 [A]."""


def check_setting(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Raise ConfigError unless `value` is one of the allowed ones, also by type: True is no 1."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not any(type(plain) is type(one) and plain == one for one in allowed):
        raise ConfigError(f"{name} is {value!r}, but must be {listed(map(repr, allowed))}")


def observation_space(width: int, n_actions: int, mask: str = "int8") -> spaces.Space[Observation]:
    """The space of one seat's observation and mask."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, MOST_SEEN, (width,), np.int8),
        "action_mask": spaces.Box(0, 1, (n_actions,), np.dtype(mask).type),
    }
    return cast(spaces.Space[Observation], spaces.Dict(parts))


class Form:
    """The form in which a learner gets observation and mask.

    `observation` is "dict", or "flat": the observation alone as float32, for libraries that take no
    Dict; the mask is then in the info. `mask` is "int8" or "bool".
    """

    def __init__(self, width: int, n_actions: int, observation: str, mask: str) -> None:
        check_setting("observation", observation, FORMS)
        check_setting("mask", mask, MASKS)
        self.is_flat, self._dtype = observation == "flat", np.dtype(mask)
        self.space: spaces.Space[Any]
        if self.is_flat:
            self.space = spaces.Box(0, MOST_SEEN, (width,), np.float32)
        else:
            self.space = observation_space(width, n_actions, mask)

    def mask(self, mask: Int8Array) -> NDArray[Any]:
        """A copy of a mask [..., A] in its form."""
        return mask.astype(self._dtype)

    def join(self, observation: Int8Array, mask: Int8Array) -> Any:
        """Observation [..., W] and mask [..., A] as the learner gets them; the mask is copied."""
        if self.is_flat:
            return observation.astype(np.float32)
        return {"observation": observation, "action_mask": self.mask(mask)}

    def lane(self, seen: Any, lane: int) -> Any:
        """What one of several learners sees."""
        if self.is_flat:
            return seen[lane]
        return {name: part[lane] for name, part in seen.items()}


def read_seed(seed: int | None) -> int:
    """A seed as a whole number from 0 on; None takes one from the system's entropy."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return whole_number("the seed", seed)


def read_deal_options(
    game: Game, options: Any, wanted: Mapping[str, Any] | None, dealer: int = -1
) -> tuple[State | None, int]:
    """What the options of a `reset` ask for: the hand of a `deck`, and the dealer, -1 for any.

    In games that draw the parties of every hand `teams` come with a `deck`. A `dealer` in `wanted`
    goes before the argument; where both leave it open, seat 0 deals a given deck. Other keys are
    ignored. Raises ConfigError or NotationError.
    """
    if wanted is None:
        wanted = {}
    if not isinstance(wanted, Mapping):
        raise ConfigError(f"the options of reset are {wanted!r}, but must be a mapping")
    deck, wanted_dealer, teams = (wanted.get(name) for name in ("deck", "dealer", "teams"))
    if deck is None and wanted_dealer is None and teams is None:
        return None, dealer
    if wanted_dealer is None and dealer >= 0:
        wanted_dealer = dealer
    given = State.deal(game, options.changed(), deck=deck, dealer=wanted_dealer, teams=teams)
    return (None if deck is None else given), given.dealer


def deal_hands(game: Game, hands: engine.Records, given: State | None, dealer: int) -> None:
    """Deal the hands that key and serial name, or in all of them the given hand."""
    if given is None:
        engine.start(hands, game.tables, dealer)
        return
    streams = hands[["key", "serial"]].copy()
    hands[:] = given.hands[0]
    hands["key"], hands["serial"] = streams["key"], streams["serial"]


def ending_reward(game: Game, options: Any, reward: str, carry: Mapping[str, int]) -> float:
    """What an illegal action brings that ends the episode: less than, or as little as, any hand.

    `carry` is what the hand in play took over. Were it more, an illegal action could pay: at
    random play earns -4.7 a hand against a good player where rewards are relative.
    """
    return game.worst(options, carry) if reward == "relative" else ILLEGAL_REWARD


def paid(
    game: Game, scores: NDArray[np.int64], reward: str, winners: list[int] | None
) -> NDArray[np.float64]:
    """Rewards [..., seat] for a hand that ended; `winners` of the game it ends, None if it goes on.

    A win is shared by winners who are level; partners win it together, not half each.
    """
    if reward != "win":
        return hand_rewards(scores, reward)
    rewards = np.zeros(scores.shape)
    for seat in winners or []:
        rewards[..., seat] = 1 / len({game.accounts[other] for other in winners or []})
    return rewards


def episode_layout(game: Game, options: Any, episode: str) -> Layout:
    """The observation of a hand, and behind it, in games, how the game stands."""
    if episode == "hand":
        return game.layout
    needs = [(f"needs.{k}", 1) for k in range(game.n_seats)]
    carry = [(f"carry.{name}", 1) for name in game.carries(options)]
    return Layout([*game.layout.parts, *needs, *carry])


def relative_standing(match: Match) -> Int8Array:
    """[seat, ...] what the k-th seat from `seat` still needs, then tens carried over."""
    needs, carry = match.needs(), match.carry().values()
    tens = [-(-left // 10) for left in carry]
    rows = [[*np.roll(needs, -seat), *tens] for seat in range(len(needs))]
    return np.minimum(rows, MOST_SEEN).astype(np.int8)


def render_hand(state: State, mode: str | None, seat: int | None) -> str | NDArray[np.uint8] | None:
    """Draw a hand as a seat knows it, or all of it; "human" prints and returns None.

    A stdout that is closed, or whose reader has gone, keeps nobody from playing on.
    """
    from kloepper_env import render  # noqa: PLC0415  # nothing is loaded unless somebody draws

    if mode == "svg":
        return render.render_svg(state, seat)
    if mode == "rgb_array":
        return render.render_pixels(state, seat)
    if mode is None:
        return None
    text = render.render_text(state, seat)
    if mode == "human":
        with suppress(OSError, ValueError):
            say(f"{text}\n")
        return None
    return text
