"""The learning rule: what it normalises, and that it finds answers known beforehand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from kloepper_env.batch import Batch
from kloepper_env.games import Game
from kloepper_env.payoff import hand_rewards
from kloepper_env.state import State
from kloepper_training import ppo, rollout
from kloepper_training.config import PPOConfig, TrainConfig, check_config
from kloepper_training.networks import Actor, Critic
from kloepper_training.ppo import Learner, Samples, normalised
from kloepper_training.rollout import FloatArray
from kloepper_training.selfplay import Run, greedy, sampler

MakeConfig = Callable[..., TrainConfig]
SMALL = {"actor": [8], "critic": [8]}
NO_BONUS = {name: {"start": 0.0, "end": 0.0} for name in ("cards", "announcements")}


def test_each_head_has_its_own_advantage_statistics() -> None:
    advantage = np.array([1, 2, 3, 100, 300, 500], np.float32)
    head = np.array([0, 0, 0, 1, 1, 1])
    result = normalised(advantage, head)
    assert result[:3] == pytest.approx(result[3:], abs=1e-5)
    assert result[:3].mean() == pytest.approx(0, abs=1e-6)
    assert result[:3].std() == pytest.approx(1, abs=1e-5)


def _mask(game: Game, legal: list[int]) -> torch.Tensor:
    mask = torch.zeros(game.n_actions)
    mask[legal] = 1
    return mask


def _samples(game: Game, action: list[int], advantage: list[float]) -> Samples:
    """A choice a row, among the actions that are chosen in some row."""
    mask = _mask(game, action)
    n = len(action)
    return Samples(
        observation=torch.zeros((n, game.layout.size), dtype=torch.int8),
        hidden=torch.zeros((n, 0), dtype=torch.int8),
        mask=mask.to(torch.int8).repeat(n, 1),
        action=torch.tensor(action),
        log_probability=torch.full((n,), -float(mask.sum().log())),
        head=torch.tensor([int(a >= len(game.codes)) for a in action]),
        advantage=torch.tensor(advantage),
        target=torch.tensor(advantage),
    )


def _learner(game: Game, **settings: object) -> Learner:
    weights = torch.Generator().manual_seed(1)
    actor = Actor(game, [8], weights)
    critic = Critic(game, False, [8], weights)
    defaults = {"epochs": 1, "minibatch": 1000, "learning_rate": {"start": 0.01, "end": 0.01}}
    return Learner(actor, critic, PPOConfig.model_validate({**defaults, **settings}))


def _odds(game: Game, learner: Learner, actions: list[int]) -> float:
    """How much likelier the first of two actions is than the second."""
    with torch.no_grad():
        logits = learner.actor(torch.zeros((1, game.layout.size), dtype=torch.int8))[0]
    return float((logits[actions[0]] - logits[actions[1]]).exp())


def test_a_better_action_becomes_likelier_and_the_clip_stops_it(game: Game) -> None:
    samples = _samples(game, [3, 4] * 20, [1.0, -1.0] * 20)
    learner = _learner(game, epochs=100, clip=0.2, entropy=NO_BONUS)
    figures = learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    assert 0.6 / 0.4 <= _odds(game, learner, [3, 4]) < 0.7 / 0.3  # a half times 1.2, and momentum
    assert figures["clip_fraction"] > 0.5
    assert figures["minibatches"] == 100


@pytest.mark.parametrize("broken", ["actor", "critic", "advantage"])
def test_what_is_not_finite_is_refused(game: Game, broken: str) -> None:
    samples = _samples(game, [3, 4], [1.0, torch.inf if broken == "advantage" else 0.0])
    learner = _learner(game)
    if broken != "advantage":
        with torch.no_grad():
            next(getattr(learner, broken).parameters())[0, 0] = torch.nan
    with pytest.raises(FloatingPointError, match=r"is -?(inf|nan)"):
        learner.update(samples, 0.0, torch.Generator().manual_seed(1))


def test_a_step_without_end_is_refused(game: Game) -> None:
    learner = _learner(game)
    object.__setattr__(learner.config.learning_rate, "start", torch.inf)
    with pytest.raises(FloatingPointError, match="a parameter is not finite"):
        learner.update(_samples(game, [3, 4], [1, -1]), 0.0, torch.Generator().manual_seed(1))


def test_a_large_divergence_ends_the_update(game: Game) -> None:
    samples = _samples(game, [3, 4] * 20, [1.0, -1.0] * 20)
    learner = _learner(game, epochs=100, clip=0.9, target_kl=0.02)
    figures = learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    assert figures["minibatches"] < 100


@pytest.mark.parametrize("moves", [True, False])
def test_the_pull_moves_announcements_towards_uniform_and_no_cards(game: Game, moves: bool) -> None:
    if moves and len(game.announcements) < 2:
        pytest.skip("nothing to choose between but cards")
    first = len(game.codes) if moves else 3
    actions = [first, first + 1]
    learner = _learner(game, entropy=NO_BONUS, pull={"start": 0.1, "end": 0.1})
    with torch.no_grad():
        learner.actor.get_parameter("body.2.bias")[actions[0]] = 8.0
    samples = _samples(game, actions * 20, [0.0] * 40)
    before = _odds(game, learner, actions)
    for _ in range(20):
        learner.update(samples, 0.0, torch.Generator().manual_seed(1))
    after = _odds(game, learner, actions)
    assert (after < 0.9 * before) == moves
    assert (after == before) == (not moves)


def _weights(learner: Learner) -> list[torch.Tensor]:
    return [value.detach().clone() for value in learner.actor.parameters()]


def _moved(before: list[torch.Tensor], after: list[torch.Tensor]) -> float:
    """The largest change of a weight."""
    return max(float((a - b).abs().max()) for a, b in zip(before, after, strict=True))


def _updated(game: Game, progress: float, order: int = 1, **settings: Any) -> list[torch.Tensor]:
    """The actor's weights after an update from the same start, of choices of both heads."""
    card, words = _samples(game, [3, 4] * 10, [1.0, -0.5] * 10), len(game.codes)
    move = _samples(game, [words, words + 1] * 10, [1.0, -0.5] * 10)
    parts = zip(vars(card).values(), vars(move).values(), strict=True)
    both = Samples(*(torch.cat(pair) for pair in parts))
    learner = _learner(game, **settings)
    learner.update(both, progress, torch.Generator().manual_seed(order))
    return _weights(learner)


@pytest.mark.parametrize(
    "name", ["learning_rate", "entropy.cards", "entropy.announcements", "pull"]
)
def test_a_schedule_is_read_at_the_progress_of_the_run(game: Game, name: str) -> None:
    """Half way from a to b is what a steady value between them is, and not what a or b is."""
    steady = {"entropy": NO_BONUS, "pull": {"start": 0.0, "end": 0.0}}
    section, _, head = name.partition(".")

    def updated(start: float, end: float) -> list[torch.Tensor]:
        schedule = {"start": start, "end": end}
        settings: dict[str, Any] = {section: NO_BONUS | {head: schedule} if head else schedule}
        return _updated(game, 0.5, epochs=3, **{**steady, **settings})

    between = updated(0.25, 0.25)
    assert _moved(updated(0.0, 0.5), between) == 0
    assert _moved(updated(0.0, 0.0), between) > 0
    assert _moved(updated(0.5, 0.5), between) > 0


def test_gradients_are_clipped(game: Game) -> None:
    """To next to nothing, so that the optimiser, which divides by their size, does not move."""
    start = _weights(_learner(game))
    assert _moved(start, _updated(game, 0.0, max_gradient=1e-12)) < 1e-7
    assert _moved(start, _updated(game, 0.0)) > 1e-3


def test_minibatches_are_drawn_in_the_order_of_the_generator(game: Game) -> None:
    first, again, other = (
        _updated(game, 0.0, order, minibatch=8, max_gradient=0.01) for order in (1, 1, 2)
    )
    assert _moved(first, again) == 0
    assert _moved(first, other) > 0


class Told(Critic):
    """Says what it is told, and keeps what it was shown."""

    def __init__(self, game: Game, values: FloatArray) -> None:
        super().__init__(game, True, [8], torch.Generator().manual_seed(1))
        self.values, self.shown = torch.from_numpy(values), list[torch.Tensor]()

    def forward(self, observation: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        done = sum(map(len, self.shown))
        self.shown.append(torch.cat([observation, hidden], 1))
        return self.values[done : done + len(observation)]


def test_a_window_is_judged_row_by_row(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """In units of the game; announcements apart; the critic sees what is hidden, row for row."""
    monkeypatch.setattr(ppo, "CHUNK", 7)
    batch = Batch(game, 20, seed=3)
    run = Run(check_config({"game": game.name, "budget": {"decisions": 1}, "network": SMALL}))
    chosen = sampler(run.actor, torch.Generator().manual_seed(1))
    window = rollout.play(batch, 0, [chosen], np.zeros((20, 4), np.int64))
    rewards = hand_rewards(window.scores, "relative").astype(np.float32)
    returns = (rewards / game.learning.unit)[window.lane, window.seat].astype(np.float32)
    values = np.linspace(-1, 1, len(window), dtype=np.float32)
    critic = Told(game, values)
    samples, figures = ppo.prepare(window, rewards, critic, game, 1.0)

    assert samples.target.numpy() == pytest.approx(returns, abs=1e-5)
    assert samples.hidden.tolist() == window.hidden.tolist()
    shown = torch.cat(critic.shown).numpy()
    assert shown.tolist() == np.concatenate([window.observation, window.hidden], 1).tolist()
    is_card = [game.action_names[action] in game.codes for action in window.action]
    assert samples.head.tolist() == [int(not card) for card in is_card]
    expected = ppo.normalised(returns - values, samples.head.numpy())
    assert samples.advantage.numpy() == pytest.approx(expected, abs=1e-4)
    explained = 1 - np.var(returns - values) / np.var(returns)
    assert figures["explained_variance"] == pytest.approx(explained, abs=1e-5)


# --- a game with a known answer ------------------------------------------------------------------


def _payoffs(state: State) -> list[float]:
    scores = state.scores()
    return [score - sum(scores) / len(scores) for score in scores]


def _best(state: State) -> tuple[list[float], dict[int, list[float]]]:
    """What everybody gets with perfect play, all cards open, and after each legal action."""
    turn, results = state.turn, {}
    assert turn is not None
    for action in state.legal_actions():
        after = state.copy()
        after.push(action)
        results[action] = _payoffs(after) if after.is_over else _best(after)[0]
    return max(results.values(), key=lambda payoffs: payoffs[turn]), results


def _ending(game: Game, tricks: int) -> tuple[State, list[float], dict[int, list[float]]]:
    """A position of two against two with `tricks` to play, whose first choice decides the hand."""
    random = np.random.default_rng(2)
    for seed in range(10_000):
        state = State.deal(game, seed=seed)
        while not state.is_over and int(state.hand.plies) < len(game.codes) - 4 * tricks:
            state.push(int(random.choice(state.legal_actions())))
        if state.is_over or len(state.legal_actions()) < tricks:
            continue
        best, results = _best(state)
        if len(set(map(tuple, results.values()))) > 1 and len(set(map(abs, best))) == 1:
            return state, best, results
    raise AssertionError("no such ending")


def test_self_play_finds_the_best_play_of_an_ending(
    tiny_config: MakeConfig, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always the same three tricks, so that hidden cards can be learned by heart: what minimax
    finds with open cards is then the answer, and greedy self-play must give its scores.
    """
    ending, best, results = _ending(game, 3)

    def deal(batch: Batch, first: int) -> None:
        batch.hands[:] = ending.hands[0]
        batch.refresh()

    monkeypatch.setattr(rollout, "deal", deal)
    run = Run(
        tiny_config(
            game=game.name,
            lanes=128,
            network={"actor": [32], "critic": [32]},
            ppo={"epochs": 4, "minibatch": 256, "learning_rate": {"start": 0.005, "end": 0.005}},
        )
    )
    for _ in range(60):
        run.advance()
    owner = np.zeros((128, 4), np.int64)
    window = rollout.play(run.batch, 0, [greedy(run.actor)], owner)
    assert hand_rewards(window.scores, "relative")[0].tolist() == best
    assert results[int(window.action[0])] == best


@pytest.mark.slow
def test_a_little_training_beats_random(tiny_config: MakeConfig, game: Game) -> None:
    config = tiny_config(
        game=game.name,
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
