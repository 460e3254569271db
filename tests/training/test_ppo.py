"""The learning rule: what it normalises, and that it finds answers known beforehand."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from kloepper_env.batch import Batch
from kloepper_env.games import get_game
from kloepper_env.state import State
from kloepper_training import rollout
from kloepper_training.config import PPOConfig, TrainConfig
from kloepper_training.networks import Actor, Critic
from kloepper_training.ppo import Learner, Samples, normalised
from kloepper_training.selfplay import Run, greedy

MakeConfig = Callable[..., TrainConfig]
GAME = get_game("kloepper")
NO_BONUS = {name: {"start": 0.0, "end": 0.0} for name in ("cards", "announcements")}


def test_each_head_has_its_own_advantage_statistics() -> None:
    advantage = np.array([1, 2, 3, 100, 300, 500], np.float32)
    head = np.array([0, 0, 0, 1, 1, 1])
    result = normalised(advantage, head)
    assert result[:3] == pytest.approx(result[3:], abs=1e-5)
    assert result[:3].mean() == pytest.approx(0, abs=1e-6)
    assert result[:3].std() == pytest.approx(1, abs=1e-5)


def _samples(action: list[int], advantage: list[float], mask: torch.Tensor) -> Samples:
    n = len(action)
    return Samples(
        observation=torch.zeros((n, GAME.layout.size), dtype=torch.int8),
        hidden=torch.zeros((n, 0), dtype=torch.int8),
        mask=mask.to(torch.int8).repeat(n, 1),
        action=torch.tensor(action),
        log_probability=torch.full((n,), -float(mask.sum().log())),
        head=torch.tensor([int(a >= len(GAME.codes)) for a in action]),
        advantage=torch.tensor(advantage),
        target=torch.tensor(advantage),
    )


def _learner(**settings: object) -> Learner:
    weights = torch.Generator().manual_seed(1)
    actor = Actor(GAME.layout, [8], GAME.n_actions, weights)
    critic = Critic(GAME.layout, 0, [8], weights)
    defaults = {"epochs": 1, "minibatch": 1000, "learning_rate": {"start": 0.01, "end": 0.01}}
    return Learner(actor, critic, PPOConfig.model_validate({**defaults, **settings}))


def _odds(learner: Learner, actions: list[int]) -> float:
    """How much likelier the first of two actions is than the second."""
    with torch.no_grad():
        logits = learner.actor(torch.zeros((1, GAME.layout.size), dtype=torch.int8))[0]
    return float((logits[actions[0]] - logits[actions[1]]).exp())


def test_a_better_action_becomes_likelier_and_the_clip_stops_it() -> None:
    mask = torch.zeros(GAME.n_actions)
    mask[[3, 4]] = 1
    samples = _samples([3, 4] * 20, [1.0, -1.0] * 20, mask)
    learner = _learner(epochs=100, clip=0.2, entropy=NO_BONUS)
    figures = learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    assert 0.6 / 0.4 <= _odds(learner, [3, 4]) < 0.7 / 0.3  # a half times 1.2, and momentum
    assert figures["clip_fraction"] > 0.5
    assert figures["minibatches"] == 100


@pytest.mark.parametrize("broken", ["actor", "critic", "advantage"])
def test_what_is_not_finite_is_refused(broken: str) -> None:
    mask = torch.zeros(GAME.n_actions)
    mask[[3, 4]] = 1
    samples = _samples([3, 4], [1.0, torch.inf if broken == "advantage" else 0.0], mask)
    learner = _learner()
    if broken != "advantage":
        with torch.no_grad():
            next(getattr(learner, broken).parameters())[0, 0] = torch.nan
    with pytest.raises(FloatingPointError, match=r"is -?(inf|nan)"):
        learner.update(samples, 0.0, torch.Generator().manual_seed(1))


def test_a_step_without_end_is_refused() -> None:
    mask = torch.zeros(GAME.n_actions)
    mask[[3, 4]] = 1
    learner = _learner()
    object.__setattr__(learner.config.learning_rate, "start", torch.inf)
    with pytest.raises(FloatingPointError, match="a parameter is not finite"):
        learner.update(_samples([3, 4], [1, -1], mask), 0.0, torch.Generator().manual_seed(1))


def test_a_large_divergence_ends_the_update() -> None:
    mask = torch.zeros(GAME.n_actions)
    mask[[3, 4]] = 1
    samples = _samples([3, 4] * 20, [1.0, -1.0] * 20, mask)
    learner = _learner(epochs=100, clip=0.9, target_kl=0.02)
    figures = learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    assert figures["minibatches"] < 100


@pytest.mark.parametrize(("actions", "moves"), [([24, 25], True), ([3, 4], False)])
def test_the_pull_moves_announcements_towards_uniform_and_no_cards(
    actions: list[int], moves: bool
) -> None:
    learner = _learner(entropy=NO_BONUS, pull={"start": 0.1, "end": 0.1})
    with torch.no_grad():
        learner.actor.get_parameter("body.2.bias")[actions[0]] = 8.0
    mask = torch.zeros(GAME.n_actions)
    mask[actions] = 1
    samples = _samples(actions * 20, [0.0] * 40, mask)
    before = _odds(learner, actions)
    for _ in range(20):
        learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    after = _odds(learner, actions)
    assert (after < 0.9 * before) == moves
    assert (after == before) == (not moves)


# --- a game with a known answer ------------------------------------------------------------------


def _value(state: State) -> int:
    """Points of the black side minus the red side's with perfect play, all cards open."""
    if state.is_over:
        scores, black = state.scores(), int(state.hand.black)
        return sum(s if black >> seat & 1 else -s for seat, s in enumerate(scores))
    return _best(state)[0]


def _best(state: State) -> tuple[int, dict[int, int]]:
    values = {}
    for action in state.legal_actions():
        after = state.copy()
        after.push(action)
        values[action] = _value(after)
    turn = state.turn
    assert turn is not None
    pick = max if int(state.hand.black) >> turn & 1 else min
    return pick(values.values()), values


def _ending(tricks: int) -> tuple[State, int, dict[int, int]]:
    """A position with `tricks` to play whose first choice decides the hand."""
    random = np.random.default_rng(2)
    for seed in range(10_000):
        state = State.deal(seed=seed)
        while not state.is_over and int(state.hand.plies) < 24 - 4 * tricks:
            legal = state.legal_actions()
            state.push(24 if 24 in legal else int(random.choice(legal)))
        if state.is_over or len(state.legal_actions()) < tricks:
            continue
        value, values = _best(state)
        if len(set(values.values())) > 1 and bin(int(state.hand.black)).count("1") == 2:
            return state, value, values
    raise AssertionError("no such ending")


def test_self_play_finds_the_best_play_of_an_ending(
    tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always the same three tricks, so that hidden cards can be learned by heart: what minimax
    finds with open cards is then the answer, and greedy self-play must give its score.
    """
    ending, value, values = _ending(3)

    def deal(batch: Batch, first: int) -> None:
        batch.hands[:] = ending.hands[0]
        batch.refresh()

    monkeypatch.setattr(rollout, "deal", deal)
    run = Run(
        tiny_config(
            lanes=128,
            network={"actor": [32], "critic": [32]},
            ppo={"epochs": 4, "minibatch": 256, "learning_rate": {"start": 0.005, "end": 0.005}},
        )
    )
    for _ in range(60):
        run.advance()
    owner = np.zeros((128, 4), np.int64)
    window = rollout.play(run.batch, 0, [greedy(run.actor)], owner)
    scores, black = window.scores[0], int(ending.hand.black)
    played = sum(s if black >> seat & 1 else -s for seat, s in enumerate(scores.tolist()))
    assert played == value
    assert values[int(window.action[0])] == value


@pytest.mark.slow
def test_a_little_training_beats_random(tiny_config: MakeConfig) -> None:
    config = tiny_config(
        lanes=512,
        budget={"decisions": 400_000},
        network={"actor": [64], "critic": [64]},
        ppo={"minibatch": 2048},
        evaluation={"every": 1000, "deals": 500, "against": ["random"]},
    )
    run = Run(config)
    lines: list[dict[str, float]] = []
    run.train(lines.append, lambda: None, lambda: False)
    assert lines[-1]["margin/random"] > 5 * lines[-1]["margin_se/random"]


def test_chance_of_the_actions_is_the_run_s_own(tiny_config: MakeConfig) -> None:
    """Nothing depends on, or disturbs, the global generators of torch and numpy."""
    runs = []
    for disturbance in (1, 2):
        torch.manual_seed(disturbance)
        run = Run(tiny_config())
        before = torch.get_rng_state()
        runs.append(run.advance()["loss/policy_loss"])
        assert torch.equal(torch.get_rng_state(), before)
    assert runs[0] == runs[1]
