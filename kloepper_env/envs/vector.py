"""Many single-seat environments side by side, their hands in one array."""

import copy
from collections.abc import Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.actions import read_actions
from kloepper_env.engine import Records
from kloepper_env.envs.common import (
    BY_ILLEGAL_ACTION,
    BY_PLAY,
    EPISODES,
    ILLEGAL_REWARD,
    NO_EPISODE,
    REWARDS,
    Observation,
    check_setting,
    deal_hands,
    ending_reward,
    observation_space,
    read_deal_options,
    read_seed,
    render_hand,
)
from kloepper_env.envs.gym import ILLEGAL, RANDOM_SEAT
from kloepper_env.envs.opponents import Opponent, choose, drawn_seats, make_opponents
from kloepper_env.errors import ConfigError, IllegalActionError, whole_number
from kloepper_env.games import set_up
from kloepper_env.payoff import hand_rewards
from kloepper_env.state import State

PICTURES = ("ansi", "svg", "rgb_array")
_NO_GAMES = (
    "episode is 'game', but the vector environment plays single hands; "
    'gymnasium.make_vec("kloepper_env:kloepper/{}", vectorization_mode="async", episode="game") '
    "makes one of whole games"
)


@jit
def _act(hands: Records, lanes: IntArray, actions: IntArray) -> None:
    for i in range(len(lanes)):
        engine.apply(hands[lanes[i]], int(actions[i]))


@jit
def _score(hands: Records, lanes: IntArray, scores: IntArray) -> None:
    for i in range(len(lanes)):
        engine.result(hands[lanes[i]], scores[lanes[i]])


@jit
def _observe(hands: Records, seats: IntArray, words: IntArray, mask_words: IntArray) -> None:
    for i in range(len(hands)):
        hand = hands[i]
        engine.observe(hand, int(seats[i]), words[i])
        if hand.turn == seats[i]:
            engine.write_mask(hand, mask_words[i])
        else:
            engine.spread(0, mask_words[i])


class SeatVectorEnv(VectorEnv[Observation, IntArray, NDArray[Any]]):
    """`num_envs` learners, each in one seat of a hand of its own; settings as in SeatEnv.

    Episodes are single hands. Lane i does exactly what a SeatEnv does that was reset with lane i's
    seed. A lane whose episode ends is dealt its next hand in the same step; what it saw last is in
    `final_obs`, `final_info`.
    `reset(seed=s)` gives lane i the seed s + i, a sequence gives each lane its own. With the option
    `reset_mask`, bool [N], only the lanes where it is true begin anew. All arrays are new with
    every call: `observation` int8 [N, W], `action_mask` int8 [N, A], rewards float64 [N].
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as in VectorEnv
        "render_modes": list(PICTURES),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "kloepper",
        rules: Mapping[str, Any] | None = None,
        *,
        opponents: str | Opponent | Sequence[str | Opponent] = "random",
        seat: int | str = RANDOM_SEAT,
        episode: str = "hand",
        reward: str = "points",
        illegal: str = "terminate",
        render_mode: str | None = None,
    ) -> None:
        if whole_number("num_envs", num_envs) == 0:
            raise ConfigError("num_envs is 0, but there must be an environment")
        self.game, self.options = set_up(game, rules)
        check_setting("episode", episode, EPISODES)
        if episode == "game":
            raise ConfigError(_NO_GAMES.format(f"{game.capitalize()}-v{self.game.version}"))
        check_setting("seat", seat, (*range(self.game.n_seats), RANDOM_SEAT))
        check_setting("reward", reward, REWARDS[:2])
        check_setting("illegal", illegal, ILLEGAL)
        check_setting("render_mode", render_mode, (None, *PICTURES))
        self.opponents = make_opponents(opponents, self.game)
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.num_envs = num_envs
        self.layout, self.action_names = self.game.layout, list(self.game.action_names)
        self.single_observation_space = observation_space(self.layout.size, self.game.n_actions)
        self.single_action_space = spaces.Discrete(self.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.hands = self.game.new_hands(num_envs, self.options, 0)
        self._fixed_seat = None if seat == RANDOM_SEAT else int(seat)
        self.seats: IntArray = np.full(num_envs, self._fixed_seat or 0, np.int64)
        self._mask = np.zeros((num_envs, self.game.n_actions), np.int8)
        self._illegal_last = np.zeros(num_envs, bool)  # whether the last action of a lane was
        self._illegal_reward = ILLEGAL_REWARD
        if illegal == "terminate":
            self._illegal_reward = ending_reward(self.game, self.options, reward, {})
        self._seeded = False

    # --- playing

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in every lane, or in those of the option `reset_mask`.

        The other `options` are as in SeatEnv, the same for all lanes. The lanes that the mask
        leaves out play on: what is returned of them, also in the infos, is what it was, and their
        seeds are not looked at. Raises ConfigError or NotationError, with nothing changed.
        """
        lanes = self._lanes_to_reset(options)
        given, dealer = read_deal_options(self.game, self.options, options)
        of_lane = self._lane_seeds(seed)
        seeds = [
            read_seed(of_lane[lane]) if of_lane[lane] is not None or not self._seeded else None
            for lane in lanes
        ]
        if not isinstance(seed, Sequence):
            super().reset(seed=None if seed is None else read_seed(seed))
        hands = self.hands[lanes]
        hands["serial"] += 1
        for hand, one in zip(hands, seeds, strict=True):
            if one is not None:
                hand["key"] = engine.seed_key(one)
                hand["serial"] = 0
        deal_hands(self.game, hands, given, dealer)
        self._seeded = True
        self._put(lanes, hands)
        self._illegal_last[lanes] = False
        return self._seen(self._illegal_last.copy())

    def _lanes_to_reset(self, options: Mapping[str, Any] | None) -> IntArray:
        """The lanes of `reset_mask`, all of them without one."""
        mask = options.get("reset_mask") if isinstance(options, Mapping) else None
        if mask is None:
            return np.arange(self.num_envs)
        if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (self.num_envs,):
            raise ConfigError(
                f"reset_mask is {shortened(mask)}, but must be an array of bool of shape "
                f"({self.num_envs},)"
            )
        if not mask.any():
            raise ConfigError("reset_mask is false everywhere, but must name a lane to reset")
        if not (self._seeded or mask.all()):
            raise ConfigError("reset_mask leaves lanes out, but the first reset must begin all")
        return np.flatnonzero(mask)

    def _lane_seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence):
            return [seed + lane for lane in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ConfigError(f"there are {len(seed)} seeds, but must be {self.num_envs}")
        return seed

    def step(
        self, actions: IntArray
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Act in every lane, and play each up to the learner's next decision.

        Raises IllegalActionError before `reset` and for what are not integers [N].
        """
        if not self._seeded:
            raise IllegalActionError(NO_EPISODE)
        actions = read_actions("actions", actions, self.num_envs)
        illegal = self._illegal(actions)
        acting = np.flatnonzero(~illegal)
        _act(self.hands, acting, actions[acting])
        self._answer(acting)
        over = self.hands["over"] != 0
        rewards = self._rewards(np.flatnonzero(over))
        rewards[illegal] = self._illegal_reward
        ended = over | illegal if self.illegal == "terminate" else over
        observation, info = self._seen(illegal)
        if ended.any():
            final = self._final(observation, info, ended)
            self._deal_next(np.flatnonzero(ended))
            illegal = illegal & ~ended
            observation, info = self._seen(illegal)
            info.update(final)
        self._illegal_last = illegal.copy()
        return observation, rewards, ended, np.zeros(self.num_envs, bool), info

    def _illegal(self, actions: IntArray) -> NDArray[np.bool_]:
        """Which lanes [N] may not act so; an IllegalActionError where that was asked for."""
        inside = (actions >= 0) & (actions < self.game.n_actions)
        row = np.arange(self.num_envs)
        illegal: NDArray[np.bool_] = ~inside | (self._mask[row, np.where(inside, actions, 0)] == 0)
        if self.illegal == "raise" and illegal.any():
            lane = int(np.argmax(illegal))
            self._state(lane).push(int(actions[lane]))  # raises, naming the legal ones
        return illegal

    def _answer(self, lanes: IntArray) -> None:
        """Let the opponents decide until every lane waits for its learner or is over."""
        while True:
            turn = self.hands["turn"][lanes]
            waiting = (turn != self.seats[lanes]) & (self.hands["over"][lanes] == 0)
            lanes, turn = lanes[waiting], turn[waiting]
            if not len(lanes):
                return
            relative = (turn - self.seats[lanes] - 1) % self.game.n_seats
            for opponent in {id(one): one for one in self.opponents}.values():
                sits = [k for k, other in enumerate(self.opponents) if other is opponent]
                group = lanes[np.isin(relative, sits)]
                if len(group):
                    chosen = choose(opponent, self.game, self.options, self.hands[group])
                    _act(self.hands, group, chosen)

    def _rewards(self, lanes: IntArray) -> NDArray[np.float64]:
        scores = np.zeros((self.num_envs, self.game.n_seats), np.int64)
        _score(self.hands, lanes, scores)
        return hand_rewards(scores, self.reward)[np.arange(self.num_envs), self.seats]

    def _deal_next(self, lanes: IntArray) -> None:
        hands = self.hands[lanes]
        hands["serial"] += 1
        engine.start(hands, self.game.tables, -1)
        self._put(lanes, hands)

    def _put(self, lanes: IntArray, hands: Records) -> None:
        """Let hands just dealt begin in some lanes, and play them up to the learner."""
        self.hands[lanes] = hands
        if self._fixed_seat is None:
            self.seats[lanes] = drawn_seats(hands, self.game.n_seats)
        self._answer(lanes)

    # --- seeing

    def _seen(self, illegal: NDArray[np.bool_]) -> tuple[Observation, dict[str, Any]]:
        words = np.empty((self.num_envs, self.game.words), np.int64)
        mask_words = np.empty((self.num_envs, self.game.mask_words), np.int64)
        _observe(self.hands, self.seats, words, mask_words)
        self._mask = mask_words.view(np.int8)[:, : self.game.n_actions]
        observation = {"observation": words.view(np.int8), "action_mask": self._mask.copy()}
        info = {"action_mask": self._mask.copy(), "seat": self.seats.copy(), "illegal": illegal}
        return observation, _marked(info, np.ones(self.num_envs, bool))

    def _final(
        self, observation: Observation, info: dict[str, Any], ended: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """The last observations, one a lane, and the last infos of the lanes that ended."""
        observation["action_mask"][ended] = 0
        final_obs = np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(ended):
            final_obs[lane] = {name: part[lane] for name, part in observation.items()}
        keys = ("action_mask", "seat", "illegal")
        last = {key: np.zeros_like(info[key]) for key in keys}
        last["seat"][ended] = info["seat"][ended]
        last["illegal"][ended] = info["illegal"][ended]
        last["ended_by"] = np.full(self.num_envs, None, object)
        last["ended_by"][ended] = np.where(info["illegal"][ended], BY_ILLEGAL_ACTION, BY_PLAY)
        return _marked({"final_obs": final_obs, "final_info": _marked(last, ended)}, ended)

    def _state(self, lane: int) -> State:
        return State(self.game, self.options, self.hands[lane : lane + 1])

    def render(self) -> tuple[Any, ...]:
        """A drawing of every lane, of what its learner knows; nothing before `reset`."""
        if not self._seeded:
            raise IllegalActionError(NO_EPISODE)
        return tuple(
            render_hand(self._state(lane), self.render_mode, int(seat))
            for lane, seat in enumerate(self.seats)
        )

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


def _marked(info: dict[str, Any], lanes: NDArray[np.bool_]) -> dict[str, Any]:
    """Gymnasium's form of many infos: beside every key, `_key` says which lanes have it."""
    return info | {f"_{key}": lanes.copy() for key in info}
