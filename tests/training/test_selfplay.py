"""The loop: new deals and new chance every update, and earlier policies at the table."""

from typing import Any

import numpy as np
import pytest
import torch

from kloepper_env import engine
from kloepper_env.errors import KloepperError
from kloepper_env.games import Game
from kloepper_training import ppo, rollout, selfplay
from kloepper_training.networks import Actor
from kloepper_training.rollout import Choose, Window
from kloepper_training.selfplay import Run, greedy, sampler
from kloepper_training.streams import STREAMS, generator, word

from .conftest import MakeConfig


def test_streams_do_not_meet() -> None:
    words = {
        word(seed, stream, update) for seed in (0, 1) for stream in STREAMS for update in range(50)
    }
    assert len(words) == 2 * len(STREAMS) * 50
    draws = [torch.rand(3, generator=generator(1, "actions", 7)).tolist() for _ in range(2)]
    assert draws[0] == draws[1]


def windows_of(run: Run, updates: int, monkeypatch: pytest.MonkeyPatch) -> list[Window]:
    """The windows that a run plays in some updates."""
    windows = []

    def play(*arguments: Any) -> Window:
        windows.append(rollout.play(*arguments))
        return windows[-1]

    monkeypatch.setattr(selfplay, "play", play)
    for _ in range(updates):
        run.advance()
    return windows


def first_hands(game: Game, window: Window) -> list[list[int]]:
    """What the first seat to choose holds, in every lane."""
    first = [np.flatnonzero(window.lane == lane)[0] for lane in range(24)]
    held: list[list[int]] = window.observation[first][:, game.layout["hand"]].tolist()
    return held


def test_no_hand_is_played_twice(
    tiny_config: MakeConfig, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = windows_of(Run(tiny_config(game=game.name)), 3, monkeypatch)
    assert (
        first_hands(game, one)
        != first_hands(game, two)
        != first_hands(game, three)
        != first_hands(game, one)
    )


def test_the_same_hands_are_played_with_new_chance(
    tiny_config: MakeConfig, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = rollout.deal
    monkeypatch.setattr(rollout, "deal", lambda batch, first: original(batch, 0))
    still = {"start": 0.0, "end": 0.0}
    run = Run(tiny_config(game=game.name, ppo={"learning_rate": still, "minibatch": 256}))
    one, two = windows_of(run, 2, monkeypatch)
    assert first_hands(game, one) == first_hands(game, two)
    assert one.action[:20].tolist() != two.action[:20].tolist()


def test_snapshots_never_change_and_play_two_seats_of_their_share(
    tiny_config: MakeConfig, game: Game
) -> None:
    run = Run(tiny_config(game=game.name, pool={"share": 0.5, "every": 1, "size": 2}))
    run.advance()
    snapshot = {name: value.clone() for name, value in run.pool.snapshots[0].items()}
    run.advance()
    assert len(run.pool.snapshots) == 2
    for name, value in snapshot.items():
        assert torch.equal(run.pool.snapshots[0][name], value)
        assert not torch.equal(run.pool.snapshots[1][name], value)
    owner = run.pool.seat(run.rival, 24, 4, seed=3)
    assert owner.sum(axis=1).tolist() == [2] * 12 + [0] * 12
    assert len({tuple(row) for row in owner[:12].tolist()}) > 2
    run.advance()
    assert len(run.pool.snapshots) == 2


def test_the_rival_is_any_of_the_snapshots(tiny_config: MakeConfig) -> None:
    run = Run(tiny_config(pool={"share": 0.5, "every": 1, "size": 3}))
    for _ in range(5):
        run.advance()
    last = run.pool.snapshots[-1]
    assert all(torch.equal(last[name], value) for name, value in run.actor.state_dict().items())
    loaded = set()
    for seed in range(30):
        run.pool.seat(run.rival, 24, 4, seed)
        weights = run.rival.state_dict()
        loaded |= {
            number
            for number, snapshot in enumerate(run.pool.snapshots)
            if all(torch.equal(snapshot[name], value) for name, value in weights.items())
        }
    assert loaded == {0, 1, 2}


def test_learner_and_rival_decide_each_for_its_seats(
    tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, actors = Run(tiny_config(pool={"share": 1.0, "every": 1})), []

    def noted(actor: Actor, chance: torch.Generator) -> Choose:
        actors.append(actor)
        return sampler(actor, chance)

    monkeypatch.setattr(selfplay, "sampler", noted)
    run.advance()
    choices = run.counters.choices
    run.advance()
    assert [actor is run.rival for actor in actors] == [False, True] * 2
    assert run.counters.choices - choices < 0.75 * choices  # half of them are the rival's


@pytest.mark.parametrize("every", [1, 3])
def test_a_snapshot_is_taken_when_it_is_due(tiny_config: MakeConfig, every: int) -> None:
    run = Run(tiny_config(pool={"share": 0.5, "every": every, "size": 100}))
    for _ in range(6):
        run.advance()
    assert len(run.pool.snapshots) == 6 // every


def test_settings_reach_the_learner(
    tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it is paid, the trace, and the rules and the stream of the hands that it plays."""
    rules = {"failed_knock": "none"}
    run = Run(tiny_config(reward="points", ppo={"trace": 0.25}, rules=rules))
    calls: list[tuple[Any, ...]] = []

    def prepare(*arguments: Any) -> Any:
        calls.append(arguments)
        return ppo.prepare(*arguments)

    monkeypatch.setattr(selfplay, "prepare", prepare)
    run.advance()
    (window, rewards, *_, trace), *_ = calls
    assert rewards.tolist() == window.scores.tolist()
    assert trace == 0.25
    assert run.batch.hands["option_flags"][0] == run.game.options(rules).flags()
    assert run.batch.hands["key"][0] == engine.seed_key(word(run.config.seed, "deals"))


def test_schedules_follow_the_budget_and_counters_what_was_played(
    tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = {"start": 0.01, "end": 0.002}
    run = Run(tiny_config(ppo={"learning_rate": rate}, budget={"decisions": 3000}))
    windows: list[Window] = []

    def play(*arguments: Any) -> Window:
        windows.append(rollout.play(*arguments))
        return windows[-1]

    monkeypatch.setattr(selfplay, "play", play)
    lines: list[dict[str, Any]] = []
    run.train(lines.append, lambda: None, lambda: False)
    decisions = choices = 0
    for number, (line, window) in enumerate(zip(lines, windows, strict=True), 1):
        assert line["loss/learning_rate"] == pytest.approx(0.01 - 0.008 * decisions / 3000)
        decisions += window.decisions
        choices += len(window)
        assert (line["update"], line["hands"]) == (number, 24 * number)
        assert (line["decisions"], line["choices"]) == (decisions, choices)
    assert decisions >= 3000 > decisions - windows[-1].decisions
    assert run.progress == 1.0


def test_a_run_evaluates_and_saves_as_often_as_it_is_told(tiny_config: MakeConfig) -> None:
    evaluation = {"every": 2, "deals": 10, "against": ["random"]}
    run = Run(tiny_config(evaluation=evaluation, checkpoint_every=3, budget={"decisions": 5000}))
    lines: list[dict[str, Any]] = []
    saves: list[int] = []
    run.train(lines.append, lambda: saves.append(run.counters.update), lambda: False)
    last = run.counters.update
    evaluated = [line["update"] for line in lines if "margin/random" in line]
    assert evaluated == sorted({*range(2, last + 1, 2), last})
    assert saves == [*range(3, last, 3), last, last]  # at its end also where nothing was left to do


def test_minutes_count_what_evaluations_take(
    tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(tiny_config(budget={"minutes": 4}))
    run.counters.seconds = 60
    assert run.progress == 0.25
    clock = iter([100.0, 107.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    run.evaluate()
    assert run.counters.seconds == 67


def test_time_of_the_processor_counts_without_that_of_others(tiny_config: MakeConfig) -> None:
    run = Run(tiny_config(budget={"cpu_minutes": 4}))
    run.advance()
    assert run.progress == run.counters.cpu_seconds / 240 > 0
    run.counters.seconds = 1e9  # the machine was busy
    assert run.progress < 1


@pytest.mark.parametrize("budget", ["minutes", "cpu_minutes"])
def test_a_budget_of_minutes_ends_the_run(tiny_config: MakeConfig, game: Game, budget: str) -> None:
    run = Run(tiny_config(game=game.name, budget={budget: 1e-6}))
    lines: list[dict[str, Any]] = []
    saves: list[int] = []
    run.train(lines.append, lambda: saves.append(run.counters.update), lambda: False)
    assert len(lines) == 1
    assert saves[-1] == 1
    assert run.progress == 1.0
    assert any(name.startswith("greedy_rate/") for name in lines[-1])


def test_a_critic_without_privilege_sees_the_observation_alone(
    tiny_config: MakeConfig, game: Game
) -> None:
    network = {"actor": [8], "critic": [8], "privileged": False}
    run = Run(tiny_config(game=game.name, network=network))
    run.advance()
    assert run.critic.scale.shape == run.actor.scale.shape


@pytest.mark.parametrize("kind", ["sampler", "greedy"])
def test_a_policy_that_is_not_finite_draws_nothing(tiny_config: MakeConfig, kind: str) -> None:
    run = Run(tiny_config())
    spoil(run)
    choose: Choose = (
        greedy(run.actor) if kind == "greedy" else sampler(run.actor, generator(1, "actions"))
    )
    with pytest.raises(FloatingPointError, match="log-probability"):
        choose(run.batch.observation, run.batch.action_mask)


def test_a_run_that_is_not_finite_ends_with_a_sentence(tiny_config: MakeConfig) -> None:
    run = Run(tiny_config())
    lines: list[dict[str, Any]] = []
    saves: list[int] = []

    def log(line: dict[str, Any]) -> None:
        lines.append(line)
        if len(lines) == 3:
            spoil(run)

    sentence = r"no longer finite in update 4 \(.*\); lower ppo.learning_rate \(now 0.000\d+\)"
    with pytest.raises(KloepperError, match=sentence):
        run.train(log, lambda: saves.append(run.counters.update), lambda: False)
    assert len(lines) == 3
    assert saves == [2]


def test_a_run_whose_greedy_rates_leave_their_bounds_ends_with_a_sentence(
    tiny_config: MakeConfig,
) -> None:
    """In evaluations alone; the update is in the log, where one sees why, and not saved."""
    evaluation = {"every": 2, "deals": 10, "against": [], "bounds": {"black_wins": [0.0, 0.01]}}
    run = Run(tiny_config(evaluation=evaluation, checkpoint_every=1))
    lines: list[dict[str, Any]] = []
    saves: list[int] = []
    sentence = (
        r"collapsed in update 2: its greedy rate black_wins is 0\.\d+, but must be from 0 to 0.01"
    )
    with pytest.raises(KloepperError, match=sentence):
        run.train(lines.append, lambda: saves.append(run.counters.update), lambda: False)
    assert (len(lines), saves) == (2, [1])
    assert lines[-1]["greedy_rate/black_wins"] > 0.01


def test_a_run_within_its_bounds_goes_on(tiny_config: MakeConfig, game: Game) -> None:
    batch = Run(tiny_config(game=game.name)).batch
    names = game.learning.rates(batch.hands, np.zeros((24, game.n_seats), np.int64))
    evaluation = {"every": 1, "deals": 10, "against": [], "bounds": dict.fromkeys(names, (0, 1))}
    run = Run(tiny_config(game=game.name, evaluation=evaluation, budget={"decisions": 1500}))
    run.train(lambda line: None, lambda: None, lambda: False)
    assert run.progress == 1.0


def spoil(run: Run) -> None:
    with torch.no_grad():
        next(run.actor.parameters()).fill_(torch.nan)
