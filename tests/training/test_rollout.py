"""Windows: one trajectory a seat, choices only, the reward to everybody, nothing hidden leaks."""

from dataclasses import replace

import numpy as np
import pytest

from kloepper_agents.inputs import inputs_of
from kloepper_agents.teaching import Teacher
from kloepper_env.batch import Batch
from kloepper_env.errors import IllegalActionError
from kloepper_env.games import Game, get_game
from kloepper_env.payoff import hand_rewards
from kloepper_env.state import State
from kloepper_training.rollout import (
    Choose,
    FloatArray,
    Int8Array,
    Window,
    advantages,
    play,
)

LANES, SEED = 60, 11


def chooser(seed: int) -> Choose:
    """Any legal action, each equally likely."""
    random = np.random.default_rng(seed)

    def choose(observations: Int8Array, masks: Int8Array) -> tuple[np.ndarray, FloatArray]:
        noise = random.random(masks.shape) * (masks != 0)
        return noise.argmax(1), -np.log(masks.sum(1)).astype(np.float32)

    return choose


def a_window(game: Game, owner: np.ndarray | None = None, first: int = 0) -> Window:
    batch = Batch(game, LANES, seed=SEED)
    if owner is None:
        owner = np.zeros((LANES, 4), np.int64)
    return play(batch, first, [chooser(1), chooser(2)], owner)


def test_a_window_replays_as_whole_hands(game: Game) -> None:
    """Forced moves put back, the actions of a lane are that hand from the deal to its scores."""
    window = a_window(game, first=300)
    decisions = 0
    for lane in range(LANES):
        state = State.deal(game, seed=SEED, serial=300 + lane)
        for row in np.flatnonzero(window.lane == lane):
            while len(state.legal_actions()) == 1:
                state.push(state.legal_actions()[0])
                decisions += 1
            assert state.turn == window.seat[row]
            assert (state.observation(int(window.seat[row])) == window.observation[row]).all()
            assert (state.action_mask(int(window.seat[row])) == window.mask[row]).all()
            assert (game.learning.hidden_facts(state.hands)[0] == window.hidden[row]).all()
            state.push(int(window.action[row]))
            decisions += 1
        while not state.is_over:
            assert len(state.legal_actions()) == 1
            state.push(state.legal_actions()[0])
            decisions += 1
        assert state.scores() == window.scores[lane].tolist()
    assert decisions == window.decisions


def test_an_illegal_action_is_refused(game: Game) -> None:
    """Unchecked, it would write outside the arrays of the batch."""

    def choose(observations: Int8Array, masks: Int8Array) -> tuple[np.ndarray, FloatArray]:
        return masks.argmin(1), np.zeros(len(masks), np.float32)

    batch = Batch(game, LANES, seed=SEED)
    with pytest.raises(IllegalActionError, match="is not legal in lane"):
        play(batch, 0, [choose], np.zeros((LANES, 4), np.int64))


def test_forced_moves_are_left_out(game: Game) -> None:
    window = a_window(game)
    assert (window.mask.sum(1) > 1).all()
    assert 0 < len(window) < window.decisions


def test_another_player_decides_for_its_seats_and_is_forgotten(game: Game) -> None:
    owner = np.zeros((LANES, 4), np.int64)
    owner[:, 2] = 1
    window = a_window(game, owner)
    assert set(window.seat.tolist()) == {0, 1, 3}
    assert window.scores.sum() > 0


def _window(game: Game, lane: list[int], seat: list[int], steps: list[slice]) -> Window:
    n = len(lane)
    return replace(
        a_window(game),
        lane=np.array(lane),
        seat=np.array(seat),
        observation=np.zeros((n, 1), np.int8),
        steps=steps,
    )


def test_advantages_by_hand(game: Game) -> None:
    """Two lanes. Lane 0: seats 0, 1, 0, 0; lane 1: seat 0 only, once. Lambda is one half.

    Seat 0 in lane 0: values 1, 3, 2, reward 6. From the back: 6-2 = 4; (2-3) + 4/2 = 1;
    (3-1) + 1/2 = 2.5. Seat 1 in lane 0: value 5, reward -6: -11. Lane 1: value 0.5, reward 2: 1.5.
    """
    steps = [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    window = _window(game, [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], steps)
    values = np.array([1, 0.5, 5, 3, 2], np.float32)
    rewards = np.array([[6, -6, 0, 0], [2, 0, 0, 0]], np.float32)
    advantage, target = advantages(window, rewards, values, 0.5)
    assert advantage.tolist() == [2.5, 1.5, -11, 1, 4]
    assert target.tolist() == [3.5, 2, -6, 4, 6]
    assert rewards[0].tolist() == [6, -6, 0, 0]


def test_nothing_passes_between_seats_or_hands(game: Game) -> None:
    """A change of one seat's reward in one hand moves the advantages of that seat there alone."""
    window = a_window(game)
    values = np.random.default_rng(0).normal(size=len(window)).astype(np.float32)
    rewards = hand_rewards(window.scores, "relative").astype(np.float32)
    before, _ = advantages(window, rewards, values, 0.9)
    rewards[7, 2] += 5
    after, _ = advantages(window, rewards, values, 0.9)
    moved = after != before
    assert (moved == ((window.lane == 7) & (window.seat == 2))).all()
    assert moved.any()


def test_with_lambda_one_the_target_is_the_return(game: Game) -> None:
    window = a_window(game)
    values = np.random.default_rng(0).normal(size=len(window)).astype(np.float32)
    rewards = hand_rewards(window.scores, "points").astype(np.float32) / np.float32(
        game.learning.unit
    )
    _, target = advantages(window, rewards, values, 1.0)
    assert target == pytest.approx(rewards[window.lane, window.seat], abs=1e-4)


def test_rewards() -> None:
    scores = np.array([[6, 0, 6, 0], [30, 0, 0, 0]])
    assert hand_rewards(scores, "points").tolist() == scores.tolist()
    assert hand_rewards(scores, "relative").tolist() == [[3, -3, 3, -3], [22.5, -7.5, -7.5, -7.5]]


def test_every_other_decision_is_learned_from_as_its_twin() -> None:
    """With version 2 of the inputs clubs and spades change places where lane + seat is odd."""
    game = get_game("kloepper")
    batch, inputs = Batch(game, LANES, seed=SEED), inputs_of(game, 2)
    owner = np.zeros((LANES, 4), np.int64)
    window = play(batch, 300, [chooser(1)], owner, inputs, Teacher(game))
    assert inputs.twin is not None
    assert window.lesson is not None
    for lane in range(LANES):
        state = State.deal(game, seed=SEED, serial=300 + lane)
        for row in np.flatnonzero(window.lane == lane):
            while len(state.legal_actions()) == 1:
                state.push(state.legal_actions()[0])
            seat, action = int(window.seat[row]), int(window.action[row])
            places = [inputs.twin.inputs, inputs.twin.actions, inputs.twin.hidden]
            if (lane + seat) % 2 == 0:
                places = [np.arange(len(one)) for one in places]
            wide = inputs.widen(state.observation(seat)[None])[0]
            taught = Teacher(game)(
                state.hands, state.observation(seat)[None], state.action_mask(seat)[None]
            )
            assert (wide[places[0]] == window.observation[row]).all()
            assert (state.action_mask(seat)[places[1]] == window.mask[row]).all()
            assert (
                game.learning.hidden_facts(state.hands)[0][places[2]] == window.hidden[row]
            ).all()
            assert np.array_equal(
                taught.worth[0][places[1]], window.lesson.worth[row], equal_nan=True
            )
            assert places[1][taught.advice[0]] == window.lesson.advice[row]
            state.push(int(places[1][action]))
