"""The AEC environment against PettingZoo's own tests, its interface and its errors."""

import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from kloepper_env import klammern_v0, kloepper_v0
from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.errors import ConfigError, IllegalActionError, NotationError
from tests.env.cases import FACTORIES, KINDS, Case
from tests.env.loops import any_legal, play, play_some

EXPECTED_WARNINGS = (  # what api_test says of every environment it does not know by name
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",  # of agents whose episode is over, as it must be
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_pettingzoo_api(case: Case, factory: str, kind: str) -> None:
    with warnings.catch_warnings():
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message)
        api_test(case.make(factory, kind), num_cycles=50)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_pettingzoo_seed(case: Case, factory: str, kind: str) -> None:
    seed_test(lambda: case.make(factory, kind), num_cycles=100)


def test_pettingzoo_render(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(case.env, {"svg": lambda picture: picture.startswith("<svg")})
    assert "trick 1" in capsys.readouterr().out


def test_pettingzoo_state(case: Case) -> None:
    env = case.env()
    check_state_space(env)
    check_state(env, num_cycles=20)  # samples without a mask, so most episodes end at once


def test_registry(case: Case) -> None:
    env: Any = pettingzoo.make("aec", f"kloepper/{case.name}-v0", reward="relative")
    assert str(env) == f"{case.name}_v0" == env.metadata["name"]
    assert env.unwrapped.reward == "relative"
    assert isinstance(env, OrderEnforcingWrapper)
    assert isinstance(env.env, AssertOutOfBoundsWrapper)
    assert isinstance(env.env.env, TerminateIllegalWrapper)
    env = env.env.env.env
    assert isinstance(env, CardGameEnv)
    assert env is env.unwrapped


def test_names_of_announcements() -> None:
    kloepper, klammern = kloepper_v0.env(), klammern_v0.env()
    assert kloepper.action_names[24:] == [
        *("pass", "knock", "knock_off"),
        *("call:C", "call:S", "call:H"),
    ]
    assert klammern.action_names[32:] == [
        *("pass", "take:C", "take:S", "take:H", "take:D"),
        *("kontra", "re", "declare"),
    ]


def test_known_before_reset(case: Case) -> None:
    env = case.env()
    assert env.possible_agents == [f"player_{seat}" for seat in range(case.game.n_seats)]
    assert env.max_num_agents == case.game.n_seats
    assert env.action_names == list(case.game.action_names)
    assert env.metadata["is_parallelizable"] is False
    for agent in env.possible_agents:
        assert env.action_space(agent) == spaces.Discrete(case.game.n_actions)
        assert env.observation_space(agent)["observation"].shape == (env.layout.size,)
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    with pytest.raises(AttributeError, match="before reset"):
        env.last()
    with pytest.raises(AssertionError, match="reset"):
        env.observe("player_0")
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(IllegalActionError, match="reset the environment"):
        case.raw_env().step(0)


def test_nothing_to_see_before_reset(case: Case) -> None:
    """Of the raw environment; the wrappers have sentences of their own."""
    env = case.raw_env()
    for look in (lambda: env.observe("player_0"), env.state, env.last, env.get_state):
        with pytest.raises(IllegalActionError, match="reset the environment first"):
            look()
    with pytest.raises(IllegalActionError, match="reset the environment first"):
        env.last(observe=False)
    wrapped = case.env()
    with pytest.raises(ConfigError):
        wrapped.reset(seed=-1)
    with pytest.raises(AssertionError, match="reset"):
        wrapped.observe("player_0")


@pytest.mark.parametrize("kind", KINDS)
def test_masks(case: Case, kind: str) -> None:
    """Waiting and finished agents have zeros; who decides has the legal actions, also in infos."""
    env = case.raw_env(kind)
    env.reset(seed=1)
    for agent, (observation, _, terminated, truncated, info) in play(env, random.Random(1)):
        assert type(terminated) is bool
        assert truncated is False
        assert info is env.infos[agent]
        legal = [] if terminated else env.position.legal_actions()
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal
        assert terminated == (legal == [])
        for other in env.agents:
            mask = env.observe(other)["action_mask"]
            assert mask.dtype == env.infos[other]["action_mask"].dtype == np.int8
            assert mask.tobytes() == env.infos[other]["action_mask"].tobytes()
            assert mask.any() == (other == agent and not terminated)
    assert env.agents == []


def test_every_seat_sees_its_own(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=3)
    for _ in play(env, random.Random(3)):
        position = env.position
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)["observation"]
            assert seen.tobytes() == position.observation(seat).tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_observe_is_pure(case: Case, kind: str) -> None:
    """Looking, and writing into what was seen, changes nothing that follows."""
    quiet, curious = case.env(kind), case.env(kind)
    quiet.reset(seed=4)
    curious.reset(seed=4)
    rng = random.Random(4)
    for agent, seen in play(quiet, rng):
        for other in (*curious.possible_agents, agent):
            for part in curious.observe(other).values():
                part[:] = 1
        for left, right in zip(seen, curious.last(), strict=True):
            np.testing.assert_equal(left, right)
        terminated = seen[2]
        twin = random.Random()
        twin.setstate(rng.getstate())
        curious.step(None if terminated else any_legal(seen[0]["action_mask"], twin))


def test_state_is_all_observations(case: Case) -> None:
    env = case.env("game")
    env.reset(seed=1)
    seen = [env.observe(agent)["observation"] for agent in env.possible_agents]
    np.testing.assert_array_equal(env.state(), np.concatenate(seen))
    assert env.state() in env.state_space


def test_illegal_action_of_raw_env(case: Case) -> None:
    env = case.raw_env()
    n_actions = case.game.n_actions
    env.reset(seed=5)
    before = env.get_state()
    legal = env.position.legal_actions()
    senseless: list[Any] = [-1, n_actions, 64, 2**70, None, True, "QC", 1.5, np.float64(2)]
    for action in [*senseless, *(a for a in range(n_actions) if a not in legal)]:
        with pytest.raises(IllegalActionError, match=r"is not legal for seat|is no action"):
            env.step(action)
        np.testing.assert_equal(env.get_state(), before)
    env.step(np.int32(legal[0]))


def test_illegal_action_of_env(case: Case) -> None:
    env = case.env()
    env.reset(seed=6)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.rewards == {a: (-1.0 if a == agent else 0) for a in env.possible_agents}
    assert set(env.terminations.values()) == {True}
    for other in env.possible_agents:
        assert not env.observe(other)["action_mask"].any()
        assert not env.infos[other]["action_mask"].any()
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    env.reset(seed=6)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(case.game.n_actions)


class Whole:
    """A whole number of somebody's own making."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def test_actions_that_are_nearly_numbers(case: Case) -> None:
    env = case.env()
    env.reset(seed=6)
    before = env.get_state()
    for action in (True, False):
        with pytest.raises(IllegalActionError, match=f"{action} is no action"):
            env.step(action)
    np.testing.assert_equal(env.get_state(), before)
    mask = env.last()[0]["action_mask"]
    twin = env.clone()
    twin.step(Whole(int(np.flatnonzero(mask)[0])))
    assert set(twin.rewards.values()) == {0}
    env.step(Whole(int(np.flatnonzero(mask == 0)[0])))
    assert min(env.rewards.values()) == -1


@pytest.mark.parametrize("factory", FACTORIES)
def test_what_is_no_number_is_refused(case: Case, factory: str) -> None:
    env = case.make(factory)
    env.reset(seed=6)
    before = env.get_state()
    legal = int(env.last()[0]["action_mask"].argmax())
    senseless: list[Any] = [[legal], float(legal), "pass", None, np.array([legal, legal])]
    for action in senseless:
        with pytest.raises(IllegalActionError, match="is no action: an action is a whole number"):
            env.step(action)
        np.testing.assert_equal(env.get_state(), before)
    futures = []
    for action in (legal, np.array([legal]), np.array(legal), np.uint8(legal)):
        env.set_state(before)
        env.step(action)
        futures.append([env.observe(agent)["observation"].tobytes() for agent in env.agents])
    assert all(future == futures[0] for future in futures)


def test_an_illegal_action_costs_the_worst_of_a_hand(case: Case) -> None:
    env = case.env(reward="relative")
    env.reset(seed=6)
    agent, mask = env.agent_selection, env.last()[0]["action_mask"]
    env.step(int(mask.argmin()))
    assert env.rewards[agent] == case.game.worst(case.game.options(None), {})
    assert sum(env.rewards.values()) == env.rewards[agent]
    assert {info["ended_by"] for info in env.infos.values()} == {"illegal_action"}
    env.reset(seed=6)
    play_some(env, random.Random(1), 100)
    assert {info["ended_by"] for info in env.infos.values()} == {"play"}


def test_dead_agents_take_none(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=7)
    play_some(env, random.Random(7), 100)
    assert env.agent_selection == "player_0"
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        env.step(None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"episode": "match"}, "episode is 'match', but must be 'hand' or 'game'"),
        ({"reward": "win"}, "reward is 'win', but must be 'points' or 'relative'"),
        ({"render_mode": "jpeg"}, "render_mode is 'jpeg', but must be None, .* or 'rgb_array'"),
        ({"render_seat": 9}, "render_seat is 9"),
        ({"render_seat": True}, "render_seat is True"),
        ({"render_seat": 1.0}, r"render_seat is 1\.0"),
        ({"render_seat": np.arange(4)}, "render_seat is array"),
        ({"rules": {"targt": 3}}, "unknown option 'targt'"),
    ],
)
def test_wrong_settings(case: Case, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        case.env(**settings)


@pytest.mark.parametrize(
    ("seed", "options", "error"),
    [
        (-1, {}, ConfigError),
        (1.5, {}, ConfigError),
        ("one", {}, ConfigError),
        (1, "x", ConfigError),
        (1, [], ConfigError),
        (1, {"dealer": 9}, ConfigError),
        (1, {"dealer": "north"}, ConfigError),
        (1, {"deck": "QC QS"}, NotationError),
    ],
)
def test_wrong_reset_changes_nothing(
    case: Case, seed: Any, options: Any, error: type[Exception]
) -> None:
    env = case.env()
    env.reset(seed=9)
    play_some(env, random.Random(9), 5)
    before = env.get_state()
    with pytest.raises(error):
        env.reset(seed=seed, options=options)
    np.testing.assert_equal(env.get_state(), before)


@pytest.mark.parametrize("episode", ["hand", "game"])
def test_deck_and_dealer(case: Case, episode: str) -> None:
    deck = case.deal(seed=11).deck()
    env = case.env(episode=episode)
    env.reset(seed=1, options={"deck": " ".join(deck).lower(), "dealer": 2, "unknown": 1})
    assert env.position.deck() == case.deal(deck=deck, dealer=2).deck()
    assert env.position.dealer == 2
    env.reset(options={"dealer": 3})
    assert env.position.deck() == case.deal(seed=1, serial=1, dealer=3).deck()
    env.reset(options={"deck": deck})
    assert env.position.dealer == (max(case.first_dealer, 0) if episode == "game" else 0)


def test_drawing(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for seat in (None, 1):
        env = case.env(render_mode="ansi", render_seat=seat)
        env.reset(seed=1)
        texts.append(env.render())
    hidden = f"{len(env.position.dealt(0))} cards"
    assert [text.count(hidden) for text in texts] == [0, case.game.n_seats - 1]
    env = case.raw_env()
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out == ""


def test_human_mode_draws_the_end(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """The last card of every hand of a game is drawn, and nothing after the episode."""
    env = case.env("game", render_mode="human", rules={"target": case.long})
    env.reset(seed=1)
    hands = 1
    for _ in play(env, random.Random(1)):
        hands = int(env.position.hand.serial) + 1
    drawn = capsys.readouterr().out
    assert hands > 1
    assert drawn.count("the hand is over") == hands
