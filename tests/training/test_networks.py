"""The distribution over legal actions, and the policy that plays without torch."""

import numpy as np
import pytest
import torch

from kloepper_agents.neural import NetAgent
from kloepper_env.batch import Batch
from kloepper_env.games import Game, get_game
from kloepper_env.view import Int8Array
from kloepper_training.export import to_policy
from kloepper_training.networks import (
    Actor,
    Critic,
    entropy,
    log_probabilities,
    rarity,
    resolve_precision,
    sample,
)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def an_actor(game: Game) -> Actor:
    actor = Actor(game, [32, 24], generator())
    with torch.no_grad():
        for parameter in actor.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator(1)) * 0.1)
    return actor


def positions(game: Game, n: int) -> Batch:
    batch = Batch(game, n, seed=4)
    for _ in range(9):
        batch.step(batch.sample())
    return batch


def test_illegal_actions_have_no_probability_and_no_entropy() -> None:
    logits = torch.tensor([[1.0, 50.0, 1.0, -3.0]])
    mask = torch.tensor([[1, 0, 1, 0]], dtype=torch.int8)
    log_probability = log_probabilities(logits, mask)
    assert log_probability[0].exp().tolist() == pytest.approx([0.5, 0, 0.5, 0])
    assert entropy(log_probability).item() == pytest.approx(np.log(2))
    assert rarity(log_probability, mask).item() == pytest.approx(0, abs=1e-6)


def test_no_logit_is_so_large_or_small_that_an_illegal_action_gains_by_it() -> None:
    logits = torch.tensor([[-1e6, 1e6, -1e6, 0.0]])
    mask = torch.tensor([[1, 0, 1, 0]], dtype=torch.int8)
    log_probability = log_probabilities(logits, mask)
    assert log_probability[0].exp().tolist() == [0.5, 0, 0.5, 0]
    assert log_probability[0, [1, 3]].tolist() == [-torch.inf, -torch.inf]


def test_the_smallest_noise_draws_what_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand", lambda shape, generator: torch.zeros(shape))
    mask = torch.tensor([[0, 0, 1, 0]], dtype=torch.int8)
    assert sample(log_probabilities(torch.zeros((1, 4)), mask), generator()).tolist() == [2]


def test_a_single_legal_action_has_entropy_zero_and_a_clean_gradient() -> None:
    logits = torch.randn((1, 5), generator=generator(), requires_grad=True)
    mask = torch.tensor([[0, 0, 1, 0, 0]], dtype=torch.int8)
    log_probability = log_probabilities(logits, mask)
    (entropy(log_probability) + rarity(log_probability, mask)).sum().backward()  # type: ignore[no-untyped-call]  # torch
    assert logits.grad is not None
    assert logits.grad.tolist() == [[0.0] * 5]


def test_rarity_pushes_a_rare_action_where_entropy_has_given_up() -> None:
    mask = torch.ones((1, 2), dtype=torch.int8)
    pushes = {}
    for name in ("entropy", "rarity"):
        logits = torch.tensor([[0.0, -12.0]], requires_grad=True)
        log_probability = log_probabilities(logits, mask)
        value = entropy(log_probability) if name == "entropy" else -rarity(log_probability, mask)
        value.sum().backward()  # type: ignore[no-untyped-call]  # torch
        assert logits.grad is not None
        pushes[name] = logits.grad[0, 1].item()
    assert 0 < pushes["entropy"] < 1e-3
    assert pushes["rarity"] == pytest.approx(0.5, abs=1e-3)


def test_sampling_follows_the_probabilities_and_the_mask() -> None:
    logits = torch.tensor([0.0, 1.0, 2.0, 9.0]).repeat(40_000, 1)
    mask = torch.tensor([1, 1, 1, 0], dtype=torch.int8).repeat(40_000, 1)
    log_probability = log_probabilities(logits, mask)
    counts = torch.bincount(sample(log_probability, generator()), minlength=4) / 40_000
    assert counts[3] == 0
    assert counts.tolist() == pytest.approx(log_probability[0].exp().tolist(), abs=0.01)


def test_counts_are_scaled_and_nothing_else(game: Game) -> None:
    scale = Actor(game, [8], generator()).scale
    counts = {name for name in game.layout if name.partition(".")[0] in game.learning.counts}
    assert {name.partition(".")[0] for name in counts} == set(game.learning.counts)
    for name, part in game.layout.items():
        divisor = game.learning.counts.get(name.partition(".")[0], 1)
        assert scale[part] == pytest.approx(1 / divisor)


def test_inputs_are_about_as_large_as_the_zeros_and_ones(game: Game) -> None:
    actor, largest = an_actor(game), torch.zeros(game.layout.size)
    batch = Batch(game, 500, seed=4)
    for _ in range(40):
        batch.step(batch.sample())
        largest = torch.maximum(largest, torch.from_numpy(batch.observation).amax(0) * actor.scale)
    assert 0.5 < largest.max() <= 2


def test_the_critic_uses_the_hidden_facts_it_is_given(game: Game) -> None:
    critic = Critic(game, True, [32], generator())
    facts = torch.eye(critic.n_hidden, dtype=torch.int8)
    observations = torch.zeros((len(facts), game.layout.size), dtype=torch.int8)
    assert (critic(observations, facts) != critic(observations, 0 * facts)).all()


def test_names_do_not_matter_to_networks_and_policies() -> None:
    """Observations renamed in every way: the logits are those before, renamed, the values equal."""
    game = get_game("klammern")
    symmetry = game.learning.symmetry
    assert symmetry is not None
    actor, critic, batch = (
        an_actor(game),
        Critic(game, True, [16], generator()),
        positions(game, 40),
    )
    policy, hidden = to_policy(actor, game.name, {}, 7), game.learning.hidden_facts(batch.hands)

    def judged(observation: Int8Array, hidden: Int8Array) -> list[np.ndarray]:
        inputs = torch.from_numpy(observation)
        with torch.no_grad():
            logits, values = actor(inputs), critic(inputs, torch.from_numpy(hidden))
        return [logits.numpy(), policy.logits(observation), values.numpy()]

    *before, values = judged(batch.observation, hidden)
    for way, actions in enumerate(symmetry.actions):
        *after, same = judged(
            batch.observation[:, symmetry.observation[way]], hidden[:, symmetry.hidden[way]]
        )
        assert same == pytest.approx(values, abs=1e-5)
        for one, other in zip(before, after, strict=True):
            assert other == pytest.approx(one[:, actions], abs=1e-5)


def test_torch_and_numpy_agree(game: Game) -> None:
    actor, batch = an_actor(game), positions(game, 500)
    policy = to_policy(actor, game.name, {}, 7)
    with torch.no_grad():
        logits = actor(torch.from_numpy(batch.observation)).numpy()
    assert policy.logits(batch.observation) == pytest.approx(logits, abs=1e-4)
    assert policy.sizes == (game.layout.size, 32, 24, game.n_actions)


def test_an_exported_policy_is_a_copy(game: Game) -> None:
    actor, batch = an_actor(game), positions(game, 5)
    policy = to_policy(actor, game.name, {}, 7)
    before = policy.logits(batch.observation)
    with torch.no_grad():
        for parameter in actor.parameters():
            parameter.zero_()
    assert (policy.logits(batch.observation) == before).all()


def test_a_choice_does_not_depend_on_the_company_it_is_asked_in(game: Game) -> None:
    batch = positions(game, 64)
    policy = to_policy(an_actor(game), game.name, {}, 7)
    together = policy.logits(batch.observation)
    for row in range(64):
        assert (policy.logits(batch.observation[row : row + 1]) == together[row]).all()


def test_greedy_takes_the_likeliest_and_drawing_follows_the_softmax(game: Game) -> None:
    batch = positions(game, 50)
    row = int(batch.action_mask.sum(1).argmax())
    observation, legal = batch.observation[row : row + 1], batch.action_mask[row : row + 1]
    policy = to_policy(an_actor(game), game.name, {}, 7)
    logits = torch.from_numpy(policy.logits(observation))
    probability = log_probabilities(logits, torch.from_numpy(legal))[0].exp().numpy()
    assert (probability > 0.05).sum() > 1
    observations, masks = np.repeat(observation, 20_000, 0), np.repeat(legal, 20_000, 0)
    words = np.random.default_rng(3).integers(0, 2**64, 20_000, np.uint64)
    greedy = NetAgent(policy).act_many(observations[:9], masks[:9], words[:9])
    assert set(greedy.tolist()) == {int(probability.argmax())}
    drawn = NetAgent(policy, draws=True).act_many(observations, masks, words)
    counts = np.bincount(drawn, minlength=game.n_actions) / 20_000
    assert counts == pytest.approx(probability, abs=0.02)


@pytest.mark.parametrize("word", [0, 2**64 - 1])
def test_the_extreme_words_draw_legal_actions(game: Game, word: int) -> None:
    batch = positions(game, 300)
    agent = NetAgent(to_policy(an_actor(game), game.name, {}, 7), draws=True)
    actions = agent.act_many(batch.observation, batch.action_mask, np.full(300, word, np.uint64))
    assert batch.action_mask[np.arange(300), actions].all()


def test_precision_names() -> None:
    assert resolve_precision("float32") == "float32"
    assert resolve_precision("auto") in ("float32", "bfloat16")
