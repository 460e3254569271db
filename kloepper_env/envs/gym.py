"""One seat of a game as a Gymnasium environment; agents given by name play the others."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.common import (
    ILLEGAL_REWARD,
    NO_EPISODE,
    RENDER_MODES,
    Observation,
    check_setting,
    observation_space,
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
    - `illegal`: what an illegal action does. "terminate" ends the episode with -1, "penalise"
      gives -1 and changes nothing, "raise" is an IllegalActionError.
    - `game`, `rules`, `episode`, `reward`: as in CardGameEnv.
    - `render_mode`: "human", "ansi", "svg" or "rgb_array", always what the learner's seat knows.

    Observation: `observation` int8 [W] and `action_mask` int8 [A]. Info: the mask again, `seat`,
    and `illegal`, whether the action was. Seeds and options of `reset` are those of CardGameEnv.
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
        super().reset(seed=seed)
        self._table.reset(seed, options)
        if self._fixed_seat is None:
            self.seat = int(drawn_seats(self._table.position.hands, self.game.n_seats)[0])
        self._over = False
        self._answer()
        return self._seen(illegal=False)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and play up to the next decision of the learner or the end."""
        if self._over:
            raise IllegalActionError(NO_EPISODE)
        illegal = not self._table.accepts(action)
        if illegal and self.illegal == "raise":
            self._table.step(action)  # raises, naming the legal ones
        if illegal:
            reward = ILLEGAL_REWARD
            self._over = self.illegal == "terminate"
        else:
            self._table.step(action)
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
        return observation, {"action_mask": mask, "seat": self.seat, "illegal": illegal}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as bool [A], under the name that MaskablePPO of sb3-contrib asks for."""
        return self._table.observe(self._agent)["action_mask"].astype(bool)

    def render(self) -> Any:
        """Draw what the learner's seat knows, as `render_mode` says."""
        return render_hand(self._table.position, self.render_mode, self.seat)
