"""What is public: P1 what everybody knows, P2 and P3 the passes, P4 legal actions."""

import pytest

from tests.env.rules.table import black_side, flag, play, seated

# Seats 0 and 2 have a black queen each; seat 2 wins the trick 9H AH JC KH.
SPLIT = "QC AC TC AS KD 9H / 9C KC TS KS AH QD / QS TD JS JC AD 9D / JH JD TH QH KH 9S"
DOUBLE = "AC TC 9H KH JD 9D / AH TH KC 9C JC TD / QC QS AS KS JS KD / 9S TS QH AD QD JH"


@pytest.mark.parametrize("seat", range(4))
def test_p1_cards_and_announcements_are_public(seat: int) -> None:
    state = play(seated(DOUBLE), "2:call:C 2:knock 3:knock_off 0:9H 1:TH")
    told = [event for event in state.view(seat).history if event[1] != "pass"]
    assert told == [(2, "call:C"), (2, "knock"), (3, "knock_off"), (0, "9H"), (1, "TH")]


def test_p1_the_dealer_and_who_announced_what_are_observed() -> None:
    state = play(seated(DOUBLE, leader=1), "2:call:H 2:knock 0:knock_off")
    assert state.dealer == 0
    assert flag(state, 3, "dealer") == [0, 1, 0, 0]
    assert flag(state, 3, "caller") == flag(state, 3, "knocker") == [0, 0, 0, 1]
    assert flag(state, 3, "called") == [0, 0, 1]
    assert flag(state, 3, "knocked_off") == [0, 1, 0, 0]


def test_p1_that_a_knocker_is_alone_is_public() -> None:
    alone, paired = play(seated(DOUBLE), "2:knock"), play(seated(SPLIT), "2:knock")
    assert (black_side(alone), black_side(paired)) == ({2}, {0, 2})
    assert (flag(alone, 1, "lone"), flag(paired, 1, "lone")) == ([1], [0])


def test_p1_that_a_knocked_hand_goes_on_is_public() -> None:
    state = play(seated(SPLIT), "0:knock 0:9H 1:AH 2:JC 3:KH")
    assert flag(state, 3, "enemy") == [1, 0, 0]  # seat 0, who knocked
    play(state, "2:9D")  # the hand goes on: seat 2 took that trick for the black side
    assert flag(state, 3, "enemy") == [1, 0, 1]
    assert flag(state, 3, "ally") == [0, 1, 0]


def test_p2_passes_of_others_and_who_was_asked_are_not_public() -> None:
    state = seated(SPLIT)
    before = [state.view(seat) for seat in range(4)]
    state.push("pass")  # seat 0
    state.push("pass")  # seat 2
    assert state.history == [(0, "pass"), (2, "pass")]
    assert state.view(0).history == ((0, "pass"),)
    assert state.view(2).history == ((2, "pass"),)
    for seat in (1, 3):
        after = state.view(seat)
        assert after.history == ()
        assert after.information_state == before[seat].information_state
        assert after.observation.tolist() == before[seat].observation.tolist()
        assert after.action_mask.tolist() == before[seat].action_mask.tolist()


def test_p2_a_waiting_seat_does_not_see_who_is_asked() -> None:
    state = play(seated(SPLIT), "0:pass")
    assert state.turn == 2
    waiting = [state.observation(seat).tolist() for seat in (0, 1, 3)]
    state.push("pass")
    assert state.turn == 0
    assert [state.observation(seat).tolist() for seat in (0, 1, 3)] == waiting


def test_p3_with_prompt_all_passes_are_public() -> None:
    state = play(seated(SPLIT, prompt_all=True), "0:pass 1:pass")
    for seat in range(4):
        assert state.view(seat).history == ((0, "pass"), (1, "pass"))


@pytest.mark.parametrize(
    ("script", "seat", "swap"),
    [
        ("", 2, ("AC", "QD")),  # seats 0 and 3
        ("2:call:C", 2, ("AC", "QD")),
        ("2:call:H 2:knock", 3, ("AC", "KC")),  # seats 0 and 1
        ("2:knock", 0, ("AH", "QD")),  # seats 1 and 3
        ("0:9H", 2, ("AH", "QD")),
    ],
)
def test_p4_legal_actions_follow_from_own_cards_and_what_is_public(
    script: str, seat: int, swap: tuple[str, str]
) -> None:
    one, two = swap
    swapped = DOUBLE.replace(one, "X").replace(two, one).replace("X", two)
    here, there = play(seated(DOUBLE), script), play(seated(swapped), script)
    assert here.turn == there.turn == seat
    assert here.legal() == there.legal()
