"""`solve`: a whole answer that says what the solver says, and which choices are best."""

import pytest

from kloepper_env.solver import Solver, solve
from kloepper_env.solver.kloepper.solution import played
from kloepper_env.state import State
from tests.env.hands import positions


def test_a_solution_holds_what_the_solver_says_of_every_position_of_a_hand() -> None:
    solver = Solver()
    for state in positions(8):
        if state.is_over:
            continue
        solution = solve(state, solver)
        assert solution.value == (solver.points(state), solver.score(state))
        assert solution.all_tricks == solver.all_tricks(state)
        assert (solution.turn, solution.player) == (state.turn, int(state.hand.player))
        assert [card for _, card in solution.line] == solver.line(state)
        assert {card: one.score for card, one in solution.cards.items()} == solver.scores(state)
        announced = {name: one.score for name, one in solution.announcements.items()}
        assert announced == solver.announcements(state)


def test_the_best_cards_are_worth_what_the_hand_is_worth() -> None:
    for seed in range(10):
        for state in positions(seed):
            if not state.is_over:
                solution = solve(state)
                for figure, value in zip(("black_points", "score"), solution.value, strict=True):
                    best = solution.best_cards[figure]
                    assert best
                    assert best == [
                        card
                        for card, one in solution.cards.items()
                        if getattr(one, figure) == value
                    ]


def test_a_line_names_the_seat_of_each_card() -> None:
    state = State.deal(seed=1)
    solution = solve(state)
    end = played(state, [card for _, card in solution.line])

    assert end.is_over
    assert [event for event in end.history if event[1] != "pass"] == list(solution.line)
    assert state.history == []


def test_calls_have_their_value_also_where_the_double_holder_is_not_asked() -> None:
    """K11: it is asked before every card of trick 1; by announce="own_turn" before its own."""
    solver = Solver()
    asked, unasked = (
        State.deal(seed=1, rules={"announce": when}) for when in ("any_time", "own_turn")
    )
    for card in ("TH", "JD", "QH"):
        expected = {"alone": solver.score(asked), "call:S": solver.announcements(asked)["call:S"]}
        assert solver.announcements(unasked) == {}
        asked.push("pass")
        for state in (asked, unasked):
            assert {name: one.score for name, one in solve(state).calls.items()} == expected
            state.push(card)
    assert unasked.turn == 3
    unasked.push("pass")
    assert set(solve(unasked).calls) == {"alone", "call:S"}
    unasked.push("AH")
    assert solve(unasked).calls == {}  # K14


@pytest.mark.parametrize("actions", [["call:S"], ["knock"], ["pass", "AS"]])
def test_calls_end_with_a_call_a_knock_or_the_last_ace(actions: list[str]) -> None:
    """K11, K17, K12."""
    state = State.deal(seed=1)
    assert solve(state).calls
    for action in actions:
        state.push(action)
    assert solve(state).calls == {}


def test_without_a_double_holder_there_are_no_calls() -> None:
    assert solve(State.deal(seed=2)).calls == {}


def test_the_best_announcement_is_the_best_for_the_side_of_who_makes_it() -> None:
    state = State.deal(seed=6)
    assert solve(state).best_announcements == ["pass"]  # black can not take all tricks
    state.push("knock")
    assert int(state.hand.black) >> solve(state).turn & 1 == 0
    assert solve(state).best_announcements == ["knock_off"]


def test_calls_are_judged_for_the_double_holder_also_while_another_seat_is_asked() -> None:
    state = State.deal(seed=1, rules={"prompt_all": True})
    solution = solve(state)

    assert (solution.turn, solution.black) == (0, (3,))
    assert list(solution.announcements) == ["pass"]
    assert solution.best_announcements == ["call:S"]
