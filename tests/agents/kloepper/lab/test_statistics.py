"""Means that count a deal once, shares, and calibration, against figures worked out by hand."""

import math

import numpy as np
import pytest

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.lab.statistics import calibration, share_interval, weighted


def test_one_decision_a_deal_is_the_plain_mean() -> None:
    values = np.array([1.0, 5.0, -2.0, 4.0])

    found = weighted(values, np.array([7, 3, 9, 1]), np.ones(4))

    plain = Estimate.of(values)
    assert found.mean == plain.mean
    assert found.standard_error == pytest.approx(plain.standard_error)
    assert found.deals == 4


def test_decisions_of_a_deal_are_one_observation() -> None:
    """Ten copies of each decision in its deal say no more than one."""
    values, deals = np.array([1.0, 5.0, -2.0]), np.array([0, 1, 2])

    once = weighted(values, deals, np.ones(3))
    often = weighted(np.repeat(values, 10), np.repeat(deals, 10), np.ones(30))

    assert often.mean == pytest.approx(once.mean)
    assert often.standard_error == pytest.approx(once.standard_error)


def test_weights_count_as_so_many_decisions() -> None:
    values, deals = np.array([1.0, 5.0, -2.0]), np.array([0, 1, 2])
    times = np.array([1, 3, 2])

    weighed = weighted(values, deals, times.astype(float))
    repeated = weighted(np.repeat(values, times), np.repeat(deals, times), np.ones(6))

    assert weighed.mean == pytest.approx(repeated.mean)
    assert weighed.standard_error == pytest.approx(repeated.standard_error)


def test_one_deal_has_no_interval_and_none_has_no_mean() -> None:
    assert math.isinf(weighted(np.array([2.0]), np.array([0]), np.ones(1)).standard_error)
    assert weighted(np.zeros(0), np.zeros(0, np.int64), np.zeros(0)).deals == 0


def test_interval_of_wilson() -> None:
    """8 of 10: the interval that textbooks give, 0.490 to 0.943."""
    np.testing.assert_allclose(share_interval(8, 10), (0.490, 0.943), atol=1e-3)
    assert share_interval(10, 10)[1] == 1.0
    assert share_interval(10, 10)[0] == pytest.approx(0.722, abs=1e-3)
    assert share_interval(0, 0) == (0.0, 1.0)


def test_calibration_by_hand() -> None:
    foretold = np.array([0.1, 0.1, 0.1, 0.1, 0.8, 0.8])
    happened = np.array([True, False, False, False, True, True])

    found = calibration(foretold, happened, np.ones(6))

    assert found is not None
    np.testing.assert_allclose(found.foretold, [0.1, 0.8])
    np.testing.assert_allclose(found.happened, [0.25, 1.0])
    np.testing.assert_allclose(found.counts, [4, 2])
    assert found.brier == pytest.approx((0.81 + 3 * 0.01 + 2 * 0.04) / 6)
    assert found.baseline == pytest.approx(0.25)
    assert found.ece == pytest.approx((4 * 0.15 + 2 * 0.2) / 6)
    assert found.low[1] == pytest.approx(share_interval(2, 2)[0])


def test_certainty_falls_into_the_last_bin() -> None:
    found = calibration(np.array([1.0, 0.95]), np.array([True, True]), np.ones(2))
    assert found is not None
    assert found.counts.tolist() == [2]


def test_no_decisions_have_no_calibration() -> None:
    assert calibration(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0)) is None
