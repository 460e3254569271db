"""Plans: what a seat that follows one does, compiled and not; outcomes and payoffs; going back."""

from importlib import import_module

import numpy as np
import pytest

from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.base import Agent
from kloepper_agents.games.kloepper.lab.core.deals import deals_around, read_hand
from kloepper_agents.games.kloepper.lab.core.playing import (
    ANSWERED,
    BLACK,
    CALLS,
    CARD_POINTS,
    GAME,
    KNOCKER,
    KNOCKS,
    POINTS,
    POLICY,
    SWEPT,
    UNKNOWN,
    Lineup,
    Plan,
    acted,
    outcomes_of,
    payoffs_of,
    planned,
    play_by_rules,
    quiet,
    rewound,
    side_points_of,
)
from kloepper_env import engine
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import CALL, KNOCK, KNOCK_OFF, N_CARDS, PASS
from tests.agents.kloepper.lab.lineups import OPTIONS, RULES, UNCOMPILED, dealt, every_seat
from tests.agents.players import Chance, ChanceByView

N = 300
PLANS = [
    (POLICY, POLICY),
    (quiet(KNOCKS | CALLS), POLICY),
    (Plan(KNOCKS, KNOCK, 0), POLICY),
    (Plan(KNOCKS, KNOCK, 2), Plan(1 << KNOCK_OFF, KNOCK_OFF)),
    (Plan(KNOCKS | CALLS, KNOCK, 4), quiet(1 << KNOCK_OFF)),
    (Plan(CALLS, CALL + 2, 1), POLICY),
    (quiet(1 << KNOCK_OFF), Plan(KNOCKS, KNOCK)),
]


@pytest.mark.parametrize(("plan", "others"), PLANS)
def test_compiled_rules_play_as_rules_do(plan: Plan, others: Plan) -> None:
    hands, seats, numbers = dealt(N), every_seat(N), np.arange(N)

    compiled = RULES.play(hands, seats, plan, numbers, others)

    np.testing.assert_array_equal(compiled, UNCOMPILED.play(hands, seats, plan, numbers, others))


def test_without_a_plan_the_policy_plays() -> None:
    hands = dealt(N)
    played = hands.copy()
    play_out(
        GAME, OPTIONS, played, np.zeros((N, 4), np.int64), [UNCOMPILED.policy], np.arange(N), 3
    )

    outcomes = RULES.play(hands, every_seat(N), POLICY, np.arange(N))

    np.testing.assert_array_equal(outcomes, outcomes_of(played))


def test_a_planned_player_of_the_same_name_keeps_its_plan() -> None:
    """Two of a kind with one name: the fast way of `rules` is for `rules` itself alone."""
    hands, silent = dealt(N), quiet(KNOCKS | CALLS)
    policy = planned(RULES.policy, silent)
    assert policy.name == RULES.policy.name

    outcomes = Lineup(policy, OPTIONS, 3).play(hands, every_seat(N), POLICY, np.arange(N))

    expected = RULES.play(hands, every_seat(N), silent, np.arange(N), others=silent)
    np.testing.assert_array_equal(outcomes, expected)


@pytest.mark.parametrize("agent", [Chance(), ChanceByView()], ids=["many", "one"])
@pytest.mark.parametrize("cards", [0, 2])
def test_a_planned_knock_comes_at_its_time(agent: Agent, cards: int) -> None:
    """Chance knocks at any time; the plan's seat only then, and if it holds a black queen."""
    hands, seats = dealt(60), every_seat(60)
    table = Lineup(agent, OPTIONS, 1)
    silent = Plan(KNOCKS)

    outcomes = table.play(hands, seats, Plan(KNOCKS, KNOCK, cards), np.arange(60), others=silent)

    holds = hands["queens"] >> seats & 1 == 1
    called = outcomes[:, KNOCKER] != seats
    np.testing.assert_array_equal(outcomes[~holds, KNOCKER], -1)
    assert holds.sum() > 20
    assert not called[holds].any()


@pytest.mark.parametrize("table", [RULES, UNCOMPILED], ids=["compiled", "not"])
def test_a_knock_after_trick_1_is_made_where_no_enemy_has_it(table: Lineup) -> None:
    """The seat is alone, so whoever else took the trick is one."""
    seats = np.ones(200, np.int64)
    hands = deals_around(read_hand("QC QS JH AC 9S 9H"), 1, OPTIONS, 7, 0, 200)
    played = hands.copy()
    alone = quiet(KNOCKS | CALLS)
    play_by_rules(played, seats, alone.numbers, alone.numbers, 0, np.zeros(WORDS, np.int64))
    cards = (engine.actions_noted(played["log"]) < N_CARDS).cumsum(axis=1)
    after_trick_1 = rewound(hands, played, 1 + (cards >= 4).argmax(axis=1))
    took_it = after_trick_1["won"] >> 1 & 1 == 1

    outcomes = table.play(hands, seats, Plan(KNOCKS | CALLS, KNOCK, 4), np.arange(200), alone)

    assert 20 < took_it.sum() < 180
    np.testing.assert_array_equal(outcomes[:, KNOCKER] == 1, took_it)


@pytest.mark.parametrize("table", [RULES, UNCOMPILED], ids=["compiled", "not"])
def test_what_a_plan_forbids_becomes_a_pass(table: Lineup) -> None:
    hands, seats = dealt(N), every_seat(N)
    nothing = quiet(KNOCKS | CALLS | 1 << KNOCK_OFF)

    outcomes = table.play(hands, seats, nothing, np.arange(N), others=nothing)

    assert (outcomes[:, KNOCKER] == -1).all()
    assert (outcomes[:, BLACK] == hands["queens"]).all()  # nobody called


def test_both_ways_to_wait_for_a_question_agree() -> None:
    hands, seats = dealt(2000), every_seat(2000)

    compiled, where = RULES.until_asked(hands, seats, 1 << KNOCK_OFF, np.arange(2000))
    other, elsewhere = UNCOMPILED.until_asked(hands, seats, 1 << KNOCK_OFF, np.arange(2000))

    np.testing.assert_array_equal(where, elsewhere)
    np.testing.assert_array_equal(compiled, other)
    assert 0 < len(where) < 100
    assert (compiled["turn"] == seats[where]).all()
    assert (compiled["knocker"] >= 0).all()


def test_luck_goes_on_where_the_hand_was_left() -> None:
    """The same decisions draw the same random words, whether or not a hand was interrupted."""
    hands, table = dealt(50), Lineup(Chance(), OPTIONS, 9)
    played = hands.copy()
    play_out(GAME, OPTIONS, played, np.zeros((50, 4), np.int64), [Chance()], np.arange(50), 9)

    halfway = rewound(hands, played, played["log_length"] // 2)
    outcomes = table.play(halfway, every_seat(50), POLICY, np.arange(50))

    np.testing.assert_array_equal(outcomes, outcomes_of(played))


def test_going_back_to_the_start_and_to_the_end() -> None:
    hands = dealt(20)
    played = hands.copy()
    play_out(GAME, OPTIONS, played, np.zeros((20, 4), np.int64), [Chance()], np.arange(20), 9)

    np.testing.assert_array_equal(rewound(hands, played, np.zeros(20, np.int64)), hands)
    np.testing.assert_array_equal(rewound(hands, played, played["log_length"]), played)


def test_acting_leaves_the_hands_as_they_were() -> None:
    hands = dealt(5)
    before = hands.copy()

    after = acted(hands, np.full(5, PASS))

    np.testing.assert_array_equal(hands, before)
    assert (after["log_length"] == 1).all()


def test_payoffs_are_those_of_the_search_players() -> None:
    hands = dealt(500)
    outcomes = Lineup(Chance(), OPTIONS, 4).play(hands, every_seat(500), POLICY, np.arange(500))
    seats = every_seat(500)

    ours = payoffs_of(outcomes, seats)

    theirs = [
        payoff(int(one[POINTS]), int(one[BLACK]), int(s))
        for one, s in zip(outcomes, seats, strict=True)
    ]
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(theirs)) > 8


def test_side_points_have_the_sign_of_the_side() -> None:
    outcome = np.array([[12, 0b0011, 1, UNKNOWN, 0, 0], [-24, 0b0011, 0, UNKNOWN, 0, 1]])

    assert side_points_of(outcome, np.array([1, 1])).tolist() == [12, -24]
    assert side_points_of(outcome, np.array([2, 3])).tolist() == [-12, 24]


def test_outcomes_of_whole_and_of_stopped_hands() -> None:
    hands = dealt(N)
    knocks = RULES.play(hands, every_seat(N), Plan(KNOCKS, KNOCK), np.arange(N))
    stopped = knocks[:, CARD_POINTS] == UNKNOWN

    assert 0 < stopped.sum() < N
    assert (knocks[stopped, SWEPT] == 0).all()  # K28: a hand that ends early is lost
    assert (knocks[stopped, KNOCKER] >= 0).all()
    assert set(knocks[knocks[:, ANSWERED] == 1, POINTS].tolist()) <= {24, -24}
    assert ((knocks[~stopped, CARD_POINTS] >= 0) & (knocks[~stopped, CARD_POINTS] <= 120)).all()


def test_a_lineup_is_still_found_by_its_old_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"kloepper_agents\.lab\.playing is now"):
        assert import_module("kloepper_agents.lab.playing").Table is Lineup
