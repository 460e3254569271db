"""The single-seat environment and its vector form."""

import random
import subprocess
import sys
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

counts_resets = pytest.mark.skipif(
    tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4),
    reason="before 1.4 Gymnasium's statistics lose a step at each reset inside a step",
)


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


def test_an_illegal_action_never_pays(case: Case) -> None:
    """Where rewards are relative it costs the worst that a hand can bring."""
    env = SeatEnv(case.name, reward="relative")
    _, (_, reward, terminated, _, info) = illegal_step(env)
    assert (reward, terminated) == (case.game.worst(case.game.options(None), {}), True)
    assert info["ended_by"] == "illegal_action"
    vector = SeatVectorEnv(3, case.name, reward="relative")
    vector.reset(seed=1)
    _, rewards, *_, infos = vector.step(vector._mask.argmin(1))
    assert rewards.tolist() == [reward] * 3
    assert infos["final_info"]["ended_by"].tolist() == ["illegal_action"] * 3
    game = SeatEnv(case.name, episode="game", reward="win")
    assert illegal_step(game)[1][1] == -1.0


def test_the_worst_of_kloepper_is_a_lone_knock_that_fails() -> None:
    assert illegal_step(SeatEnv("kloepper", reward="relative"))[1][1] == -22.5


def test_the_last_info_says_what_ended_the_hand(case: Case) -> None:
    env = SeatEnv(case.name)
    observation, info = env.reset(seed=1)
    over = False
    while not over:
        assert "ended_by" not in info
        observation, _, over, _, info = env.step(int(observation["action_mask"].argmax()))
    assert info["ended_by"] == "play"


def numbers_like(action: int) -> list[Any]:
    """What is read as this action, in every environment alike."""
    return [action, np.int32(action), np.uint8(action), np.array(action), np.array([action])]


NO_NUMBERS: list[Any] = [
    *([24], (24,), 24.0, np.float64(24), "pass", b"pass", None, True, np.True_, np.array([24.0])),
    *(np.array([24, 24]), np.array([[24]]), np.array([True]), np.zeros(0, int), np.array(["24"])),
]


@pytest.mark.parametrize("illegal", ["terminate", "penalise", "raise"])
def test_what_is_no_number_is_no_illegal_action(case: Case, illegal: str) -> None:
    env = SeatEnv(case.name, seat=3, illegal=illegal)
    before, _ = env.reset(seed=1)
    for action in NO_NUMBERS:
        with pytest.raises(IllegalActionError, match="is no action: an action is a whole number"):
            env.step(action)
    legal = int(before["action_mask"].argmax())
    seen = set()
    for action in numbers_like(legal):
        env.reset(seed=1)
        observation, _, _, _, info = env.step(action)
        assert info["illegal"] is False
        seen.add(observation["observation"].tobytes())
    assert len(seen) == 1


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
        ({"render_mode": "jpeg"}, "render_mode is 'jpeg'"),
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


def test_vector_plays_single_hands(case: Case) -> None:
    with pytest.raises(
        ConfigError, match=r"plays single hands; gymnasium.make_vec\(.kloepper_env:"
    ):
        gymnasium.make_vec(case.gym_id, num_envs=2, episode="game")
    with pytest.raises(ConfigError, match="num_envs is 0"):
        SeatVectorEnv(0, case.name)


IN_A_NEW_PROCESS = """
import gymnasium
env = gymnasium.make("kloepper_env:{id}", episode="game")
print(env.reset(seed=1)[1]["seat"], "kloepper_env" in __import__("sys").modules)
"""


def test_a_new_process_finds_the_environment_by_its_module(case: Case) -> None:
    """What the messages and the page name for workers that import nothing of ours themselves."""
    code = IN_A_NEW_PROCESS.format(id=case.gym_id)
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    env = gymnasium.make(f"kloepper_env:{case.gym_id}", episode="game")
    assert answer == [str(env.reset(seed=1)[1]["seat"]), "True"]


@pytest.mark.slow
def test_spawned_workers_play_games(case: Case) -> None:
    vector = gymnasium.make_vec(
        f"kloepper_env:{case.gym_id}",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        episode="game",
    )
    observation, _ = vector.reset(seed=1)
    assert observation["action_mask"].any(axis=1).all()
    vector.close()


def test_nothing_is_drawn_before_reset(case: Case) -> None:
    made: list[Any] = [
        SeatEnv(case.name, render_mode="ansi"),
        SeatVectorEnv(2, case.name, render_mode="ansi"),
        case.raw_env(render_mode="ansi"),
    ]
    for env in made:
        with pytest.raises(IllegalActionError, match="reset the environment first"):
            env.render()
        env.reset(seed=1)
        assert "dealt" in str(env.render())


def test_numpy_seeds_are_seeds_like_others(case: Case) -> None:
    made: list[Any] = [SeatEnv(case.name), SeatVectorEnv(2, case.name)]
    for env in made:
        first = env.reset(seed=np.uint8(5))
        assert data_equivalence(first, env.reset(seed=5), exact=True)


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
