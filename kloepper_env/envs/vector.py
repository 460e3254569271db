"""Many single-seat environments side by side, their hands in one array."""

import copy
from collections.abc import Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, Final, Self

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.actions import read_actions
from kloepper_env.engine import Records
from kloepper_env.envs.common import (
    BY_ILLEGAL_ACTION,
    BY_PLAY,
    EPISODES,
    ILLEGAL_REWARD,
    NO_EPISODE,
    REWARDS,
    Form,
    check_setting,
    ending_reward,
    read_deal_options,
    read_seed,
    render_hand,
)
from kloepper_env.envs.gym import ILLEGAL, RANDOM_SEAT
from kloepper_env.envs.lanes import Lanes
from kloepper_env.envs.opponents import Opponent, make_opponents
from kloepper_env.errors import ConfigError, IllegalActionError, listed, whole_number
from kloepper_env.games import set_up

PICTURES: Final = ("ansi", "svg", "rgb_array")


class SeatVectorEnv(VectorEnv[Any, IntArray, NDArray[Any]]):
    """`num_envs` learners, each in one seat of a hand or game of its own; settings as in SeatEnv.

    Lane i does exactly what a SeatEnv does that was reset with lane i's seed. `reset(seed=s)` gives
    lane i the seed s + i, a sequence gives each lane its own. With the option `reset_mask`, bool
    [N], only the lanes where it is true begin anew.

    `autoreset_mode`, one of Gymnasium's or its name, says what becomes of a lane whose episode has
    ended: SAME_STEP deals its next hand in the same step, and what it saw last is in `final_obs`
    and `final_info`; NEXT_STEP deals it in the next step, whatever the action; DISABLED waits for a
    `reset` that names it in `reset_mask`.

    All arrays are new with every call: `observation` int8 [N, W], `action_mask` int8 [N, A] (or
    both as `observation` and `mask` say), rewards float64 [N].
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
        observation: str = "dict",
        mask: str = "int8",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
    ) -> None:
        if whole_number("num_envs", num_envs) == 0:
            raise ConfigError("num_envs is 0, but there must be an environment")
        self.game, self.options = set_up(game, rules)
        check_setting("episode", episode, EPISODES)
        check_setting("seat", seat, (*range(self.game.n_seats), RANDOM_SEAT))
        check_setting("reward", reward, REWARDS if episode == "game" else REWARDS[:2])
        check_setting("illegal", illegal, ILLEGAL)
        check_setting("render_mode", render_mode, (None, *PICTURES))
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.num_envs = num_envs
        self.autoreset_mode = _read_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        fixed = None if seat == RANDOM_SEAT else int(seat)
        self._lanes = Lanes(
            self.game, self.options, num_envs, seat=fixed, episode=episode, reward=reward
        )
        self.set_opponents(opponents)
        self.layout, self.action_names = self._lanes.layout, list(self.game.action_names)
        self._form = Form(self.layout.size, self.game.n_actions, observation, mask)
        self.single_observation_space = self._form.space
        self.single_action_space = spaces.Discrete(self.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mask = np.zeros((num_envs, self.game.n_actions), np.int8)
        self._illegal_last = np.zeros(num_envs, bool)  # whether the last action of a lane was
        self._ended = np.zeros(num_envs, bool)  # lanes that have not begun anew since their end
        self._seeded = False

    def set_opponents(self, opponents: str | Opponent | Sequence[str | Opponent]) -> None:
        """Let others play the other seats from their next decision on, as in SeatEnv."""
        self._lanes.opponents = make_opponents(opponents, self.game)

    @property
    def opponents(self) -> list[Opponent]:
        """Those at the learners' left, and so on clockwise."""
        return self._lanes.opponents

    @property
    def hands(self) -> Records:
        """The hands in play [N], all seats' cards included."""
        return self._lanes.hands

    @property
    def seats(self) -> IntArray:
        """The learners' seats [N]."""
        return self._lanes.seats

    # --- playing

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every lane, or in those of the option `reset_mask`.

        The other `options` are as in SeatEnv, the same for all lanes. The lanes that the mask
        leaves out play on: what is returned of them, also in the infos, is what it was, and their
        seeds are not looked at. Raises ConfigError or NotationError, with nothing changed.
        """
        lanes = self._lanes_to_reset(options)
        first = self._lanes.first_dealer
        given, dealer = read_deal_options(self.game, self.options, options, first)
        of_lane = self._lane_seeds(seed)
        seeds = [
            read_seed(of_lane[lane]) if of_lane[lane] is not None or not self._seeded else None
            for lane in lanes
        ]
        if not isinstance(seed, Sequence):
            super().reset(seed=None if seed is None else read_seed(seed))
        self._lanes.begin(lanes, seeds, given, dealer)
        self._seeded = True
        self._ended[lanes] = self._illegal_last[lanes] = False
        return self._seen()

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
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Act in every lane, and play each up to the learner's next decision.

        Raises IllegalActionError before `reset`, for what are not integers [N], and in the mode
        DISABLED while a lane that has ended waits for `reset`.
        """
        if not self._seeded:
            raise IllegalActionError(NO_EPISODE)
        actions = read_actions("actions", actions, self.num_envs)
        anew = self._ended.copy()  # these begin anew, whatever they are told to do
        if self.autoreset_mode == AutoresetMode.DISABLED and anew.any():
            raise IllegalActionError(
                f"lane {int(np.argmax(anew))} has ended and waits for reset with a reset_mask"
            )
        illegal = self._illegal(actions, anew)
        acting = np.flatnonzero(~(illegal | anew))
        self._lanes.act(acting, actions[acting])
        rewards = self._lanes.earned.copy()
        for lane in np.flatnonzero(illegal):
            rewards[lane] = self._illegal_reward(int(lane))
        self._begin_next(anew)
        self._illegal_last = illegal
        ended: NDArray[np.bool_] = self._lanes.over & ~anew
        if self.illegal == "terminate":
            ended |= illegal
        self._ended = ended.copy()
        seen, info = self._seen()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(seen, info)
            self._begin_next(ended)
            self._illegal_last = illegal & ~ended
            self._ended = np.zeros(self.num_envs, bool)
            seen, info = self._seen()
            info.update(final)
        return seen, rewards, ended, np.zeros(self.num_envs, bool), info

    def _illegal(self, actions: IntArray, anew: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which lanes [N] may not act so; an IllegalActionError where that was asked for."""
        inside = (actions >= 0) & (actions < self.game.n_actions)
        row = np.arange(self.num_envs)
        illegal: NDArray[np.bool_] = ~inside | (self._mask[row, np.where(inside, actions, 0)] == 0)
        illegal &= ~anew
        if self.illegal == "raise" and illegal.any():
            lane = int(np.argmax(illegal))
            self._lanes.state(lane).push(int(actions[lane]))  # raises, naming the legal ones
        return illegal

    def _illegal_reward(self, lane: int) -> float:
        if self.illegal != "terminate":
            return ILLEGAL_REWARD
        return ending_reward(self.game, self.options, self.reward, self._lanes.carry(lane))

    def _begin_next(self, lanes: NDArray[np.bool_]) -> None:
        """The next episode of some lanes, from the hand that follows in their streams."""
        chosen = np.flatnonzero(lanes)
        self._lanes.begin(chosen, [None] * len(chosen), None, self._lanes.first_dealer)

    # --- seeing

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        observation, self._mask = self._lanes.look()
        self._mask[self._ended] = 0
        illegal = self._illegal_last.copy()
        info = {
            "action_mask": self._form.mask(self._mask),
            "seat": self.seats.copy(),
            "illegal": illegal,
        }
        marked = _marked(info, np.ones(self.num_envs, bool))
        if self._ended.any():
            marked |= _marked({"ended_by": self._ended_by()}, self._ended)
        return self._form.join(observation, self._mask), marked

    def _ended_by(self) -> NDArray[np.object_]:
        ended_by = np.full(self.num_envs, None, object)
        by = np.where(self._illegal_last, BY_ILLEGAL_ACTION, BY_PLAY)
        ended_by[self._ended] = by[self._ended]
        return ended_by

    def _final(self, seen: Any, info: dict[str, Any]) -> dict[str, Any]:
        """The last observations, one a lane, and the last infos of the lanes that ended."""
        ended, final_obs = self._ended, np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(ended):
            final_obs[lane] = self._form.lane(seen, int(lane))
        last = {}
        for key in ("action_mask", "seat", "illegal", "ended_by"):
            empty = np.zeros_like(info[key]) if info[key].dtype != object else info[key].copy()
            empty[ended] = info[key][ended]
            last[key] = empty
        return _marked({"final_obs": final_obs, "final_info": _marked(last, ended)}, ended)

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks as bool [N, A]."""
        return self._mask.astype(bool)

    def render(self) -> tuple[Any, ...]:
        """A drawing of every lane, of what its learner knows; nothing before `reset`."""
        if not self._seeded:
            raise IllegalActionError(NO_EPISODE)
        return tuple(
            render_hand(self._lanes.state(lane), self.render_mode, int(seat))
            for lane, seat in enumerate(self.seats)
        )

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """A mode of Gymnasium's, or the one with this name or value, such as NEXT_STEP or NextStep."""
    for one in AutoresetMode:
        if mode is one or (isinstance(mode, str) and mode in (one.name, one.value)):
            return one
    names = listed(one.name for one in AutoresetMode)
    raise ConfigError(f"autoreset_mode is {shortened(mode)}, but must be {names}")


def _marked(info: dict[str, Any], lanes: NDArray[np.bool_]) -> dict[str, Any]:
    """Gymnasium's form of many infos: beside every key, `_key` says which lanes have it."""
    return info | {f"_{key}": lanes.copy() for key in info}
