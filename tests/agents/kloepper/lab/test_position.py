"""Announcements in the middle of a hand: options, what is played out, and the review."""

import json
from typing import Any

import numpy as np
import pytest

from kloepper_agents.games.kloepper.lab.ask import report as hand_report
from kloepper_agents.games.kloepper.lab.ask.position import (
    PASS_NOW,
    Verdict,
    asked_at,
    options_at,
    position,
    review,
    weigh,
)
from kloepper_agents.games.kloepper.lab.core.evaluate import evaluate
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.kinds import make_agent
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.records import Record, to_record
from kloepper_env.state import State
from tests.agents.kloepper.lab.lineups import RULES
from tests.agents.positions import state_of

KNOCKER = ["QC JC JS JH AD 9D", "TC KC 9C TS KS 9S", "QS JD KD QD TD AC", "AS AH TH KH QH 9H"]
"""Seat 0 and its partner have all trumps; nobody else ever takes a trick from them."""


def played(state: State) -> Record:
    """The record of a hand that `rules` play to the end."""
    agent = make_agent("rules")
    while not state.is_over:
        assert state.turn is not None
        state.push(agent.act(state.view(state.turn), 0))
    return Record.parse(json.dumps(to_record(state)))


@pytest.fixture(scope="module")
def record() -> Record:
    return played(State.deal(seed=1))


def test_options_are_what_is_legal() -> None:
    state = state_of(KNOCKER)
    names = [option.name for option in options_at(state.view(0), replies=True)]
    assert names == [
        "stay silent",
        PASS_NOW,
        "knock",
        "knock, never answered",
        "knock, always answered",
    ]
    double = state_of(["QC QS JC JS JH AC"])
    names = [option.name for option in options_at(double.view(0), replies=False)]
    assert names == ["alone, silent", PASS_NOW, "knock", "call:S", "call:H"]


def test_the_true_cards_play_no_part() -> None:
    """Seats 1 and 3 exchange their hands, which seat 0 cannot see."""
    one, other = state_of(KNOCKER), state_of([KNOCKER[0], KNOCKER[3], KNOCKER[2], KNOCKER[1]])

    found = [weigh(state, most=64, seed=3) for state in (one, other)]

    np.testing.assert_array_equal(found[0].outcomes, found[1].outcomes)


def test_a_strong_knock_is_told_from_a_weak_one() -> None:
    strong = weigh(state_of(["QC QS JC JS JH JD"]), most=128)
    weak = weigh(state_of(["QC 9D 9C 9S 9H KH"]), most=128)

    assert strong.options[strong.compared[0]].name in ("knock", PASS_NOW)  # it may wait as well
    assert strong.payoff(strong.index("knock")).mean > 10
    assert weak.payoff(weak.index("knock")).mean < -10
    assert hand_report.verdict(weak).startswith(
        ("Best: stay silent", "Too close", f"Best: {PASS_NOW}")
    )


def test_all_the_deals_take_the_place_of_those_drawn_before() -> None:
    state, hopeless = state_of(KNOCKER), state_of(["QC 9D 9C 9S 9H KH"])
    options = options_at(state.view(0), replies=False)
    mixed = np.concatenate([state.hands, hopeless.hands])  # so that nothing is settled by them

    def source(start: int, stop: int) -> tuple[Records, FloatArray, bool]:
        hands = np.resize(mixed, stop - start) if start == 0 else np.repeat(state.hands, 7)
        return hands, np.ones(len(hands)), start > 0

    results = evaluate(RULES, options, source, 0, seconds=60.0)

    assert (results.deals, results.complete) == (7, True)
    assert results.weights.sum() == pytest.approx(1)
    assert results.payoff(results.index("knock")).standard_error == 0


def test_a_review_weighs_every_announcement_and_silence(record: Record) -> None:
    verdicts = review(record, deals=64, seed=2)

    assert [one.after for one in verdicts] == asked_at(record)
    assert {(one.seat, one.did) for one in verdicts} == {
        (int(seat), "call:S" if int(action) > 24 else "pass")
        for seat, action in record.steps[asked_at(record)]
    }
    assert all(one.cost.mean == 0 for one in verdicts if one.best == one.did)
    again = review(record, deals=64, seed=2)
    assert [one.cost for one in again] == [one.cost for one in verdicts]


def test_the_table_of_a_review(record: Record) -> None:
    verdicts = review(record, deals=16)
    (grid,), lines = hand_report.review_report(verdicts, "rules", 16)

    assert len(grid.rows) == len(verdicts)
    assert grid.rows[0][0] == f"0: seat {verdicts[0].seat}"
    assert "16 deals" in lines[0]
    assert hand_report.review_data(verdicts)[0]["did"] == verdicts[0].did


def test_silence_with_a_sure_knock_costs_what_it_should() -> None:
    """Alone with the six top trumps: silence is worth 27, a knock 45."""
    state = state_of(["QC QS JC JS JH JD"])
    while not state.is_over:
        state.push("pass" if "pass" in state.legal() else state.legal()[0])
    verdicts: list[Verdict] = review(Record.parse(json.dumps(to_record(state))), deals=32)

    last = verdicts[-1]
    assert (last.did, last.best, last.cost.mean) == ("pass", "knock", 18)


def test_positions_without_an_announcement(record: Record) -> None:
    card = next(n for n in range(len(record.steps)) if n not in asked_at(record))
    with pytest.raises(ConfigError, match=f"after {card} actions nobody is asked to announce"):
        position(record, card)
    with pytest.raises(ConfigError, match="after is 999"):
        position(record, 999)


def test_a_card_and_an_ended_hand_have_nothing_to_weigh(record: Record) -> None:
    over: Any = record.state()
    with pytest.raises(ConfigError, match="the hand is over"):
        weigh(over)
    card = State.deal(seed=1)
    while "pass" in card.legal():
        card.push("pass")
    with pytest.raises(ConfigError, match="plays a card here"):
        weigh(card)
