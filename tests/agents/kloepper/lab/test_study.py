"""Studies: where opportunities are, what both ways of a decision bring, and what is made of it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.lockstep import Played, play_out
from kloepper_agents.base import Int8Array, IntArray, ObservationAgent, WordArray
from kloepper_agents.games.kloepper.lab.core.advice import foresee
from kloepper_agents.games.kloepper.lab.core.opportunities import (
    KINDS,
    Kind,
    Opportunities,
    opportunities_of,
    sampled,
    tops_of,
)
from kloepper_agents.games.kloepper.lab.core.playing import CALLS, GAME, outcomes_of, payoffs_of
from kloepper_agents.games.kloepper.lab.study import study as study_module
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.study import Study, run_study
from kloepper_agents.kinds import make_agent
from kloepper_env.cards import mask_of
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.kernels import begin
from kloepper_env.games.kloepper.record import CODES, KNOCK, KNOCK_OFF, PASS
from kloepper_env.state import State
from tests.agents.kloepper.lab.lineups import OPTIONS, RULES, dealt
from tests.agents.players import Chance

DEALS = 400


@pytest.fixture(scope="module")
def played() -> Played:
    hands = dealt(60)
    seats = np.zeros((60, 4), np.int64)
    return play_out(GAME, OPTIONS, hands, seats, [Chance()], np.arange(60), 2)


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    return {kind: run_study(kind, deals=DEALS, seed=1, advice_deals=20) for kind in KINDS}


# --- opportunities ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if not kind.by_silence])
def test_opportunities_are_where_the_hand_offers_them(kind: Kind, played: Played) -> None:
    found = opportunities_of(played, kind)

    expected = []
    for deal, hand in enumerate(played.hands):
        masks = [int(mask) for mask in GAME.dealt(hand)]
        state = State(GAME, OPTIONS, GAME.new_hands(1, OPTIONS, 0))
        state.hands["hands"][0] = masks
        begin(state.hands[0], int(hand.dealer))
        for at, (seat, action) in enumerate(GAME.history(hand)):
            if any(kind.mask >> legal & 1 for legal in state.legal_actions()):
                expected.append((deal, at, seat, action, bool(kind.mask >> action & 1)))
            state.push(action)
    rows = zip(found.deal, found.at, found.seat, found.action, found.taken, strict=True)
    assert [tuple(map(int, row)) for row in rows] == [tuple(map(int, row)) for row in expected]
    assert len(expected) > 5


def test_a_double_holder_chooses_once_whether_to_play_alone(played: Played) -> None:
    found = opportunities_of(played, KINDS["alone"])

    could = (played.legal[..., 0] & CALLS != 0).any(axis=1)
    assert found.deal.tolist() == np.flatnonzero(could).tolist()
    np.testing.assert_array_equal(found.taken, played.hands["caller"][found.deal] < 0)


def test_a_sample_of_silent_opportunities_stands_for_all() -> None:
    opportunities = Opportunities(
        deal=np.array([0, 0, 0, 0, 1, 1, 2]),
        at=np.arange(7),
        seat=np.zeros(7, np.int64),
        action=np.full(7, PASS),
        taken=np.array([False, False, True, False, False, False, True]),
        weight=np.ones(7),
    )
    times = np.zeros(7)
    for seed in range(600):
        found = sampled(opportunities, 1, np.random.default_rng(seed))
        assert found.weight.sum() == 7
        assert found.taken.sum() == 2
        assert np.bincount(found.deal[~found.taken]).tolist() == [1, 1]
        assert (np.diff(found.at) > 0).all()
        times[found.at] += found.weight
    np.testing.assert_allclose(times / 600, 1, atol=0.2)
    assert len(sampled(opportunities, None, np.random.default_rng(0))) == 7


@pytest.mark.parametrize(
    ("held", "with_queens", "run"),
    [("QC JC JS AD", 0b11, 3), ("QC JC JS AD", 0, 1), ("QS JC", 0b11, 2), ("JC JS", 0, 0)],
)
def test_a_partners_queen_does_not_break_the_run(held: str, with_queens: int, run: int) -> None:
    mask = np.array([mask_of(held.split(), CODES)])
    assert tops_of(mask, np.array([with_queens])).tolist() == [run]


# --- both ways -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_it_went_is_the_way_it_was_played(kind: str, studies: dict[str, Study]) -> None:
    """Taken: what came of doing it is the hand itself. Let go: the same of the pass."""
    columns = studies[kind].columns
    actual = actual_payoffs(columns)
    taken = columns["taken"] == 1

    np.testing.assert_array_equal(columns["payoff_done"][taken], actual[taken])
    other = "undone" if kind == "alone" else "waited"
    np.testing.assert_array_equal(columns[f"payoff_{other}"][~taken], actual[~taken])
    assert taken.any() or kind == "knock-off"  # four `rules` hardly ever answer a knock


def actual_payoffs(columns: dict[str, Any]) -> IntArray:
    """What the seats of a study scored in the hands as they were played."""
    hands = SeededDeals(1).hands(GAME, OPTIONS, 0, DEALS)
    seats, rules = np.zeros((DEALS, 4), np.int64), make_agent("rules")
    play_out(GAME, OPTIONS, hands, seats, [rules], np.arange(DEALS), 1)
    return payoffs_of(outcomes_of(hands)[columns["deal"]], columns["seat"])


def test_call_and_alone_are_one_decision_seen_from_both_sides(studies: dict[str, Study]) -> None:
    call, alone = studies["call"].columns, studies["alone"].columns
    first = np.unique(call["deal"], return_index=True)[1]
    called_at_once = call["taken"][first] == 1

    np.testing.assert_array_equal(alone["deal"], call["deal"][first])
    np.testing.assert_array_equal(
        alone["payoff_done"][called_at_once], call["payoff_undone"][first][called_at_once]
    )
    np.testing.assert_array_equal(alone["taken"][called_at_once], 0)


def test_silence_that_lasted_needs_no_second_hand(studies: dict[str, Study]) -> None:
    columns = studies["knock-off"].columns  # who is not asked again has one way to be silent
    silent = columns["taken"] == 0
    np.testing.assert_array_equal(
        columns["payoff_undone"][silent], columns["payoff_waited"][silent]
    )


def test_a_knock_that_fails_costs_what_the_rules_say(studies: dict[str, Study]) -> None:
    columns = studies["knock"].columns
    failed = columns["success"] == 0
    assert set(columns["side_done"][failed].tolist()) <= {-12, -24, -30}
    assert set(columns["side_done"][~failed].tolist()) <= {12, 24, 30}


class _Announcer(ObservationAgent):
    """Knocks at once, answers a knock every time or every other time, plays its strongest card."""

    name = "announcer"

    def __init__(self, every: int) -> None:
        self.every = np.uint64(every)

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        chosen = np.where(masks[:, PASS] == 1, PASS, masks.argmax(axis=1))
        chosen = np.where(masks[:, KNOCK] == 1, KNOCK, chosen)
        answers = (masks[:, KNOCK_OFF] == 1) & (random % self.every == 0)
        return np.where(answers, KNOCK_OFF, chosen)


@pytest.mark.parametrize("every", [1, 2])
def test_a_knock_off_is_compared_with_a_side_that_lets_the_knock_stand(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A knock-off doubles the stake and here changes no card, so it wins or loses 12."""
    monkeypatch.setattr(study_module, "make_agent", lambda name: _Announcer(every))

    columns = run_study("knock-off", "announcer", deals=60, seed=3).columns

    assert len(columns["deal"]) > 40
    assert set(columns["taken"].tolist()) == {1, every % 2}
    assert set(columns["side_done"].tolist()) == {24, -24}
    np.testing.assert_array_equal(columns["side_undone"] * 2, columns["side_done"])
    np.testing.assert_array_equal(
        columns["payoff_done"] - columns["payoff_undone"], columns["side_undone"]
    )
    np.testing.assert_array_equal(columns["success"] == 1, columns["side_done"] > 0)


def test_a_study_is_the_same_again_and_by_lot_from_the_same_deals() -> None:
    whole = run_study("knock", deals=60, seed=4)
    again = run_study("knock", deals=60, seed=4)
    some = run_study("knock", deals=60, seed=4, silent=1)

    for name, column in whole.columns.items():
        np.testing.assert_array_equal(column, again.columns[name])
    assert len(some.columns["deal"]) < len(whole.columns["deal"])
    assert some.columns["weight"].sum() == len(whole.columns["deal"])
    rows = {tuple(row) for row in zip(*key_columns(whole), strict=True)}
    assert {tuple(row) for row in zip(*key_columns(some), strict=True)} <= rows


def key_columns(study: Study) -> list[Any]:
    names = ("deal", "seat", "hand", "cards_played", "payoff_done", "payoff_undone")
    return [study.columns[name].tolist() for name in names]


def test_a_slow_policy_is_asked_about_one_silent_opportunity_a_deal() -> None:
    study = run_study("knock", "rollout:worlds=2", deals=2, seed=4, advice_deals=1, worlds=4)

    assert study.setting.silent == 1
    later = study.columns["deal"] == 1
    assert (study.columns["taken"][later] == 0).sum() == 1
    assert np.isfinite(study.columns["foreseen_valued"][~later]).all()
    assert np.isnan(study.columns["foreseen_valued"][later]).all()


# --- advice --------------------------------------------------------------------------------------


def test_what_is_foreseen_knows_nothing_of_the_true_deal() -> None:
    """Two deals that a seat cannot tell apart are foreseen alike."""
    state = State.deal(seed=12)
    while not any(name in state.legal() for name in ("knock", "call:H")):
        state.push(state.legal()[0])
    seat = int(state.hand.turn)
    other = state.copy()
    left, right = (seat + 1) % 4, (seat + 2) % 4
    hands = other.hands["hands"][0]
    hands[left], hands[right] = int(hands[right]), int(hands[left])
    assert other.view(seat).information_state == state.view(seat).information_state

    seats = np.array([seat])
    found = [foresee(RULES, KINDS["knock"], one.hands, seats, 32, 1) for one in (state, other)]

    assert found[0].gain[0] == found[1].gain[0]
    assert found[0].success[0] == found[1].success[0]


def test_advice_covers_the_first_deals(studies: dict[str, Study]) -> None:
    columns = studies["knock"].columns
    advised = columns["deal"] < 20
    assert np.isfinite(columns["foreseen_gain"][advised]).all()
    assert np.isnan(columns["foreseen_gain"][~advised]).all()
    assert ((columns["foreseen_success"] >= 0) & (columns["foreseen_success"] <= 1))[advised].all()


def made_study(**columns: Any) -> Study:
    """A study of knocks with these columns; deal and weight count up and are 1."""
    n = len(columns["taken"])
    setting = run_study("knock", deals=1).setting

    full = {"deal": np.arange(n), "seat": np.zeros(n, np.int64), "weight": np.ones(n)}
    arrays = {name: np.array(column) for name, column in columns.items()}
    return Study(replace(setting, deals=n, advice_deals=n), {**full, **arrays})


def test_regret_counts_the_first_difference_of_a_seat() -> None:
    study = made_study(
        deal=[0, 0, 1, 2, 3],
        taken=[0, 0, 1, 0, 1],
        foreseen_gain=[5.0, 5.0, -1.0, -2.0, 3.0],
        payoff_done=[12, -12, -12, 24, 12],
        payoff_waited=[2, 2, 4, 2, 2],
    )

    found = summary.regret(study)

    assert found is not None
    assert (found.bold, found.timid) == (1, 1)
    assert found.timid_cost.mean == pytest.approx((12 - 2) / 5)  # the first of deal 0 alone
    assert found.bold_cost.mean == pytest.approx((4 - -12) / 5)


def test_gains_and_rates_by_hand() -> None:
    study = made_study(
        taken=[1, 1, 0, 0],
        weight=[1.0, 1.0, 3.0, 1.0],
        success=[1, 0, 0, 1],
        payoff_done=[12, -12, -12, 12],
        payoff_undone=[2, 4, 4, 12],
        payoff_waited=[2, 4, 4, 12],
        side_done=[12, -12, -12, 12],
        side_undone=[2, 4, 4, 12],
        trumps=[4, 4, 3, 3],
    )
    taken = summary.taken_of(study)

    rates, made, missed = (
        summary.rates(study),
        summary.gains(study, taken),
        summary.gains(study, ~taken),
    )

    assert (rates.chances, rates.hands) == (6, 4)
    assert rates.per_chance.share == pytest.approx(2 / 6)
    assert rates.success.share == 0.5
    assert rates.success_if_made.share == pytest.approx(2 / 6)
    assert made.payoff.mean == pytest.approx((10 - 16) / 2)
    assert (made.won.share, made.lost.share) == (0.5, 0.5)
    assert missed.payoff.mean == pytest.approx((3 * -16 + 0) / 4)
    assert (missed.won.share, missed.lost.share) == (0.0, 0.75)
    three, four = summary.cells(study, "trumps")
    assert (three.value, three.chances, three.made.share) == (3, 4, 0.0)
    assert four.gain.mean == four.gain_made.mean == pytest.approx(-3)


# --- misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "bid"}, "'bid' is no decision of the lab: it must be knock, knock-off, call or"),
        ({"deals": 0}, "deals is 0"),
        ({"policy": "nobody"}, "unknown agent 'nobody'"),
        ({"worlds": 1}, "worlds 2 or more"),
        ({"advice_deals": -1}, "the deals must be 0 or more"),
        ({"rules": {"knock": 1}}, "unknown option 'knock'"),
    ],
)
def test_misuse_is_one_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run_study(**{"kind": "knock", "deals": 4, **arguments})
