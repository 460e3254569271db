"""Intervals cover as often as they say, and sample sizes agree with published ones."""

import math

import numpy as np
import pytest

from kloepper_agents.arena.statistics import (
    Estimate,
    FloatArray,
    bootstrap_interval,
    cluster_means,
    sample_size,
    t_quantile,
)

STAKES = np.array([-12.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 24.0])
PROBABILITIES = np.array([0.05, 0.2, 0.2, 0.1, 0.2, 0.2, 0.04, 0.01])
TRUTH = float(STAKES @ PROBABILITIES)


def deal_scores(generator: np.random.Generator, n: int, tables: int = 4) -> FloatArray:
    """Scores of n deals: tables share the luck of their deal and add some of their own."""
    shared = generator.choice(STAKES, p=PROBABILITIES, size=(n, 1))
    own = generator.choice([-2.0, 2.0], size=(n, tables))
    values = (shared + own).ravel()
    means = cluster_means(values, np.repeat(np.arange(n), tables), n)
    assert np.allclose(means, (shared + own).mean(axis=1))
    return means


@pytest.mark.parametrize("n", [40, 300])
def test_intervals_cover_95_times_in_100(n: int) -> None:
    generator = np.random.default_rng(1)
    repeats = 1200
    covered = 0
    for _ in range(repeats):
        estimate = Estimate.of(deal_scores(generator, n))
        covered += estimate.low <= TRUTH <= estimate.high
    assert 0.93 <= covered / repeats <= 0.97


def test_bootstrap_intervals_cover_95_times_in_100() -> None:
    generator = np.random.default_rng(2)
    repeats = 600
    covered = 0
    for _ in range(repeats):
        low, high = bootstrap_interval(deal_scores(generator, 150), generator, resamples=400)
        covered += low <= TRUTH <= high
    assert 0.93 <= covered / repeats <= 0.97


def test_tables_taken_for_deals_would_give_intervals_that_are_too_narrow() -> None:
    generator = np.random.default_rng(3)
    repeats, n, tables = 400, 60, 4
    covered = 0
    for _ in range(repeats):
        estimate = Estimate.of(np.repeat(deal_scores(generator, n), tables))
        covered += estimate.low <= TRUTH <= estimate.high
    assert covered / repeats < 0.8


def test_a_detectable_difference_is_detected_4_times_in_5() -> None:
    generator = np.random.default_rng(4)
    n, deviation = 400, 1.5
    shift = Estimate(0.0, deviation / math.sqrt(n), n).detectable
    seen = sum(Estimate.of(generator.normal(shift, deviation, n)).low > 0 for _ in range(1000))
    assert 0.77 <= seen / 1000 <= 0.83


def test_the_bootstrap_draws_from_the_generator_it_is_given() -> None:
    scores = deal_scores(np.random.default_rng(5), 100)
    first = bootstrap_interval(scores, np.random.default_rng(6))
    assert bootstrap_interval(scores, np.random.default_rng(6)) == first
    assert bootstrap_interval(scores, np.random.default_rng(7)) != first


def test_mean_and_standard_error_by_hand() -> None:
    estimate = Estimate.of(np.array([2.0, -2.0, 6.0, 2.0]))
    assert estimate.mean == 2.0
    assert estimate.standard_error == pytest.approx(math.sqrt(32 / 3) / 2)
    assert estimate.half_width == pytest.approx(3.1824 * estimate.standard_error, rel=2e-3)
    assert (estimate.low + estimate.high) / 2 == pytest.approx(2.0)


def test_one_deal_has_no_interval_and_none_has_no_mean() -> None:
    single = Estimate.of(np.array([4.0]))
    assert single.mean == 4.0
    assert single.half_width == math.inf
    assert single.deals_needed(0.05) is None
    assert Estimate.of(np.array([])).deals == 0


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (5, 2.57058), (10, 2.22814), (30, 2.04227)],
)
def test_quantiles_of_student_are_those_of_the_tables(freedom: int, value: float) -> None:
    """Abramowitz and Stegun, table 26.10, 0.975."""
    assert t_quantile(0.975, freedom) == pytest.approx(value, abs=0.006)


@pytest.mark.parametrize(
    ("difference", "deals"), [(0.20, 410), (0.10, 1_650), (0.05, 6_600), (0.01, 165_000)]
)
def test_sample_sizes_at_a_deviation_of_1_45(difference: float, deals: int) -> None:
    assert sample_size(difference, 1.45) == pytest.approx(deals, rel=0.01)
    estimate = Estimate(0.0, 1.45 / math.sqrt(deals), deals)
    assert estimate.detectable == pytest.approx(difference, rel=0.01)
    assert estimate.deals_needed(difference) == pytest.approx(deals, rel=0.01)


def test_an_empty_cluster_has_no_mean() -> None:
    means = cluster_means(np.array([1.0, 3.0, 5.0]), np.array([2, 0, 2]), 3)
    assert means[0] == 3.0
    assert np.isnan(means[1])
    assert means[2] == 3.0
