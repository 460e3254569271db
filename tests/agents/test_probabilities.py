"""What agents say of the probabilities of their actions is how often they take them."""

from typing import Any

import numpy as np
import pytest

from kloepper_agents.base import ObservationAgent, certain, policy_of
from kloepper_agents.kinds import make_agent
from kloepper_env.batch import Batch
from kloepper_env.errors import ConfigError

DRAWS = 6_000


def some_decisions() -> tuple[Any, Any]:
    """Observations and masks of choices early in some hands, announcements among them."""
    batch = Batch(n=24, seed=5)
    for _ in range(9):
        batch.step(batch.sample())
    return batch.observation.copy(), batch.action_mask.copy()


@pytest.mark.parametrize(
    "name",
    ["random", "passive", "greedy", "rules", "level:1", "level:2", "net:pretrained,sample"],
)
def test_frequencies_are_the_probabilities(name: str) -> None:
    agent = make_agent(name)
    assert isinstance(agent, ObservationAgent)
    observations, masks = some_decisions()
    shares = policy_of(agent)(observations, masks)
    assert shares.shape == masks.shape
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares[masks == 0] == 0).all()
    words = np.random.default_rng(2).integers(0, 2**64, DRAWS, np.uint64)
    for row in range(0, len(masks), 8):
        seen = np.repeat(observations[row : row + 1], DRAWS, axis=0)
        legal = np.repeat(masks[row : row + 1], DRAWS, axis=0)
        counts = np.bincount(agent.act_many(seen, legal, words), minlength=masks.shape[1])
        assert abs(counts / DRAWS - shares[row]).max() < 0.035


@pytest.mark.parametrize("name", ["level:5", "pimc:worlds=2", "oracle"])
def test_agents_that_search_do_not_know_theirs(name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name.partition('=')[0]}.* cannot tell how probable"):
        policy_of(make_agent(name))


def test_a_sure_action_has_all_the_probability() -> None:
    assert certain(np.array([2, 0]), 3).tolist() == [[0, 0, 1], [1, 0, 0]]
