"""A short run learns a game of six seats and 200 actions, and one of three seats."""

from pathlib import Path
from typing import Any

import pytest

import tests.games  # noqa: F401  # makes Skirmish known
from kloepper_agents.arena.match import play_match
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env.games import get_game
from kloepper_training.checkpoint import load, save
from kloepper_training.config import check_config
from kloepper_training.selfplay import Pool, Run
from tests.games.positions import VARIANTS, name_of


@pytest.mark.parametrize("rules", VARIANTS[:1] + VARIANTS[2:], ids=name_of)
def test_it_beats_random_and_comes_back_from_its_files(
    rules: dict[str, Any], tmp_path: Path
) -> None:
    config = check_config(
        {
            "game": "skirmish",
            "rules": rules,
            "seed": 1,
            "lanes": 256,
            "budget": {"decisions": 250_000},
            "ppo": {"epochs": 4, "learning_rate": {"start": 0.003, "end": 0.0003}},
            "network": {"actor": [64], "critic": [64]},
            "pool": {"share": 0.5, "every": 2},
            "evaluation": {"against": [], "every": 1000},
        }
    )
    run = Run(config)
    run.train(log=lambda line: None, save=lambda: None, stopped=lambda: False)
    match = play_match(
        NetAgent(run.policy), "random", game="skirmish", rules=rules, deals=200, seed=5
    )
    assert match.low > 0
    save(run, tmp_path)
    policy = Policy.load(tmp_path / "policy.safetensors", get_game("skirmish"))
    assert policy.rules == rules
    again = load(tmp_path, config)
    assert again.policy.decisions == run.policy.decisions


def test_rivals_get_half_of_the_seats() -> None:
    config = check_config({"game": "skirmish", "rules": {"players": 3}, "budget": {"minutes": 1}})
    pool = Pool(config.pool.model_copy(update={"share": 1.0, "every": 1}))
    run = Run(config)
    pool.consider(run.actor, 1)
    for n_seats, halves in ((3, {1, 2}), (4, {2}), (6, {3})):
        owner = pool.seat(run.rival, 200, n_seats, seed=1)
        assert set(owner.sum(axis=1).tolist()) == halves
        assert owner.sum() == 100 * n_seats
        assert (abs(owner.mean(axis=0) - 0.5) < 0.15).all()
