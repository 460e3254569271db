"""M19 to M25: runs, fours, the meld set, announcing, the contest, Belle. Hearts are trump."""

from itertools import pairwise

import pytest

from kloepper_env.state import State
from tests.env.rules.klammern_table import (
    after_trick_one,
    filled,
    lay,
    meld_scores,
    melds_worth,
    seated,
    with_melds,
)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("7C 8C 9C JC AC 7S 9S JD", 20),
        ("QH KH AH 7C 9C JC 8S TS", 20),
        ("8C 9C TC JC 7S 9S QD AD", 50),
        ("8C 9C TC JC QC 7S 9S AD", 100),
        ("8C 9C TC JC QC KC 9S AD", 100),
        ("7C 8C TC JC KC AC 9S QD", 0),
        ("KC AC 7S 8S QD KD TH JH", 0),
        ("7C 8C 9C JC QC KC AS TD", 40),
        ("TH JH QH KH 7C 8C 9C AS", 70),
    ],
)
def test_m19_runs_follow_one_order_in_every_suit(hand: str, points: int) -> None:
    assert melds_worth(hand) == points


def test_m19_split_long_runs_lets_a_block_give_several() -> None:
    hand = "7C 8C 9C TC JC QC KC AC"
    assert (melds_worth(hand), melds_worth(hand, split_long_runs=True)) == (100, 120)
    seven = "7C 8C 9C TC JC QC KC AD"
    assert melds_worth(seven, split_long_runs=True) == 100


@pytest.mark.parametrize(
    ("rank", "points"),
    [("J", 200), ("9", 150), ("7", 100), ("8", 100), ("T", 100), ("Q", 100), ("A", 100)],
)
def test_m20_fours(rank: str, points: int) -> None:
    others = {"J": "7C 9S QD AH", "9": "7C JS QD AH"}.get(rank, "9C JS 9D JH")
    assert melds_worth(f"{rank}C {rank}S {rank}H {rank}D {others}") == points


@pytest.mark.parametrize(("quad_ranks", "points"), [("all", 100), ("no_7_8", 0)])
def test_m20_quad_ranks_may_leave_out_low_ones(quad_ranks: str, points: int) -> None:
    for rank in "78":
        hand = f"{rank}C {rank}S {rank}H {rank}D JC QS KD TH"
        assert melds_worth(hand, quad_ranks=quad_ranks) == points
    assert melds_worth("TC TS TH TD 7C 8S KD JH", quad_ranks=quad_ranks) == 100


def test_m21_no_card_is_used_twice() -> None:
    assert melds_worth("QC QS QH QD KC AC 7S 8D") == 100
    assert melds_worth("TC TS TH TD 7C 8C 9C JC") == 120  # four tens and 7-8-9, not the Quint


def test_m21_the_sum_counts_before_the_better_meld() -> None:
    hand = "9C TC JC QC KC QS QH QD"  # four queens and 9-T-J, or the Quint, here the better meld
    assert melds_worth(hand, quad_beats_quint=False) == 120


def test_m21_meld_card_reuse_lets_a_card_be_in_a_run_and_a_four() -> None:
    assert melds_worth("QC QS QH QD KC AC 7S 8D", meld_card_reuse=True) == 120
    assert melds_worth("QC QS QH QD KC AC KS AS", meld_card_reuse=True) == 140


@pytest.mark.parametrize(
    ("quad_beats_quint", "melds"), [(True, ("four_100",)), (False, ("quint",))]
)
def test_m21_of_equal_sums_the_better_meld(quad_beats_quint: bool, melds: tuple[str, ...]) -> None:
    """Four tens, or a Quint through the ten of clubs: both are worth 100."""
    assert announced("TC TS TH TD 8C 9C JC QC", quad_beats_quint) == melds


def announced(hand: str, quad_beats_quint: bool) -> tuple[str, ...]:
    """The kinds of meld that seat 0 announces."""
    state = after_trick_one(seated(filled({0: hand.split()}), quad_beats_quint=quad_beats_quint))
    facts = [fact.split(":") for fact in state.view(1).facts]
    return tuple(fact[2] for fact in facts if fact[:2] == ["meld", "0"])


def facts(state: State, kind: str) -> list[str]:
    """What all know of melds: `1:terz`, or cards shown: `1:QC`."""
    return [fact.partition(":")[2] for fact in state.view(0).facts if fact.startswith(kind)]


def test_m22_melds_are_announced_with_the_card_to_trick_1() -> None:
    state = with_melds({1: "QC KC AC", 2: "7S 8S 9S TS"})
    assert facts(state, "meld") == []
    state.push(state.legal()[0])
    assert facts(state, "meld") == ["1:terz"]
    state.push(state.legal()[0])
    assert facts(state, "meld") == ["1:terz", "2:quart"]
    assert facts(state, "shown") == []


def test_m22_after_trick_1_the_cards_of_the_scoring_team_are_shown() -> None:
    state = after_trick_one(with_melds({1: "QC KC AC", 2: "7S 8S 9S TS", 0: "7D 8D 9D"}))
    assert facts(state, "shown") == ["0:7D", "0:8D", "0:9D", "2:7S", "2:8S", "2:9S", "2:TS"]


def test_m22_meld_declare_asks_each_seat_before_its_card() -> None:
    state = with_melds({1: "QC KC AC", 2: "7S 8S 9S TS"}, meld_declare="choice")
    for seat in (1, 2, 3, 0):
        has_melds = seat in (1, 2)
        assert (state.turn, state.legal()) == (seat, ["pass", *["declare"] * has_melds])
        state.push("declare" if seat == 1 else "pass")
        assert state.turn == seat
        state.push(state.legal()[0])
    assert facts(state, "meld") == ["1:terz"]
    assert facts(state, "shown") == ["1:QC", "1:KC", "1:AC"]
    assert (state.hand.scoring, state.hand.meld_points) == (1, 20)
    assert "declare" not in state.legal()


def test_m22_a_silent_seat_has_nothing_though_its_partner_scores() -> None:
    state = with_melds({1: "QC KC AC", 3: "7S 8S 9S TS"}, meld_declare="choice")
    while state.hand.plies < 4:
        asked = "declare" in state.legal()
        state.push(("declare" if state.turn == 1 else "pass") if asked else state.legal()[0])
    assert facts(state, "shown") == ["1:QC", "1:KC", "1:AC"]
    assert (state.hand.scoring, state.hand.meld_points) == (1, 20)


def test_m23_more_points_first() -> None:
    assert meld_scores({1: "JC JS JH JD", 2: "9C 9S 9H 9D"}) == (0, 200)
    assert meld_scores({1: "QC KC AC", 2: "7S 8S 9S TS"}) == (50, 0)


@pytest.mark.parametrize(("quad_beats_quint", "scores"), [(True, (0, 100)), (False, (100, 0))])
def test_m23_quad_beats_quint_or_not(quad_beats_quint: bool, scores: tuple[int, int]) -> None:
    own = {1: "KC KS KH KD", 2: "7S 8S 9S TS JS"}
    assert meld_scores(own, quad_beats_quint=quad_beats_quint) == scores


def test_m23_of_runs_the_longer_then_the_higher_then_the_one_in_trump() -> None:
    assert meld_scores({1: "TC JC QC KC AC", 2: "7S 8S 9S TS JS QS"}) == (100, 0)
    assert meld_scores({1: "7C 8C 9C", 2: "8S 9S TS"}) == (20, 0)
    assert meld_scores({1: "TC JC QC", 2: "TH JH QH"}) == (20, 0)
    assert meld_scores({1: "JC QC KC", 2: "TH JH QH"}) == (0, 20)


@pytest.mark.parametrize(("better", "worse"), list(pairwise("ATKQ87")))
def test_m23_of_fours_in_the_order_of_trumps(better: str, worse: str) -> None:
    own = {1: " ".join(worse + suit for suit in "CSHD"), 2: " ".join(better + s for s in "CSHD")}
    assert meld_scores(own) == (100, 0)


@pytest.mark.parametrize(("meld_tie", "scores"), [("first", (0, 20)), ("none", (0, 0))])
def test_m23_meld_tie_goes_to_the_earlier_seat_or_to_nobody(
    meld_tie: str, scores: tuple[int, int]
) -> None:
    assert meld_scores({1: "TC JC QC", 2: "TD JD QD"}, meld_tie=meld_tie) == scores
    other = {3: "TC JC QC", 0: "TD JD QD"}
    assert meld_scores(other, meld_tie=meld_tie) == scores


def test_m23_level_melds_of_any_seat_count_for_its_team() -> None:
    """Seat 2's better place decides although seat 1 comes first with another meld."""
    own = {1: "7C 8C 9C", 2: "TD JD QD", 3: "TS JS QS"}
    assert meld_scores(own) == (20, 0)


@pytest.mark.parametrize(("count_over_height", "scores"), [(False, (20, 0)), (True, (0, 40))])
def test_m23_count_over_height_lets_more_melds_prevail(
    count_over_height: bool, scores: tuple[int, int]
) -> None:
    own = {1: "7C 8C 9C", 3: "7D 8D 9D", 2: "QS KS AS"}
    assert meld_scores(own, count_over_height=count_over_height) == scores


def test_m23_only_melds_of_the_same_points_and_kind_are_counted() -> None:
    own = {1: "7C 8C 9C", 3: "7D 8D 9D TD", 2: "JS QS KS AS"}
    assert meld_scores(own, count_over_height=True) == (50, 0)
    fours = {0: "8C 9C TC JC QC", 2: "KC KS KH KD", 1: "AC AS AH AD"}
    assert meld_scores(fours, count_over_height=True) == (0, 100)


@pytest.mark.parametrize(("quad_beats_quint", "scores"), [(True, (200, 0)), (False, (0, 100))])
def test_m23_the_better_kind_goes_before_the_number_of_melds(
    quad_beats_quint: bool, scores: tuple[int, int]
) -> None:
    own = {1: "TC JC QC KC AC", 2: "7C 7S 7H 7D 8C 8S 8H 8D"}
    assert meld_scores(own, count_over_height=True, quad_beats_quint=quad_beats_quint) == scores


def test_m24_the_team_that_prevails_scores_all_its_melds() -> None:
    assert meld_scores({1: "7C 8C 9C", 3: "7D 8D 9D TD", 2: "QS KS AS"}) == (0, 70)
    assert meld_scores({1: "7C 8C 9C"}) == (0, 20)
    assert meld_scores({}) == (0, 0)


@pytest.mark.parametrize(
    ("belle_announce", "shown"), [("first", [[1], [1]]), ("second", [[], [1]])]
)
@pytest.mark.parametrize("order", ["KH QH", "QH KH"])
def test_m25_belle_announce_says_with_which_card(
    belle_announce: str, shown: list[list[int]], order: str
) -> None:
    state = belle_state(belle_announce)
    first, second = order.split()
    assert facts(state, "belle") == []
    lay(state, first)
    assert facts(state, "belle") == list(map(str, shown[0]))
    while state.turn != 1:
        state.push(state.legal()[0])
    lay(state, second)
    assert facts(state, "belle") == list(map(str, shown[1]))


def belle_state(belle_announce: str) -> State:
    """Seat 1 leads and holds king and queen of trump."""
    return seated(filled({1: ["KH", "QH"]}), leader=1, taker=1, belle_announce=belle_announce)


def test_m25_it_may_overlap_with_a_meld_and_needs_both_cards_in_one_hand() -> None:
    own = with_melds({1: "QH KH AH"})
    assert own.hand.belle == 0b0010
    assert meld_scores({1: "QH KH AH"}) == (0, 20)
    apart = seated(filled({1: ["KH"], 2: ["QH"]}))
    assert apart.hand.belle == 0
