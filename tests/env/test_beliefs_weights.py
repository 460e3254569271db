"""Weights of worlds against Bayes' rule written out, decision by decision."""

import random
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
import pytest

from kloepper_env import State
from kloepper_env.beliefs import Belief, Policy, effective_size, partner_probabilities
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import BLACK_QUEENS, KNOCK, N_ACTIONS, PASS
from kloepper_env.view import Int8Array
from tests.env.redeals_kloepper import random_position, start_of
from tests.env.test_beliefs import late_positions

FloatArray = np.ndarray[Any, np.dtype[np.float64]]


def of_logits(logits: FloatArray, masks: Int8Array) -> FloatArray:
    """Softmax over the legal actions."""
    powers: FloatArray = np.exp(logits) * masks
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def opinionated(observations: Int8Array, masks: Int8Array) -> FloatArray:
    """A policy that looks at everything it sees, in a random but fixed way."""
    columns = np.random.default_rng(1).normal(0, 0.4, (observations.shape[1], N_ACTIONS))
    return of_logits(np.clip(observations, 0, 1) @ columns, masks)


def knocks(observations: Int8Array, masks: Int8Array) -> FloatArray:
    """Knocks nine times in ten where it may; plays any card."""
    logits = np.zeros(masks.shape)
    logits[:, KNOCK] = np.log(9 * (masks.sum(axis=1) - masks[:, KNOCK]))
    return of_logits(logits, masks)


def slow_weights(
    state: State, seat: int, worlds: Records, policy: Policy, temper: float, uniform: float
) -> list[float]:
    """Play every world from its deal and ask the policy about one decision after the other."""
    likelihoods = [prod(slow_likelihoods(state, seat, world, policy, uniform)) for world in worlds]
    tempered = [likelihood**temper for likelihood in likelihoods]
    return [one / sum(tempered) for one in tempered]


def slow_likelihoods(
    state: State, seat: int, world: Any, policy: Policy, uniform: float, of: int | None = None
) -> Iterator[float]:
    """The probability of each thing that seats other than `seat`, or `of` alone, did in a world."""
    replayed = start_of(state, state.game.dealt(world))
    for actor, action in state.game.history(world):
        mask = replayed.action_mask(actor)
        if actor != seat and of in (None, actor):
            chance = float(policy(replayed.observation(actor)[None], mask[None])[0, action])
            yield (1 - uniform) * chance + uniform / int(mask.sum())
        replayed.push(action)


@pytest.mark.parametrize(("temper", "uniform"), [(0.7, 0.1), (1.0, 0.0), (0.3, 1.0)])
def test_weights_are_those_of_bayes(temper: float, uniform: float) -> None:
    """All worlds of late positions and some of early ones, whoever decides there."""
    rng, draws = random.Random(1), np.random.default_rng(1)
    early = ((random_position(rng), rng.randrange(4)) for _ in range(25))
    silent = 0
    for state, seat in [*late_positions(8, seed=1, most=30), *early]:
        belief = Belief(state.view(seat))
        worlds = belief.sample(30, draws)
        weights = belief.weights(worlds, opinionated, temper=temper, uniform=uniform)
        expected = slow_weights(state, seat, worlds, opinionated, temper, uniform)
        assert weights == pytest.approx(expected), state
        silent += any(
            (actor, action) == (other, PASS)
            for actor, action in state.game.history(worlds[0])
            for other in range(4)
            if other != seat
        )
    assert silent > 10


def test_of_several_policies_each_seat_plays_one() -> None:
    """The likelihood of a seat is the mean over the policies, that of a world the product."""
    rng, draws = random.Random(3), np.random.default_rng(3)
    policies = [opinionated, knocks]
    for _ in range(6):
        state, seat = random_position(rng), rng.randrange(4)
        belief = Belief(state.view(seat))
        worlds = belief.sample(20, draws)
        together = np.ones(len(worlds))
        for other in {0, 1, 2, 3} - {seat}:
            likelihoods = [
                [
                    prod(slow_likelihoods(state, seat, world, policy, 0.1, of=other))
                    for world in worlds
                ]
                for policy in policies
            ]
            together *= np.mean(likelihoods, axis=0)
        expected = together**0.7 / (together**0.7).sum()
        assert belief.weights(worlds, policies) == pytest.approx(expected)
        single = belief.weights(worlds, opinionated)
        assert belief.weights(worlds, [opinionated]) == pytest.approx(single)
    with pytest.raises(ConfigError, match="no policy is given"):
        belief.weights(worlds, [])


def test_silence_counts() -> None:
    """Nobody has knocked, all would nine times in ten: both queens are likelier in one hand.

    Each seat with a black queen has kept silent in five rounds; a seat without was not asked.
    """
    state = red_seat_after_trick_one()
    view = state.view(0)
    worlds = Belief(view).sample(4000, np.random.default_rng(2))
    weights = Belief(view).weights(worlds, knocks, temper=1.0, uniform=0.0)
    dealt = worlds["hands"] | worlds["played"]
    together = ((dealt & BLACK_QUEENS) == BLACK_QUEENS).any(axis=1)
    assert together.mean() < 0.4
    assert weights[together].sum() > 0.99
    assert partner_probabilities(view, worlds, weights).sum() > 1.9  # two partners against one


def red_seat_after_trick_one() -> State:
    """A hand in which seat 0 has no black queen and nobody has announced or shown one."""
    for seed in range(1000):
        state = State.deal(seed=seed, dealer=3)
        while state.hands["plies"][0] < 4 or "pass" in state.legal():
            state.push("pass" if "pass" in state.legal() else state.legal()[-1])
        queens_out = np.bitwise_or.reduce(state.hands["played"][0]) & BLACK_QUEENS
        if not state.hands["queens"][0] & 1 and not queens_out and state.turn == 0:
            return state
    raise AssertionError("no such hand")


def test_a_policy_that_rules_out_every_world() -> None:
    """Without a share for its errors such a policy says nothing; with one it does."""
    view = red_seat_after_trick_one().view(0)
    belief = Belief(view)
    worlds = belief.sample(50, np.random.default_rng(3))

    def never(observations: Int8Array, masks: Int8Array) -> FloatArray:
        return np.zeros(masks.shape)

    with pytest.raises(ConfigError, match=r"none of the worlds .* uniform must be more than 0"):
        belief.weights(worlds, never, uniform=0.0)
    assert belief.weights(worlds, never).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("setting", "accepted"),
    [
        ({"temper": 0.0}, "temper is 0.0, but must be more than 0 and at most 1"),
        ({"uniform": 1.5}, "uniform is 1.5, but must be from 0 to 1"),
    ],
)
def test_settings_out_of_range(setting: dict[str, float], accepted: str) -> None:
    """The message names the value and what is accepted."""
    belief = Belief(State.deal(seed=1).view(0))
    worlds = belief.sample(2, np.random.default_rng(0))
    with pytest.raises(ConfigError, match=accepted):
        belief.weights(worlds, knocks, **setting)


def test_effective_size() -> None:
    """All of N equal worlds, one if it has all the weight."""
    assert effective_size(np.full(8, 1 / 8)) == pytest.approx(8)
    assert effective_size(np.array([1.0, 0.0, 0.0])) == pytest.approx(1)
    assert effective_size(np.array([0.5, 0.25, 0.25])) == pytest.approx(8 / 3)
