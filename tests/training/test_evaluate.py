"""Evaluations: the same matches and hands whoever asks, under the rules of the run."""

from typing import Any

import numpy as np
import pytest

from kloepper_agents import play_match
from kloepper_agents.neural import NetAgent
from kloepper_env.batch import Batch
from kloepper_env.games import Game
from kloepper_training import evaluate, rollout
from kloepper_training.selfplay import Run, greedy
from kloepper_training.streams import word

from .conftest import MakeConfig

RULES: dict[str, dict[str, Any]] = {
    "kloepper": {"prompt_all": True, "failed_knock": "none"},
    "klammern": {"liga": True, "durchmarsch_bonus": 500},
}


def a_run(tiny_config: MakeConfig, game: Game) -> Run:
    """With rules of its own, under which margins and rates are other ones."""
    evaluation = {"every": 1, "deals": 20, "against": ["random", "greedy"]}
    run = Run(tiny_config(game=game.name, rules=RULES[game.name], evaluation=evaluation))
    run.advance()
    return run


def test_margins_are_those_of_duplicate_matches(tiny_config: MakeConfig, game: Game) -> None:
    run = a_run(tiny_config, game)
    for name in ("random", "greedy"):
        result = play_match(
            NetAgent(run.policy),
            name,
            game=game.name,
            rules=RULES[game.name],
            deals=20,
            seed=word(run.config.seed, "evaluation"),
        )
        figures = evaluate.margin(run.policy, name, run.config)
        assert set(figures) == {f"margin/{name}", f"margin_se/{name}"}
        assert figures[f"margin/{name}"] == result.margin != 0
        assert figures[f"margin_se/{name}"] == result.estimate.standard_error


def test_no_deal_of_an_evaluation_is_one_of_training(tiny_config: MakeConfig, game: Game) -> None:
    run = a_run(tiny_config, game)
    assert word(run.config.seed, "evaluation") != word(run.config.seed, "deals")


def test_greedy_rates_are_counted_over_hands_that_the_policy_plays_with_itself(
    tiny_config: MakeConfig, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apart from the rates of the window, whose actions are drawn."""
    monkeypatch.setattr(evaluate, "GREEDY_HANDS", 100)
    run = a_run(tiny_config, game)
    seed = word(run.config.seed, "evaluation")
    batch = Batch(game, 100, seed=seed, rules=RULES[game.name])
    window = rollout.play(batch, 0, [greedy(run.actor)], np.zeros((100, 4), np.int64))
    figures = run.evaluate()
    rates = {name: value for name, value in figures.items() if name.startswith("greedy_rate/")}
    assert rates == {f"greedy_rate/{name}": value for name, value in window.rates.items()}
    assert rates != {f"greedy_rate/{name}": 0.0 for name in window.rates}
