"""One seat of a game as a Gymnasium environment; agents given by name play the others."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kloepper_env.actions import read_action
from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.common import (
    BY_ILLEGAL_ACTION,
    BY_PLAY,
    ILLEGAL_REWARD,
    NO_EPISODE,
    RENDER_MODES,
    Observation,
    check_setting,
    observation_space,
    read_seed,
    render_hand,
)
from kloepper_env.envs.opponents import Opponent, choose, drawn_seats, make_opponents
from kloepper_env.errors import IllegalActionError

ILLEGAL: Final = ("terminate", "raise", "penalise")
RANDOM_SEAT: Final = "random"


class SeatEnv(gymnasium.Env[Observation, Any]):
    """A learner in one seat: a step is its decision and all answers up to its next one.

    - `opponents`: one agent for all other seats, or one each: left, opposite, right; a name such
      as "random" or "rules", or an object with `act(view, random)`. Their chance comes from the
      seed of the environment.
    - `seat`: 0 to 3, or "random": drawn from the seed for every episode.
    - `illegal`: what an action does that is a whole number and not legal. "terminate" ends the
      episode with -1 or, where rewards are "relative", with the worst that a hand can bring: -22.5
      in Kloepper. "penalise" gives -1 and changes nothing, so nothing can be escaped by it.
      "raise" is an IllegalActionError, as in every case is what is no whole number.
    - In games of many hands "terminate" leaves the hands that were to come unpaid, and those can
      cost more than one hand: a learner that does not look at the mask should use "penalise".
    - `game`, `rules`, `episode`, `reward`: as in CardGameEnv.
    - `render_mode`: "human", "ansi", "svg" or "rgb_array", always what the learner's seat knows.

    Observation: `observation` int8 [W] and `action_mask` int8 [A]. Info: the mask again, `seat`,
    `illegal`, whether the action was, and at the end `ended_by`: "play" or "illegal_action". Seeds
    and options of `reset` are those of CardGameEnv.

    A process that has not imported kloepper_env, such as a spawned worker, finds it by
    `gymnasium.make("kloepper_env:kloepper/Kloepper-v0")`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as in Env

    def __init__(
        self,
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
        self._table = CardGameEnv(game, rules, episode=episode, reward=reward)
        self.game, self.options = self._table.game, self._table.options
        check_setting("seat", seat, (*range(self.game.n_seats), RANDOM_SEAT))
        check_setting("illegal", illegal, ILLEGAL)
        check_setting("render_mode", render_mode, (None, *RENDER_MODES))
        self.opponents = make_opponents(opponents, self.game)
        self.illegal, self.render_mode = illegal, render_mode
        self.layout, self.action_names = self._table.layout, self._table.action_names
        self.observation_space = observation_space(self.layout.size, self.game.n_actions)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.game.n_actions)
        self._fixed_seat = None if seat == RANDOM_SEAT else int(seat)
        self.seat = self._fixed_seat or 0
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and play up to the first decision of the learner."""
        super().reset(seed=None if seed is None else read_seed(seed))
        self._table.reset(seed, options)
        if self._fixed_seat is None:
            self.seat = int(drawn_seats(self._table.position.hands, self.game.n_seats)[0])
        self._over = False
        self._answer()
        return self._seen(illegal=False)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and play up to the next decision of the learner or the end.

        Raises IllegalActionError before `reset` and for what is no whole number.
        """
        if self._over:
            raise IllegalActionError(NO_EPISODE)
        number = read_action(action)
        illegal = not self._table.accepts(number)
        if illegal and self.illegal == "raise":
            self._table.step(number)  # raises, naming the legal ones
        if illegal:
            self._over = self.illegal == "terminate"
            reward = self._table.ending_reward if self._over else ILLEGAL_REWARD
        else:
            self._table.step(number)
            self._answer()
            reward = self._table._cumulative_rewards[self._agent]
        observation, info = self._seen(illegal)
        return observation, reward, self._over, False, info

    @property
    def _agent(self) -> str:
        return self._table.possible_agents[self.seat]

    def _answer(self) -> None:
        """Let the opponents decide until it is the learner's turn or the episode is over."""
        table = self._table
        while not table.terminations[self._agent] and table.agent_selection != self._agent:
            position = table.position
            turn = int(position.hands["turn"][0])
            opponent = self.opponents[(turn - self.seat - 1) % self.game.n_seats]
            table.step(int(choose(opponent, self.game, self.options, position.hands)[0]))
        self._over = table.terminations[self._agent]

    def _seen(self, illegal: bool) -> tuple[Observation, dict[str, Any]]:
        observation = self._table.observe(self._agent)
        if self._over:
            observation["action_mask"][:] = 0
        if self.render_mode == "human":
            self.render()
        mask = observation["action_mask"].copy()
        info = {"action_mask": mask, "seat": self.seat, "illegal": illegal}
        if self._over:
            info["ended_by"] = BY_ILLEGAL_ACTION if illegal else BY_PLAY
        return observation, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as bool [A], under the name that MaskablePPO of sb3-contrib asks for."""
        return self._table.observe(self._agent)["action_mask"].astype(bool)

    def render(self) -> Any:
        """Draw what the learner's seat knows, as `render_mode` says; nothing before `reset`."""
        self._table.require_episode()
        return render_hand(self._table.position, self.render_mode, self.seat)

    def __copy__(self) -> Self:
        return copy.deepcopy(self)
