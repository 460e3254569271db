"""The single-seat environment."""

import random
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from kloepper_env import View
from kloepper_env.envs.gym import SeatEnv
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


def test_what_an_opponent_does_wrong_is_said_of_the_opponent(case: Case) -> None:
    env = SeatEnv(game=case.name, seat=3, opponents=[Cheat()] * (case.game.n_seats - 1))
    with pytest.raises(IllegalActionError, match=r"^opponent Cheat: .* is not legal for seat"):
        play(env, seed=1)


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
