"""Where all deals can be listed, every figure of the lab equals the exact one within its interval.

The position: a seat is asked after trick 1, and 14,112 deals are possible for it.
"""

from dataclasses import replace

import numpy as np
import pytest

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.ask.position import options_at, worlds_of
from kloepper_agents.games.kloepper.lab.ask.report import needed
from kloepper_agents.games.kloepper.lab.core.advice import believed_policy
from kloepper_agents.games.kloepper.lab.core.evaluate import Results, evaluate, play_all
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.study import Study, run_study
from kloepper_env.beliefs import Belief
from kloepper_env.games.kloepper.kernels import STAKE_KNOCK
from kloepper_env.state import State
from tests.agents.kloepper.lab.lineups import RULES

REPEATS = 400
MANY_REPEATS = 2400  # of five shares, each known to 0.4 %
SIZE = 400  # deals of each repeat
SEAT = 0
COVERED = (0.93, 0.97)


def asked_after_trick_1() -> State:
    """Seat 1 led a trump that seat 2 could not follow; both black queens fell."""
    state = State.deal(seed=1168)
    for action in ["QD", "KS", "QS", "QC"]:
        while action not in state.legal():
            state.push("pass")
        state.push(action)
    return state


@pytest.fixture(scope="module")
def exact() -> Results:
    """Every possible deal, played out, with the weight that Bayes gives it."""
    view = asked_after_trick_1().view(SEAT)
    belief, likelihood = Belief(view), believed_policy(RULES.policy)
    assert likelihood is not None
    worlds, options = belief.enumerate(), options_at(view, replies=False)
    outcomes = play_all(RULES, options, worlds, SEAT, np.arange(len(worlds)))
    assert len(worlds) == 14_112
    return Results(options, SEAT, outcomes, belief.weights(worlds, likelihood), True, 1.0)


def covers(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


@pytest.mark.slow
def test_intervals_of_positions_cover(exact: Results) -> None:
    """Values, gaps and probabilities from worlds drawn as the commands draw them."""
    state = asked_after_trick_1()
    view = state.view(SEAT)
    options = options_at(view, replies=False)
    names = [option.name for option in options]
    silent, knock = names.index("stay silent"), names.index("knock")
    truth = [exact.index(name) for name in names]
    hits = np.zeros((MANY_REPEATS, 5), np.bool_)
    for seed in range(MANY_REPEATS):
        found = evaluate(
            RULES, options, worlds_of(RULES, view, seed), SEAT, seconds=60.0, most=SIZE
        )
        assert not found.complete
        w = found.payoff(silent)
        need = [needed(bound, STAKE_KNOCK) for bound in (w.low, w.high)]
        hits[seed] = (
            covers(w, exact.payoff(truth[silent]).mean),
            covers(found.payoff(knock), exact.payoff(truth[knock]).mean),
            covers(found.gap(knock, silent), exact.gap(truth[knock], truth[silent]).mean),
            covers(found.swept(knock), exact.swept(truth[knock]).mean),
            need[0] <= needed(exact.payoff(truth[silent]).mean, STAKE_KNOCK) <= need[1],
        )
    shares = hits.mean(axis=0)
    assert ((shares >= COVERED[0]) & (shares <= COVERED[1])).all(), shares


def test_a_sample_is_near_the_exact_values(exact: Results) -> None:
    view = asked_after_trick_1().view(SEAT)
    options = options_at(view, replies=False)
    found = evaluate(RULES, options, worlds_of(RULES, view, 5), SEAT, seconds=60.0, most=SIZE)

    for i, option in enumerate(options):
        truth = exact.payoff(exact.index(option.name)).mean
        assert abs(found.payoff(i).mean - truth) < 4.5 * max(found.payoff(i).standard_error, 1e-9)


@pytest.mark.slow
def test_intervals_of_studies_cover() -> None:
    """3,000 deals are everything there is; 300 deals drawn from them are a study."""
    whole = run_study("knock", deals=3000, seed=6, advice_deals=300, worlds=16)
    advised = run_study("call", deals=3000, seed=6, advice_deals=3000, worlds=16)
    rng = np.random.default_rng(1)
    hits = []
    for _ in range(REPEATS):
        some = redrawn(whole, 300, rng)
        calls = redrawn(advised, 600, rng)
        taken = summary.taken_of(whole)
        own = summary.taken_of(some)
        wrong, truth = summary.regret(calls), summary.regret(advised)
        assert wrong is not None
        assert truth is not None
        hits.append(
            (
                covers(summary.gains(some, ~own).payoff, summary.gains(whole, ~taken).payoff.mean),
                covers(
                    summary.mean(some, some.columns["success"], ~own),
                    summary.mean(whole, whole.columns["success"], ~taken).mean,
                ),
                covers(
                    summary.gains(calls, summary.taken_of(calls)).payoff,
                    summary.gains(advised, summary.taken_of(advised)).payoff.mean,
                ),
                covers(
                    summary.mean(calls, brier_of(calls), calls.columns["weight"] > 0),
                    summary.mean(advised, brier_of(advised), advised.columns["weight"] > 0).mean,
                ),
            )
        )
    shares = np.mean(hits, axis=0)
    assert ((shares >= COVERED[0]) & (shares <= COVERED[1])).all(), shares


def brier_of(study: Study) -> FloatArray:
    columns = study.columns
    errors: FloatArray = np.square(columns["foreseen_success"] - columns["success"])
    return errors


def redrawn(study: Study, deals: int, rng: np.random.Generator) -> Study:
    """A study of so many deals drawn from another, each with all its opportunities;
    they are numbered anew, for one that is drawn twice counts as two."""
    drawn = rng.integers(study.hands, size=deals)
    order = np.argsort(study.columns["deal"], kind="stable")
    ends = np.searchsorted(study.columns["deal"][order], np.arange(study.hands + 1))
    rows = [order[ends[deal] : ends[deal + 1]] for deal in drawn]
    chosen = np.concatenate(rows)
    columns = {name: column[chosen] for name, column in study.columns.items()}
    columns["deal"] = np.repeat(np.arange(deals), [len(one) for one in rows])
    setting = replace(study.setting, deals=deals, advice_deals=deals)
    return Study(setting, columns)
