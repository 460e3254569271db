"""The order of decisions: O1 to O6 are its numbered steps."""

import pytest

from kloepper_env.state import State
from tests.env.rules.table import asked, passed, play, seated

# Seats 0 and 2 have a black queen each; seat 1 wins the trick 9H AH QH KH.
SPLIT = "QC AC TC AS KD 9H / 9C KC TS KS AH QD / QS TD JC JS TH QH / JH JD AD 9D KH 9S"
# Seat 2 has both, and AS; seat 0 has AC, seat 1 AH; seat 1 wins the trick 9H AH KD QD.
DOUBLE = "AC TC 9H KH JD 9D / AH TH KC 9C JC TD / QC QS AS KS JS KD / 9S TS QH AD QD JH"
TRICK = "0:9H 1:AH 2:QH 3:KH"


def rounds(state: State, script: str = TRICK) -> list[str]:
    """Who is asked before each card of a script and after the last."""
    return [asked(state), *(asked(play(state, step)) for step in script.split())]


def test_o1_a_round_before_each_card_of_trick_1_and_one_after_it() -> None:
    state = seated(SPLIT, prompt_all=True)
    assert [len(who) for who in rounds(state)] == [4, 4, 4, 4, 4]


def test_o1_no_round_later() -> None:
    state = play(seated(SPLIT, prompt_all=True), TRICK)
    rest = "1:9C 2:TH 3:9D 0:AC 3:AD 0:KD 1:QD 2:JC 2:TD 3:JD 0:QC 1:KC"
    assert rounds(state, rest)[1:] == [""] * 12


def test_o2_clockwise_from_the_seat_that_plays_next() -> None:
    assert rounds(seated(SPLIT, prompt_all=True)) == ["0123", "1230", "2301", "3012", "1230"]


def test_o2_only_who_has_something_to_announce() -> None:
    assert rounds(seated(SPLIT)) == ["02", "20", "20", "02", "20"]


@pytest.mark.parametrize(
    ("hands", "script", "legal"),
    [
        (SPLIT, "", ["pass", "knock"]),
        (SPLIT, "0:knock", ["pass", "knock_off"]),
        (DOUBLE, "", ["pass", "knock", "call:C", "call:H"]),
        (DOUBLE, "2:call:H", ["pass", "knock"]),
    ],
)
def test_o2_the_announcements_and_pass_are_legal(hands: str, script: str, legal: list[str]) -> None:
    assert play(seated(hands), script).legal() == legal


@pytest.mark.parametrize(
    ("hands", "script", "who"),
    [
        (SPLIT, "0:pass 1:pass 2:knock", "3012"),  # those that passed are asked again
        (SPLIT, "0:knock", "1230"),
        (SPLIT, "0:pass 1:pass 2:knock 3:pass 0:pass 1:knock_off", "2301"),
        (DOUBLE, "0:pass 1:pass 2:call:C", "3012"),
    ],
)
def test_o3_after_an_announcement_the_asking_starts_anew(hands: str, script: str, who: str) -> None:
    assert asked(play(seated(hands, prompt_all=True), script)) == who


def test_o3_only_seats_with_something_to_announce_the_announcer_last() -> None:
    state = play(seated(DOUBLE, called_partner_may_knock=True), "2:call:H")
    assert asked(state) == "12"
    assert asked(play(state, "1:pass 2:knock")) == "30"


def test_o3_the_round_closes_when_the_last_has_passed() -> None:
    state = play(seated(SPLIT), "0:knock 1:pass")
    assert (state.turn, state.legal()) == (3, ["pass", "knock_off"])
    play(state, "3:pass")
    assert (state.turn, len(state.legal())) == (0, 6)


def test_o4_announce_own_turn_asks_the_seat_about_to_play() -> None:
    assert rounds(seated(SPLIT, announce="own_turn")) == ["0", "", "2", "", "20"]


def test_o4_announce_own_turn_asks_all_after_an_announcement() -> None:
    state = seated(SPLIT, announce="own_turn")
    assert asked(play(state, "0:knock")) == "13"
    assert asked(play(state, "0:9H")) == ""


def test_o4_announce_own_turn_takes_a_call_only_before_the_callers_card() -> None:
    state = seated(DOUBLE, announce="own_turn")
    assert asked(state) == ""
    assert asked(play(state, "0:9H")) == ""
    assert asked(play(state, "1:AH")) == "2"
    assert state.legal() == ["pass", "knock", "call:C"]


def test_o5_prompt_all_asks_also_who_can_only_pass() -> None:
    state = seated(SPLIT, prompt_all=True)
    legal = []
    for _ in range(4):
        legal.append(state.legal())
        state.push("pass")
    assert legal == [["pass", "knock"], ["pass"], ["pass", "knock"], ["pass"]]


def test_o5_without_prompt_all_they_are_not_asked() -> None:
    assert asked(seated(SPLIT)) == "02"


def test_o5_prompt_all_with_own_turn_asks_the_seat_about_to_play() -> None:
    state = seated(SPLIT, prompt_all=True, announce="own_turn")
    assert rounds(state) == ["0", "1", "2", "3", "1230"]


def test_o5_prompt_all_with_own_turn_asks_all_after_an_announcement() -> None:
    state = seated(SPLIT, prompt_all=True, announce="own_turn")
    assert asked(play(state, "0:knock")) == "1230"


def test_o6_a_card_is_a_decision_even_if_only_one_is_legal() -> None:
    state = play(seated(SPLIT), TRICK)
    rest = "1:9C 2:TH 3:9D 0:AC 3:AD 0:KD 1:QD 2:JC 2:TD 3:JD 0:QC 1:KC 0:TC 1:TS 2:JS 3:9S"
    passed(play(state, rest))
    for seat, card in ((2, "QS"), (3, "JH"), (0, "AS"), (1, "KS")):
        assert (state.turn, state.legal()) == (seat, [card])
        state.push(card)
    assert state.is_over
    assert len([action for _, action in state.history if action != "pass"]) == 24
