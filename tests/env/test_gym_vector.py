"""The vector form of the single-seat environment."""

import random
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from kloepper_env.envs.opponents import decision_words
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.games import set_up
from tests.env.cases import Case
from tests.env.loops import any_legal
from tests.env.test_gym import Lowest

counts_resets = pytest.mark.skipif(
    tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4),
    reason="before 1.4 Gymnasium's statistics lose a step at each reset inside a step",
)


def random_actions(masks: np.ndarray[Any, Any], rng: random.Random) -> np.ndarray[Any, Any]:
    """Legal actions; in every tenth lane any action at all."""
    chosen = [any_legal(mask, rng) if mask.any() else 0 for mask in masks]
    return np.array(
        [rng.randrange(masks.shape[1]) if rng.random() < 0.1 else action for action in chosen]
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"reward": "relative", "illegal": "penalise", "seat": 3},
        {"opponents": "mixed", "rules": "variant"},
    ],
)
def test_vector_lanes_are_single_seats(case: Case, settings: dict[str, Any]) -> None:
    """Every array of every step equals that of Gymnasium's own vector of SeatEnvs."""
    if "rules" in settings:
        n_seats = set_up(case.name, case.variant)[0].n_seats
        mixed = [Lowest(), *["random"] * (n_seats - 3), Lowest()]
        settings = settings | {"rules": case.variant, "opponents": mixed}
    vector = gymnasium.make_vec(case.gym_id, num_envs=8, **settings)
    assert isinstance(vector.unwrapped, SeatVectorEnv)
    single = gymnasium.make_vec(
        case.gym_id,
        num_envs=8,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **settings,
    )
    assert vector.observation_space == single.observation_space
    assert vector.action_space == single.action_space
    assert vector.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    rng = random.Random(0)
    seeds: Sequence[Any] = [5, None, [9, 1, 2, None, 3, 4, 5, 6]]
    ends = 0
    for seed in seeds:
        seen = vector.reset(seed=seed)
        assert data_equivalence(seen, single.reset(seed=seed), exact=True)
        observation = seen[0]
        for _ in range(60):
            actions = random_actions(observation["action_mask"], rng)
            stepped = vector.step(actions)
            assert data_equivalence(stepped, single.step(actions), exact=True)
            assert stepped[0] in vector.observation_space
            observation = stepped[0]
            ends += int(stepped[2].sum())
    assert ends > 100


@pytest.mark.parametrize("illegal", ["terminate", "penalise", "raise"])
def test_vector_refuses_what_are_no_actions(case: Case, illegal: str) -> None:
    vector = SeatVectorEnv(3, case.name, illegal=illegal)
    with pytest.raises(IllegalActionError, match="reset the environment first"):
        vector.step(np.zeros(3, np.int64))
    vector.reset(seed=1)
    before = vector.hands.copy()
    senseless: list[Any] = [
        ([1, 2], r"int64 of shape \(2,\)"),
        (1, r"int64 of shape \(\)"),
        ([[1, 2, 3]], r"int64 of shape \(1, 3\)"),
        ([1.7] * 3, r"float64 of shape \(3,\)"),
        (["1", "2", "3"], r"<U1 of shape \(3,\)"),
        ([True] * 3, r"bool of shape \(3,\)"),
        ([[1], [1, 2], 3], "a ragged sequence"),
        (None, r"object of shape \(\)"),
    ]
    for actions, found in senseless:
        with pytest.raises(IllegalActionError, match=rf"integers of shape \(3,\), not {found}"):
            vector.step(actions)
    np.testing.assert_array_equal(vector.hands, before)
    vector.step(vector._mask.argmax(1).astype(np.uint8))


def test_vector_final_observation(case: Case) -> None:
    """`final_obs` belongs to the hand that ended, the observation to the new one."""
    vector = SeatVectorEnv(4, case.name, seat=0, opponents=Lowest())
    vector.reset(seed=1)
    while True:
        observation, rewards, ended, _, infos = vector.step(vector._mask.argmax(1))
        assert ("final_obs" in infos) == bool(ended.any())
        if ended.any():
            break
    for lane in range(4):
        final = infos["final_obs"][lane]
        assert (final is not None) == ended[lane] == infos["_final_obs"][lane]
        if final is not None:
            assert not final["action_mask"].any()
            assert observation["action_mask"][lane].any()
            assert vector.hands["serial"][lane] == 1
    assert (rewards[~ended] == 0).all()


@counts_resets
def test_vector_statistics(case: Case) -> None:
    """Gymnasium's own wrapper adds up the same returns over the resets inside a step."""
    vector = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec(case.gym_id, num_envs=4)
    )
    observation, _ = vector.reset(seed=2)
    totals = np.zeros(4)
    ends = 0
    for _ in range(50):
        actions = observation["action_mask"].argmax(1)
        observation, rewards, ended, _, infos = vector.step(actions)
        totals += rewards
        for lane in np.flatnonzero(ended):
            assert infos["episode"]["r"][lane] == totals[lane]
            totals[lane] = 0
            ends += 1
    assert ends > 10


def test_vector_resets_the_lanes_of_a_mask_alone(case: Case) -> None:
    """As Gymnasium's own vector does, and what is told of the other lanes stays as it was."""
    settings: dict[str, Any] = {"num_envs": 4, "illegal": "penalise"}
    vector = gymnasium.make_vec(case.gym_id, **settings)
    same = {"autoreset_mode": AutoresetMode.SAME_STEP}
    single = gymnasium.make_vec(
        case.gym_id, vectorization_mode="sync", vector_kwargs=same, **settings
    )
    mask = np.array([True, False, False, True])
    seeds: list[Any] = [None, 3, [7, -1, None, 9]]
    for seed in seeds:  # the lanes left out need no sense in theirs
        vector.reset(seed=1)
        single.reset(seed=1)
        for illegal in (False, True):
            masks = vector.unwrapped._mask  # type: ignore[attr-defined]
            actions = masks.argmin(1) if illegal else masks.argmax(1)
            observation, *_, info = vector.step(actions)
            single.step(actions)
        seen, told = vector.reset(seed=seed, options={"reset_mask": mask})
        expected, _ = single.reset(seed=seed, options={"reset_mask": mask})
        assert data_equivalence(seen, expected, exact=True)
        for key in ("action_mask", "seat", "illegal"):
            np.testing.assert_array_equal(told[key][~mask], info[key][~mask])
        assert told["illegal"].tolist() == [False, True, True, False]
        assert (seen["observation"][0] != observation["observation"][0]).any()


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([True, False, False], "must be an array of bool of shape"),
        (np.array([True, False]), "must be an array of bool of shape"),
        (np.array([1, 0, 0]), "must be an array of bool of shape"),
        (np.zeros(3, bool), "reset_mask is false everywhere"),
        ("all", "reset_mask is 'all', but must be an array of bool"),
    ],
)
def test_vector_refuses_masks_that_do_not_fit(case: Case, mask: Any, message: str) -> None:
    vector = SeatVectorEnv(3, case.name)
    with pytest.raises(ConfigError, match="the first reset must begin all"):
        vector.reset(options={"reset_mask": np.array([True, False, False])})
    vector.reset(seed=1, options={"reset_mask": np.ones(3, bool)})
    before = vector.hands.copy()
    with pytest.raises(ConfigError, match=message):
        vector.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(vector.hands, before)


@counts_resets
def test_vector_statistics_over_masked_resets(case: Case) -> None:
    """A wrapper counts the episodes of the lanes that were left out from their own beginning."""
    vector = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec(case.gym_id, num_envs=4, illegal="penalise")
    )
    observation, _ = vector.reset(seed=2)
    totals, lengths, ends = np.zeros(4), np.zeros(4), 0
    for turn in range(60):
        legal = observation["action_mask"]
        actions = legal.argmin(1) if turn % 7 == 3 else legal.argmax(1)
        observation, rewards, ended, _, infos = vector.step(actions)
        totals, lengths = totals + rewards, lengths + 1
        for lane in np.flatnonzero(ended):
            assert infos["episode"]["r"][lane] == totals[lane]
            assert infos["episode"]["l"][lane] == lengths[lane]
            totals[lane] = lengths[lane] = 0
            ends += 1
        if turn % 5 == 4:
            mask = np.arange(4) == turn % 4
            observation, _ = vector.reset(options={"reset_mask": mask})
            totals[mask] = lengths[mask] = 0
    assert ends > 10


def test_vector_needs_a_lane(case: Case) -> None:
    with pytest.raises(ConfigError, match="num_envs is 0"):
        SeatVectorEnv(0, case.name)


def test_vector_lanes_differ(case: Case) -> None:
    observation, _ = SeatVectorEnv(50, case.name).reset(seed=1)
    assert len({row.tobytes() for row in observation["observation"]}) > 45  # small packs agree
    unseeded = SeatVectorEnv(50, case.name)
    unseeded.reset()
    assert len(set(unseeded.hands["key"].tolist())) == 50
    with pytest.raises(ConfigError, match="there are 2 seeds, but must be 50"):
        SeatVectorEnv(50, case.name).reset(seed=[1, 2])


def test_vector_options_and_pictures(case: Case) -> None:
    deck = case.deal(seed=3).deck()
    vector = SeatVectorEnv(3, case.name, render_mode="ansi", seat=2)
    vector.reset(seed=1, options={"deck": deck, "dealer": 1})
    assert len(vector.render()) == 3
    assert all("seat 1 dealt" in text for text in vector.render())
    for lane in range(3):
        assert vector._lanes.state(lane).deck() == case.deal(deck=deck, dealer=1).deck()
    assert vector.hands["serial"].tolist() == [0, 0, 0]
    keys = vector.hands["key"]
    assert len(set(keys.tolist())) == 3
    assert len(set(decision_words(vector.hands).tolist())) == 3
