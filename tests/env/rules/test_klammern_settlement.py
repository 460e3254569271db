"""M26 to M30, M34, M35: what a round is worth. Takers are seats 0 and 2 and come first."""

from typing import Any

import pytest

from kloepper_env.games.klammern.settlement import settlement
from kloepper_env.state import State
from tests.env.rules.klammern_table import score, scores_of, settled


def test_m26_cards_melds_and_belle_make_the_total() -> None:
    assert scores_of(90) == (90, 72)
    assert scores_of(90, melds=(50, 0)) == (140, 72)
    assert scores_of(90, melds=(0, 50), belle="defenders") == (90, 142)
    assert scores_of(90, belle="takers") == (110, 72)


@pytest.mark.parametrize(
    ("meld_needs_trick", "takers", "defenders"),
    [(False, (100, 262), (262, 100)), (True, (0, 262), (262, 0))],
)
def test_m26_meld_needs_trick_voids_melds_without_one(
    meld_needs_trick: bool, takers: tuple[int, int], defenders: tuple[int, int]
) -> None:
    rules = {"meld_needs_trick": meld_needs_trick}
    assert scores_of(0, melds=(100, 0), tricks=(0, 8), **rules) == takers
    assert scores_of(162, melds=(0, 100), tricks=(8, 0), **rules) == defenders
    assert scores_of(0, belle="takers", tricks=(0, 8), **rules) == (0, 282)  # Eiert all the same
    assert scores_of(162, belle="defenders", tricks=(8, 0), **rules) == (262, 20)


@pytest.mark.parametrize(("cards", "scores"), [(82, (82, 80)), (81, (0, 162)), (83, (83, 79))])
def test_m27_82_is_enough(cards: int, scores: tuple[int, int]) -> None:
    assert scores_of(cards) == scores


def test_m27_even_if_the_defenders_have_more() -> None:
    assert scores_of(82, melds=(0, 50)) == (82, 130)


@pytest.mark.parametrize(
    ("make_rule", "cards", "melds", "scores"),
    [
        ("fixed82", 90, (0, 20), (90, 92)),
        ("more_than_opponents", 90, (0, 20), (0, 182)),
        ("more_than_opponents", 92, (0, 20), (92, 90)),
        ("more_than_opponents", 72, (20, 0), (92, 90)),
        ("more_than_opponents", 81, (0, 0), (0, 162)),
    ],
)
def test_m27_make_rule_may_ask_for_more_than_the_opponents(
    make_rule: str, cards: int, melds: tuple[int, int], scores: tuple[int, int]
) -> None:
    assert scores_of(cards, melds=melds, make_rule=make_rule) == scores


def test_m28_eiert_gives_all_to_the_defenders() -> None:
    assert scores_of(81) == (0, 162)
    assert scores_of(50, melds=(20, 0)) == (0, 182)
    assert scores_of(50, melds=(0, 50), belle="takers") == (0, 232)


@pytest.mark.parametrize(
    ("melds_on_loss", "scores"),
    [("opponents", (0, 182)), ("owner", (20, 162)), ("void", (0, 162))],
)
def test_m28_melds_on_loss_says_whose_they_are(melds_on_loss: str, scores: tuple[int, int]) -> None:
    assert scores_of(50, melds=(20, 0), melds_on_loss=melds_on_loss) == scores
    assert scores_of(50, melds=(0, 20), melds_on_loss=melds_on_loss) == (0, 182)


@pytest.mark.parametrize(
    ("belle_on_loss", "scores"), [("opponents", (0, 182)), ("owner", (20, 162))]
)
def test_m28_belle_on_loss_says_whose_it_is(belle_on_loss: str, scores: tuple[int, int]) -> None:
    assert scores_of(50, belle="takers", belle_on_loss=belle_on_loss) == scores
    assert scores_of(50, belle="defenders", belle_on_loss=belle_on_loss) == (0, 182)


@pytest.mark.parametrize(
    ("tie81", "scores", "left"), [("eiert", (0, 162), 0), ("litige", (0, 81), 81)]
)
def test_m28a_tie81_may_be_a_litige(tie81: str, scores: tuple[int, int], left: int) -> None:
    state = settled(81, tie81=tie81)
    assert score(state) == scores
    assert settlement(state.hand).litige == left


def test_m28a_only_where_the_totals_are_level_and_it_is_not_made() -> None:
    assert scores_of(71, melds=(0, 0), tie81="litige") == (0, 162)
    assert scores_of(61, melds=(0, 0), belle="takers", tie81="litige") == (0, 182)
    made = settled(82, melds=(0, 2), tie81="litige")  # 82 : 82
    assert (score(made), settlement(made.hand).litige) == ((82, 82), 0)


@pytest.mark.parametrize(("durchmarsch_bonus", "points"), [(100, 262), (0, 162), (7, 169)])
def test_m29_durchmarsch_bonus_for_all_tricks(durchmarsch_bonus: int, points: int) -> None:
    rules = {"durchmarsch_bonus": durchmarsch_bonus}
    assert scores_of(162, tricks=(8, 0), **rules) == (points, 0)
    assert scores_of(0, tricks=(0, 8), **rules) == (0, points)
    assert scores_of(162, tricks=(7, 1), **rules) == (162, 0)


def test_m29_it_plays_no_part_in_making() -> None:
    """Takers with every trick, but fewer points than the defenders' melds, are Eiert."""
    rules = {"make_rule": "more_than_opponents"}
    assert scores_of(162, melds=(0, 200), tricks=(8, 0), **rules) == (100, 362)


@pytest.mark.parametrize(("said", "times"), [("", 1), ("kontra", 2), ("re", 4)])
@pytest.mark.parametrize("cards", [90, 70])
def test_m30_kontra_doubles_and_re_doubles_again(said: str, times: int, cards: int) -> None:
    once = scores_of(cards, melds=(20, 0))
    assert scores_of(cards, melds=(20, 0), said=said) == (times * once[0], times * once[1])


@pytest.mark.parametrize(
    ("how", "winner"),
    [
        ({"cards": 70}, 1),
        ({"cards": 90}, 0),
        ({"cards": 90, "melds": (0, 50)}, 1),
        ({"cards": 91, "melds": (0, 20)}, None),
        ({"cards": 81, "tie81": "litige"}, None),
        ({"cards": 162, "tricks": (8, 0), "melds": (0, 150)}, 0),  # 262 with the Durchmarsch
        ({"cards": 162, "tricks": (8, 0), "melds": (0, 200), "durchmarsch_bonus": 0}, 1),
    ],
)
def test_m34_the_round_winner(how: dict[str, Any], winner: int | None) -> None:
    found = settlement(settled(**how).hand).winner
    assert (None if found < 0 else found) == winner


@pytest.mark.parametrize(
    ("how", "scores", "left"),
    [
        ({"cards": 90}, (120, 72), 0),
        ({"cards": 90, "said": "kontra"}, (210, 144), 0),  # the carry is not multiplied
        ({"cards": 70}, (0, 192), 0),
        ({"cards": 91, "melds": (0, 20)}, (91, 91), 30),  # no winner
        ({"cards": 81}, (0, 81), 111),
        ({"cards": 81, "said": "re"}, (0, 324), 354),
    ],
)
def test_m35_the_carry_goes_to_the_next_winner(
    how: dict[str, Any], scores: tuple[int, int], left: int
) -> None:
    state = settled(**how, carry=30, tie81="litige")
    assert score(state) == scores
    assert settlement(state.hand).litige == left


def test_m35_a_passed_out_round_leaves_the_carry() -> None:
    state = State.deal("klammern", {"tie81": "litige"}, seed=1, carry={"litige": 30})
    for _ in range(8):
        state.push("pass")
    assert state.scores() == [0, 0, 0, 0]
    assert state.outcome().carry == {"litige": 30}
