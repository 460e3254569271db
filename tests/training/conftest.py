"""Small training runs that every test here can afford."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kloepper_env.games import GAMES, Game, get_game
from kloepper_training.config import TrainConfig, check_config

MakeConfig = Callable[..., TrainConfig]

TINY: dict[str, Any] = {
    "seed": 5,
    "lanes": 24,
    "budget": {"decisions": 6000},
    "network": {"actor": [16], "critic": [16]},
    "ppo": {"epochs": 2, "minibatch": 256},
    "evaluation": {"every": 1000, "deals": 10, "against": []},
    "checkpoint_every": 2,
    "precision": "float32",
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Tests that ask for it run once for every game."""
    return get_game(request.param)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Threads of torch that wait for each other are slow where tests run side by side."""
    torch.set_num_threads(1)


@pytest.fixture
def tiny_config() -> MakeConfig:
    """Makes the config of a run of about eight updates, with some settings replaced."""

    def make(**settings: Any) -> TrainConfig:
        return check_config({**TINY, **settings})

    return make
