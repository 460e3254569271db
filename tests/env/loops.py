"""Loops and helpers that the tests of the environments share."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.wrappers import OrderEnforcing
from kloepper_env.view import Int8Array

Env = CardGameEnv | OrderEnforcing


def any_legal(mask: Int8Array, rng: random.Random) -> int:
    """A random action under a mask."""
    return int(rng.choice(np.flatnonzero(mask).tolist()))


def play(env: Env, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Play the episode of a reset environment at random to its last dead step.

    Yields each agent with what `last()` gave it, before it acts.
    """
    for agent in env.agent_iter():
        seen = env.last()
        yield agent, seen
        if seen[2] or seen[3]:
            env.step(None)
        else:
            env.step(any_legal(seen[0]["action_mask"], rng))


def play_some(env: Env, rng: random.Random, decisions: int) -> None:
    """Make that many random decisions, fewer when the episode ends."""
    for _ in range(decisions):
        observation, _, terminated, _, _ = env.last()
        if terminated:
            return
        env.step(any_legal(observation["action_mask"], rng))


def trajectory(env: Env, rng: random.Random) -> list[Any]:
    """Everything that the agents of an episode see, in a form that compares."""
    return [
        (agent, seen[0]["observation"].tobytes(), seen[0]["action_mask"].tobytes(), *seen[1:4])
        for agent, seen in play(env, rng)
    ]
