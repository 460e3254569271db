"""The worked examples KX1 to KX22 of the rules."""

import pytest

from kloepper_env.errors import IllegalActionError
from tests.env.rules.hands import ALONE, PAIR
from tests.env.rules.table import (
    KLOEPPER,
    asked,
    black_side,
    may_play,
    play,
    seated,
    whole_hand,
    winner_and_points,
)
from tests.env.rules.test_games import game
from tests.env.rules.test_scores import shares


def test_kx1_the_jack_of_spades_wins_17_points() -> None:
    assert winner_and_points("KH 9H AD JS") == (3, 17)


def test_kx2_the_only_trump_wins_17_points() -> None:
    assert winner_and_points("QH TH KH 9D") == (3, 17)


def test_kx3_the_king_of_hearts_wins_7_points() -> None:
    assert winner_and_points("QH 9H KH 9C") == (2, 7)


def test_kx4_the_jack_of_diamonds_wins() -> None:
    assert winner_and_points("QD KD 9D JD")[0] == 3


def test_kx5_the_ace_of_the_suit_led_wins_36_points() -> None:
    assert winner_and_points("TC AC KS AH") == (1, 36)


def test_kx6_a_trump_must_follow_a_trump() -> None:
    assert may_play("QD", "JH AC QH") == {"JH"}


def test_kx7_without_a_plain_club_all_three() -> None:
    assert may_play("TC", "QC JC AS") == {"QC", "JC", "AS"}


def test_kx8_the_queen_of_spades_is_no_spade() -> None:
    assert may_play("AS", "9S QS") == {"9S"}


def test_kx9_both_black_queens_follow_a_trump() -> None:
    assert may_play("9D", "QS QC 9H") == {"QS", "QC"}


@pytest.mark.parametrize(
    ("name", "amount"), [("61 in 3", 2), ("60", -2), ("59", -4), ("30", -4), ("29", -6)]
)
def test_kx10_two_against_two(name: str, amount: int) -> None:
    state = whole_hand(PAIR[name])
    assert state.scores() == shares(state, amount)


def test_kx10_61_points_in_3_tricks() -> None:
    state = whole_hand(PAIR["61 in 3"])
    assert [state.taken()[seat] for seat in (2, 3)] == [(2, 51), (1, 10)]


@pytest.mark.parametrize(
    ("name", "amount"), [("120 in 5", 4), ("120 in 6", 6), ("90", 2), ("91", 4)]
)
def test_kx11_two_against_two_the_upper_bounds(name: str, amount: int) -> None:
    state = whole_hand(PAIR[name])
    assert state.scores() == shares(state, amount)


@pytest.mark.parametrize(("name", "amount"), [("61", 6), ("91", 12), ("120 in 6", 18)])
def test_kx12_alone_and_won(name: str, amount: int) -> None:
    state = whole_hand(ALONE[name])
    assert state.scores() == shares(state, amount)


@pytest.mark.parametrize(("name", "amount"), [("60", -4), ("59", -6), ("29", -12)])
def test_kx13_alone_and_lost(name: str, amount: int) -> None:
    state = whole_hand(ALONE[name])
    assert state.scores() == shares(state, amount)


def test_kx14_knock_unanswered() -> None:
    assert whole_hand(PAIR["120 in 6"], "1:knock").scores() == [0, 12, 0, 12]
    assert whole_hand(PAIR["100 in 5"], "1:knock").scores() == [0, 0, 12, 12]
    normal = whole_hand(PAIR["100 in 5"], "1:knock", failed_knock="normal")
    assert KLOEPPER.summary(normal.hand, normal.options) == {"black_points": 100}
    assert normal.scores() == [4, 4, 0, 0]


def test_kx15_knock_and_knock_off() -> None:
    assert whole_hand(PAIR["120 in 6"], "1:knock 2:knock_off").scores() == [0, 24, 0, 24]
    assert whole_hand(PAIR["100 in 5"], "1:knock 3:knock_off").scores() == [0, 0, 24, 24]


def test_kx16_lone_knock() -> None:
    assert whole_hand(ALONE["120 in 6"], "2:knock").scores() == [0, 0, 30, 0]
    assert whole_hand(ALONE["59"], "0:knock").scores() == [0, 30, 30, 30]


def test_kx17_no_ace_left_to_call() -> None:
    hands = "QC QS AC AS AH 9D / JC JS JH JD AD TD / KD QD TC KC 9C TS / KS 9S TH KH QH 9H"
    state = seated(hands)
    assert state.legal() == ["pass", "knock"]
    with pytest.raises(IllegalActionError):
        state.push("call:H")
    assert asked(play(state, "0:9D")) == "0"  # may still knock
    assert black_side(state) == {0}


def test_kx18_the_seat_ahead_before_the_last_hand_wins() -> None:
    assert game((26, 28, 20, 4), (30, 30, 20, 4)).winners() == [1]


def test_kx19_even_with_fewer_points_now() -> None:
    assert game((29, 25, 10, 0), (31, 37, 10, 0)).winners() == [0]


def test_kx20_two_hands_back() -> None:
    assert game((4, 6, 0, 0), (26, 26, 12, 0), (30, 30, 16, 0)).winners() == [1]


def test_kx21_three_share_the_win() -> None:
    assert game((0, 30, 30, 30)).winners() == [1, 2, 3]


def test_kx22_a_whole_hand() -> None:
    hands = "KD 9S 9D 9H QD TH / 9C JS QS AS AC TS / TC TD JH AH JD KH / QH QC KS KC AD JC"
    state = seated(hands, leader=2)
    taken = [(0, 0)] * 4
    for trick, winner, points in (
        ("2:JD 3:AD 0:9D 1:JS", 1, 15),
        ("1:QS 2:JH 3:QC 0:QD", 3, 11),
        ("3:KC 0:9H 1:9C 2:TC", 2, 14),
        ("2:KH 3:QH 0:TH 1:AS", 0, 28),
        ("0:KD 1:AC 2:TD 3:JC", 3, 27),
        ("3:KS 0:9S 1:TS 2:AH", 1, 25),
    ):
        play(state, trick)
        tricks, before = taken[winner]
        taken[winner] = (tricks + 1, before + points)
        assert state.taken() == taken
    assert sum(taken[seat][0] for seat in (1, 3)) == 4
    assert KLOEPPER.summary(state.hand, state.options) == {"black_points": 78}
    assert state.scores() == [0, 2, 0, 2]
