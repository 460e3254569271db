"""The single-seat environment and its vector form."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

from kloepper_env import View
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.opponents import decision_words
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.errors import ConfigError, IllegalActionError
from tests.env.cases import Case
from tests.env.loops import any_legal


class Lowest:
    """An opponent that has no act_many, and keeps what it was given."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.random: list[int] = []

    def act(self, view: View, random: int) -> int:
        self.views.append(view)
        self.random.append(random)
        return int(np.argmax(view.action_mask))


class Cheat:
    """An opponent that does what is not legal."""

    def act(self, view: View, random: int) -> int:
        return int(np.argmin(view.action_mask))


@dataclass
class Unhashable:
    """An opponent that cannot be a key, and that equals its like."""

    def act(self, view: View, random: int) -> int:
        return int(np.argmax(view.action_mask))


@dataclass
class Says:
    """An opponent that always answers the same."""

    answer: Any

    def act(self, view: View, random: int) -> Any:
        return self.answer


class SaysMany(Says):
    def act_many(self, observations: Any, masks: Any, random: Any) -> Any:
        return self.answer


def play(env: Any, seed: int | None) -> tuple[float, list[bytes]]:
    """A whole episode at random: the sum of the rewards, and all that was observed."""
    rng = random.Random(7)
    observation, info = env.reset(seed=seed)
    seen, total, over = [], 0.0, False
    while not over:
        assert info["action_mask"].tobytes() == observation["action_mask"].tobytes()
        seen.append(observation["observation"].tobytes())
        action = any_legal(observation["action_mask"], rng)
        observation, reward, over, truncated, info = env.step(action)
        assert type(reward) is float
        assert truncated is False
        total += reward
    assert not observation["action_mask"].any()
    return total, seen


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"illegal": "penalise", "seat": 2, "reward": "relative"},
        {"episode": "game", "reward": "win", "opponents": ["random", Lowest(), "random"]},
    ],
)
@pytest.mark.filterwarnings("ignore:.*not having a spec")
def test_gymnasium_check(
    case: Case, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    check_env(gymnasium.make(case.gym_id, **settings).unwrapped)
    assert "trick 1" in capsys.readouterr().out  # human mode


@pytest.mark.parametrize("seat", range(4))
def test_plays_the_hand_of_the_seed(case: Case, seat: int) -> None:
    """The deal is `State.deal`'s, the reward what the seat scores."""
    env = SeatEnv(case.name, seat=seat)
    for seed in range(20):
        total, _ = play(env, seed)
        position = env._table.position
        dealt = case.deal(seed=seed)
        assert position.deck() == dealt.deck()
        assert total == position.scores()[seat]


def test_opponents_sit_where_named(case: Case) -> None:
    """Left, opposite and right; each is given its own View, and chance from the seed."""
    opponents = [Lowest(), Lowest(), Lowest()]
    env = SeatEnv(case.name, seat=1, opponents=opponents)
    play(env, 3)
    assert [{view.seat for view in one.views} for one in opponents] == [{2}, {3}, {0}]
    words = [word for one in opponents for word in one.random]
    assert len(set(words)) == len(words)
    assert max(words) > 2**62
    again = [Lowest(), Lowest(), Lowest()]
    play(SeatEnv(case.name, seat=1, opponents=again), 3)
    assert [one.random for one in again] == [one.random for one in opponents]


def test_random_seat_comes_from_the_seed(case: Case) -> None:
    env, twin = SeatEnv(case.name), SeatEnv(case.name)
    seats = []
    for serial in range(60):
        env.reset(seed=4 if serial == 0 else None)
        twin.reset(seed=4 if serial == 0 else None)
        assert env.seat == twin.seat
        assert env.reset(seed=serial)[1]["seat"] == env.seat
        seats.append(env.seat)
        env.reset(seed=4)
        for _ in range(serial):
            env.reset()
    assert set(seats) == {0, 1, 2, 3}


def test_seed_fixes_everything(case: Case) -> None:
    env, twin = SeatEnv(case.name), SeatEnv(case.name)
    first = [play(env, seed) for seed in (1, None, None, 2)]
    assert first == [play(twin, seed) for seed in (1, None, None, 2)]
    assert len({seen[0] for _, seen in first}) == 4
    assert SeatEnv(case.name).reset()[0]["observation"].tobytes() != (
        SeatEnv(case.name).reset()[0]["observation"].tobytes()  # no seed: entropy
    )


def illegal_step(env: SeatEnv) -> tuple[Any, Any]:
    observation, _ = env.reset(seed=5)
    return observation, env.step(int(np.argmin(observation["action_mask"])))


def test_illegal_terminates(case: Case) -> None:
    env = SeatEnv(case.name)
    _, (observation, reward, terminated, truncated, info) = illegal_step(env)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert not observation["action_mask"].any()
    with pytest.raises(IllegalActionError, match="reset the environment"):
        env.step(0)


def test_illegal_is_penalised(case: Case) -> None:
    env = SeatEnv(case.name, illegal="penalise")
    before, (observation, reward, terminated, _, info) = illegal_step(env)
    assert (reward, terminated, info["illegal"]) == (-1.0, False, True)
    assert data_equivalence(before, observation, exact=True)
    observation, reward, _, _, info = env.step(int(np.argmax(observation["action_mask"])))
    assert (reward, info["illegal"]) == (0.0, False)


def test_illegal_raises(case: Case) -> None:
    env = SeatEnv(case.name, illegal="raise")
    with pytest.raises(IllegalActionError, match="is not legal for seat"):
        illegal_step(env)
    vector = SeatVectorEnv(3, case.name, illegal="raise")
    vector.reset(seed=1)
    before = vector.hands.copy()
    for action in (-1, case.game.n_actions, int(np.argmin(vector._mask[2]))):
        actions = vector._mask.argmax(1)
        actions[2] = action
        with pytest.raises(IllegalActionError, match="is not legal for seat"):
            vector.step(actions)
    np.testing.assert_array_equal(vector.hands, before)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": "nobody"}, "unknown agent 'nobody'"),
        ({"opponents": ["random"]}, "opponents has 1 entries, but must be one name or 3"),
        ({"opponents": None}, "opponent is None, but must be a name or an object"),
        ({"opponents": 5}, "opponent is 5"),
        ({"opponents": ["random", None, "random"]}, "opponent is None"),
        ({"opponents": Lowest}, "opponent is <class"),
        ({"seat": True}, "seat is True"),
        ({"seat": 4}, "seat is 4, but must be 0, 1, 2, 3 or 'random'"),
        ({"illegal": "ignore"}, "illegal is 'ignore'"),
        ({"render_mode": "rgb_array"}, "render_mode is 'rgb_array'"),
        ({"rules": {"target": 0}}, "option target is 0"),
    ],
)
def test_wrong_settings(case: Case, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SeatEnv(case.name, **settings)
    with pytest.raises(ConfigError, match=message):
        SeatVectorEnv(2, case.name, **settings)


def test_illegal_opponents_are_found_out(case: Case) -> None:
    with pytest.raises(IllegalActionError, match="is not legal for seat"):
        play(SeatEnv(case.name, opponents=Cheat()), 1)


@pytest.mark.parametrize("answer", [None, "QC", 1.0, True, -1, 40, 2**70])
def test_opponents_answer_numbers(case: Case, answer: Any) -> None:
    with pytest.raises(IllegalActionError, match=r"opponent Says answered .*, which is no action"):
        play(SeatEnv(case.name, opponents=Says(answer)), 1)


@pytest.mark.parametrize("answer", [None, "QC", [1.0], [[1]], [1] * 50])
def test_opponents_of_many_answer_integers(case: Case, answer: Any) -> None:
    with pytest.raises(IllegalActionError, match="opponent SaysMany must be integers of shape"):
        play(SeatEnv(case.name, opponents=SaysMany(answer)), 1)


def test_opponents_need_no_hash(case: Case) -> None:
    for opponents in (Unhashable(), [Unhashable(), Unhashable(), Unhashable()]):
        left = play(SeatEnv(case.name, opponents=opponents), 1)
        assert left == play(SeatEnv(case.name, opponents=Lowest()), 1)
        vector = SeatVectorEnv(3, case.name, opponents=opponents)
        vector.reset(seed=1)
        assert vector._mask.any(1).all()


def test_opponents_need_somebody_who_offers_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kloepper_env.envs.opponents.entry_points", lambda **_: [])
    with pytest.raises(ConfigError, match="entry point make_agent"):
        SeatEnv()


def test_action_masks_for_maskable_ppo(case: Case) -> None:
    env = SeatEnv(case.name)
    observation, _ = env.reset(seed=1)
    masks = env.action_masks()
    with pytest.raises(IllegalActionError, match="reset the environment first"):
        SeatEnv(case.name).action_masks()
    assert masks.dtype == bool
    np.testing.assert_array_equal(masks, observation["action_mask"] == 1)


# --- the vector form ---------------------------------------------------------------------------


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
        {"opponents": [Lowest(), "random", Lowest()], "rules": "variant"},
    ],
)
def test_vector_lanes_are_single_seats(case: Case, settings: dict[str, Any]) -> None:
    """Every array of every step equals that of Gymnasium's own vector of SeatEnvs."""
    if "rules" in settings:
        settings = settings | {"rules": case.variant}
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
        assert vector._state(lane).deck() == case.deal(deck=deck, dealer=1).deck()
    assert vector.hands["serial"].tolist() == [0, 0, 0]
    keys = vector.hands["key"]
    assert len(set(keys.tolist())) == 3
    assert len(set(decision_words(vector.hands).tolist())) == 3


def test_gym_and_aec_agree(case: Case) -> None:
    """The learner's observations are those of its agent in the AEC environment."""
    gym_env, aec = SeatEnv(case.name, seat=1, opponents=Lowest()), case.raw_env()
    observation, _ = gym_env.reset(seed=8)
    aec.reset(seed=8)
    rng = random.Random(1)
    over = False
    while not over:
        while aec.agent_selection != "player_1":
            aec.step(int(np.argmax(aec.last()[0]["action_mask"])))
        assert data_equivalence(observation, aec.observe("player_1"), exact=True)
        action = any_legal(observation["action_mask"], rng)
        aec.step(action)
        observation, _, over, _, _ = gym_env.step(action)
