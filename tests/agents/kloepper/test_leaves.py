"""What actions are worth in a given world: against the solver, the rules of scoring, and play."""

import numpy as np
import pytest

from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.kinds import make_agent
from kloepper_agents.playing import ROWS, Playout
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.agents.search.situations import GAME, decisions

RULES = make_agent("rules")


def _payoff_of(scores: list[int], seat: int) -> float:
    """Twice what a seat scores over the mean."""
    return 2 * (scores[seat] - sum(scores) / len(scores))


def _scores(points: int, black: int) -> list[int]:
    """What the seats score when the black side gets `points`, or the red side -`points` (K27)."""
    on_black = [bool(black >> seat & 1) for seat in range(4)]
    return [max(points, 0) if one else max(-points, 0) for one in on_black]


@pytest.mark.parametrize("points", [-24, -4, 0, 2, 6, 18, 30])
@pytest.mark.parametrize("black", [0b0011, 0b0101, 0b0100, 0b1000])
def test_payoff_is_twice_the_score_over_the_mean(points: int, black: int) -> None:
    for seat in range(4):
        assert payoff(points, black, seat) == _payoff_of(_scores(points, black), seat)


def test_double_dummy_is_what_the_solver_says() -> None:
    leaf, solver = DoubleDummy(), Solver()
    cards = [state for state in decisions(6) if len(state.legal()[0]) == 2]
    assert len(cards) > 60
    for state in cards:
        legal = np.array(state.legal_actions())
        scores, black = solver.scores(state), int(state.hand.black)
        assert state.turn is not None
        expected = [
            _payoff_of(_scores(scores[action], black), state.turn) for action in state.legal()
        ]
        assert leaf(state.hands, legal)[0].tolist() == expected


def test_a_playout_is_the_hand_that_four_rules_play() -> None:
    leaf = Playout(GAME)
    for state in decisions(4):
        seat = state.turn
        assert seat is not None
        values = leaf(state.hands, np.array(state.legal_actions()))[0]
        for action, value in zip(state.legal(), values, strict=True):
            after = state.copy()
            after.push(action)
            while after.turn is not None:
                after.push(RULES.act(after.view(after.turn), 0))
            assert value == _payoff_of(after.scores(), seat)


def test_more_worlds_than_fit_at_once() -> None:
    state = State.deal(seed=2)
    legal = np.array(state.legal_actions())
    n = ROWS // len(legal) + 5

    values = Playout(GAME)(np.repeat(state.hands, n), legal)

    assert values.shape == (n, len(legal))
    assert (values == values[0]).all()


def test_leaves_leave_the_worlds_alone() -> None:
    for state in decisions(1):
        before = state.hands.tobytes()
        Playout(GAME)(state.hands, np.array(state.legal_actions()))
        assert state.hands.tobytes() == before
