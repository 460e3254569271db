"""No public call makes compiled code leave its arrays, whatever it is given.

The suite runs these also with the bounds of arrays checked; without that a wrong index may go
unnoticed, so what is refused is asserted to have changed nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_env import Batch, State
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.games.kloepper.record import MAX_LOG
from kloepper_env.solver import Solver
from tests.env.cases import CASES, Case

N = 4
LANES = np.arange(N)


def of_each(batch: Batch) -> Any:
    """A legal action for every lane, always the same."""
    return batch.action_mask.argmax(1)


HOSTILE_ADVANCES: dict[str, tuple[Callable[[Any, Any], tuple[Any, Any]], str]] = {
    "twice": (lambda lanes, acts: (np.r_[lanes, 0], np.r_[acts, acts[0]]), "lane 0 is named twice"),
    "a hundred times": (
        lambda lanes, acts: (np.zeros(127, int), np.repeat(acts[0], 127)),
        "lane 0 is named twice",
    ),
    "too few actions": (lambda lanes, acts: (lanes, acts[:3]), r"integers of shape \(4,\)"),
    "too many actions": (lambda lanes, acts: (lanes[:3], acts), r"integers of shape \(3,\)"),
    "negative": (lambda lanes, acts: (lanes - 1, acts), "lane -1 is none: the lanes are 0 to 3"),
    "behind": (lambda lanes, acts: (lanes + 1, np.full(N, acts[0])), "is none|not legal in lane"),
    "huge": (lambda lanes, acts: (lanes + 2**62, acts), "is none: the lanes are 0 to 3"),
    "unsigned": (
        lambda lanes, acts: (np.full(1, 2**64 - 1, np.uint64), acts[:1]),
        "is none of them",
    ),
    "a mask": (lambda lanes, acts: (lanes > 0, acts), "lanes must be integers"),
    "floats": (lambda lanes, acts: (lanes.astype(float), acts), "lanes must be integers"),
    "a table": (lambda lanes, acts: (lanes.reshape(2, 2), acts), "lanes must be integers"),
    "nothing": (lambda lanes, acts: (None, acts), "lanes must be integers"),
    "float actions": (lambda lanes, acts: (lanes, acts + 0.5), "actions must be integers"),
    "huge actions": (lambda lanes, acts: (lanes, acts + 2**60), "is not legal in lane 0"),
    "negative actions": (lambda lanes, acts: (lanes, acts - 64), "is not legal in lane 0"),
}


@pytest.mark.parametrize("spoil", HOSTILE_ADVANCES.values(), ids=HOSTILE_ADVANCES)
def test_an_advance_that_does_not_fit_is_refused(
    case: Case, spoil: tuple[Callable[[Any, Any], tuple[Any, Any]], str]
) -> None:
    spoilt, message = spoil
    batch = Batch(case.game, N, seed=1)
    before, seen = batch.hands.copy(), batch.observation.copy()
    with pytest.raises(IllegalActionError, match=message):
        batch.advance(*spoilt(LANES, of_each(batch)))
    assert (batch.hands == before).all()
    assert (batch.observation == seen).all()
    batch.advance(LANES, of_each(batch))  # the lanes named before are free again
    assert (batch.hands["log_length"] == 1).all()


def test_an_ended_hand_does_not_advance(case: Case) -> None:
    batch = Batch(case.game, 2, seed=1)
    while not batch.hands["over"][0]:
        batch.advance(LANES[:1], of_each(batch)[:1])
    with pytest.raises(IllegalActionError, match="is not legal in lane 0; legal: none"):
        batch.advance(LANES[:1], LANES[:1])
    with pytest.raises(IllegalActionError, match="the hand in lane 1 is not over"):
        batch.scores()


@pytest.mark.parametrize("action", [-1, -(2**63), 39, 63, 64, 255, 2**40])
def test_an_unchecked_step_holds_actions_against_the_mask(case: Case, action: int) -> None:
    batch = Batch(case.game, N, seed=1)
    actions = of_each(batch)
    actions[2] = action
    with pytest.raises(IllegalActionError, match="is not legal in lane 2; legal: "):
        batch.step_unchecked(actions)
    assert batch.hands["log_length"].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "spoil",
    [lambda acts: acts[:2], lambda acts: acts + 0.5, lambda acts: acts[None], lambda _: 1],
    ids=["few", "floats", "table", "number"],
)
def test_an_unchecked_step_needs_an_action_for_every_lane(
    case: Case, spoil: Callable[[Any], Any]
) -> None:
    batch = Batch(case.game, N, seed=1)
    with pytest.raises(IllegalActionError, match=r"actions must be integers of shape \(4,\)"):
        batch.step_unchecked(spoil(of_each(batch)))
    assert not batch.hands["log_length"].any()


def test_arrays_of_any_layout_are_read(case: Case) -> None:
    first = of_each(Batch(case.game, N, seed=1))
    frozen = first.copy()
    frozen.flags.writeable = False
    for actions in (np.repeat(first, 2)[::2], frozen, first.astype(">i4"), first.tolist()):
        played = [Batch(case.game, N, seed=1) for _ in range(3)]
        played[0].step(actions)
        played[1].step_unchecked(actions)
        played[2].advance(LANES[::-1], actions[::-1])
        assert all((batch.hands == played[0].hands).all() for batch in played)
        assert (played[0].hands["log_length"] == 1).all()


def test_a_state_is_one_record_of_its_game() -> None:
    game, other = (one.game for one in CASES)
    options = game.options(None)
    for hands in (
        np.zeros(0, game.dtype),
        np.zeros(2, game.dtype),
        np.zeros(1, other.dtype),
        np.zeros(1),
    ):
        with pytest.raises(ConfigError, match="a state of kloepper is made of one record"):
            State(game, options, hands)


@pytest.mark.parametrize("points", [-1, 1.5, True, np.True_, None, "60"])
def test_the_solver_reads_whole_numbers(points: Any) -> None:
    with pytest.raises(ConfigError, match=r"points is .*, but must be a whole number from 0 on"):
        Solver().reaches(State.deal(seed=1), points)
    assert not Solver().reaches(State.deal(seed=1), 2**70)


def spoilt_worlds(worlds: Any) -> dict[str, Any]:
    """Worlds that no hand leads to, by what is wrong with them."""
    kinds = {
        "log_length": [-1, MAX_LOG + 1, 127],
        "log": [255, 24 << 1, 63],
        "hands": [-1, 1 << 30],
        "played": [1 << 24],
        "option_flags": [3 << 6, -1],
    }
    found: dict[str, Any] = {"another game": np.zeros(3, CASES[1].game.dtype)}
    for name, values in kinds.items():
        for value in values:
            spoilt = worlds.copy()
            spoilt[name] = value
            found[f"{name} {value}"] = spoilt
    return found | {"a table": worlds[None]}


def test_worlds_that_are_no_hands_are_refused() -> None:
    state = State.deal(seed=1)
    while len(state.history) < 12:
        state.push(state.legal()[0])
    view = state.view(state.hand.turn)
    belief = Belief(view)
    worlds = belief.sample(20, np.random.default_rng(0))

    def even(observations: Any, masks: Any) -> Any:
        return masks / masks.sum(axis=1, keepdims=True)

    assert belief.weights(worlds, even).sum() == pytest.approx(1)
    for spoilt in spoilt_worlds(worlds).values():
        with pytest.raises(ConfigError, match="the worlds are no hands of the game"):
            belief.weights(spoilt, even)
