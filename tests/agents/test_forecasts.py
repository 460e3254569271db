"""Areas under curves and calibration errors of forecasters whose worth is known."""

import math

import numpy as np
import pytest

from kloepper_agents.lab.forecasts import auc, auc_interval, error_by_luck
from kloepper_agents.lab.statistics import calibration


def test_a_perfect_forecaster_has_an_area_of_1_a_blind_one_of_a_half() -> None:
    happened = np.random.default_rng(1).random(500) < 0.3
    perfect = happened * 0.2 + 0.4
    assert auc(perfect, happened) == 1.0
    assert auc(-perfect, happened) == 0.0
    assert auc(np.full(500, 0.7), happened) == 0.5
    blind = np.random.default_rng(2).random(500)
    assert auc(blind, happened) == pytest.approx(0.5, abs=0.06)


def test_the_area_counts_pairs_and_ties_by_half() -> None:
    foretold = np.array([0.1, 0.4, 0.4, 0.8, 0.4])
    happened = np.array([False, False, True, True, False])
    # true 0.4: above 0.1, ties with two; true 0.8: above all three
    assert auc(foretold, happened) == pytest.approx((1 + 0.5 + 0.5 + 3) / 6)
    twice = auc(foretold, happened, np.array([2.0, 1, 1, 1, 1]))
    assert twice == auc(np.append(foretold, 0.1), np.append(happened, False))


def test_without_both_outcomes_there_is_no_area() -> None:
    assert math.isnan(auc(np.array([0.1, 0.2]), np.array([True, True])))
    assert math.isnan(auc(np.array([]), np.array([], np.bool_)))


def test_intervals_of_areas_cover_and_count_each_deal_once() -> None:
    generator = np.random.default_rng(3)
    covered, repeats, truth = 0, 100, 0.7602  # of two normal curves one deviation apart
    for _ in range(repeats):
        happened = generator.random(120) < 0.5
        foretold = generator.normal(happened.astype(float), 1.0)
        low, high = auc_interval(foretold, happened, np.arange(120), generator)
        covered += low <= truth <= high
    assert covered >= 88
    together = auc_interval(foretold, happened, np.arange(120) // 12, np.random.default_rng(4))
    assert together != auc_interval(foretold, happened, np.arange(120), np.random.default_rng(4))


def test_calibrated_forecasts_err_by_luck_alone_and_bold_ones_by_more() -> None:
    generator = np.random.default_rng(5)
    foretold = generator.random(4000)
    happened = generator.random(4000) < foretold
    luck = error_by_luck(foretold, generator)
    right = calibration(foretold, happened, np.ones(4000))
    bold = calibration(np.round(foretold), happened, np.ones(4000))
    assert right is not None
    assert bold is not None
    assert 0.5 * luck < right.ece < 1.6 * luck < 0.05
    assert bold.ece == pytest.approx(0.25, abs=0.03)
    assert error_by_luck(np.array([]), generator) == 0.0
