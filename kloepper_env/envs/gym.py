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
    Form,
    check_setting,
    read_seed,
    render_hand,
)
from kloepper_env.envs.opponents import Opponent, choose, drawn_seats, make_opponents
from kloepper_env.errors import ConfigError, IllegalActionError

ILLEGAL: Final = ("terminate", "raise", "penalise")
RANDOM_SEAT: Final = "random"


class SeatEnv(gymnasium.Env[Any, Any]):
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

    - `observation`: "dict", or "flat" for libraries that take no Dict: the observation alone, as
      float32 [W]. The mask is then in the info and in `action_masks()`. `mask`: "int8" or "bool".

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
        observation: str = "dict",
        mask: str = "int8",
        render_mode: str | None = None,
    ) -> None:
        self._table = CardGameEnv(game, rules, episode=episode, reward=reward)
        self.game, self.options = self._table.game, self._table.options
        check_setting("seat", seat, (*range(self.game.n_seats), RANDOM_SEAT))
        check_setting("illegal", illegal, ILLEGAL)
        check_setting("render_mode", render_mode, (None, *RENDER_MODES))
        self.set_opponents(opponents)
        self.illegal, self.render_mode = illegal, render_mode
        self.layout, self.action_names = self._table.layout, self._table.action_names
        self._form = Form(self.layout.size, self.game.n_actions, observation, mask)
        self.observation_space = self._form.space
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.game.n_actions)
        self._fixed_seat = None if seat == RANDOM_SEAT else int(seat)
        self.seat = self._fixed_seat or 0
        self._over = True

    def set_opponents(self, opponents: str | Opponent | Sequence[str | Opponent]) -> None:
        """Let others play the other seats from their next decision on, as `opponents` above.

        Raises ConfigError, with nothing changed, for what cannot play there.
        """
        self.opponents = make_opponents(opponents, self.game)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode and play up to the first decision of the learner."""
        super().reset(seed=None if seed is None else read_seed(seed))
        self._table.reset(seed, options)
        if self._fixed_seat is None:
            self.seat = int(drawn_seats(self._table.position.hands, self.game.n_seats)[0])
        self._over = False
        self._answer()
        return self._seen(illegal=False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
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

    def _seen(self, illegal: bool) -> tuple[Any, dict[str, Any]]:
        seen = self._table.observe(self._agent)
        mask = seen["action_mask"]
        if self._over:
            mask[:] = 0
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self._form.mask(mask), "seat": self.seat, "illegal": illegal}
        if self._over:
            info["ended_by"] = BY_ILLEGAL_ACTION if illegal else BY_PLAY
        return self._form.join(seen["observation"], mask), info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as bool [A], under the name that MaskablePPO of sb3-contrib asks for."""
        return self._table.observe(self._agent)["action_mask"].astype(bool)

    def render(self) -> Any:
        """Draw what the learner's seat knows, as `render_mode` says; nothing before `reset`."""
        self._table.require_episode()
        return render_hand(self._table.position, self.render_mode, self.seat)

    def get_state(self) -> dict[str, Any]:
        """The episode in play as a value for `set_state`, the stream of its seed included."""
        return {"table": self._table.get_state(), "seat": self.seat, "over": self._over}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go back to what `get_state` of such an environment gave.

        Raises ConfigError, with nothing changed, for other rules or settings and for what
        `get_state` cannot have given.
        """
        if not isinstance(state, Mapping) or state.keys() != {"table", "seat", "over"}:
            raise ConfigError("the state was not made by get_state: it lacks parts of an episode")
        seats = range(self.game.n_seats) if self._fixed_seat is None else (self._fixed_seat,)
        check_setting("the seat of the state", state["seat"], (*seats,))
        check_setting("the end of the state", state["over"], (False, True))
        self._table.set_state(state["table"])
        self.seat, self._over = state["seat"], state["over"]

    def clone(self) -> Self:
        """An independent copy of this environment, the episode in play included."""
        return copy.deepcopy(self)

    __copy__ = clone
