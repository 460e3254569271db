"""The solver against brute force on endings of up to four cards a hand."""

import hashlib

import numpy as np
import pytest

from kloepper_env import engine
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS
from tests.env.solver_kloepper import brute


def compare(hands: engine.Records) -> None:
    """Points, score and the all-tricks bit must equal brute force."""
    expected, found = brute.brute_values(hands), brute.solved(hands)
    whole = brute.plays_to_the_end(hands)

    np.testing.assert_array_equal(expected[whole], found[whole])
    np.testing.assert_array_equal(expected[:, brute.SCORE :], found[:, brute.SCORE :])


def compare_cards(hands: engine.Records) -> None:
    """The value of every legal card must be that of brute force after it."""
    table = np.zeros(WORDS, np.int64)
    points, scores = np.zeros((2, len(hands), 24), np.int64)
    queries.points_of_all_cards(table, hands, points)
    queries.scores_of_all_cards(table, hands, scores)
    for card in range(24):
        legal = np.array([engine.legal_of(hands[i : i + 1]) >> card & 1 for i in range(len(hands))])
        np.testing.assert_array_equal(legal == 0, points[:, card] == queries.ILLEGAL)
        np.testing.assert_array_equal(legal == 0, scores[:, card] == queries.ILLEGAL)
        after = hands[legal == 1].copy()
        for i in range(len(after)):
            engine.apply_to(after[i : i + 1], card)
        expected = brute.brute_values(after)
        whole = brute.plays_to_the_end(after)
        np.testing.assert_array_equal(
            expected[whole, brute.POINTS], points[legal == 1, card][whole]
        )
        np.testing.assert_array_equal(expected[:, brute.SCORE], scores[legal == 1, card])


def test_the_corpus_is_frozen() -> None:
    """Another corpus would be another claim: whoever changes it changes this line."""
    hands = brute.endings(3_000, seed=1)
    cards = b"".join(hands[field].tobytes() for field in ("hands", "played", "black", "player"))

    assert hashlib.sha256(cards).hexdigest()[:16] == "92d887289812eaa0"


def test_the_corpus_holds_all_kinds_of_endings() -> None:
    hands = brute.endings(3_000, seed=1)
    black_seats = np.bitwise_count(hands["black"])

    assert set(range(8, 24)) == set(hands["plies"].tolist())
    assert {1, 2} == set(black_seats.tolist())
    assert np.sum(hands["caller"] >= 0) > 100
    assert np.sum(hands["knocker"] >= 0) > 100
    assert np.sum(hands["knocked_off"] >= 0) > 50
    assert 0.02 < np.mean(brute.brute_values(hands)[:, brute.SWEEP]) < 0.98


def test_values_equal_brute_force_on_3_000_endings() -> None:
    compare(brute.endings(3_000, seed=1))


def test_values_of_cards_equal_brute_force_on_1_000_endings() -> None:
    compare_cards(brute.endings(1_000, seed=2))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_values_equal_brute_force_on_100_000_endings(seed: int) -> None:
    hands = brute.endings(10_000, seed)
    compare(hands)
    compare_cards(hands)
