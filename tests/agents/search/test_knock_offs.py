"""Answers of the searchers to a knock, in positions in which one answer is right."""

import pytest

from kloepper_agents.kinds import make_agent
from tests.agents.positions import pass_to, state_of

PLAYERS = ["pimc:worlds=16", "ismcts:iterations=1000"]
each_player = pytest.mark.parametrize("name", PLAYERS)


def answer(name: str, hands: list[str], actions: str, seat: int) -> str:
    """What a player answers to a knock at a seat."""
    state = pass_to(state_of(hands, actions), seat)
    assert "knock_off" in state.legal()
    return state.game.action_names[make_agent(name).act(state.view(seat), 3)]


@each_player
def test_knock_off_with_trumps_that_must_take_a_trick(name: str) -> None:
    hands = ["QC TD KD TC KC KS", "JC JS JH QD 9C 9S", "QS JD AD KH QH AC", "9D TH 9H AS TS AH"]
    assert answer(name, hands, "knock", 1) == "knock_off"


@each_player
def test_knock_off_with_a_trick_in_hand(name: str) -> None:
    hands = ["QC JS JH TC KC KS", "JC AD KD QD 9C 9S", "QS JD TD KH QH AC", "9D TH 9H AS TS AH"]
    assert answer(name, hands, "TC 9C AC 9D knock", 3) == "knock_off"


@each_player
def test_no_knock_off_with_nothing_against_a_knock_after_trick_1(name: str) -> None:
    """Who knocks then has seen that the trick is won, and holds what takes the rest."""
    hands = ["QC JC JS JH AD AH", "QS JD TD 9C 9S TH", "KD 9D KC QH KS 9H", "QD TC AC KH AS TS"]
    assert answer(name, hands, "JH JD KD QD knock", 2) == "pass"


@each_player
def test_no_knock_off_with_low_cards_against_a_knock_before_the_lead(name: str) -> None:
    hands = ["QC JC JS JH AD AH", "QS JD TD 9C 9S TH", "KD 9D KC QH KS 9H", "QD TC AC KH AS TS"]
    assert answer(name, hands, "knock", 2) == "pass"
