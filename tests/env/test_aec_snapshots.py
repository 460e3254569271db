"""Saving, restoring and copying an episode of the AEC environment in the middle."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.errors import ConfigError
from tests.env.cases import CASES, FACTORIES, Case
from tests.env.loops import Env, play_some, trajectory


def pickled(env: Env) -> Env:
    twin: Env = pickle.loads(pickle.dumps(env))
    return twin


def cloned(env: Env) -> Env:
    return env.clone()


COPIES: list[Callable[[Env], Env]] = [copy.deepcopy, pickled, cloned]
EPISODES = ["hand", "game"]


def whole_future(env: Env) -> list[Any]:
    """The rest of the episode and two further ones of the same stream."""
    rest = trajectory(env, random.Random(1))
    for serial in (2, 3):
        env.reset()
        rest += trajectory(env, random.Random(serial))
    return rest


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("copied", COPIES)
def test_copies(case: Case, copied: Callable[[Env], Env], factory: str, episode: str) -> None:
    """A copy made after any number of decisions goes on alone and alike."""
    for decisions in (0, 3, 9, 17, 100):
        env: Env = getattr(case, factory)(episode=episode)
        env.reset(seed=decisions)
        play_some(env, random.Random(5), decisions)
        twin = copied(env)
        assert type(twin) is type(env)
        assert twin.agent_selection == env.agent_selection
        future = whole_future(twin)
        assert future == whole_future(env)


@pytest.mark.parametrize("copied", COPIES)
def test_copies_keep_the_generators_of_the_spaces(case: Case, copied: Callable[[Env], Env]) -> None:
    env = case.raw_env()
    env.action_space("player_1").seed(3)
    twin = copied(env)
    sample = [twin.action_space("player_1").sample() for _ in range(9)]
    assert sample == [env.action_space("player_1").sample() for _ in range(9)]


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("factory", FACTORIES)
def test_set_state(case: Case, factory: str, episode: str) -> None:
    """Going back, in the same and in another environment, whatever was done in between."""
    env, other = (getattr(case, factory)(episode=episode) for _ in range(2))
    other.reset(seed=99)
    for decisions in (0, 4, 11, 100):
        env.reset(seed=decisions)
        play_some(env, random.Random(6), decisions)
        env.last()
        kept = env.get_state()
        future = whole_future(env)
        env.reset(seed=1)
        env.set_state(kept)
        assert whole_future(env) == future
        other.set_state(kept)
        assert whole_future(other) == future


def test_set_state_after_an_illegal_action(case: Case) -> None:
    env = case.env()
    env.reset(seed=2)
    kept = env.get_state()
    mask = env.last()[0]["action_mask"]
    env.step(int(np.argmin(mask)))
    env.set_state(kept)
    assert not any(env.terminations.values())
    env.step(int(np.argmax(mask)))
    assert not any(env.terminations.values())


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("dead_steps", [0, 1, 4])
def test_copies_after_an_illegal_action(
    case: Case, copied: Callable[[Env], Env], dead_steps: int
) -> None:
    env = case.env()
    env.reset(seed=2)
    env.step(int(np.argmin(env.last()[0]["action_mask"])))
    for _ in range(dead_steps):
        env.step(None)
    twin = copied(env)
    assert twin.agents == env.agents
    np.testing.assert_equal(twin.infos, env.infos)
    assert whole_future(twin) == whole_future(env)


def test_set_state_of_other_rules(case: Case) -> None:
    env, other = case.env(), case.env(rules=case.unusual)
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ConfigError, match=next(iter(case.unusual))):
        other.set_state(env.get_state())


def test_set_state_of_another_game() -> None:
    env, other = (case.env() for case in CASES[:2])
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ConfigError, match="does not fit"):
        other.set_state(env.get_state())


def test_set_state_serves_as_reset(case: Case) -> None:
    env, other = case.env(), case.env()
    env.reset(seed=1)
    other.set_state(env.get_state())
    assert whole_future(other) == whole_future(env)


SEATS = ("player_0", "player_1", "player_2", "player_3")
SPOILT: list[tuple[str, Any]] = [
    ("of", "kloepper"),
    ("_hands", None),
    ("_hands", np.zeros(1)),
    ("_hands", np.zeros(2, CASES[0].game.dtype)),
    ("_hands", np.zeros(2, CASES[1].game.dtype)),
    ("agents", None),
    ("agents", ["player_1", "player_0"]),
    ("agent_selection", "player_4"),
    ("rewards", {}),
    ("_cumulative_rewards", dict.fromkeys(SEATS)),
    ("terminations", dict.fromkeys(SEATS, 0)),
    ("truncations", [False] * 4),
    ("_skip_agent_selection", 3),
    ("_seeded", False),
    ("_match", None),
]


def test_malformed_state_changes_nothing(case: Case) -> None:
    env, other = case.env(episode="game"), case.env(episode="game")
    env.reset(seed=1)
    other.reset(seed=2)
    before, kept = env.get_state(), other.get_state()
    malformed: list[Any] = [None, {}]
    for name, value in SPOILT:
        lacking = {key: part for key, part in kept.items() if key != name}
        malformed += [lacking, kept | {name: value}]
    for state in malformed:
        with pytest.raises(ConfigError, match=r"not made by get_state|does not fit"):
            env.set_state(state)
    future = whole_future(env)
    env.set_state(before)
    assert whole_future(env) == future


def test_copy_before_reset(case: Case) -> None:
    env: CardGameEnv = copy.deepcopy(case.raw_env())
    env.reset(seed=1)
    assert env.position.deck() == pickle.loads(pickle.dumps(env)).position.deck()
