"""How worlds are weighed by what was announced in them."""

import numpy as np
import pytest

from kloepper_agents.games.klammern.worlds import UNLIKE as UNLIKE_OF_KLAMMERN
from kloepper_agents.games.kloepper.search.worlds import BOLD, HOPELESS, UNLIKE, WorldSource
from kloepper_agents.kinds import make_agent
from kloepper_agents.search.bidding import Bidding
from kloepper_env.beliefs import Belief
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import FOLLOW, TRUMPS
from kloepper_env.state import State
from tests.agents.positions import pass_to, state_of, to_card

KLAMMERN = get_game("klammern")


def _ratio(first: State, second: State, seat: int) -> float:
    """Weight of one hand to that of another of the same game, as `seat` sees them."""
    weights = Bidding(first.game, seat).weights(np.concatenate([first.hands, second.hands]))
    assert weights.sum() == pytest.approx(1)
    return float(weights[0] / weights[1])


STRONG, WEAK = "QC JC JS JH AC AS", "QC TC KC 9C TS KS"  # of seat 0, which leads
OWN = "JD TD KD 9D TH KH"  # of seat 1, which judges
REST = {STRONG: "TC KC 9C TS KS 9S", WEAK: "JC JS JH AC AS 9S"}  # of seat 2
CALLER, LONER = "QC QS 9C KC 9H 9S", "QC QS JC JS AS 9S"


def _strong_and_weak(actions: str) -> tuple[State, State]:
    strong, weak = (state_of([hand, OWN, rest], actions) for hand, rest in REST.items())
    return strong, weak


def test_a_knocker_rather_holds_what_knocks() -> None:
    strong, weak = _strong_and_weak("knock")
    assert _ratio(strong, weak, 1) > 100
    assert _ratio(strong, weak, 0) == 1  # the knocker knows its own hand


def test_who_passes_rather_does_not_hold_what_knocks() -> None:
    strong, weak = _strong_and_weak("")
    assert 1 - BOLD < _ratio(to_card(strong), to_card(weak), 1) < 0.5


def test_passes_after_the_first_trick_count_as_well() -> None:
    strong, weak = _strong_and_weak("")
    for state in (strong, weak):
        for card in ("QC", "JD", None, "QS"):
            to_card(state).push(card or state.legal()[0])
    before = _ratio(strong, weak, 1)
    assert _ratio(to_card(strong), to_card(weak), 1) < 0.8 * before


def test_nobody_knocks_with_a_trick_against_it() -> None:
    """Seat 1 takes trick 1, and seat 0 holds a black queen."""
    state = state_of(["9C QC", "AC", "KC QS", "TC"], "9C AC KC TC")
    while state.turn != 0:
        state.push("pass")
    knocked = state.copy()
    knocked.push("knock")
    state.push("pass")
    assert _ratio(knocked, state, 2) == pytest.approx(HOPELESS / (1 - HOPELESS))


def test_calling_is_likelier_where_rules_would_call() -> None:
    calls, would_not = (state_of([hand, "TC TD TH TS KD KH"], "call:H") for hand in (CALLER, LONER))
    assert _ratio(calls, would_not, 1) == pytest.approx(1 / UNLIKE, rel=0.1)  # a knock is unlikely
    silent, alone = (to_card(state_of([hand, "TC TD TH TS KD KH"])) for hand in (CALLER, LONER))
    assert _ratio(silent, alone, 1) == pytest.approx(UNLIKE, rel=0.1)


def test_worlds_after_a_knock_give_the_knocker_trumps() -> None:
    state = pass_to(state_of([STRONG, OWN], "knock"), 1)
    view = state.view(1)
    even = Belief(view).sample(400, np.random.default_rng(0))
    drawn = WorldSource(view, np.random.default_rng(0)).draw(400)
    trumps = [np.bitwise_count(one["hands"][:, 0] & FOLLOW[TRUMPS]) for one in (even, drawn.hands)]
    assert trumps[1] @ drawn.weights > trumps[0].mean() + 1


def test_klammern_counts_what_rules_would_not_have_announced() -> None:
    rules, expected = make_agent("rules", "klammern"), 1.0
    state = State.deal(KLAMMERN, seed=2)
    for number in range(4):
        seat = state.turn
        assert seat is not None
        action = state.legal()[number % 2 if state.hand.taker < 0 else 0]
        liked = KLAMMERN.action_names[rules.act(state.view(seat), 0)]
        expected *= UNLIKE_OF_KLAMMERN if seat != 3 and liked != action else 1.0
        state.push(action)
    assert expected < 1
    quiet = State.deal(KLAMMERN, seed=2)
    assert _ratio(state, quiet, 3) == pytest.approx(expected)
