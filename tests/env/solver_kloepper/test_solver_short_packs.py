"""Whole deals of the short packs (K32) from the first card on, against plain minimax."""

import numpy as np
import pytest
from numpy.typing import NDArray

from kloepper_env import State, engine
from kloepper_env.games.kloepper.deals import all_deals
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.record import ACTION_NAMES, CALL, KNOCK, N_CARDS, PASS
from kloepper_env.solver import Solver
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS
from tests.env.solver_kloepper import brute

RULES = [
    {},
    {"failed_knock": "normal", "called_partner_may_knock": True},
    {"failed_knock": "none", "stop_when_decided": False},
]


def check(hands: engine.Records) -> None:
    """All that the solver tells of each hand as it is, and of each card."""
    exact = brute.brute_values(hands)
    found = brute.solved(hands)
    whole = brute.plays_to_the_end(hands)
    np.testing.assert_array_equal(found[:, brute.SCORE :], exact[:, brute.SCORE :])
    np.testing.assert_array_equal(found[whole, brute.POINTS], exact[whole, brute.POINTS])


def check_cards(hands: engine.Records) -> None:
    """The value of every card against minimax after it, nobody announcing anything."""
    table = np.zeros(WORDS, np.int64)
    points, scores = np.empty((2, len(hands), N_CARDS), np.int64)
    queries.points_of_all_cards(table, hands, points)
    queries.scores_of_all_cards(table, hands, scores)
    whole = brute.plays_to_the_end(hands)
    for card in range(N_CARDS):
        after = hands.copy()
        legal = _played(after, card)
        assert ((points[:, card] != queries.ILLEGAL) == legal).all()
        exact = brute.brute_values(after[legal])
        np.testing.assert_array_equal(scores[legal, card], exact[:, brute.SCORE])
        kept = legal & whole
        np.testing.assert_array_equal(points[kept, card], exact[whole[legal], brute.POINTS])


def _played(hands: engine.Records, card: int) -> NDArray[np.bool_]:
    """Let everybody pass, then play a card where it may be; where that is [N]."""
    legal = np.zeros(len(hands), np.bool_)
    for i in range(len(hands)):
        one = hands[i : i + 1]
        while engine.legal_of(one) >> PASS & 1:
            engine.apply_to(one, PASS)
        if engine.legal_of(one) >> card & 1:
            engine.apply_to(one, card)
            legal[i] = True
    return legal


def announced(hands: engine.Records, action: int) -> engine.Records:
    """Those of some hands just dealt in which the seat asked first may do this, after it."""
    may = [bool(engine.legal_of(hands[i : i + 1]) >> action & 1) for i in range(len(hands))]
    after: engine.Records = hands[may]
    for i in range(len(after)):
        engine.apply_to(after[i : i + 1], action)
    return after


@pytest.mark.parametrize("rules", RULES)
def test_all_deals_of_eight_cards(rules: dict[str, object]) -> None:
    check(all_deals({"pack": 8, **rules}))


@pytest.mark.parametrize("action", [KNOCK, CALL, CALL + 2], ids=ACTION_NAMES.__getitem__)
@pytest.mark.parametrize("rules", RULES)
def test_all_deals_of_eight_cards_after_an_announcement(
    rules: dict[str, object], action: int
) -> None:
    hands = announced(all_deals({"pack": 8, **rules}), action)
    assert len(hands) > 50
    check(hands)


def test_every_card_of_eight() -> None:
    hands = all_deals({"pack": 8})[::7]
    check_cards(hands)
    check_cards(announced(hands, KNOCK))


def twelve(n: int, seed: int, options: Options) -> engine.Records:
    """Random deals of 12 cards."""
    return brute.fresh(n, seed, options)


@pytest.mark.parametrize("rules", RULES)
def test_deals_of_twelve_cards(rules: dict[str, object]) -> None:
    hands = twelve(300, 5, brute.GAME.options({"pack": 12, **rules}))
    check(hands)
    for action in (KNOCK, CALL, CALL + 1, CALL + 2):
        check(announced(hands, action))
    check_cards(hands[:60])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_deals_of_twelve_cards(seed: int) -> None:
    hands = twelve(5_000, 100 + seed, brute.GAME.options({"pack": 12, **RULES[seed % 3]}))
    check(hands)
    check(announced(hands, KNOCK))
    check_cards(hands[:200])


@pytest.mark.parametrize("pack", [12, 8])
def test_a_line_brings_what_was_promised(pack: int) -> None:
    solver = Solver()
    for seed in range(40):
        state = State.deal(rules={"pack": pack}, seed=seed)
        points, score = solver.points(state), solver.score(state)
        cards = solver.line(state)
        assert len(cards) == pack
        for card in cards:
            while "pass" in state.legal():
                state.push("pass")
            state.push(card)
        black = int(state.hand.black)
        gains = [n if black >> seat & 1 else -n for seat, n in enumerate(state.scores())]
        assert sorted({*gains, 0}, key=abs)[-1] == score
        assert state.game.summary(state.hand, state.options) == {"black_points": points}
