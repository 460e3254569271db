"""`Game.worst`: no seat scores less against the mean of all, whatever the rules and the play."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from kloepper_env import Batch, get_game
from kloepper_env.games.klammern.melds import MOST_MELDS, find_melds, points_of
from kloepper_env.games.kloepper import kernels
from kloepper_env.tricks import NONE
from tests.env.cases import Case

FAILED_KNOCKS = ("stake", "normal", "none")


def relative(scores: Any) -> Any:
    return scores - scores.mean(axis=-1, keepdims=True)


@pytest.mark.parametrize("failed_knock", FAILED_KNOCKS)
def test_no_score_of_kloepper_is_below_the_worst(failed_knock: str) -> None:
    """All ends there are: who is black, who knocked and knocked off, points and tricks."""
    game = get_game("kloepper")
    options = game.options({"failed_knock": failed_knock})
    hand = game.new_hands(1, options, 0)[0]
    lowest = 0.0
    for black, lone, knocker, off, points, swept in product(
        (0b0001, 0b0011), (0, 1), (NONE, 0), (NONE, 2), range(0, 121, 10), (False, True)
    ):
        if lone and (knocker == NONE or off != NONE or black != 1):
            continue  # K17, K18: nobody knocks off a lone knocker
        hand.black, hand.lone, hand.knocker, hand.knocked_off = black, lone, knocker, off
        score = kernels.score_if(hand, points, swept)
        sides = np.array([black >> seat & 1 for seat in range(4)])
        scores = np.where(sides == 1, max(score, 0), max(-score, 0))
        lowest = min(lowest, float(relative(scores).min()))
    assert lowest == game.worst(options, {}) == -22.5


@pytest.mark.parametrize("rules", [{}, {"meld_card_reuse": True, "split_long_runs": True}])
def test_no_team_has_more_melds_than_the_most(rules: dict[str, Any]) -> None:
    """Sought by exchanging cards as long as that gains points, from many starts."""
    game, rng, found = get_game("klammern"), random.Random(1), 0
    hand = game.new_hands(1, game.options(rules), 0)[0]

    def worth(cards: list[int]) -> int:
        total = 0
        for seat, own in ((0, cards[:8]), (2, cards[8:16])):
            hand.hands[seat] = sum(1 << card for card in own)
            find_melds(hand, seat)
            total += int(points_of(int(hand.melds[seat])))
        return total

    for start in range(8):
        ranks = rng.sample(range(8), 4) if start else [1, 2, 5, 7]
        cards = [rank + 8 * suit for rank in ranks for suit in range(4)]
        if start % 2:
            cards = rng.sample(cards, 16)
        cards += [card for card in range(32) if card not in cards]
        best = worth(cards)
        for _ in range(400):
            one, two = rng.sample(range(32), 2)
            cards[one], cards[two] = cards[two], cards[one]
            now = worth(cards)
            if now < best:
                cards[one], cards[two] = cards[two], cards[one]
            best = max(best, now)
        found = max(found, best)
    assert found <= MOST_MELDS
    four_fours = [game.codes.index(r + s) for r in "J9AT" for s in "CSHD"]
    assert worth(four_fours) == MOST_MELDS


@pytest.mark.parametrize("bonus", [0, 100, 999_999])
def test_the_bound_of_klammern_grows_with_stakes_and_carry(bonus: int) -> None:
    game = get_game("klammern")
    options = game.options({"durchmarsch_bonus": bonus})
    assert game.worst(options, {"litige": 0}) == -2 * (162 + 550 + 20 + bonus)
    assert game.worst(options, {"litige": 324}) == game.worst(options, {}) - 162


def test_no_hand_played_is_below_the_worst(case: Case) -> None:
    for rules in ({}, case.variant, case.unusual):
        batch, hands = Batch(case.game, 64, seed=1, rules=rules), 0
        worst = case.game.worst(case.game.options(rules), {})
        while hands < 500:
            batch.step(batch.sample())
            ended = batch.rewards[batch.ended == 1]
            hands += len(ended)
            assert not ended.size or relative(ended).min() >= worst
