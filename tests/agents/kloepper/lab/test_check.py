"""Checks of the table: which hands are in question, and what another policy makes of them."""

import numpy as np
import pytest

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.core.deals import read_hand
from kloepper_agents.games.kloepper.lab.hands import check
from kloepper_agents.games.kloepper.lab.hands.check import Asked, Checked
from kloepper_agents.games.kloepper.lab.hands.table import ROW, Effort, rows_of
from kloepper_env.errors import ConfigError
from tests.agents.kloepper.lab.lineups import OPTIONS
from tests.agents.kloepper.lab.test_table import some

SINGLE, DOUBLE = read_hand("QC JC JS AD AS 9H"), read_hand("QC QS JC JS AC 9H")


def rows(*gains: dict[str, float]) -> np.ndarray:
    """Rows of hands with these fields; all else is impossible."""
    made = np.zeros(len(gains), ROW)
    made["size"] = 1
    for name in ROW.names or ():
        if name.endswith("_gain"):
            made[name] = np.nan
    for row, own in zip(made, gains, strict=True):
        for name, value in own.items():
            row[name] = value
    return made


def test_the_best_announcement_is_in_question() -> None:
    found = check.in_question(
        rows(
            {"hand": SINGLE, "knock_now_gain": 2.0, "knock_later_gain": 3.0},
            {"hand": DOUBLE, "knock_now_gain": 2.0, "knock_later_gain": 1.0, "call_S_gain": -1},
            {"hand": DOUBLE, "knock_now_gain": -9.0, "knock_later_gain": -8.0, "call_S_gain": 4.0},
        )
    )
    assert [(one.announcement, one.gain, one.sort) for one in found] == [
        ("knock_later", 3.0, "knock: pays"),
        ("knock_now", 2.0, "knock alone: pays"),
        ("call_S", 4.0, "call: pays"),
    ]


def test_where_nothing_pays_waiting_is_no_question() -> None:
    """Who waits and hardly ever knocks loses nothing and learns nothing."""
    found = check.in_question(
        rows(
            {"hand": SINGLE, "knock_now_gain": -5.0, "knock_later_gain": -0.1},
            {"hand": SINGLE, "knock_now_gain": -7.0, "knock_later_gain": -0.1},
            {"hand": DOUBLE, "knock_now_gain": -9.0, "knock_later_gain": 0.0, "call_H_gain": -1.5},
        )
    )
    assert [(one.announcement, one.sort) for one in found] == [
        ("knock_now", "knock: does not pay"),
        ("call_H", "call: does not pay"),
    ]


def test_hands_are_drawn_from_every_sort() -> None:
    effort = Effort(quiet_error=1.5, gap_error=5.0, open_scores=2, open_sweeps=1, most=128)
    table = rows_of(some(120, 283), 1, effort, OPTIONS)
    found = check.drawn(table, 12, 1)

    assert len({one.hand for one in found}) == len(found) <= 12
    sorts = {one.sort for one in check.in_question(table)}
    assert {one.sort for one in found} == sorts
    assert found == check.drawn(table, 12, 1)
    assert found != check.drawn(table, 12, 2)


def test_a_table_in_which_nothing_is_in_question_is_refused() -> None:
    with pytest.raises(ConfigError, match="no hand in which an announcement is in question"):
        check.drawn(rows({"hand": SINGLE, "knock_now_gain": -20.0}), 4, 0)


def test_rules_agree_with_their_own_table() -> None:
    """The same policy in other deals: 4.5 standard errors are never exceeded."""
    hands = [SINGLE, DOUBLE, read_hand("QC QS JD 9S KH 9C")]
    table = rows_of(hands, 1, Effort(quiet_error=0.3, open_scores=2), OPTIONS)
    asked = [Asked(row["hand"], "knock_later", row["knock_later_gain"], "") for row in table]
    for one, row in zip(asked, table, strict=True):
        found = check.play_asked(one, policy="rules", rules={}, deals=2000, seed=9)
        assert found.gain.deals == 2000
        error = np.hypot(found.gain.standard_error, row["knock_later_error"])
        assert abs(found.gain.mean - one.gain) <= 4.5 * error
        error = np.hypot(found.quiet.standard_error, row["quiet_error"])
        assert abs(found.quiet.mean - row["quiet"]) <= 4.5 * error


def test_sorts_are_means_of_their_hands() -> None:
    def checked(gain: float, mean: float, error: float) -> Checked:
        return Checked(
            Asked(SINGLE, "knock_now", gain, "knock"),
            (),
            Estimate(0, 1, 9),
            Estimate(mean, error, 9),
        )

    (one,) = check.by_sort(
        [checked(3.0, 5.0, 1.0), checked(1.0, -4.0, 1.0), checked(2.0, 2.0, 5.0)]
    )

    assert (one.hands, one.table_gain, one.gain.mean) == (3, 2.0, 1.0)
    assert one.gain.standard_error == pytest.approx(np.sqrt(27) / 3)
    assert (one.same_sign, one.other_sign) == (1, 1)
    # Of all hands of the sort these three say far less: t(0.975; 2) = 4.303, s = sqrt(21).
    assert one.of_all.mean == 1.0
    assert one.of_all.half_width == pytest.approx(4.303 * np.sqrt(21 / 3), rel=1e-3)


def test_too_few_deals_are_refused() -> None:
    with pytest.raises(ConfigError, match="200 hands in 4 deals"):
        check.check(rows(), "rules", rules={}, hands=200, deals=4, seed=0)
