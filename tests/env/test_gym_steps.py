"""Steps of the single-seat environments: what they pay, and whose the arrays are that they give."""

import random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from tests.env.cases import Case
from tests.env.loops import any_legal
from tests.env.test_gym import Lowest


def test_a_step_of_a_game_pays_all_that_came_since_the_last(case: Case) -> None:
    """Also of a hand behind which others have begun the next one."""
    settings: dict[str, Any] = {"rules": {"target": case.long}, "episode": "game"}
    env, table = SeatEnv(case.name, opponents=Lowest(), seat=2, **settings), case.env(**settings)
    rng, learner = random.Random(1), "player_2"

    def decide(action: int) -> float:
        table.step(action)
        reward: float = table.rewards[learner]
        return reward

    def answer() -> float:
        """What the learner is paid while the others decide."""
        reward = 0.0
        while table.agent_selection != learner and not table.terminations[learner]:
            reward += decide(int(table.last()[0]["action_mask"].argmax()))
        return reward

    paying = 0
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        table.reset(seed=seed)
        answer()
        over = False
        while not over:
            action = any_legal(observation["action_mask"], rng)
            observation, reward, over, _, _ = env.step(action)
            assert reward == decide(action) + answer()
            paying += reward > 0
    assert paying > 5


@pytest.mark.parametrize("kind", [SeatEnv, SeatVectorEnv])
def test_arrays_are_their_receiver_s(case: Case, kind: Any) -> None:
    """Writing into what was seen changes nothing that follows: not what is legal, not who sits."""
    lanes = {"num_envs": 4} if kind is SeatVectorEnv else {}
    env, spoilt = (kind(game=case.name, illegal="penalise", **lanes) for _ in range(2))
    seen, received = env.reset(seed=3), spoilt.reset(seed=3)
    for step in range(60):
        masks = seen[0]["action_mask"].copy()
        for part in [*received[0].values(), *received[-1].values()]:
            if isinstance(part, np.ndarray):
                part[...] = 1
        actions = masks.argmin(-1) if step % 3 == 0 else masks.argmax(-1)
        seen, received = env.step(actions), spoilt.step(actions)
        assert data_equivalence(seen, received, exact=True)
        if not lanes and seen[2]:
            seen, received = env.reset(), spoilt.reset()
