"""Features: the observation read back, and what follows from it with certainty."""

import numpy as np
import pytest

from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.beating import can_beat, wins_now
from kloepper_agents.games.kloepper.features import MASK_WORDS, features_of, points_of
from kloepper_env.batch import Batch
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.record import ALL_CARDS, HEARTS, SPADES, TRUMPS
from tests.agents.positions import card, features, features_from, state_of, to_card


def test_words_and_bits_are_inverse_for_any_memory_layout() -> None:
    rows = np.random.default_rng(1).integers(0, 2, (50, 64)).astype(np.int8)
    strided = np.asfortranarray(rows)[::2]
    assert not strided.flags.c_contiguous
    for row, packed in zip(rows[::2], words_of(strided, 8), strict=True):
        expected = sum(int(bit) << i for i, bit in enumerate(row[:56]))
        assert bits_of(packed, 0, 7) == expected


def test_features_agree_with_the_record_on_random_positions() -> None:
    batch = Batch(n=400, seed=77)
    certain = 0
    for _ in range(30):
        batch.step(batch.sample())
        words = words_of(batch.observation, WORDS)
        masks = words_of(batch.action_mask, MASK_WORDS)
        for lane in range(0, 400, 8):
            hand, seat = batch.hands[lane], int(batch.turn[lane])
            seen = features_of(words[lane], bits_of(masks[lane], 0, MASK_WORDS))
            order = [(seat + k) % 4 for k in range(4)]
            assert seen.hand == hand.hands[seat]
            assert list(seen.played) == [int(hand.played[s]) for s in order]
            everything = int(hand.hands.sum() | hand.played.sum())
            assert everything == ALL_CARDS
            assert seen.unseen == ALL_CARDS & ~seen.hand & ~int(hand.played.sum())
            table = sum(seen.table)
            assert seen.on_table == points_of(table)
            assert (seen.best != -1) == (seen.led != -1) == (table != 0)
            side = int(hand.black) >> seat & 1
            for k, probability in enumerate(seen.with_me):
                same = (int(hand.black) >> order[k] & 1) == side
                assert 0.0 <= probability <= 1.0
                # A certain side is the true one, but while a double holder may still call or is
                # hidden the side of a red seat is only likely.
                split = int(hand.queens).bit_count() == 2
                if split and probability in (0.0, 1.0):
                    assert same == bool(probability)
                    certain += 1
    assert certain > 2_000


@pytest.mark.parametrize(
    ("best", "led", "expected"),
    [("QC", TRUMPS, 0.0), ("QS", TRUMPS, 0.0), ("AH", HEARTS, None)],
)
def test_an_enemy_of_a_black_seat_has_no_queen(best: str, led: int, expected: float | None) -> None:
    state = to_card(state_of(["QS JC AC KC AH 9H"]))
    probability = can_beat(features(state), 1, card(best), led, 0)
    assert probability == expected if expected is not None else 0.0 < probability < 1.0


def test_the_partner_of_a_black_seat_has_the_other_queen() -> None:
    state = to_card(state_of(["QS JC AC KC AH 9H"]))
    assert can_beat(features(state), 2, card("JC"), TRUMPS, 1) == 1.0


def test_a_seat_void_in_trumps_is_red_and_cannot_ruff() -> None:
    hands = ["QS 9D AC KC AH 9H", "AS TS KS 9S TC 9C", "QC JC JS JH TH KH", "JD AD TD KD QD QH"]
    state = to_card(state_of(hands, "9D 9C QC QD"))
    seen = features_from(state, 0)
    assert seen.with_me[1] == 0.0
    assert seen.with_me[2] == 1.0
    assert can_beat(seen, 1, card("AH"), HEARTS, 0) == 0.0
    assert can_beat(seen, 1, card("KS"), SPADES, 0) > 0.0


def test_the_lead_tells_who_is_black() -> None:
    hands = ["JD 9S KS KC TC AC", "JC 9D AH TH 9C AS"]
    before = features_from(state_of(hands), 1).with_me[3]
    plain = features_from(to_card(state_of(hands, "KC")), 1).with_me[3]
    trump = features_from(to_card(state_of(hands, "JD")), 1).with_me[3]
    assert plain < before < trump


def test_wins_now_follows_the_table() -> None:
    state = state_of(["AC 9C QH 9H KS 9S", "9D KC TC AH AS TS"], "9C")
    seen = features(to_card(state))
    assert wins_now(seen, card("KC"))
    assert wins_now(seen, card("9D"))
    assert not wins_now(seen, card("AS"))
