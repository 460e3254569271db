"""Matches that stop when their question is answered: their intervals cover all the same."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from kloepper_agents.arena.html import page
from kloepper_agents.arena.league import play_league
from kloepper_agents.arena.match import play_match
from kloepper_agents.arena.report import notes, to_json
from kloepper_agents.arena.sequential import (
    TELLING,
    Answer,
    answer,
    anytime_quantile,
    is_telling,
)
from kloepper_agents.arena.statistics import Estimate, FloatArray
from kloepper_agents.base import Int8Array, WordArray
from kloepper_agents.simple import Passive
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game

STAKES = np.array([-12.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 24.0])
PROBABILITIES = np.array([0.03, 0.2, 0.2, 0.2, 0.19, 0.1325, 0.04, 0.0075])
DEALS, RUNS, LOOK = 4000, 1000, 16


def covered_at_all_looks(scores: FloatArray, truth: float, *, anytime: bool) -> float:
    """The share of runs [runs, deals] in which no interval misses the truth, seen as in a match."""
    looks = np.arange(4 * LOOK, scores.shape[1] + 1, LOOK)
    means = scores.cumsum(axis=1)[:, looks - 1] / looks
    squares = np.square(scores).cumsum(axis=1)[:, looks - 1]
    errors = np.sqrt((squares / looks - means**2) / (looks - 1))
    factors = [Estimate(0.0, 1.0, n, anytime).half_width for n in looks.tolist()]
    return float((abs(means - truth) <= factors * errors).all(axis=1).mean())


def normal(generator: np.random.Generator) -> tuple[FloatArray, float]:
    return generator.normal(0.3, 2.0, (RUNS, DEALS)), 0.3


def stakes(generator: np.random.Generator) -> tuple[FloatArray, float]:
    """Scores as those of deals: a few values, and rare ones that are large."""
    truth = float(STAKES @ PROBABILITIES)
    return generator.choice(STAKES, p=PROBABILITIES, size=(RUNS, DEALS)), truth


@pytest.mark.parametrize("scores_of", [normal, stakes])
def test_a_sequence_of_intervals_covers_95_times_in_100_and_students_does_not(
    scores_of: Callable[[np.random.Generator], tuple[FloatArray, float]],
) -> None:
    scores, truth = scores_of(np.random.default_rng(8))
    assert covered_at_all_looks(scores, truth, anytime=True) >= 0.95
    assert covered_at_all_looks(scores, truth, anytime=False) < 0.75


def test_a_difference_is_found_and_equal_players_are_found_level() -> None:
    generator = np.random.default_rng(9)
    found = []
    for margin in (0.15, 0.0):
        for _ in range(50):
            scores = generator.normal(margin, 1.5, 40_000)
            for n in range(LOOK, len(scores) + 1, 25 * LOOK):
                estimate = Estimate.of(scores[:n], anytime=True)
                said = answer(estimate.low, estimate.high, 0.05)
                if said is not None:
                    break
            found.append((margin, said))
    assert found.count((0.15, Answer.BETTER)) >= 49
    assert found.count((0.0, Answer.LEVEL)) >= 45


def test_the_interval_holds_the_means_whose_likelihood_ratio_stays_low() -> None:
    """The ratio itself, mixed by adding up normal densities of noncentral t over effects."""
    n, spread = 100, 0.004
    t = anytime_quantile(n)
    shape = 1 + t * t / (n - 1)
    closed = (1 + n * spread) ** -0.5 * (shape / (1 + t * t / (n - 1) / (1 + n * spread))) ** (
        n / 2
    )
    assert closed == pytest.approx(1 / 0.05)
    # Given mean/sd of a sample, the scale-invariant likelihood of an effect d integrates the
    # normal likelihood over log sigma.
    mean, sd = t / math.sqrt(n), 1.0
    log_sigma = np.linspace(-0.6, 0.6, 1201)
    sigma = np.exp(log_sigma)[:, None]
    effects = np.linspace(-0.6, 0.6, 1201)
    squares = (n - 1) * sd**2 + n * np.square(mean - effects * sigma)
    likelihood = np.exp(-n * np.log(sigma) - squares / (2 * sigma**2) + n / 2).sum(axis=0)
    prior = np.exp(-np.square(effects) / (2 * spread))
    mixed = (likelihood * prior).sum() / prior.sum()
    assert mixed / likelihood[600] == pytest.approx(1 / 0.05, rel=1e-3)


def test_a_few_deals_say_nothing_and_many_cost_little() -> None:
    assert anytime_quantile(1) == anytime_quantile(10) == math.inf
    assert 3.0 < anytime_quantile(2000) < 3.1
    assert anytime_quantile(100_000) < 3.5


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.01, 0.3, Answer.BETTER),
        (-0.3, -0.01, Answer.WORSE),
        (-0.04, 0.03, Answer.LEVEL),
        (-0.04, 0.06, None),
        (-0.05, 0.05, None),
        (0.0, 0.2, None),
    ],
)
def test_what_an_interval_says(low: float, high: float, said: Answer | None) -> None:
    assert answer(low, high, 0.05) is said


def test_scores_that_hardly_differ_are_not_believed() -> None:
    scores = np.zeros(5000)
    assert not is_telling(scores[:0])
    assert not is_telling(scores)
    scores[: TELLING - 1] = 12.0
    assert not is_telling(scores)
    scores[TELLING - 1] = -12.0
    assert is_telling(scores)


# --- matches -----------------------------------------------------------------------------------


def test_a_match_stops_when_it_is_answered_and_so_every_time() -> None:
    match = play_match("rules", "greedy", deals=5000, seed=3, until=0.05)
    assert match.answer is Answer.BETTER
    assert match.deals == 1024
    assert match.low > 0
    again = play_match("rules", "greedy", deals=5000, seed=3, until=0.05)
    assert (again.scores == match.scores).all()
    fixed = play_match("rules", "greedy", deals=1024, seed=3)
    assert (fixed.scores == match.scores).all()
    assert fixed.answer is None
    assert fixed.half_width < match.half_width
    split = match.strata["split"].estimate, fixed.strata["split"].estimate
    assert split[0].half_width > split[1].half_width
    other_way = play_match("greedy", "rules", deals=5000, seed=3, until=0.05)
    assert other_way.answer is Answer.WORSE


def test_a_match_plays_all_its_deals_while_nothing_is_settled() -> None:
    match = play_match("rules", "rules", deals=40, seed=3, until=0.05)
    assert (match.deals, match.answer, match.half_width) == (40, None, math.inf)
    match = play_match("rules", "rules", deals=400, seed=3, until=0.05)
    assert (match.deals, match.answer, match.half_width) == (400, None, 0.0)


class OtherLuck(Passive):
    """As strong as `passive`, but it does not play the same cards."""

    name = "other luck"

    def act_many(
        self, observations: Int8Array, masks: Int8Array, random: WordArray
    ) -> NDArray[np.int64]:
        return super().act_many(observations, masks, ~random)


def test_equal_players_are_level_to_within_what_matters() -> None:
    match = play_match("passive", OtherLuck(get_game("kloepper")), deals=3000, until=0.5)
    assert match.answer is Answer.LEVEL
    assert match.deals == 1024
    wanted = play_match("passive", OtherLuck(get_game("kloepper")), deals=1024, until=0.01)
    assert wanted.answer is None


def test_reports_say_why_a_match_stopped() -> None:
    league = play_league(["greedy", "rules"], deals=5000, seed=3, until=0.05)
    said = " ".join(notes(league))
    assert "1,024 deals at" in said
    assert "Stopped after 1,024 of at most 5,000: rules is better than greedy" in said
    assert "with a power of" not in said
    assert "interval of 1,024 deals" in page(league, "")
    told = json.loads(json.dumps(to_json(league, "")))
    assert (told["until"], told["deals"]) == (0.05, 5000)
    match = told["matches"][0]
    assert (match["answer"], match["deals"]) == ("worse", 1024)
    assert match["bootstrap"] is match["detectable"] is match["deals_needed"]["0.05"] is None


def test_reports_of_unsettled_matches_say_so() -> None:
    league = play_league(["rules", "rules"], deals=40, seed=3, until=0.05)
    assert "40 deals settle nothing, for fewer than 30 tell them apart" in " ".join(notes(league))
    assert league.margin(1, 0).mean == 0.0
    assert to_json(league, "")["matches"][0]["answer"] is None
    fixed = to_json(play_league(["rules", "greedy"], deals=40, seed=3), "")
    assert "until" not in fixed
    assert "answer" not in fixed["matches"][0]


@pytest.mark.parametrize("until", [0, -1, math.nan, math.inf, True, "0.05"])
def test_a_difference_is_a_positive_number(until: float) -> None:
    with pytest.raises(ConfigError, match="but must be the difference that matters, a positive"):
        play_match("rules", "greedy", deals=10, until=until)


def test_ratings_need_equal_deals() -> None:
    with pytest.raises(ConfigError, match="3 agents are given, but `until` is for a match of two"):
        play_league(["rules", "greedy", "random"], deals=10, until=0.05)
