"""The same seed gives the same hands everywhere: AEC, batch, vector, State, other processes."""

import hashlib
import os
import random
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from kloepper_env import Batch, State
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from tests.env.cases import CASES, KINDS, Case
from tests.env.loops import play, play_some, trajectory

SEEDS = [0, 1, 12345, 2**64 + 1]


def deal_of(state: State) -> tuple[list[str], int]:
    return state.deck(), state.dealer


@pytest.mark.parametrize("seed", SEEDS)
def test_aec_deals_the_hands_of_the_seed(case: Case, seed: int) -> None:
    """Hand n after reset(seed=s) is hand n of that seed, however the hands before it went."""
    env = case.env()
    rng = random.Random(1)
    for serial in range(50):
        env.reset(seed=seed if serial == 0 else None)
        assert deal_of(env.position) == deal_of(case.deal(seed=seed, serial=serial))
        play_some(env, rng, rng.randrange(60))


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_deals_the_hands_of_the_seed(case: Case, seed: int) -> None:
    """Lane i has hands i, i + N, ...; with seeds of its own each lane has hands 0, 1, ..."""
    shared = Batch(case.game, n=5, seed=seed)
    own = Batch(case.game, n=5, seeds=[seed + lane for lane in range(5)])
    ended = np.zeros(5, int)
    for _ in range(200):
        for batch in (shared, own):
            batch.step(batch.sample())
        for lane in np.flatnonzero(shared.ended):
            dealt = case.deal(seed=seed, serial=int(shared.hands["serial"][lane]))
            assert deal_of(State(shared.game, dealt.options, shared.hands[lane : lane + 1])) == (
                deal_of(dealt)
            )
        ended += own.ended
        assert own.hands["serial"].tolist() == ended.tolist()
        for lane in np.flatnonzero(own.ended):
            dealt = case.deal(seed=seed + int(lane), serial=int(own.hands["serial"][lane]))
            assert deal_of(State(own.game, dealt.options, own.hands[lane : lane + 1])) == (
                deal_of(dealt)
            )
    assert (shared.hands["serial"] % 5 == np.arange(5)).all()
    assert min(shared.hands["serial"]) >= 10
    assert min(own.hands["serial"]) >= 2


def test_vector_deals_the_hands_of_the_seeds(case: Case) -> None:
    env = SeatVectorEnv(6, case.name)
    observation, _ = env.reset(seed=3)
    ends = 0
    for _ in range(60):
        observation, _, ended, _, _ = env.step(observation["action_mask"].argmax(1))
        for lane in np.flatnonzero(ended):
            serial = int(env.hands["serial"][lane])
            dealt = deal_of(case.deal(seed=3 + int(lane), serial=serial))
            assert deal_of(State(env.game, env.options, env.hands[lane : lane + 1])) == dealt
            ends += 1
    assert ends > 20


def test_reset_without_a_seed_goes_on(case: Case) -> None:
    """It does not reseed: the same twice in a row never comes, the same stream does."""
    env, twin = case.env(), case.env()
    env.reset(seed=7)
    twin.reset(seed=7)
    decks = set()
    for _ in range(100):
        env.reset()
        twin.reset()
        assert env.position.deck() == twin.position.deck()
        decks.add(tuple(env.position.deck()))
    assert len(decks) == 100


def test_first_reset_without_a_seed_is_random(case: Case) -> None:
    decks = []
    for _ in range(2):
        env = case.env()
        env.reset()
        decks.append(env.position.deck())
    assert decks[0] != decks[1]


@pytest.mark.parametrize("kind", ["aec", "seat", "vector"])
def test_reset_leaves_the_generators_of_the_spaces_alone(case: Case, kind: str) -> None:
    """What is sampled depends on the seed of the space alone, what is dealt on that of reset."""
    makers: dict[str, Any] = {"aec": case.env, "seat": SeatEnv, "vector": SeatVectorEnv}
    env = makers[kind]()
    spaces: list[Any] = [env.action_space, env.observation_space]
    if kind == "aec":
        spaces = [space(agent) for space in spaces for agent in env.possible_agents]
    for space in spaces:
        space.seed(5)
        expected = [str(space.sample()) for _ in range(6)]
        space.seed(5)
        samples = []
        for seed in (1, 1, None):
            env.reset(seed=seed)
            samples += [str(space.sample()) for _ in range(2)]
        assert samples == expected


def digest() -> str:
    """A digest of hands in every environment; printed by a process of its own."""
    found = hashlib.sha256()
    for case, kind in product(CASES, KINDS):
        env = case.env(kind)
        env.reset(seed=1)
        for serial in range(5):
            found.update(repr(trajectory(env, random.Random(serial))).encode())
            env.reset()
        for agent, _ in play(env, random.Random(0)):
            seat = env.possible_agents.index(agent)
            found.update(env.position.view(seat).information_state.encode())
        found.update(env.layout.digest.encode())
    for case in CASES:
        vector = SeatVectorEnv(4, case.name)
        observation, _ = vector.reset(seed=1)
        for _ in range(40):
            observation, rewards, *_ = vector.step(observation["action_mask"].argmax(1))
            found.update(observation["observation"].tobytes() + rewards.tobytes())
        batch = Batch(case.game, n=16, seed=1)
        for _ in range(100):
            batch.step(batch.sample())
            found.update(batch.observation.tobytes() + batch.rewards.tobytes())
    return found.hexdigest()


def test_processes_agree() -> None:
    """Checklist 25: other processes, with other hash seeds, find the same."""
    program = "from tests.env.test_determinism import digest; print(digest())"
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("0", "1", "4711")
    }
    assert found == {digest()}
