"""Agents choose by the mask they are given: what is legal they never work out for themselves."""

import numpy as np
import pytest

from kloepper_agents.base import ObservationAgent
from kloepper_agents.kinds import make_agent, plays
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env import Batch
from kloepper_env.games import GAMES, Game, get_game

NAMES = ["random", "greedy", "rules", "level:1", "level:2", "level:3"]
PLAYED = [(name, game) for game in GAMES for name in NAMES if plays(name.partition(":")[0], game)]
LANES, STEPS = 200, 60


def assert_chooses_by_the_mask(agent: ObservationAgent, game: Game) -> None:
    """Of random positions, with some of the cards that are legal there struck from the mask."""
    batch, rng = Batch(game, n=LANES, seed=3), np.random.default_rng(1)
    row, narrowed = np.arange(LANES), 0
    for _ in range(STEPS):
        legal = batch.action_mask
        struck = rng.random(legal.shape) < 0.5
        struck[:, len(game.codes) :] = False  # to pass is always left
        mask = np.where(struck, 0, legal).astype(np.int8)
        mask[~mask.any(1)] = legal[~mask.any(1)]
        words = rng.integers(0, 2**64, LANES, np.uint64)
        actions = agent.act_many(batch.observation, mask, words)
        assert mask[row, actions].all()
        narrowed += int((mask.sum(1) < legal.sum(1)).sum())
        batch.step(batch.sample())
    assert narrowed > LANES * STEPS / 4


@pytest.mark.parametrize(("name", "game"), PLAYED)
def test_an_agent_plays_no_card_that_its_mask_forbids(name: str, game: str) -> None:
    agent = make_agent(name, game)
    assert isinstance(agent, ObservationAgent)
    assert_chooses_by_the_mask(agent, get_game(game))


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_a_network_plays_nothing_that_its_mask_forbids(name: str, draws: bool) -> None:
    """Not even where it likes only what is forbidden."""
    game = get_game(name)
    weights = np.random.default_rng(2).normal(size=(game.layout.size, game.n_actions)) * 100
    biases = (np.zeros(game.n_actions, np.float32),)
    policy = Policy(name, {}, 0, (weights.astype(np.float32),), biases)
    assert_chooses_by_the_mask(NetAgent(policy, draws=draws), game)
