"""Any game of the engine as a PettingZoo environment. No rule of a game stands in this file."""

import copy
from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any, Self, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from kloepper_env import engine
from kloepper_env.actions import read_action
from kloepper_env.envs.common import (
    BY_ILLEGAL_ACTION,
    BY_PLAY,
    EPISODES,
    NO_EPISODE,
    RENDER_MODES,
    REWARDS,
    Observation,
    check_setting,
    deal_hands,
    ending_reward,
    episode_layout,
    observation_space,
    paid,
    read_deal_options,
    read_seed,
    relative_standing,
    render_hand,
)
from kloepper_env.envs.snapshots import EPISODE, check_state
from kloepper_env.errors import IllegalActionError
from kloepper_env.games import set_up
from kloepper_env.games.game import Match
from kloepper_env.state import State
from kloepper_env.view import Int8Array

_MEMORY = (  # views of one another, made by `_allocate`
    "_words",
    "_observation",
    "_mask_words",
    "_mask",
    "_words_row",
    "_mask_row",
    "_no_mask",
)


class CardGameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One hand, or one game of many hands, for agents `player_0` ... = seats 0 ...

    Rewards are floats and come when a hand ends; see `kloepper_env.kloepper_v0` for the page of
    the environment. `step` raises IllegalActionError, with nothing changed, for what is not legal.
    When the episode is over, the infos say under `ended_by` whether "play" or, in the wrapped
    environment, an "illegal_action" has ended it.

    - `game`: a name of kloepper_env.games.GAMES; `rules`: its options that differ from the default.
    - `episode`: "hand", or "game": hands follow each other until somebody has won.
    - `reward`: "points" a seat scores, "relative" to the mean of the seats, or, for games, "win":
      1 to the winner at the end, shared by winners who are level.
    - `render_mode`: "human" prints the text, "ansi" returns it, "svg" returns a picture,
      "rgb_array" its pixels, uint8 [H, W, 3], for which the extra `render` is needed.
    - `render_seat`: draw what this seat knows; by default everything.
    """

    def __init__(
        self,
        game: str,
        rules: Mapping[str, Any] | None = None,
        *,
        episode: str = "hand",
        reward: str = "points",
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        super().__init__()
        self.game, self.options = set_up(game, rules)
        n_seats = self.game.n_seats
        check_setting("episode", episode, EPISODES)
        check_setting("reward", reward, REWARDS if episode == "game" else REWARDS[:2])
        check_setting("render_mode", render_mode, (None, *RENDER_MODES))
        check_setting("render_seat", render_seat, (None, *range(n_seats)))
        self.episode, self.reward = episode, reward
        self.render_mode, self.render_seat = render_mode, render_seat
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"{self.game.name}_v{self.game.version}",
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(n_seats)]
        self.action_names = list(self.game.action_names)
        self.layout = episode_layout(self.game, self.options, episode)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        n_actions, width = self.game.n_actions, self.layout.size
        self._observation_spaces = {
            agent: observation_space(width, n_actions) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 127, (n_seats * width,), np.int8)
        self._n_actions = n_actions
        self._hands = self.game.new_hands(1, self.options, 0)
        self._seeded = False
        self._match: Match | None = None
        self._decider: str | None = None  # agent of the seat that decides; None: the hand is over
        self._paid = False  # whether `rewards` holds something
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._allocate()

    def _allocate(self) -> None:
        """Make the memory that the engine writes what the deciding seat sees into."""
        game = self.game
        extra = -(-(self.layout.size - game.layout.size) // 8)
        memory = np.zeros(game.words + extra, np.int64)
        self._words = memory[: game.words]
        self._observation: Int8Array = memory.view(np.int8)[: self.layout.size]
        self._mask_words = np.zeros(game.mask_words, np.int64)
        self._mask: Int8Array = self._mask_words.view(np.int8)[: game.n_actions]
        self._words_row, self._mask_row = self._words[None], self._mask_words[None]
        self._no_mask: Int8Array = np.zeros(game.n_actions, np.int8)

    # --- spaces

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """The space of an agent's observations: the same object every time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: the same object every time."""
        return self._action_spaces[agent]

    # --- playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        With a seed s the hands are hand 0, 1, 2, ... of that seed, as in `State.deal(seed=s,
        serial=n)`; without one they go on from there. `options` may hold `deck` (all cards in
        dealing order) and `dealer`, in any spelling of `State.deal`; other keys are ignored.
        Raises ConfigError or NotationError, with nothing changed.
        """
        match = self.game.match_type(self.options) if self.episode == "game" else None
        first = match.dealer() if match else -1
        given, dealer = read_deal_options(self.game, self.options, options, first)
        hand = self._hands
        for name in self.game.carries(self.options):
            hand[name] = 0
        if seed is not None or not self._seeded:
            hand["key"] = engine.seed_key(read_seed(seed))
            hand["serial"] = 0
        else:
            hand["serial"] += 1
        deal_hands(self.game, hand, given, dealer)
        self._seeded = True
        self._match = match
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._look()
        if self.render_mode == "human":
            self.render()

    def step(self, action: SupportsIndex | None) -> None:
        """Act for `agent_selection`; a terminated agent takes None.

        Raises IllegalActionError, with nothing changed, for an action that is not legal.
        """
        if not self.agents:
            raise IllegalActionError(NO_EPISODE)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        seat = engine.play_single(self._hands, number, self._words, self._mask_words)
        if seat == -2:
            self.position.push(number)  # raises, naming the legal ones
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if seat >= 0:
            if self._standing is not None:
                self._observation[self.game.layout.size :] = self._standing[seat]
            decider = self.possible_agents[seat]
            self.infos[agent] = {"action_mask": self._no_mask.copy()}
            self.infos[decider] = {"action_mask": self._mask.copy()}
            self.agent_selection = self._decider = decider
        else:
            self._end_hand()
        if self.render_mode == "human":
            self.render()

    @property
    def is_awaited(self) -> bool:
        """Whether `agent_selection` is to act, and not only to be done with: None is no action."""
        return bool(self.agents) and not self.terminations[self.agent_selection]

    def accepts(self, action: Any) -> bool:
        """Whether `step` would take this action: a legal one, or None for a terminated agent."""
        if not self.agents:
            return False
        if self.terminations[self.agent_selection]:
            return action is None
        try:
            return bool(self._mask[self._number(action)])
        except IllegalActionError:
            return False

    def _number(self, action: Any) -> int:
        number = read_action(action)
        if 0 <= number < self._n_actions:
            return number
        raise IllegalActionError(
            f"{shortened(number)} is no action: actions are numbers from 0 to {self._n_actions - 1}"
        )

    @property
    def ending_reward(self) -> float:
        """What an illegal action brings now if it ends the episode, as `env` makes it do."""
        carry = self.game.carry(self._hands[0], self.options)
        return ending_reward(self.game, self.options, self.reward, carry)

    def _end_hand(self) -> None:
        """Pay the hand, then deal the next one of the game or end the episode."""
        scores = np.zeros(self.game.n_seats, np.int64)
        engine.result_of(self._hands, scores)
        winners: list[int] | None = []
        if self._match is not None:
            self._match.add(self.position.outcome())
            winners = self._match.winners()
        rewards = paid(self.game, scores, self.reward, winners)
        self.rewards = dict(zip(self.possible_agents, rewards.tolist(), strict=True))
        self._accumulate_rewards()
        if winners is None:
            if self.render_mode == "human":
                self.render()  # the hand that ended; `step` draws the new one
            self._deal_next()
        else:
            self.terminations = dict.fromkeys(self.agents, True)
        self._look()
        if winners is not None:
            self._deads_step_first()

    def _deal_next(self) -> None:
        assert self._match is not None
        self._hands["serial"] += 1
        for name, left in self._match.carry().items():
            self._hands[name] = left
        engine.start(self._hands, self.game.tables, self._match.dealer())

    def _look(self) -> None:
        """Derive from the hand all that is kept ready for the seat that decides."""
        seat, over = int(self._hands["turn"][0]), bool(self._hands["over"][0])
        engine.look(self._hands, self._words_row, self._mask_row)
        self._standing = None if self._match is None else relative_standing(self._match)
        if self._standing is not None:
            self._observation[self.game.layout.size :] = self._standing[seat]
        self.infos: dict[str, dict[str, Any]]
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self._decider = None
        self._paid = any(self.rewards.values())
        if any(self.terminations.values()):
            for info in self.infos.values():
                info["ended_by"] = BY_PLAY if over else BY_ILLEGAL_ACTION
        if not over:
            self._decider = self.possible_agents[seat]
            if self.agents and not any(self.terminations.values()):
                self.agent_selection = self._decider
                self.infos[self._decider]["action_mask"] = self._mask.copy()

    # --- seeing

    @property
    def position(self) -> State:
        """The hand in play, all seats' cards included. It shares memory: copy it to try things."""
        return State(self.game, self.options, self._hands)

    def observe(self, agent: str) -> Observation:
        """What an agent sees now: new arrays, at any time, for any agent; nothing changes.

        The mask holds ones only for the agent that decides. Before `reset` there is nothing to
        see, which is an IllegalActionError, as in `step`.
        """
        if agent == self._decider and not self.terminations.get(agent, True):
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        self.require_episode()
        game = self.game
        seat = self._seat_of[agent]
        words = np.zeros(game.words, np.int64)
        engine.observe_from(self._hands, seat, words)
        observation = words.view(np.int8)
        if self._standing is not None:
            observation = np.concatenate([observation, self._standing[seat]])
        return {"observation": observation, "action_mask": self._no_mask.copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, flags and info of the agent to act."""
        if not self.agents:
            raise IllegalActionError(NO_EPISODE)
        seen: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return seen

    def state(self) -> Int8Array:
        """The observations of all seats, one after the other: all hands, for a critic."""
        seen = [self.observe(agent)["observation"] for agent in self.possible_agents]
        return np.concatenate(seen)

    def require_episode(self) -> None:
        """Raise IllegalActionError before `reset`, when there is nothing to see."""
        if not self._seeded:
            raise IllegalActionError(NO_EPISODE)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw the hand as `render_mode` says; an IllegalActionError before `reset`."""
        self.require_episode()
        return render_hand(self.position, self.render_mode, self.render_seat)

    def close(self) -> None:
        """Nothing is held open."""

    # --- snapshots

    def get_state(self) -> dict[str, Any]:
        """The episode in play as a value for `set_state`, the stream of its seed included."""
        self.require_episode()
        episode = {name: getattr(self, name) for name in EPISODE}
        return copy.deepcopy({"of": self._identity(), "_hands": self._hands, **episode})

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go back to what `get_state` gave.

        Raises ConfigError, with nothing changed, for other rules or settings and for what
        `get_state` cannot have given.
        """
        match = self.game.match_type(self.options) if self.episode == "game" else None
        check_state(state, self._identity(), self.possible_agents, self._hands, match)
        state = copy.deepcopy(dict(state))
        self._hands[:] = state["_hands"]
        for name in EPISODE:
            setattr(self, name, state[name])
        self._look()

    def clone(self) -> Self:
        """An independent copy of this environment, the episode in play included."""
        return copy.deepcopy(self)

    __copy__ = clone

    def _identity(self) -> tuple[str, dict[str, Any], str, str]:
        return self.game.name, self.options.changed(), self.episode, self.reward

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _MEMORY}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._allocate()
        if self._seeded:
            self._look()
