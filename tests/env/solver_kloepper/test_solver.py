"""Solver: names in, names out, and the compiled code in other ways of running."""

import dataclasses
import json
import os
import subprocess
import sys

import pytest

from kloepper_env.cards import mask_of
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import CODES
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.env.hands import positions

KX17 = "QC QS AC AS AH 9D".split()  # noqa: SIM905  # a hand reads better in one piece


def state_with(hand: list[str], dealer: int = 3) -> State:
    """A fresh hand in which seat 0, who leads, holds these cards."""
    rest = iter(card for card in CODES if card not in hand)
    mine = iter(hand)
    deck = [next(mine) if i % 12 < 3 else next(rest) for i in range(24)]
    return State.deal(deck=deck, dealer=dealer)


def pass_round(state: State) -> State:
    while "pass" in state.legal():
        state.push("pass")
    return state


def test_a_line_is_played_out_for_what_the_solver_promised() -> None:
    solver = Solver()
    for seed in range(30):
        state = State.deal(seed=seed)
        promised, line = solver.points(state), solver.line(state)
        for card in line:
            pass_round(state)
            assert solver.points(state) == promised
            state.push(card)
        pass_round(state)
        assert state.is_over
        assert state.game.summary(state.hand, state.options) == {"black_points": promised}


def test_a_finished_hand_is_worth_what_it_scored() -> None:
    solver = Solver()
    for seed in range(50):
        *_, state = positions(seed)
        scores = state.scores()
        black = [seat for seat in range(4) if int(state.hand.black) >> seat & 1]
        red = [seat for seat in range(4) if seat not in black]
        assert solver.score(state) == scores[black[0]] - scores[red[0]]
        assert solver.card_points(state) == solver.scores(state) == {}
        assert solver.announcements(state) == {}
        assert solver.line(state) == []


def test_values_of_cards_are_named_after_the_legal_cards() -> None:
    solver = Solver()
    for seed in range(5):
        for state in positions(seed):
            legal = set(state.legal())
            if legal and legal <= set(CODES):
                assert set(solver.card_points(state)) == legal
                assert set(solver.scores(state)) == legal


def ending(hands: list[str], black: int, leader: int) -> State:
    """Two cards a hand; the black side (a mask of seats) has taken all tricks so far."""
    state = pass_round(State.deal())
    record = state.hands
    record["hands"][0] = [mask_of(hand.split(), CODES) for hand in hands]
    record["plies"] = 16
    for field in ("black", "queens", "won"):
        record[field] = black
    for field in ("turn", "player", "leader"):
        record[field] = leader
    return state


@pytest.mark.parametrize(
    ("hands", "black", "leader", "promised"),
    [
        (["JC 9S", "9D AS", "QS 9H", "JS 9C"], 0b1100, 3, 6),
        (["QD 9H", "JC 9C", "9D KS", "AS 9S"], 0b1010, 2, -6),
    ],
)
def test_the_line_is_played_for_all_tricks_where_all_points_do_not_tell(
    hands: list[str], black: int, leader: int, promised: int
) -> None:
    """K22: of two cards that leave all points to black, one loses a trick of four nines."""
    solver, state = Solver(), ending(hands, black, leader)
    assert len(set(solver.card_points(state).values())) == 1
    assert set(solver.scores(state).values()) == {6, -6}

    assert solver.score(state) == promised
    for card in solver.line(state):
        state.push(card)
    assert state.scores() == [6 * ((black >> seat & 1) == (promised > 0)) for seat in range(4)]


def test_lone_player_with_no_ace_to_call() -> None:
    """KX17: he is alone; the announcement that is left to him is the knock."""
    solver, state = Solver(), state_with(KX17)
    values = solver.announcements(state)

    assert set(values) == {"pass", "knock"}
    assert values["pass"] == solver.score(state)
    assert values["pass"] in {18, 12, 6, -4, -6, -12}
    assert values["knock"] == (30 if solver.all_tricks(state) else -30)


def test_a_double_holder_compares_alone_with_each_call() -> None:
    solver = Solver()
    state = state_with(["QC", "QS", "9D", "9C", "9S", "9H"])
    values = solver.announcements(state)

    assert set(values) == {"pass", "knock", "call:C", "call:S", "call:H"}
    for call in ("call:C", "call:S", "call:H"):
        called = state.copy()
        called.push(call)
        assert values[call] == solver.score(called)
        assert solver.points(called) >= solver.points(state)  # a partner never takes points away


def test_knock_and_knock_off_are_worth_their_stakes() -> None:
    solver = Solver()
    swept = 0
    for seed in range(40):
        state = State.deal(seed=seed)
        if "knock" not in state.legal() or bin(state.hand.black).count("1") != 2:
            continue
        sign = 1 if solver.all_tricks(state) else -1
        swept += sign > 0
        assert solver.announcements(state)["knock"] == sign * 12
        state.push("knock")
        assert solver.score(state) == sign * 12
        assert solver.announcements(state)["knock_off"] == sign * 24
    assert 0 < swept < 25


def test_a_lost_trick_ends_all_hope_of_all_tricks() -> None:
    solver = Solver()
    for seed in range(20):
        for state in positions(seed):
            if int(state.hand.won) & ~int(state.hand.black):
                assert not solver.all_tricks(state)


def test_another_game_is_refused() -> None:
    state = State.deal()
    state.game = dataclasses.replace(state.game, name="klammern")

    with pytest.raises(ConfigError, match="kloepper only, not klammern"):
        Solver().points(state)


PROGRAM = """
import json, sys
from tests.env.solver_kloepper import brute
print(json.dumps(brute.solved(brute.fresh(int(sys.argv[1]), seed=4)).tolist()))
"""


def values_with(deals: int, **environment: str) -> list[list[int]]:
    command = [sys.executable, "-c", PROGRAM, str(deals)]
    answer = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=True
    )
    found: list[list[int]] = json.loads(answer.stdout)
    return found


def test_values_are_the_same_without_x86_intrinsics() -> None:
    assert values_with(100, KLOEPPER_NO_PDEP="1") == values_with(100)


def test_values_are_the_same_in_plain_python() -> None:
    assert values_with(1, NUMBA_DISABLE_JIT="1") == values_with(1)
