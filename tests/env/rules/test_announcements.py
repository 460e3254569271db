"""K10 to K19: the sides, calling, knocking and knocking off."""

import pytest

from kloepper_env.errors import IllegalActionError, NotationError
from tests.env.rules.hands import ALONE
from tests.env.rules.table import asked, black_side, flag, passed, play, seated, whole_hand

# Seats 0 and 2 have a black queen each; seat 1 wins the trick 9H AH QH KH.
SPLIT = "QC AC TC AS KD 9H / 9C KC TS KS AH QD / QS TD JC JS TH QH / JH JD AD 9D KH 9S"
TRICK = "0:9H 1:AH 2:QH 3:KH"
# Seat 2 has both, and AS; seat 0 has AC, seat 1 AH.
DOUBLE = "AC TC 9H KH JD 9D / AH TH KC 9C JC TD / QC QS AS KS JS KD / 9S TS QH AD QD JH"
# The same for seat 0: only QS is at seat 3.
NOT_DOUBLE = "AC TC 9H KH JD 9D / AH TH KC 9C JC TD / QC JH AS KS JS KD / 9S TS QH AD QD QS"


@pytest.mark.parametrize(
    ("hands", "black"),
    [(SPLIT, {0, 2}), (NOT_DOUBLE, {2, 3})],
)
def test_k10_who_has_a_black_queen_is_on_the_black_side(hands: str, black: set[int]) -> None:
    assert black_side(seated(hands)) == black


def test_k10_a_seat_knows_only_its_own_cards() -> None:
    elsewhere = SPLIT.replace("QC", "X").replace("QD", "QC").replace("X", "QD")  # to seat 1
    assert black_side(seated(elsewhere)) == {1, 2}
    here, there = seated(SPLIT).view(3), seated(elsewhere).view(3)
    assert here.information_state == there.information_state
    assert here.observation.tolist() == there.observation.tolist()


def test_k11_a_double_holder_may_call_until_he_plays_his_first_card() -> None:
    state = seated(DOUBLE)
    for card in ("0:9H", "1:TH", "2:KD"):
        assert state.turn == 2
        assert {"call:C", "call:H"} <= set(state.legal())
        play(state, card)
    assert state.turn == 2
    assert state.legal() == ["pass", "knock"]


def test_k11_who_has_one_black_queen_may_not_call() -> None:
    state = seated(NOT_DOUBLE, leader=2)
    assert state.turn == 2
    assert state.legal() == ["pass", "knock"]


def test_k11_nobody_calls_twice() -> None:
    state = play(seated(DOUBLE), "2:call:C")
    assert state.turn == 2
    assert state.legal() == ["pass", "knock"]


@pytest.mark.parametrize(("call", "partner"), [("call:C", 0), ("call:H", 1)])
def test_k11_the_holder_of_the_called_ace_joins_the_black_side(call: str, partner: int) -> None:
    assert black_side(play(seated(DOUBLE), f"2:{call}")) == {2, partner}


def test_k11_the_holder_of_the_called_ace_of_spades_joins_too() -> None:
    hands = DOUBLE.replace("AS", "X").replace("9S", "AS").replace("X", "9S")  # seat 3 has it
    assert black_side(play(seated(hands), "2:call:S")) == {2, 3}


def test_k11_the_call_is_public_and_the_holder_is_not() -> None:
    elsewhere = DOUBLE.replace("AC", "X").replace("KC", "AC").replace("X", "KC")  # seat 1 has it
    here, there = play(seated(DOUBLE), "2:call:C"), play(seated(elsewhere), "2:call:C")
    assert (black_side(here), black_side(there)) == ({0, 2}, {1, 2})
    assert here.view(3).history == there.view(3).history == ((2, "call:C"),)
    assert here.observation(3).tolist() == there.observation(3).tolist()


@pytest.mark.parametrize(
    ("played", "calls"),
    [
        ("", {"call:C", "call:H"}),  # he was dealt the ace of spades
        ("0:AC", {"call:H"}),
        ("0:AC 1:9C", {"call:H"}),
        ("0:9H 1:AH", {"call:C"}),
    ],
)
def test_k12_only_an_ace_not_dealt_and_not_played_may_be_called(
    played: str, calls: set[str]
) -> None:
    state = play(seated(DOUBLE), played)
    assert state.turn == 2
    assert set(state.legal()) == calls | {"pass", "knock"}


def test_k12_nobody_calls_without_such_an_ace() -> None:
    hands = DOUBLE.replace("AC", "X").replace("KS", "AC").replace("X", "KS")  # seat 2: AC and AS
    state = play(seated(hands), "0:9H")
    assert state.legal() == ["pass", "knock", "call:H"]
    play(state, "1:AH")
    assert state.legal() == ["pass", "knock"]


def test_k12_own_aces_and_the_ace_of_diamonds_are_refused() -> None:
    state = seated(DOUBLE)
    with pytest.raises(IllegalActionError, match="call:S is not legal for seat 2"):
        state.push("call:S")
    with pytest.raises(NotationError, match="'call:D' is no action"):
        state.push("call:D")


def test_k13_the_caller_needs_no_card_of_the_suit() -> None:
    state = seated(DOUBLE)
    assert not [card for card in state.cards(2) if card in ("AC", "TC", "KC", "9C")]
    assert "call:C" in state.legal()


def test_k13_the_called_ace_is_bound_by_following_suit_only() -> None:
    leads = play(seated(DOUBLE), "2:call:C")
    assert set(passed(leads).legal()) == {"AC", "TC", "9H", "KH", "JD", "9D"}
    follows = play(seated(DOUBLE, leader=1), "2:call:C 1:9C 2:KD 3:QD")
    assert passed(follows).legal() == ["AC", "TC"]
    discards = play(seated(DOUBLE), "2:call:C 0:9H 1:AH 2:KD 3:QH 2:AS 3:9S")
    assert discards.turn == 0
    assert set(discards.legal()) == {"AC", "TC", "KH", "JD", "9D"}


def test_k14_a_double_holder_who_plays_without_a_call_is_alone() -> None:
    state = play(seated(DOUBLE), "0:9H 1:TH 2:KD")
    assert black_side(state) == {2}
    assert not any("call" in action for action in state.legal())
    assert whole_hand(ALONE["61"]).scores() == [0, 6, 0, 0]


def test_k14_the_table_is_not_told() -> None:
    alone = play(seated(DOUBLE), "0:9H 1:TH 2:KD 3:QH")
    paired = play(seated(NOT_DOUBLE), "0:9H 1:TH 2:KD 3:QH")
    assert alone.view(0).history == ((0, "9H"), (1, "TH"), (2, "KD"), (3, "QH"))
    assert alone.view(0).information_state == paired.view(0).information_state
    assert alone.observation(0).tolist() == paired.observation(0).tolist()


def test_k15_a_black_queen_may_knock_until_trick_2_is_led() -> None:
    state = seated(SPLIT)
    assert asked(state) == "02"
    for card, who in zip(TRICK.split(), ("20", "20", "02", "20"), strict=True):
        play(state, card)
        assert state.legal() == ["pass", "knock"]
        assert asked(state) == who
    play(state, "1:9C")
    assert state.turn == 2
    assert "knock" not in state.legal()
    play(state, "2:JS 3:9S 0:AC")
    assert asked(state) == ""


def test_k15_dealt_is_enough() -> None:
    state = play(seated(SPLIT), "0:QC")
    assert asked(state) == "20"


def test_k15_one_knock_a_hand() -> None:
    state = play(seated(SPLIT), "0:knock")
    assert asked(state) == "13"  # not seat 2, and the two others to knock off
    play(state, "0:9H")
    assert asked(state) == ""


def test_k16_the_holder_of_a_called_ace_may_not_knock() -> None:
    assert asked(play(seated(DOUBLE), "2:call:C")) == "2"


def test_k16_called_partner_may_knock_by_option() -> None:
    state = play(seated(DOUBLE, called_partner_may_knock=True), "2:call:C")
    assert asked(state) == "02"
    play(state, "0:knock")
    assert state.legal() == ["pass", "knock_off"]
    assert asked(state) == "13"
    assert flag(state, 0, "lone") == [0]


def test_k17_a_double_holder_who_knocks_is_alone_and_all_know_it() -> None:
    state = play(seated(DOUBLE), "2:knock")
    assert black_side(state) == {2}
    assert [flag(state, seat, "lone") for seat in range(4)] == [[1]] * 4
    assert flag(state, 0, "enemy") == [0, 1, 0]
    assert flag(state, 0, "ally") == [1, 0, 1]


def test_k17_he_may_not_call_afterwards() -> None:
    state = play(seated(DOUBLE), "2:knock")
    assert asked(state) == ""
    play(state, "0:9H")
    assert asked(state) == ""
    prompted = play(seated(DOUBLE, prompt_all=True), "2:knock 0:9H 1:pass")
    assert prompted.turn == 2
    assert prompted.legal() == ["pass"]


@pytest.mark.parametrize(("hands", "script"), [(DOUBLE, "2:call:C 2:knock"), (SPLIT, "0:knock")])
def test_k17_who_has_a_partner_does_not_knock_alone(hands: str, script: str) -> None:
    assert flag(play(seated(hands), script), 3, "lone") == [0]


@pytest.mark.parametrize(
    ("hands", "script", "who"),
    [
        (SPLIT, "0:knock", "13"),
        (SPLIT, "2:knock", "31"),
        (SPLIT, "0:9H 0:knock", "13"),
        (SPLIT, f"{TRICK} 2:knock", "31"),
        (DOUBLE, "2:call:C 2:knock", "31"),
        (DOUBLE, "2:call:H 2:knock", "30"),
    ],
)
def test_k18_any_seat_of_the_red_side_may_knock_off(hands: str, script: str, who: str) -> None:
    state = play(seated(hands), script)
    assert state.legal() == ["pass", "knock_off"]
    assert asked(state) == who


def test_k18_only_until_the_next_card() -> None:
    state = play(seated(SPLIT), "0:knock 0:9H")
    assert asked(state) == ""


@pytest.mark.parametrize("script", ["0:knock 1:knock_off", "0:knock 1:pass 3:knock_off"])
def test_k18_the_first_knock_off_counts_for_its_side(script: str) -> None:
    state = play(seated(SPLIT), script)
    assert asked(state) == ""
    assert flag(state, 0, "knocked_off") == ([0, 1, 0, 0] if "1:knock" in script else [0, 0, 0, 1])


def test_k18_none_without_a_knock() -> None:
    state = play(seated(SPLIT, prompt_all=True), "0:pass")
    assert state.turn == 1
    assert state.legal() == ["pass"]


def test_k18_none_against_a_lone_knocker() -> None:
    state = play(seated(DOUBLE, prompt_all=True), "2:knock")
    assert state.turn == 3
    assert state.legal() == ["pass"]


def test_k19_a_knock_after_a_lost_trick_is_legal_and_fails() -> None:
    state = play(seated(SPLIT), f"{TRICK} 0:knock")
    assert not state.is_over
    assert passed(state).is_over
    assert state.scores() == [0, 12, 0, 12]
