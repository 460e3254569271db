"""What a hand should announce: hands whose answer is known, settling, and match scores."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kloepper_agents.games.kloepper.lab.ask import report as hand_report
from kloepper_agents.games.kloepper.lab.ask.hand import ask
from kloepper_agents.games.kloepper.lab.core.equity import Equity, scores_of
from kloepper_agents.games.kloepper.lab.core.evaluate import Option, Results
from kloepper_agents.games.kloepper.lab.core.plans import options_of
from kloepper_agents.games.kloepper.lab.core.playing import BLACK, GAME, KNOCKER, POINTS, SWEPT
from kloepper_env.cards import mask_of
from kloepper_env.errors import ConfigError, NotationError
from kloepper_env.games.kloepper.record import CODES
from tests.agents.kloepper.lab.lineups import OPTIONS

SIX_TOP_TRUMPS = "QC QS JC JS JH JD"


def names(hand: str, position: int, **rules: Any) -> list[str]:
    own = mask_of(hand.split(), CODES)
    options = options_of(own, position, GAME.options(rules), "rules", replies=False)
    return [option.name for option in options if option.of is None]


# --- options -------------------------------------------------------------------------------------


def test_options_of_one_black_queen() -> None:
    assert names("QC JC JS AD AS 9H", 0) == [
        "stay silent",
        "knock before the lead",
        "knock after trick 1, if won",
    ]
    assert names("QC JC JS AD AS 9H", 2)[1:] == [
        "knock before the lead",
        "knock at its turn",
        "knock after trick 1, if won",
    ]
    assert names("QC JC JS AD AS 9H", 2, announce="own_turn")[1:] == [
        "knock at its turn",
        "knock after trick 1, if won",
    ]


def test_options_of_both_queens_leave_out_own_aces() -> None:
    """K12: an ace of the own hand cannot be called; K14: without a call one is alone."""
    assert names("QC QS JC JS AS 9H", 0) == [
        "alone, silent",
        "call clubs before the lead",
        "call hearts before the lead",
        "knock alone before the lead",
        "knock alone after trick 1, if won",
    ]
    assert not any(name.startswith("call") for name in names("QC QS AC AS AH 9D", 3))


def test_no_queen_has_nothing_of_its_own() -> None:
    assert names("JC JS JH AD AS 9H", 0) == ["stay silent"]


# --- answers -------------------------------------------------------------------------------------


def test_six_top_trumps_knock() -> None:
    """They take every trick whatever the others hold: 30 or 18 alone, times 3/2; 6 with a call,
    12 when the policy then knocks."""
    answer = ask(SIX_TOP_TRUMPS, most=256)
    results = answer.results
    payoff = {option.name: results.payoff(i) for i, option in enumerate(results.options)}

    assert payoff["knock alone before the lead"].mean == 45
    assert payoff["alone, silent"].mean == 27
    assert all(payoff["alone, silent"].standard_error == 0 for _ in "x")
    assert set(results.payoffs[results.index("call hearts before the lead")].tolist()) <= {6, 12}
    assert results.swept(0).mean == 1
    assert results.options[results.compared[0]].name.startswith("knock alone")
    assert "Too close to matter: knock alone" in " ".join(hand_report.sentences(answer))


def test_a_red_hand_is_asked_about_the_knocks_of_others() -> None:
    answer = ask("JC JS JH JD AD TD", most=4096)

    assert answer.blind is not None
    assert answer.looked_through == 4096
    best = answer.blind.options[answer.blind.compared[0]].name
    assert best == "knock off"  # four jacks, ace and ten of trumps take a trick
    assert answer.blind.swept(0).mean < 0.1
    lines = " ".join(hand_report.sentences(answer))
    assert "nothing to announce but a knock-off" in lines


def test_an_answer_is_the_same_again_and_depends_on_the_seed() -> None:
    first, again = (ask("QC JC JS AD AS 9H", place="2", most=500) for _ in range(2))
    other = ask("QC JC JS AD AS 9H", place="2", most=500, seed=1)

    np.testing.assert_array_equal(first.results.outcomes, again.results.outcomes)
    assert not np.array_equal(first.results.outcomes, other.results.outcomes)


def test_another_policy_answers_too() -> None:
    answer = ask("QC JC JS AD AS 9H", policy="rollout:worlds=1", most=3, seconds=0.01)
    assert answer.results.deals <= 4
    assert not answer.results.is_enough
    assert "--budget" in " ".join(hand_report.sentences(answer))


def test_it_stops_when_it_is_settled() -> None:
    answer = ask("QS KD QD TC KC 9C", seconds=600)

    assert answer.results.is_enough
    knock = answer.results.index("knock before the lead")
    assert answer.results.payoff(0).half_width <= 0.1
    assert answer.results.payoff(knock).half_width <= 0.3
    assert answer.results.options[answer.results.compared[0]].name == "stay silent"


def test_best_is_what_the_policy_does_if_that_is_clearly_better_than_every_announcement() -> None:
    """It hears what happens before it decides, which no fixed announcement can."""
    answer = ask("QC JC JS AD AS 9H", place="2", most=300)
    results = answer.results
    own, best = results.index("as rules does"), results.compared[0]
    outcomes = results.outcomes.copy()
    outcomes[own] = outcomes[best]
    same = replace(results, outcomes=outcomes)
    assert same.ranked == same.compared

    outcomes = outcomes.copy()
    outcomes[own, :, POINTS] = 12  # as if it always knocked, and rightly
    better = replace(results, outcomes=outcomes)
    assert better.ranked == [own, *better.compared]
    verdict = hand_report.verdict(better)
    assert "as rules does, by +" in verdict
    assert hand_report.results_data(better)["best"] == "as rules does"
    assert hand_report.results_data(better)["gap"]["low"] > 0


def test_json_holds_the_figures() -> None:
    answer = ask("QC JC JS AD AS 9H", scores=[26, 28, 20, 4], most=300)
    found = hand_report.answer_data(answer)

    assert found["deals"] == 300
    assert found["scores"] == [26, 28, 20, 4]
    silent = next(one for one in found["options"] if one["name"] == "stay silent")
    assert silent["payoff"]["mean"] == answer.results.payoff(0).mean
    assert 0 <= silent["wins_game"]["mean"] <= 1


# --- results -------------------------------------------------------------------------------------


def results(payoffs: list[list[int]], *, complete: bool = False) -> Results:
    """Results of options with these payoffs to seat 0, red with seat 1."""
    points = -np.array(payoffs)  # seats 2 and 3 are black
    outcomes = np.zeros((*points.shape, 6), np.int64)
    outcomes[..., 0], outcomes[..., 1] = points, 0b1100
    n = points.shape[1]
    options = [Option(f"option {i}") for i in range(len(points))]
    return Results(options, 0, outcomes, np.full(n, 1 / n), complete, 1.0)


def test_means_and_gaps_are_paired() -> None:
    found = results([[2, 4, -2, 4], [4, 6, 0, 6]])

    assert found.payoff(0).mean == 2
    assert found.payoff(0).standard_error == pytest.approx(np.std([2, 4, -2, 4], ddof=1) / 2)
    assert found.gap(1, 0).mean == 2
    assert found.gap(1, 0).standard_error == 0
    assert found.compared == [1, 0]
    assert found.settled


def test_all_the_deals_there_are_leave_no_error() -> None:
    assert results([[2, 4, -2, 4]], complete=True).payoff(0).standard_error == 0


def test_a_close_race_is_not_settled() -> None:
    found = results([[12, -12, 12, -12] * 20, [-12, 12, 12, -12] * 20])
    assert not found.settled


def test_a_knock_is_judged_where_it_is_made() -> None:
    """Of four deals seat 0 knocks in two and takes all tricks in one; silence brings 2 there."""
    found = results([[6, 2, 4, 2], [-2, 12, 4, -12]])
    options = [Option("stay silent"), Option("knock", knocks=True)]
    outcomes = found.outcomes * np.array([-1, 1, 1, 1, 1, 1])
    outcomes[..., BLACK], outcomes[..., KNOCKER] = 0b0011, -1
    outcomes[1, 1::2, KNOCKER], outcomes[1, 1, SWEPT] = 0, 1

    (needs,) = hand_report.replies(
        replace(found, options=options, outcomes=outcomes), "stay silent"
    )

    ((name, made, swept, needed, if_answered, answered),) = needs.rows
    assert name == "knock"
    assert made.startswith("50.0")
    assert swept.startswith("50.0")
    assert (needed, if_answered) == (f"{(2 / 12 + 1) / 2:.0%}", f"{(2 / 24 + 1) / 2:.0%}")
    assert answered == "0.0"


def test_what_a_knock_needs() -> None:
    """strength.md 6: 12 (2 p - 1) = w, so p = (w / 12 + 1) / 2."""
    assert hand_report.needed(0, 12) == 0.5
    assert hand_report.needed(3, 12) == pytest.approx(0.625)
    assert hand_report.needed(45, 45) == 1.0


# --- games ---------------------------------------------------------------------------------------


def test_who_has_won_has_won() -> None:
    """KX18: totals before 26, 28, 20, 4 and after 30, 30, 20, 4: seat 1 wins."""
    equity = Equity(OPTIONS, 0)
    probabilities = equity.probabilities(np.array([26, 28, 20, 4]), np.array([[4, 2, 0, 0]]))
    assert probabilities.tolist() == [[0, 1, 0, 0]]


def test_level_scores_share_the_win() -> None:
    """KX21 without its first hand: 0, 30, 30, 30 after level totals."""
    equity = Equity(OPTIONS, 0)
    probabilities = equity.probabilities(np.array([0, 0, 0, 0]), np.array([[0, 30, 30, 30]]))
    np.testing.assert_allclose(probabilities, [[0, 1 / 3, 1 / 3, 1 / 3]])


def test_points_help_and_probabilities_add_up() -> None:
    equity = Equity(OPTIONS, 0)
    before = np.array([20, 20, 20, 20])
    scores = np.array([[0, 0, 0, 0], [6, 0, 0, 0], [6, 6, 0, 0]])

    probabilities = equity.probabilities(before, scores)

    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities[1, 0] > probabilities[2, 0] > probabilities[0, 0] + 0.1
    assert math.isclose(probabilities[0, 0], 0.25, abs_tol=0.05)


def test_a_long_game_ends() -> None:
    equity = Equity(GAME.options({"target": 500}), 0)
    probabilities = equity.probabilities(np.array([400, 0, 0, 0]), np.array([[2, 2, 0, 0]]))
    assert probabilities[0].sum() == pytest.approx(1)
    assert probabilities[0, 0] > 0.9


def test_scores_of_outcomes() -> None:
    outcomes = np.array([[12, 0b0011, 1, 120, 0, 0], [-4, 0b0001, 0, 50, -1, 0]])
    assert scores_of(outcomes).tolist() == [[12, 12, 0, 0], [0, 4, 4, 4]]


# --- misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hand": "QC JC"}, NotationError, "has 2 cards, but must have 6"),
        ({"hand": "QC QC JC JS AD AS"}, NotationError, "holds QC more than once"),
        ({"hand": "QX JC JS AD AS 9H"}, NotationError, "'QX' is not a card"),
        ({"place": "5"}, ConfigError, "the seat is '5', but must be lead, 2, 3 or 4"),
        ({"seconds": 0.0}, ConfigError, "the budget is 0.0 seconds"),
        ({"scores": [1, 2, 3]}, ConfigError, "the scores are 1, 2, 3, but must be 4 numbers"),
        ({"scores": [1, 2, 3, 30]}, ConfigError, "from 0 to 29"),
    ],
)
def test_misuse_is_one_sentence(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(**{"hand": "QC JC JS AD AS 9H", **arguments})
