"""The loops that measure the environments, in decisions a second of processor time.

`aec_loop` is the loop of PettingZoo's documentation, with its wrappers and the masked sampling of
the action space. `empty_aec` is the same loop over an environment that does nothing and has no
wrappers: what is left is the price of the library's interface. `aec_raw` is what a program does
that wants speed: the raw environment, its own choice among the legal actions.
"""

from random import Random
from time import process_time
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.common import Observation
from kloepper_env.envs.wrappers import wrap
from kloepper_env.games import get_game

LEGAL_ACTIONS = 4  # about as many as a decision of Kloepper has on average


class EmptyEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Four agents in turn, one observation of the size of Kloepper's, no rewards, no end."""

    def __init__(self) -> None:
        game = get_game("kloepper")
        self.possible_agents = [f"player_{seat}" for seat in range(game.n_seats)]
        self._space = spaces.Discrete(game.n_actions)
        mask = (np.arange(game.n_actions) < LEGAL_ACTIONS).astype(np.int8)
        self._seen = {"observation": np.zeros(game.layout.size, np.int8), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn = 0
        self.agent_selection = self.agents[0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._space

    def observe(self, agent: str) -> Observation:
        return self._seen

    def step(self, action: int) -> None:
        self._turn = (self._turn + 1) % len(self.agents)
        self.agent_selection = self.agents[self._turn]


WARM_UP = 200  # decisions off the clock, in which everything is compiled


def _loop(env: Any, n: int) -> float:
    """The documented loop for `n` decisions, dead steps and resets on the clock as well."""
    done = 0
    start = process_time()
    while done < n:
        env.reset(seed=done)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            if done == n:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            done += 1
    return n / (process_time() - start)


def empty_aec(n: int) -> float:
    """Decisions a second of an environment that does nothing."""
    return _loop(EmptyEnv(), n)


def aec_loop(n: int, game: str) -> float:
    """Decisions a second of `kloepper_v0.env()` and its like under `action_space.sample(mask)`."""
    env = wrap(CardGameEnv(game))
    _loop(env, WARM_UP)
    return _loop(env, n)


def aec_raw(n: int, game: str) -> float:
    """Decisions a second of the raw environment, with the caller's own random choice."""
    env = CardGameEnv(game)
    _raw_loop(env, WARM_UP)
    return _raw_loop(env, n)


def _raw_loop(env: Any, n: int) -> float:
    env.reset(seed=0)
    draw = Random(0).random
    done = 0
    start = process_time()
    while done < n:
        observation, _, terminated, _, _ = env.last()
        if terminated:
            env.reset()
            continue
        legal = observation["action_mask"].nonzero()[0]
        env.step(legal[int(draw() * len(legal))])
        done += 1
    return n / (process_time() - start)
