"""Batch: its lanes are the hands of the seed; what does not fit is refused, nothing changed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_env.batch import Batch
from kloepper_env.errors import ConfigError, IllegalActionError
from tests.env.cases import Case


def test_lanes_play_the_hands_of_the_seed(case: Case) -> None:
    batch = Batch(case.game, n=3, seed=5)

    for lane in range(3):
        state = case.deal(seed=5, serial=lane)
        assert list(batch.hands["hands"][lane]) == list(state.hand.hands)
        assert (batch.observation[lane] == state.observation(batch.turn[lane])).all()
        assert (batch.action_mask[lane] == state.action_mask(batch.turn[lane])).all()


def test_a_lane_that_ends_goes_on_with_the_next_hand_of_its_stream(case: Case) -> None:
    batch = Batch(case.game, n=2, seed=5)
    while not batch.ended[0]:
        batch.step(batch.sample())

    assert batch.hands["serial"][0] == 2
    assert list(batch.hands["hands"][0]) == list(case.deal(seed=5, serial=2).hand.hands)
    assert batch.rewards[0].any()


@pytest.mark.parametrize("kind", [np.int64, np.uint8, int])
def test_numpy_numbers_are_seeds_like_others(kind: Callable[[int], Any]) -> None:
    assert (Batch(n=2, seed=kind(7)).observation == Batch(n=2, seed=7).observation).all()
    seeds = [kind(3), kind(4)]
    assert (Batch(n=2, seeds=seeds).observation == Batch(n=2, seeds=[3, 4]).observation).all()


@pytest.mark.parametrize("seed", [-1, 1.5, True, None, "1"])
def test_senseless_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(ConfigError, match=f"seed is {seed!r}, but must be a whole number from 0"):
        Batch(n=2, seed=seed)


def test_seeds_are_as_many_as_lanes() -> None:
    with pytest.raises(ConfigError, match="there are 1 seeds for 4 lanes"):
        Batch(n=4, seeds=[7])
    with pytest.raises(ConfigError, match="n is 0"):
        Batch(n=0)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda actions: actions[:1],
        lambda actions: actions[:0],
        lambda actions: np.concatenate([actions, actions]),
        lambda actions: actions[:, None],
        lambda actions: actions.astype(float),
        lambda actions: actions.astype(str),
        lambda actions: actions[0],
    ],
    ids=["short", "empty", "long", "column", "floats", "texts", "scalar"],
)
def test_arrays_of_actions_that_do_not_fit_are_refused(
    case: Case, spoil: Callable[[Any], Any]
) -> None:
    batch = Batch(case.game, n=4, seed=1)
    before = batch.hands.copy()

    with pytest.raises(IllegalActionError, match=r"must be integers of shape \(4,\)"):
        batch.step(spoil(batch.sample()))

    for name in ("hands", "played", "log_length"):
        assert (batch.hands[name] == before[name]).all()


@pytest.mark.parametrize("action", [-1, 29, 30, 39, 40, 64, 2**40])
def test_an_illegal_action_is_refused_and_named(case: Case, action: int) -> None:
    batch = Batch(case.game, n=4, seed=1)
    actions = batch.sample()
    actions[2] = action

    with pytest.raises(IllegalActionError, match="is not legal in lane 2; legal: "):
        batch.step(actions)

    assert not batch.hands["log_length"].any()


def test_rewards_are_the_scores_of_the_hands_that_ended(case: Case) -> None:
    batch, twins = Batch(case.game, n=8, seed=2), [case.deal(seed=2, serial=k) for k in range(8)]
    ended = 0
    while ended < 40:
        actions = batch.sample()
        batch.step(actions)
        for lane, twin in enumerate(twins):
            twin.push(int(actions[lane]))
            paid = twin.scores() if twin.is_over else [0] * twin.game.n_seats
            assert batch.rewards[lane].tolist() == paid
            assert batch.ended[lane] == twin.is_over
            if twin.is_over:
                ended += 1
                twins[lane] = case.deal(seed=2, serial=int(batch.hands["serial"][lane]))


def test_no_score_is_too_large_for_the_rewards() -> None:
    rules = {"durchmarsch_bonus": 999_999}
    batch = Batch("klammern", n=512, seed=1, rules=rules)
    most = 0
    for _ in range(2000):
        batch.step(batch.sample())
        most = max(most, int(batch.rewards.max()))
    assert most > 999_999
    assert batch.rewards.min() >= 0


def test_hands_that_advance_to_their_end_stay_as_they_ended(case: Case) -> None:
    batch = Batch(case.game, n=5, seed=3)
    states = [case.deal(seed=3, serial=lane) for lane in range(5)]
    while (lanes := np.flatnonzero(batch.hands["over"] == 0)).size:
        actions = batch.sample()
        batch.advance(lanes, actions[lanes])
        for lane in lanes:
            states[lane].push(int(actions[lane]))
            if not states[lane].is_over:
                turn = int(batch.turn[lane])
                assert turn == states[lane].turn
                assert (batch.observation[lane] == states[lane].observation(turn)).all()
                assert (batch.action_mask[lane] == states[lane].action_mask(turn)).all()
    assert not batch.action_mask.any()
    assert batch.scores().tolist() == [state.scores() for state in states]


def test_lanes_that_do_not_advance_stay_as_they_are(case: Case) -> None:
    batch = Batch(case.game, n=3, seed=3)
    lanes, actions = np.array([2, 0]), batch.sample()[[2, 0]]
    before = batch.hands.copy()
    batch.advance(lanes, actions)
    assert [bool(batch.hands[lane] != before[lane]) for lane in range(3)] == [True, False, True]
    assert (batch.observation[1] == Batch(case.game, n=3, seed=3).observation[1]).all()


def test_an_illegal_advance_is_refused_and_changes_nothing(case: Case) -> None:
    batch = Batch(case.game, n=3, seed=3)
    before = batch.hands.copy()
    actions = np.array([int(batch.action_mask[2].argmax()), int(batch.action_mask[1].argmin())])
    with pytest.raises(IllegalActionError, match="is not legal in lane 1; legal: "):
        batch.advance(np.array([2, 1]), actions)
    assert (batch.hands == before).all()


def test_a_number_beyond_all_actions_is_named_as_it_is(case: Case) -> None:
    with pytest.raises(IllegalActionError, match="actions hold 18446744073709551615"):
        Batch(case.game, n=1).step(np.array([2**64 - 1], np.uint64))


def test_arrays_go_to_other_libraries_without_a_copy(case: Case) -> None:
    """By DLPack, also those with gaps between their rows; they follow the batch."""
    batch = Batch(case.game, n=5, seed=1)
    names = ("observation", "action_mask", "turn", "rewards", "ended")
    shared = {name: np.from_dlpack(getattr(batch, name)) for name in names}
    for _ in range(30):
        batch.step(batch.sample())
    for name, array in shared.items():
        np.testing.assert_array_equal(array, getattr(batch, name))
