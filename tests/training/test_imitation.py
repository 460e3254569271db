"""The first stage: what it converges to, where it ends, and that it makes a player."""

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from kloepper_agents.arena.match import play_match
from kloepper_agents.neural import NetAgent
from kloepper_agents.teaching import Lesson, Teacher
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_training import rollout
from kloepper_training.config import PPOConfig, StartConfig, check_config
from kloepper_training.imitation import Pupil
from kloepper_training.networks import Actor, Critic, log_probabilities
from kloepper_training.ppo import Learner, Samples
from kloepper_training.selfplay import Run, greedy

from .conftest import MakeConfig

GAME = get_game("kloepper")
PAYOFFS = (1.0, 0.4, -2.0)  # of cards 2, 5 and 7
SOFTNESS = 0.5


def a_pupil() -> Pupil:
    weights = torch.Generator().manual_seed(3)
    learner = Learner(
        Actor(GAME, [8], weights), Critic(GAME, False, [8], weights), PPOConfig(max_gradient=10)
    )
    rate = {"start": 0.03, "end": 0.03}
    config = StartConfig.model_validate(
        {"decisions": 1, "learning_rate": rate, "epochs": 70, "softness": SOFTNESS}
    )
    return Pupil(learner, config, GAME.learning.unit)


def decisions(legal: list[int], n: int = 4) -> Samples:
    """The same decision, observation all zeros, `n` times."""
    mask = torch.zeros((n, GAME.n_actions), dtype=torch.int8)
    mask[:, legal] = 1
    nothing = torch.zeros(n)
    return Samples(
        observation=torch.zeros((n, GAME.layout.size), dtype=torch.int8),
        hidden=torch.zeros((n, 0), dtype=torch.int8),
        mask=mask,
        action=torch.full((n,), legal[0]),
        log_probability=nothing,
        head=torch.zeros(n, dtype=torch.int64),
        advantage=nothing,
        target=nothing,
    )


def learned(pupil: Pupil, samples: Samples, lesson: Lesson) -> tuple[Any, dict[str, float]]:
    for _ in range(2):
        figures = pupil.update(samples, lesson, 0.0, torch.Generator().manual_seed(1))
    with torch.no_grad():
        logits = pupil.learner.actor(samples.observation)
    return log_probabilities(logits, samples.mask)[0].exp(), figures


def test_cards_become_as_rare_as_they_are_bad() -> None:
    """The known optimum: a softmax of the payoffs over the softness; the mean over deals counts."""
    legal = [2, 5, 7]
    worth = np.full((4, GAME.n_actions), np.nan, np.float32)
    worth[:, legal] = np.array(PAYOFFS) / GAME.learning.unit
    worth[:2, 2] += 0.5  # two deals that cancel
    worth[2:, 2] -= 0.5
    lesson = Lesson(np.full(4, 5), worth)
    probability, figures = learned(a_pupil(), decisions(legal), lesson)
    expected = torch.softmax(torch.tensor(PAYOFFS) / SOFTNESS, 0)
    assert probability[legal].tolist() == pytest.approx(expected.tolist(), abs=0.02)
    assert figures["advice_taken"] == 0  # nothing here is taught by advice
    assert figures["regret"] > 0


def test_what_has_no_worth_follows_advice() -> None:
    lesson = Lesson(np.full(4, 26), np.full((4, GAME.n_actions), np.nan, np.float32))
    probability, figures = learned(a_pupil(), decisions([24, 26]), lesson)
    assert probability[26] > 0.97
    assert figures["advice_taken"] == 1.0
    assert figures["regret"] == 0.0


def test_the_stage_ends_when_its_decisions_are_played(tiny_config: MakeConfig, game: Any) -> None:
    run = Run(tiny_config(game=game.name, start={"decisions": 1500}))
    seen = []
    while run.progress < 1:
        taught = run.is_taught
        assert taught == (run.counters.decisions < 1500)
        figures = run.advance()
        assert ("loss/regret" in figures) == taught
        assert ("loss/clip_fraction" in figures) == (not taught)
        seen.append(taught)
    assert seen[0]
    assert not seen[-1]


def test_derived_inputs_reach_networks_policy_and_evaluation(tiny_config: MakeConfig) -> None:
    run = Run(tiny_config(network={"actor": [8], "critic": [8], "inputs": 1}))
    run.advance()
    policy = run.policy
    assert policy.inputs == 1
    assert policy.sizes[0] == len(run.actor.scale) > GAME.layout.size
    observation, mask = run.batch.observation, run.batch.action_mask
    with torch.no_grad():
        logits = run.actor(torch.from_numpy(run.inputs.widen(observation)))
    assert policy.logits(observation) == pytest.approx(logits.numpy(), abs=1e-4)
    assert "greedy_rate/knock" in run.evaluate()
    assert mask.shape[1] == policy.sizes[-1]


def test_a_lesson_goes_on_in_self_play_where_few_cards_are_left(tiny_config: MakeConfig) -> None:
    """It is about late cards, and moves the policy to them; without one nothing changes."""
    games, network = {}, {"actor": [16], "critic": [8], "inputs": 1}
    for weight in (0.0, 50.0):
        lesson = {
            "lesson": {"start": weight, "end": weight},
            "lesson_cards": 3,
            "learning_rate": {"start": 0.01, "end": 0.003},
            "minibatch": 64,
        }
        config = tiny_config(budget={"decisions": 4000}, network=network, ppo=lesson)
        run = Run(config)
        while run.progress < 1:
            run.advance()
        window = rollout.play(
            run.batch,
            99_999,
            [greedy(run.actor)],
            np.zeros((24, 4), np.int64),
            run.inputs,
            partial(Teacher(GAME), most_cards=3),
        )
        assert window.lesson is not None
        held = window.observation[:, GAME.layout["hand"]].sum(axis=1)
        cards = window.mask[:, : len(GAME.codes)].any(axis=1)
        assert window.lesson.valued.tolist() == (cards & (held <= 3)).tolist()
        rows = np.flatnonzero(window.lesson.valued)
        worth = window.lesson.worth[rows]
        regrets = np.nanmax(worth, axis=1) - worth[np.arange(len(rows)), window.action[rows]]
        games[weight] = float(regrets.mean())
    assert games[50.0] < 0.8 * games[0.0]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"network": {"inputs": 7}}, "inputs is 7, but the versions of kloepper are 0, 1 or 2"),
        (
            {"game": "klammern", "network": {"inputs": 1}},
            "inputs is 1, but the versions of klammern are 0",
        ),
        ({"start": {"decisions": -1}}, "setting start.decisions is -1"),
        ({"start": {"softness": 0}}, "setting start.softness is 0"),
        ({"evaluation": {"bounds": {"knok": [0, 1]}}}, "no rate 'knok', only knock, knock_off"),
        ({"evaluation": {"bounds": {"knock": [0.5, 0.1]}}}, "knock cannot be from 0.5 to 0.1"),
        ({"evaluation": {"bounds": {"knock": [0, 2]}}}, "setting evaluation.bounds.knock.1 is 2"),
    ],
)
def test_settings_that_are_none(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        check_config({"budget": {"minutes": 1}, **settings})


def test_a_short_lesson_is_worth_much(tiny_config: MakeConfig) -> None:
    """The same number of decisions, from nothing and with a teacher, against each other."""
    players = []
    for taught in (0, 30_000):
        config = tiny_config(
            lanes=64,
            budget={"decisions": 30_000},
            network={"actor": [32], "critic": [8], "inputs": 1},
            start={"decisions": taught, "learning_rate": {"start": 0.003, "end": 0.001}},
        )
        run = Run(config)
        while run.progress < 1:
            run.advance()
        players.append(NetAgent(run.policy))
    result = play_match(players[1], players[0], game="kloepper", deals=200, seed=4)
    assert result.low > 0
