"""The solver on fresh deals, too large for brute force: it must agree with itself."""

import numpy as np
import pytest

from kloepper_env import engine
from kloepper_env.games.kloepper.record import FIRST_OF_SUIT, HAND, SUIT_SIZE
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS
from tests.env.solver_kloepper import brute

CLUBS, SPADES = FIRST_OF_SUIT[:2]
SIZE = SUIT_SIZE[0]


def early(n: int, seed: int) -> engine.Records:
    """Positions with 16 to 24 cards left, some of them after announcements."""
    hands = brute.fresh(n, seed)
    brute.play_on(hands, np.random.default_rng(seed).integers(0, 9, n))
    going: engine.Records = hands[hands["over"] == 0]
    return going


def check_against_children(n: int, seed: int) -> None:
    hands = brute.fresh(n, seed)

    np.testing.assert_array_equal(brute.best_of_children(hands), brute.solved(hands))


def test_root_is_the_best_child_on_200_deals() -> None:
    check_against_children(200, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_root_is_the_best_child_on_10_000_deals(seed: int) -> None:
    check_against_children(1_000, seed=100 + seed)


def test_earlier_positions_are_the_best_child_too() -> None:
    hands = early(300, seed=2)

    np.testing.assert_array_equal(brute.best_of_children(hands), brute.solved(hands))


def test_values_of_cards_hold_the_value_of_the_hand() -> None:
    hands = early(300, seed=3)
    table = np.zeros(WORDS, np.int64)
    points, scores = np.zeros((2, len(hands), 24), np.int64)
    queries.points_of_all_cards(table, hands, points)
    queries.scores_of_all_cards(table, hands, scores)
    expected = brute.solved(hands)
    for k, values in ((brute.POINTS, points), (brute.SCORE, scores)):
        for i, hand in enumerate(hands):
            legal = values[i][values[i] != queries.ILLEGAL]
            black_plays = hand.black >> hand.player & 1
            assert expected[i, k] == (legal.max() if black_plays else legal.min())


def rotated(hands: engine.Records, steps: int) -> engine.Records:
    """The same hands with every seat moved on by `steps`."""
    other = hands.copy()
    for field in ("hands", "played"):
        other[field] = np.roll(hands[field], steps, axis=1)
    for field in ("dealer", "turn", "player", "leader", "winner", "caller", "knocker"):
        other[field] = np.where(hands[field] >= 0, hands[field] + steps & 3, hands[field])
    for field in ("queens", "black", "won"):
        mask = hands[field].astype(np.int64)
        other[field] = (mask << steps | mask >> 4 - steps) & 15
    points, tricks = hands["counts"] & 0xFFFFFFFF, hands["counts"] >> 32
    for half, shift in ((points, 0), (tricks, 32)):
        moved = (half << 8 * steps | half >> 32 - 8 * steps) & 0xFFFFFFFF
        other["counts"] = np.where(shift, other["counts"] | moved << shift, moved)
    return other


def with_clubs_and_spades_swapped(hands: engine.Records) -> engine.Records:
    """The same hands with every plain club and spade in each other's place."""
    other = hands.copy()
    both = ((1 << SIZE) - 1) << CLUBS | ((1 << SIZE) - 1) << SPADES
    for field in ("hands", "played", "table"):
        mask = hands[field].astype(np.int64)
        clubs, spades = mask >> CLUBS & (1 << SIZE) - 1, mask >> SPADES & (1 << SIZE) - 1
        other[field] = mask & ~both | clubs << SPADES | spades << CLUBS
    for field in ("led", "called"):
        other[field] = np.where(np.isin(hands[field], (0, 1)), 1 - hands[field], hands[field])
    best = hands["best"].astype(np.int64)
    other["best"] = np.select(
        [(best >= CLUBS) & (best < SPADES), (best >= SPADES) & (best < SPADES + SIZE)],
        [best + SPADES - CLUBS, best - SPADES + CLUBS],
        best,
    )
    return other


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_seats_do_not_matter(steps: int) -> None:
    hands = early(150, seed=4)

    np.testing.assert_array_equal(brute.solved(hands), brute.solved(rotated(hands, steps)))


def test_clubs_and_spades_are_alike() -> None:
    hands = early(300, seed=5)

    np.testing.assert_array_equal(
        brute.solved(hands), brute.solved(with_clubs_and_spades_swapped(hands))
    )


def test_all_tricks_are_all_points_and_the_highest_score() -> None:
    hands = early(1_000, seed=6)
    values = brute.solved(hands)
    swept = values[:, brute.SWEEP] == 1

    assert 0.05 < swept.mean() < 0.5
    assert set(values[swept, brute.POINTS]) == {120}
    unknocked = hands["knocker"] < 0
    assert set(values[swept & unknocked, brute.SCORE]) == {6, 18}
    assert set(values[~swept & unknocked, brute.SCORE]) <= {12, 4, 6, 2, -2, -4, -6, -12}
    alone = np.bitwise_count(hands["black"]) == 1
    assert 6 not in values[~swept & unknocked & ~alone, brute.SCORE]


def test_a_trick_without_points_is_a_trick() -> None:
    """K22: with all 120 points but one trick of four nines lost there are not all tricks."""
    hands = np.zeros(1, HAND)
    hands[:] = brute.fresh(1, seed=1)
    table = np.zeros(WORDS, np.int64)
    brute.pass_all(hands[0])
    red = next(seat for seat in range(4) if not hands["black"][0] >> seat & 1)
    hands["won"] = 1 << red

    assert not queries.record_sweeps(table, hands)
    assert queries.points_of_record(table, hands) == queries.points_of_record(
        table, brute.fresh(1, seed=1)
    )


def test_reaches_is_the_exact_value_asked_at_a_threshold() -> None:
    hands = early(60, seed=7)
    table = np.zeros(WORDS, np.int64)
    values = brute.solved(hands)[:, brute.POINTS]
    for i, value in enumerate(values):
        one = hands[i : i + 1]
        assert queries.record_reaches(table, one, int(value))
        assert not queries.record_reaches(table, one, int(value) + 1)


def test_values_do_not_depend_on_what_the_table_holds() -> None:
    hands = early(200, seed=8)
    backwards = brute.solved(hands[::-1].copy())[::-1]

    np.testing.assert_array_equal(brute.solved(hands), backwards)
