"""M31 to M33, M35, M36: games to a target, the carry, Liga mode, the first dealer."""

from typing import Any

import pytest

from kloepper_env import klammern_v0
from kloepper_env.games.game import Outcome
from tests.env.rules.klammern_table import KLAMMERN, augen, game, settled


@pytest.mark.parametrize(
    ("rounds", "winners"),
    [
        ([(500, 400)], None),
        ([(300, 100), (201, 0)], [0, 2]),
        ([(0, 501)], [1, 3]),
        ([(600, 700)], [1, 3]),
        ([(600, 600)], None),
        ([(600, 600), (0, 0)], None),
        ([(600, 600), (1, 2)], [1, 3]),
    ],
)
def test_m31_the_higher_total_wins_once_a_team_has_the_target(
    rounds: list[tuple[int, int]], winners: list[int] | None
) -> None:
    assert game(*rounds).winners() == winners


def test_m31_scores_are_added_up_by_team() -> None:
    assert game((90, 72), (0, 162)).totals == [90, 234, 90, 234]


@pytest.mark.parametrize(("target", "winners"), [(1, [0, 2]), (100, [0, 2]), (101, None)])
def test_m31_target_sets_another_goal(target: int, winners: list[int] | None) -> None:
    assert game((100, 50), target=target).winners() == winners


@pytest.mark.parametrize(("target", "needs"), [(501, [42, 44, 42, 44]), (90, [1, 3, 1, 3])])
def test_m31_what_a_team_still_needs_in_tens(target: int, needs: list[int]) -> None:
    assert game((81, 62), target=target).needs() == needs


def test_m32_liga_counts_tens() -> None:
    state = settled(90, belle="takers", liga=True)
    assert augen(state) == [11, 7]
    assert state.outcome().gains == [11, 7]
    assert state.scores()[:2] == [110, 72]
    assert "augen" not in KLAMMERN.summary(state.hand, KLAMMERN.options({}))


def test_m32_the_carry_counts() -> None:
    assert augen(settled(90, carry=30, liga=True, tie81="litige")) == [12, 7]


@pytest.mark.parametrize(("augen_model", "goal"), [("tens", 51), ("outcome", 5)])
def test_m32_augen_model_has_its_own_target(augen_model: str, goal: int) -> None:
    rules = {"liga": True, "augen_model": augen_model}
    assert game((goal - 1, 0), **rules).winners() is None
    assert game((goal, 0), **rules).winners() == [0, 2]
    assert game((goal - 2, 0), **rules).needs() == [2, goal, 2, goal]
    assert game((goal, goal), **rules).winners() is None


@pytest.mark.parametrize("augen_model", ["tens", "outcome"])
def test_m32_liga_target_sets_another_goal(augen_model: str) -> None:
    rules = {"liga": True, "augen_model": augen_model, "liga_target": 9}
    assert game((8, 7), **rules).winners() is None
    assert game((8, 9), **rules).winners() == [1, 3]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"cards": 90}, [1, 0]),
        ({"cards": 90, "melds": (0, 50)}, [0, 1]),
        ({"cards": 91, "melds": (0, 20)}, [0, 0]),
        ({"cards": 70}, [0, 2]),
        ({"cards": 81, "tie81": "litige"}, [0, 0]),
        ({"cards": 162, "tricks": (8, 0)}, [2, 0]),
        ({"cards": 162, "tricks": (8, 0), "melds": (0, 200), "durchmarsch_bonus": 0}, [1, 1]),
        ({"cards": 90, "said": "kontra"}, [2, 0]),
        ({"cards": 0, "tricks": (0, 8), "said": "re"}, [0, 12]),
        ({"cards": 90, "carry": 30, "tie81": "litige"}, [1, 0]),
    ],
)
def test_m33_the_outcome_decides(how: dict[str, Any], expected: list[int]) -> None:
    assert augen(settled(**how, liga=True, augen_model="outcome")) == expected


def test_m33_outcome_table_sets_the_numbers() -> None:
    table = {"takers": 3, "defenders": 4, "eiert": 5, "durchmarsch": 7}
    rules: dict[str, Any] = {"liga": True, "augen_model": "outcome", "outcome_table": table}
    assert augen(settled(90, **rules)) == [3, 0]
    assert augen(settled(90, melds=(0, 50), **rules)) == [0, 4]
    assert augen(settled(70, **rules)) == [0, 5]
    assert augen(settled(162, tricks=(8, 0), **rules)) == [10, 0]


def test_m33_the_carry_has_no_influence() -> None:
    rules: dict[str, Any] = {"liga": True, "augen_model": "outcome", "tie81": "litige"}
    assert augen(settled(90, carry=500, **rules)) == augen(settled(90, **rules))


@pytest.mark.parametrize("first_dealer", range(4))
def test_m36_first_dealer_may_be_fixed(first_dealer: int) -> None:
    env = klammern_v0.raw_env(episode="game", rules={"first_dealer": first_dealer})
    for seed in range(5):
        env.reset(seed=seed)
        assert env.position.dealer == first_dealer


def test_m36_else_it_is_drawn() -> None:
    env = klammern_v0.raw_env(episode="game")
    dealers = set()
    for seed in range(40):
        env.reset(seed=seed)
        dealers.add(env.position.dealer)
    assert dealers == {0, 1, 2, 3}


def test_m35_a_round_is_played_for_what_the_last_one_left() -> None:
    match = game(tie81="litige")
    assert match.carry() == {"litige": 0}
    for left in (81, 243, 0):
        match.add(Outcome(match.dealer(), [], [0, 81], carry={"litige": left}))
        assert match.carry() == {"litige": left}
