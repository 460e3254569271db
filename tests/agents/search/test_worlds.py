"""Which worlds a player thinks about."""

import numpy as np
import pytest

from kloepper_agents.games.kloepper.search.worlds import LISTED, WorldSource
from kloepper_agents.search.worlds import Worlds
from kloepper_env.beliefs import Belief
from kloepper_env.state import State
from kloepper_env.view import Int8Array
from tests.agents.search.situations import decisions


def _late() -> State:
    """A decision with few worlds left, but more than one."""
    return next(
        state
        for state in decisions(20)
        if state.turn is not None and 20 < Belief(state.view(state.turn)).count() < 200
    )


def _source(state: State, seed: int = 0, **settings: object) -> WorldSource:
    assert state.turn is not None
    return WorldSource(state.view(state.turn), np.random.default_rng(seed), **settings)  # type: ignore[arg-type]  # a policy or nothing


def _keys(worlds: Worlds) -> list[tuple[int, ...]]:
    return [tuple(int(cards) for cards in hand) for hand in worlds.hands["hands"]]


def test_few_worlds_are_all_taken_once() -> None:
    source = _source(_late())

    worlds = source.draw(-(-source.count // LISTED))

    assert worlds.complete
    assert len(set(_keys(worlds))) == len(worlds) == source.count
    assert worlds.weights == pytest.approx(1 / source.count)


def test_many_worlds_are_drawn_anew_at_each_call() -> None:
    source = _source(State.deal(seed=1))

    first, second = source.draw(50), source.draw(50)

    assert not first.complete
    assert len(first) == len(second) == 50
    assert set(_keys(first)).isdisjoint(_keys(second))


def test_the_same_seed_draws_the_same() -> None:
    first, second = (_source(State.deal(seed=1), seed=4).draw(10) for _ in range(2))
    assert _keys(first) == _keys(second)


def test_exactly_so_many_also_where_there_are_fewer() -> None:
    source = _source(_late())
    n = 3 * source.count

    worlds = source.draw_exactly(n)

    counts = np.unique(_keys(worlds), axis=0, return_counts=True)[1]
    assert len(worlds) == n
    assert (counts == 3).all()  # systematic: each as often as any other
    assert not worlds.complete


def _leads_high(
    observations: Int8Array, masks: Int8Array
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A policy that mostly takes the first legal action."""
    raised = np.where(masks != 0, 0.01, 0.0)
    raised[np.arange(len(masks)), masks.argmax(axis=1)] = 1.0
    normal: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = raised / raised.sum(
        axis=1, keepdims=True
    )
    return normal


def test_a_policy_weighs_and_picks_by_likelihood() -> None:
    state = _late()
    source = _source(state, policy=_leads_high)
    exact = source.draw(source.count)
    share = dict(zip(_keys(exact), exact.weights, strict=True))
    assert exact.weights.max() > 2 * exact.weights.min()

    # Forced to draw, it picks from a pool; over many draws that comes to the exact shares.
    hits = dict.fromkeys(share, 0)
    for seed in range(400):
        for key in _keys(_source(state, seed=seed, policy=_leads_high).draw(1)):
            hits[key] += 1
    expected = np.array([400 * share[key] for key in share])
    apart = np.array([hits[key] for key in share]) - expected
    assert np.abs(apart).sum() < 0.5 * 400
