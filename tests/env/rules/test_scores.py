"""K20 to K28: what a hand is worth."""

from typing import Any

import pytest

from kloepper_env.state import State
from tests.env.rules.hands import ALONE, PAIR
from tests.env.rules.table import KLOEPPER, asked, black_side, passed, play, seated, whole_hand

# Seats 0 and 2 have a black queen each. Seat 1 wins the first trick below, seat 2 the second.
SPLIT = "QC AC TC AS KD 9H / 9C KC TS KS AH QD / QS TD JC JS TH QH / JH JD AD 9D KH 9S"
LOST = "0:9H 1:AH 2:QH 3:KH"
WON = "0:KD 1:QD 2:JC 3:AD"
LOST_2 = "2:QH 3:KH 0:9H 1:AH"  # after WON
# Seat 2 has both.
DOUBLE = "AC TC 9H KH JD 9D / AH TH KC 9C JC TD / QC QS AS KS JS KD / 9S TS QH AD QD JH"


def shares(state: State, amount: int) -> list[int]:
    """The scores when each seat of the black side gets an amount, or, below 0, of the red."""
    black = black_side(state)
    return [abs(amount) if (seat in black) == (amount > 0) else 0 for seat in range(4)]


def black_points(state: State) -> int | None:
    """The card points of the black side as records give them."""
    points: int | None = KLOEPPER.summary(state.hand, state.options)["black_points"]
    return points


@pytest.mark.parametrize(
    ("name", "points", "amount"),
    [
        ("120 in 6", 120, 6),
        ("120 in 5", 120, 4),
        ("91", 91, 4),
        ("90", 90, 2),
        ("61 in 3", 61, 2),
        ("60", 60, -2),
        ("59", 59, -4),
        ("30", 30, -4),
        ("29", 29, -6),
    ],
)
def test_k20_no_knock_two_against_two(name: str, points: int, amount: int) -> None:
    state = whole_hand(PAIR[name])
    assert len(black_side(state)) == 2
    assert black_points(state) == points
    assert state.scores() == shares(state, amount)


@pytest.mark.parametrize(
    ("name", "points", "amount"),
    [
        ("120 in 6", 120, 18),
        ("120 in 5", 120, 12),
        ("91", 91, 12),
        ("90", 90, 6),
        ("61", 61, 6),
        ("60", 60, -4),
        ("59", 59, -6),
        ("30", 30, -6),
        ("29", 29, -12),
    ],
)
def test_k21_no_knock_alone(name: str, points: int, amount: int) -> None:
    state = whole_hand(ALONE[name])
    assert len(black_side(state)) == 1
    assert black_points(state) == points
    assert state.scores() == shares(state, amount)


def test_k22_all_tricks_needs_six_tricks() -> None:
    assert whole_hand(PAIR["120 in 5"]).scores() == [4, 0, 0, 4]
    assert whole_hand(ALONE["120 in 5"]).scores() == [12, 0, 0, 0]


def test_k23_a_double_holder_with_a_partner_scores_as_two_against_two() -> None:
    tricks = (
        "0:JS QS QD JD / 1:KH AH 9H QH / 2:AC TC 9C KC"
        " / 2:KS TS AS TH / 0:JC QC AD 9D / 1:KD 9S JH TD"
    )
    called = whole_hand(tricks, "1:call:H")
    assert (black_side(called), black_points(called)) == ({1, 2}, 69)
    assert called.scores() == [0, 2, 2, 0]
    assert whole_hand(tricks).scores() == [12, 0, 12, 12]  # alone: 26 points


def test_k24_knock_unanswered() -> None:
    assert whole_hand(PAIR["120 in 6"], "3:knock").scores() == [0, 12, 0, 12]
    assert whole_hand(PAIR["100 in 5"], "0:knock").scores() == [0, 0, 12, 12]


@pytest.mark.parametrize(
    ("failed_knock", "scores"),
    [("stake", [0, 0, 12, 12]), ("normal", [4, 4, 0, 0]), ("none", [0, 0, 0, 0])],
)
def test_k24_failed_knock_says_what_a_failed_one_costs(
    failed_knock: str, scores: list[int]
) -> None:
    state = whole_hand(PAIR["100 in 5"], "0:knock", failed_knock=failed_knock)
    assert state.scores() == scores


@pytest.mark.parametrize("failed_knock", ["stake", "normal", "none"])
def test_k24_failed_knock_changes_no_other_knock(failed_knock: str) -> None:
    won = whole_hand(PAIR["120 in 6"], "3:knock", failed_knock=failed_knock)
    assert won.scores() == [0, 12, 0, 12]
    answered = whole_hand(PAIR["100 in 5"], "0:knock 2:knock_off", failed_knock=failed_knock)
    assert answered.scores() == [0, 0, 24, 24]
    alone = whole_hand(ALONE["91"], "2:knock", failed_knock=failed_knock)
    assert alone.scores() == [30, 30, 0, 30]


def test_k24_failed_knock_normal_gives_the_red_side_its_score_too() -> None:
    state = whole_hand(PAIR["29"], "3:knock", failed_knock="normal")
    assert state.scores() == [0, 6, 6, 0]


def test_k25_knock_and_knock_off() -> None:
    assert whole_hand(PAIR["120 in 6"], "3:knock 0:knock_off").scores() == [0, 24, 0, 24]
    assert whole_hand(PAIR["100 in 5"], "0:knock 2:knock_off").scores() == [0, 0, 24, 24]


def test_k26_knock_alone() -> None:
    assert whole_hand(ALONE["120 in 6"], "2:knock").scores() == [0, 0, 30, 0]
    assert whole_hand(ALONE["91"], "2:knock").scores() == [30, 30, 0, 30]


@pytest.mark.parametrize(
    ("tricks", "scores"),
    [
        (PAIR["91"], [4, 0, 4, 0]),
        (PAIR["60"], [0, 2, 2, 0]),
        (ALONE["61"], [0, 6, 0, 0]),
        (ALONE["29"], [0, 12, 12, 12]),
    ],
)
def test_k27_each_winner_gets_the_full_amount_the_others_nothing(
    tricks: str, scores: list[int]
) -> None:
    assert whole_hand(tricks).scores() == scores


def test_k28_card_points_do_not_count_in_a_knocked_hand() -> None:
    assert whole_hand(PAIR["100 in 5"]).scores() == [4, 4, 0, 0]
    assert whole_hand(PAIR["100 in 5"], "0:knock").scores() == [0, 0, 12, 12]


def test_k28_a_knocked_hand_ends_with_the_first_lost_trick() -> None:
    state = seated(SPLIT)
    assert not play(state, f"0:knock {WON}").is_over
    assert play(state, LOST_2).is_over
    assert black_points(state) is None
    assert state.scores() == [0, 12, 0, 12]


def test_k28_it_ends_when_trick_1_is_lost() -> None:
    state = play(seated(SPLIT), f"0:knock {LOST}")
    assert state.is_over
    assert len(state.history) == 7  # a knock, two passes and the four cards


@pytest.mark.parametrize(
    ("answer", "amount"), [("1:pass 3:pass", 12), ("1:pass 3:knock_off", 24), ("1:knock_off", 24)]
)
def test_k28_not_before_an_open_round_is_closed(answer: str, amount: int) -> None:
    state = play(seated(SPLIT), f"{LOST} 2:pass 0:knock")
    for step in answer.split():
        assert not state.is_over
        play(state, step)
    assert state.is_over
    assert state.scores() == [0, amount, 0, amount]


def test_k28_a_trick_of_the_called_partner_is_not_lost() -> None:
    state = play(seated(DOUBLE), "2:call:H 2:knock 0:9H 1:AH 2:KS 3:QH")
    assert state.taken()[1] == (1, 18)
    assert not state.is_over


def test_k28_with_prompt_all_the_round_after_trick_1_is_asked_first() -> None:
    state = play(seated(SPLIT, prompt_all=True), f"0:knock {LOST}")
    assert asked(state) == "1230"
    assert passed(state).is_over


def test_k28_a_hand_without_a_knock_goes_on() -> None:
    state = play(seated(SPLIT), f"{LOST} 1:9C")
    assert not state.is_over


@pytest.mark.parametrize("rules", [{}, {"announce": "own_turn"}, {"prompt_all": True}])
def test_k28_stop_when_decided_false_plays_on_for_the_same_score(rules: dict[str, Any]) -> None:
    state = play(seated(SPLIT, stop_when_decided=False, **rules), f"0:knock {WON} {LOST_2}")
    play(state, "1:9C 2:TH 3:9D 0:AC 3:JD 0:QC 1:KC 2:TD 0:TC 1:TS 2:JS 3:9S 2:QS 3:JH 0:AS 1:KS")
    assert state.is_over
    assert black_points(state) is not None
    assert state.scores() == [0, 12, 0, 12]


@pytest.mark.parametrize(
    ("announcements", "over"),
    [("0:knock", False), ("0:knock 1:knock_off", True)],
)
def test_k28_failed_knock_normal_plays_an_unanswered_knock_to_the_end(
    announcements: str, over: bool
) -> None:
    state = play(seated(SPLIT, failed_knock="normal"), f"{announcements} {LOST}")
    assert state.is_over == over


@pytest.mark.parametrize("failed_knock", ["stake", "normal", "none"])
def test_k28_a_lone_knock_ends_with_the_first_lost_trick(failed_knock: str) -> None:
    state = seated(DOUBLE, failed_knock=failed_knock)
    play(state, "2:knock 0:9D 1:JC 2:KD 3:QD")
    assert state.is_over
    assert state.scores() == [30, 30, 0, 30]
