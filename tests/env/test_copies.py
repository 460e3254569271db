"""A copy of anything public, made in the middle of a hand, goes on alone and alike."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_env import Batch, State
from kloepper_env.beliefs import Belief
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.solver import Solver
from tests.env.cases import Case

Future = list[Any]
COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda made: pickle.loads(pickle.dumps(made)),
]
by_copy = pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])


def of_batch(batch: Batch) -> Future:
    """Sixty steps, in which hands end and are dealt anew: all that can be seen of them."""
    seen = []
    for _ in range(60):
        batch.step(batch.action_mask.argmax(1))
        fields = [batch.hands[name] for name in batch.hands.dtype.names or ()]
        arrays: list[Any] = [
            batch.observation,
            batch.action_mask,
            batch.rewards,
            batch.ended,
            *fields,
        ]
        seen.append([array.tobytes() for array in arrays])
    return seen


def of_state(state: State) -> Future:
    seen: Future = []
    while not state.is_over:
        state.push(state.legal()[0])
        seats = range(state.game.n_seats)
        seen += [state.history, [state.observation(seat).tobytes() for seat in seats]]
    return seen


def of_env(env: Any) -> Future:
    seen: Future = []
    for _ in range(12):
        mask = env._table._mask if isinstance(env, SeatEnv) else env._mask
        observation, reward, over, _, info = env.step(mask.argmax(-1))
        arrays = (observation["observation"], observation["action_mask"], info["action_mask"])
        seen += [[array.tobytes() for array in arrays], np.asarray(reward).tolist()]
        if over is True:
            env.reset()
    return seen


def batch_in_play(case: Case) -> Any:
    batch = Batch(case.game, 3, seed=1)
    for _ in range(7):
        batch.step_unchecked(batch.sample())
    return batch


def state_in_play(case: Case) -> Any:
    state = case.deal(seed=1)
    for _ in range(7):
        state.push(state.legal()[-1])
    return state


def env_in_play(env: Any) -> Any:
    env.reset(seed=1)
    of_env(env)
    return env


MADE: dict[str, tuple[Callable[[Case], Any], Callable[[Any], Future]]] = {
    "batch": (batch_in_play, of_batch),
    "state": (state_in_play, of_state),
    "seat": (lambda case: env_in_play(SeatEnv(case.name, illegal="raise")), of_env),
    "vector": (lambda case: env_in_play(SeatVectorEnv(3, case.name)), of_env),
}


@by_copy
@pytest.mark.parametrize("kind", MADE)
def test_a_copy_goes_on_alone_and_alike(
    case: Case, kind: str, copied: Callable[[Any], Any]
) -> None:
    make, future_of = MADE[kind]
    first = make(case)
    twin, third = copied(first), copied(first)
    future = future_of(twin)
    assert future_of(first) == future  # so the twin has not moved the first one, which goes on
    assert future_of(copied(third)) == future


@by_copy
def test_the_arrays_of_a_copied_batch_are_its_own(case: Case, copied: Callable[[Any], Any]) -> None:
    batch = batch_in_play(case)
    twin = copied(batch)
    for name in ("hands", "observation", "action_mask", "rewards", "ended"):
        assert not np.shares_memory(getattr(batch, name), getattr(twin, name))
    hand = twin.hands["log_length"].sum()
    twin.advance([1], twin.action_mask[1:2].argmax(1))
    assert twin.hands["log_length"].sum() == hand + 1
    assert (twin.observation[1] == case_observation(twin, 1)).all()


def case_observation(batch: Batch, lane: int) -> Any:
    state = State(batch.game, batch.game.options(None), batch.hands[lane : lane + 1])
    return state.observation(int(batch.turn[lane]))


@by_copy
def test_copied_solvers_and_beliefs_tell_the_same(copied: Callable[[Any], Any]) -> None:
    state = State.deal(seed=2)
    solver, belief = Solver(), Belief(state.view(0))
    assert solver.points(state) == copied(solver).points(state)
    drawn, again = (one.sample(30, np.random.default_rng(1)) for one in (belief, copied(belief)))
    assert (drawn == again).all()
