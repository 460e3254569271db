"""Rules of thumb: trees that choose by value, and what they are judged by."""

import numpy as np
import pytest

from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.deals import read_hand
from kloepper_agents.games.kloepper.lab.hands import distil
from kloepper_agents.games.kloepper.lab.hands.table import ROW, Effort, rows_of
from kloepper_agents.lab import decision_tree
from kloepper_env.errors import ConfigError
from tests.agents.kloepper.lab.lineups import OPTIONS
from tests.agents.kloepper.lab.test_table import some

ONES = np.ones


def texts(grown: decision_tree.Tree, features: list[str]) -> list[str]:
    return [line.text for line in decision_tree.lines(grown, features, ["pass", "knock"])]


def test_a_tree_finds_the_split_that_pays() -> None:
    features = np.array([[1, 0], [2, 0], [3, 1], [4, 1]])
    values = np.array([[0.0, -5.0], [0.0, -1.0], [0.0, 2.0], [0.0, 3.0]])

    grown = decision_tree.fit(features, values, ONES(4), 1)

    assert isinstance(grown, decision_tree.Split)
    assert decision_tree.choose(grown, features).tolist() == [0, 0, 1, 1]
    assert texts(grown, ["trumps", "aces"]) == [
        "knock with 3 or more trumps",
        "else pass",
    ]


def test_value_counts_and_not_how_often_a_choice_is_right() -> None:
    """Two small gains against one great loss: the tree leaves them."""
    values = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, -30.0]])
    grown = decision_tree.fit(np.zeros((3, 1), np.int64), values, ONES(3), 3)
    assert grown == decision_tree.Leaf(0, 3.0, 0.0)


def test_two_features_that_matter_together_are_found() -> None:
    features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    values = np.array([[0.0, 1.0], [0.0, -1.0], [0.0, -1.0], [0.0, 1.0]])
    grown = decision_tree.fit(features, values, ONES(4), 2)
    assert decision_tree.choose(grown, features).tolist() == [1, 0, 0, 1]


def test_weights_count() -> None:
    values = np.array([[0.0, 1.0], [0.0, -1.0]])
    features = np.zeros((2, 1), np.int64)
    assert decision_tree.fit(features, values, np.array([3.0, 1.0]), 1) == decision_tree.Leaf(
        1, 4.0, 0.5
    )


def test_a_question_that_adds_next_to_nothing_is_not_asked() -> None:
    features, values = np.array([[0], [1]]), np.array([[0.0, -9.0], [0.0, 0.5]])
    assert isinstance(
        decision_tree.fit(features, values, ONES(2), 1, worth=0.4), decision_tree.Split
    )
    assert decision_tree.fit(features, values, ONES(2), 1, worth=0.6) == decision_tree.Leaf(
        0, 2.0, 0.0
    )


def test_lines_name_every_condition_of_what_is_rare() -> None:
    rare = decision_tree.Leaf(1, 1.0, 0.0)
    usual = decision_tree.Leaf(0, 9.0, 0.0)
    grown = decision_tree.Split(0, 3, decision_tree.Split(1, 1, usual, rare), usual)
    assert texts(grown, ["trumps", "aces"]) == [
        "knock with 3 or more trumps and no aces",
        "else pass",
    ]
    assert texts(usual, ["trumps"]) == ["always pass"]


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        (((1, True), (2, True)), "2 or more plain aces"),
        (((1, True), (2, False)), "1 plain ace"),
        (((3, False), (2, False)), "fewer than 2 plain aces"),
        (((4, False), (2, True)), "2 or 3 plain aces"),
        (((6, False), (2, True)), "2 to 5 plain aces"),
        (((3, False), (1, False)), "no plain aces"),
    ],
)
def test_questions_about_one_feature_become_one_condition(
    questions: tuple[tuple[int, bool], ...], words: str
) -> None:
    usual = decision_tree.Leaf(0, 9.0, 0.0)
    grown: decision_tree.Tree = decision_tree.Leaf(1, 1.0, 0.0)
    for at_least, yes in reversed(questions):
        branches = (grown, usual) if yes else (usual, grown)
        grown = decision_tree.Split(0, at_least, *branches)
    assert texts(grown, ["plain aces"]) == [f"knock with {words}", "else pass"]


def test_neighbouring_cases_with_one_answer_are_one_line() -> None:
    rare, usual = decision_tree.Leaf(1, 1.0, 0.0), decision_tree.Leaf(0, 9.0, 0.0)
    grown = decision_tree.Split(0, 5, rare, decision_tree.Split(0, 3, rare, usual))
    assert texts(grown, ["trumps"]) == ["knock with 3 or more trumps", "else pass"]
    apart = decision_tree.Split(0, 5, rare, decision_tree.Split(0, 3, usual, rare))
    assert texts(apart, ["trumps"])[:2] == [
        "knock with 5 or more trumps",
        "knock with fewer than 3 trumps",
    ]


def test_the_lines_of_a_tree_are_about_every_case_once() -> None:
    features = np.array([[trumps, aces] for trumps in range(7) for aces in range(4)])
    values = np.random.default_rng(3).normal(size=(28, 3))
    grown = decision_tree.fit(features, values, ONES(28), 3)

    lines = decision_tree.lines(grown, ["trumps", "aces"], ["pass", "call", "knock"])

    applies = np.array([line.applies(features) for line in lines])
    assert len(lines) > 2
    assert (applies.sum(axis=0) == 1).all()
    actions = np.array([line.action for line in lines])[applies.argmax(axis=0)]
    assert actions.tolist() == decision_tree.choose(grown, features).tolist()


def test_no_rule_does_better_than_an_action_for_each_cell() -> None:
    rng = np.random.default_rng(1)
    features, values = rng.integers(0, 3, (200, 3)), rng.normal(size=(200, 3))
    weights = rng.random(200)

    def reached(chosen: IntArray) -> float:
        return float(np.average(values[np.arange(200), chosen], weights=weights))

    top = reached(decision_tree.by_cell(features, values, weights, features))
    for depth in range(4):
        assert (
            reached(
                decision_tree.choose(decision_tree.fit(features, values, weights, depth), features)
            )
            <= top
        )
    assert top < np.average(values.max(axis=1), weights=weights)
    unknown = decision_tree.by_cell(features, values, weights, np.array([[9, 9, 9]]))
    assert unknown.tolist() == [int((weights @ values).argmax())]


def test_features_of_a_hand() -> None:
    hand = np.array([read_hand("QC JC JS AD AS 9H")])
    found = {name: int(values[0]) for name, values in distil.features_of(hand).items()}
    assert found == {
        "trumps": 4,
        "jacks": 2,
        "plain aces": 1,
        "losers": 1,
        "top trumps in a row": 3,
        "plain suits not held": 1,
    }


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("QC QS JC JS 9D 9H", 2),  # hearts, held once
        ("QC QS JC 9H KH QH", 0),  # three hearts: a suit that is not held
        ("QC QS JC 9C KH QH", 2),  # hearts, held twice, before clubs, held once
        ("QC QS JC 9C 9S AH", 0),  # of equals clubs
        ("QC QS AC AS KH QH", 2),  # no other ace is left
        ("QC QS AC AS AH 9D", -1),
    ],
)
def test_the_ace_that_is_called(hand: str, suit: int) -> None:
    mask = read_hand(hand)
    possible = np.array([[not mask >> ace & 1 for ace in (11, 15, 19)]])
    assert distil.ace_to_call(np.array([mask]), possible).tolist() == [suit]


def test_rules_are_distilled_from_rows() -> None:
    effort = Effort(quiet_error=1.5, gap_error=5.0, open_scores=2, open_sweeps=1, most=128)
    rows = rows_of(some(120, 283), 1, effort, OPTIONS)

    found = distil.distil(rows)

    assert [one.problem for one in found] == ["one black queen", "both black queens"]
    for one in found:
        assert all(rule.payoff <= one.best + 1e-9 for rule in one.rules)
        assert all(rule.loss == pytest.approx(one.best - rule.payoff) for rule in one.rules)
        assert max(*one.always.values(), one.ceiling) <= one.best + 1e-9
        for rule in one.rules:
            assert sum(line.share for line in rule.lines) == pytest.approx(1)
            gained = sum(line.share * line.gain for line in rule.lines)
            silent = next(iter(one.always.values()))
            assert rule.payoff == pytest.approx(silent + gained, abs=1e-6)
    assert sum(one.share for one in found) == pytest.approx(1)
    gains = distil.ace_gains(rows)
    assert sum(gain.hands * gain.gain for gain in gains) == pytest.approx(0, abs=1e-4)


def test_no_rows_are_refused() -> None:
    with pytest.raises(ConfigError, match="holds no hands"):
        distil.distil(np.zeros(0, ROW))
