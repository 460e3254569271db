"""What the AEC environment pays, how games run, and that an episode leaves no trace."""

import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from kloepper_env import State, klammern_v0, kloepper_v0
from kloepper_env.envs.common import MOST_SEEN
from tests.env.cases import Case
from tests.env.loops import Env, any_legal, play, trajectory


def paid(env: Env, rng: random.Random) -> dict[str, float]:
    """Play an episode; what `last()` paid each agent in all. Checks the sums of `rewards`."""
    by_last, by_rewards = defaultdict[str, float](float), defaultdict[str, float](float)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        by_last[agent] += reward
        env.step(None if terminated else any_legal(observation["action_mask"], rng))
        if not terminated:
            for other, paid_now in env.rewards.items():
                by_rewards[other] += paid_now
        assert terminated is False or set(env.rewards.values()) <= {0}
    assert by_last == by_rewards
    return dict(by_last)


def test_points_are_the_scores(case: Case) -> None:
    env, paying = case.env(), 0
    for seed in range(100):
        env.reset(seed=seed)
        rewards = paid(env, random.Random(seed))
        scores = env.position.scores()
        assert list(map(rewards.__getitem__, env.possible_agents)) == scores
        paying += any(scores)
    assert paying > 30  # the others were passed out or drawn


def test_games_pay_every_hand_once(case: Case) -> None:
    """`last()` tells a reward to its agent once, though the game goes on."""
    env = case.env(episode="game", rules={"target": case.long})
    for seed in range(20):
        env.reset(seed=seed)
        totals = paid(env, random.Random(seed))
        assert max(totals.values()) >= case.long


def test_relative_rewards_sum_to_zero(case: Case) -> None:
    env = case.env(reward="relative")
    for seed in range(50):
        env.reset(seed=seed)
        rewards = paid(env, random.Random(seed))
        scores = np.array(env.position.scores())
        expected = scores - scores.mean()
        assert [rewards[agent] for agent in env.possible_agents] == expected.tolist()


def test_rewards_are_zero_before_the_end(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=1)
    for _, (_, reward, terminated, _, _) in play(env, random.Random(1)):
        assert terminated or (reward == 0 and set(env.rewards.values()) == {0})


def hands_of_game(env: Env, rng: random.Random) -> tuple[list[State], list[dict[str, float]]]:
    """Play a game; the finished hands, and the rewards at the end of each."""
    hands: list[State] = []
    rewards: list[dict[str, float]] = []
    while True:
        before = env.position.copy()
        action = any_legal(env.last()[0]["action_mask"], rng)
        env.step(action)
        before.push(action)
        if before.is_over:
            hands.append(before)
            rewards.append(dict(env.rewards))
        if env.terminations[env.agent_selection]:
            return hands, rewards


@pytest.mark.parametrize("reward", ["points", "relative", "win"])
def test_games(case: Case, reward: str) -> None:
    """Hands, dealers (K6, M8, M12), end and winners of a game, and what it pays."""
    rules, game = case.many_ends, case.game
    env = case.env(episode="game", reward=reward, rules=rules)
    shared = 0
    for seed in range(40):
        env.reset(seed=seed)
        hands, rewards = hands_of_game(env, random.Random(seed))
        match = game.match_type(game.options(rules))
        dealer = match.dealer()
        for serial, (hand, paid_now) in enumerate(zip(hands, rewards, strict=True)):
            wanted_dealer = dealer if dealer >= 0 else None
            assert hand.deck() == case.deal(seed=seed, serial=serial, dealer=wanted_dealer).deck()
            assert match.dealer() == dealer
            assert wanted_dealer in (None, hand.dealer)
            dealer = (hand.dealer + hand.outcome().played) % 4
            assert match.winners() is None
            scores = np.array(hand.scores(), float)
            match.add(hand.outcome())
            expected = {"points": scores, "relative": scores - scores.mean(), "win": scores * 0}
            winners = match.winners()
            if winners:
                accounts = {game.accounts[seat] for seat in winners}
                expected["win"][winners] = 1 / len(accounts)
                shared += len(accounts) > 1
            assert list(paid_now.values()) == expected[reward].tolist()
        assert match.winners() is not None
    assert (shared > 0) == case.shares_wins


def test_needs() -> None:
    """The last columns of a game's observation: what each seat lacks, from the observer on."""
    env = kloepper_v0.env(episode="game", rules={"target": 140})
    assert list(env.layout)[-4:] == ["needs.0", "needs.1", "needs.2", "needs.3"]
    env.reset(seed=3)
    totals = np.zeros(4, int)
    seen = set()
    rng = random.Random(3)
    while not env.terminations[env.agent_selection]:
        for seat, agent in enumerate(env.possible_agents):
            parts = env.layout.decode(env.observe(agent)["observation"])
            for k in range(4):
                needs = max(140 - totals[(seat + k) % 4], 0)
                assert parts[f"needs.{k}"].tolist() == [min(needs, MOST_SEEN)]
                seen.add(int(needs))
        env.step(any_legal(env.last()[0]["action_mask"], rng))
        totals += np.array(list(env.rewards.values()), int)
    assert max(seen) > MOST_SEEN > min(seen) > 0


def test_tens_are_needed_and_carried() -> None:
    """Klammern counts what is needed in tens, rounded up, and shows the carry of a litige."""
    rules = {"target": 2000, "tie81": "litige"}
    env = klammern_v0.env(episode="game", rules=rules)
    env.reset(seed=3)  # one of its hands ends 81 : 81, which is rare
    assert list(env.layout)[-5:] == [*(f"needs.{k}" for k in range(4)), "carry.litige"]
    rng, carried, totals = random.Random(3), set(), np.zeros(4, int)
    while not env.terminations[env.agent_selection]:
        litige = int(env.inner.position.hand.litige)
        if litige not in carried:
            other = env.clone()
            other.reset(seed=4)
            assert other.inner.position.hand.litige == 0  # a new game takes nothing over
        carried.add(litige)
        for seat, agent in enumerate(env.possible_agents):
            parts = env.layout.decode(env.observe(agent)["observation"])
            for k in range(4):
                tens = -(-max(2000 - totals[(seat + k) % 4], 0) // 10)
                assert parts[f"needs.{k}"].tolist() == [min(tens, MOST_SEEN)]
            assert parts["carry.litige"].tolist() == [-(-litige // 10)]
        env.step(any_legal(env.last()[0]["action_mask"], rng))
        totals += np.array(list(env.rewards.values()), int)
    assert carried == {0, 324}  # after Kontra and Re
    env.reset()
    assert env.inner.position.hand.litige == 0


def test_dealer_moves_on_from_a_chosen_one(case: Case) -> None:
    env = case.env(episode="game", rules={"target": case.long})
    env.reset(seed=1, options={"dealer": 3})
    hands = hands_of_game(env, random.Random(0))[0]
    dealers = [hand.dealer for hand in hands if hand.outcome().played]
    assert dealers == [(3 + serial) % 4 for serial in range(len(dealers))]
    assert len(dealers) > 1


@pytest.mark.parametrize("dead_steps", [0, 2, 4])
def test_nothing_left_of_an_illegal_action(case: Case, dead_steps: int) -> None:
    """Checklist 1: illegal action, reset, then 1,000 hands like those of a fresh environment."""
    spoilt, fresh = case.env(), case.env()
    spoilt.reset(seed=0)
    spoilt.step(int(np.flatnonzero(spoilt.last()[0]["action_mask"] == 0)[0]))
    for _ in range(dead_steps):
        spoilt.step(None)
    for serial in range(1000 if dead_steps == 0 else 100):
        seed = 1 if serial == 0 else None
        spoilt.reset(seed=seed)
        fresh.reset(seed=seed)
        left = trajectory(spoilt, random.Random(serial))
        assert left == trajectory(fresh, random.Random(serial))
        assert len(left) >= 9  # a lone knock, a trick lost, four dead steps


@pytest.mark.parametrize("settings", [{}, {"episode": "game", "reward": "win"}])
def test_options_survive_reset(case: Case, settings: dict[str, Any]) -> None:
    """Checklist 24: reseeding changes the deal and nothing else."""
    rules = {**case.variant, "target": case.short}
    env = case.env(rules=rules, **settings)
    for seed in (1, None, 2):
        env.reset(seed=seed)
        assert env.position.options.changed() == rules
        assert env.position.hand.option_flags == case.game.options(rules).flags()
