"""K29 to K31 and the options of a whole game: when it ends, and who has won."""

from typing import Any

import pytest

from kloepper_env.games.game import Match
from tests.env.rules.table import KLOEPPER, score


def game(*totals: tuple[int, int, int, int], **rules: Any) -> Match:
    """A game whose totals after each hand were these."""
    match = KLOEPPER.match_type(KLOEPPER.options(rules))
    before = [0, 0, 0, 0]
    for after in totals:
        score(match, [now - then for now, then in zip(after, before, strict=True)])
        before = list(after)
    return match


@pytest.mark.parametrize(
    ("totals", "winners"),
    [
        ((0, 0, 0, 0), None),
        ((29, 29, 29, 29), None),
        ((30, 29, 0, 0), [0]),
        ((0, 0, 12, 36), [3]),
    ],
)
def test_k29_a_game_ends_when_somebody_has_30(
    totals: tuple[int, int, int, int], winners: list[int] | None
) -> None:
    assert game(totals).winners() == winners


def test_k29_nobody_has_won_before_the_first_hand() -> None:
    assert game().winners() is None


@pytest.mark.parametrize(("target", "winners"), [(1, [0, 1]), (8, [0]), (9, None), (30, None)])
def test_k29_target_sets_another_goal(target: int, winners: list[int] | None) -> None:
    assert game((4, 4, 0, 0), (8, 4, 0, 0), target=target).winners() == winners


@pytest.mark.parametrize(("target", "needs"), [(30, [28, 0, 0, 22]), (10, [8, 0, 0, 2])])
def test_k29_what_a_seat_still_needs(target: int, needs: list[int]) -> None:
    assert game((2, 32, 30, 8), target=target).needs() == needs


def test_k30_one_seat_with_30_wins() -> None:
    assert game((26, 28, 20, 4), (28, 30, 20, 4)).winners() == [1]


def test_k30_of_several_the_one_ahead_a_hand_earlier() -> None:
    assert game((26, 28, 20, 4), (30, 30, 20, 4)).winners() == [1]


def test_k30_even_if_another_has_more_now() -> None:
    assert game((29, 25, 10, 0), (31, 37, 10, 0)).winners() == [0]


def test_k30_only_seats_with_30_are_compared() -> None:
    assert game((20, 18, 28, 0), (32, 30, 28, 0)).winners() == [0]


def test_k30_while_level_one_hand_further_back() -> None:
    assert game((4, 6, 0, 0), (26, 26, 12, 0), (30, 30, 16, 0)).winners() == [1]


def test_k30_who_fell_behind_on_the_way_back_stays_out() -> None:
    totals = (6, 2, 4, 0), (20, 24, 24, 0), (30, 30, 30, 0)
    assert game(*totals).winners() == [2]


def test_k31_level_all_the_way_back_share_the_win() -> None:
    assert game((4, 4, 0, 0), (26, 26, 12, 0), (30, 30, 16, 0)).winners() == [0, 1]
    assert game((0, 30, 30, 30)).winners() == [1, 2, 3]
