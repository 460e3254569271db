"""What points are worth in a game to 30: the probability to win it from given scores.

The hands to come are drawn from hands that four `rules` played.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.games.kloepper.lab.core.playing import (
    BLACK,
    GAME,
    POINTS,
    POLICY,
    outcomes_of,
    play_by_rules,
)
from kloepper_env import engine
from kloepper_env._jit import IntArray, high_half, jit, mix, wrapping_add
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.record import N_SEATS

HANDS: Final = 20_000  # played hands that those to come are drawn from
GAMES: Final = 4_000  # games played on from each score
MOST_HANDS: Final = 64  # of a game that are remembered for breaking ties


def scores_of(outcomes: NDArray[Any]) -> NDArray[np.int64]:
    """Scores int64 [N, seat] of outcomes [N, F] (K27)."""
    points = outcomes[:, POINTS, None]
    black = outcomes[:, BLACK, None] >> np.arange(N_SEATS) & 1
    scores: NDArray[np.int64] = np.where(black, np.maximum(points, 0), np.maximum(-points, 0))
    return scores


class Equity:
    """Probabilities to win a game, seat 0 having led the hand that was played last."""

    def __init__(self, options: Any, seed: int) -> None:
        hands = GAME.new_hands(HANDS, options, engine.seed_key(seed))
        engine.start(hands, GAME.tables, N_SEATS - 1)  # seat 0 leads
        nobody = np.full(HANDS, -1)
        plan = POLICY.numbers
        play_by_rules(hands, nobody, plan, plan, 0, np.zeros(WORDS, np.int64))
        self._played = scores_of(outcomes_of(hands))
        self._target = int(options.target)
        self._key = engine.seed_key(seed + 1)

    def probabilities(self, before: NDArray[np.int64], scores: NDArray[np.int64]) -> FloatArray:
        """Probability [N, seat] that each seat wins after hands with `scores` [N, seat].

        `before` [seat] are the totals before that hand. A tie that only earlier hands could break
        is shared.
        """
        kinds, which = np.unique(scores, axis=0, return_inverse=True)
        probabilities = np.zeros((len(kinds), N_SEATS))
        history = np.zeros((MOST_HANDS, N_SEATS), np.int64)
        for kind, won in zip(kinds, probabilities, strict=True):
            _play_games(before, before + kind, self._played, self._target, self._key, history, won)
        found: FloatArray = (probabilities / GAMES)[which.ravel()]
        return found


@jit
def _share(history: IntArray, last: int, target: int, won: FloatArray) -> bool:
    """If somebody has won after row `last` of a game, add the win to `won` [seat] (K29 to K31)."""
    candidates = 0
    for seat in range(N_SEATS):
        candidates |= (history[last, seat] >= target) << seat
    if candidates == 0:
        return False
    row = last - 1
    while row >= 0:
        most = -1
        for seat in range(N_SEATS):
            if candidates >> seat & 1:
                most = max(most, int(history[row, seat]))
        for seat in range(N_SEATS):
            if history[row, seat] != most:
                candidates &= ~(1 << seat)
        row -= 1
    n = 0
    for seat in range(N_SEATS):
        n += candidates >> seat & 1
    for seat in range(N_SEATS):
        won[seat] += (candidates >> seat & 1) / n
    return True


@jit
def _play_games(
    before: IntArray,
    after: IntArray,
    played: IntArray,
    target: int,
    key: int,
    history: IntArray,
    won: FloatArray,
) -> None:
    """Play GAMES games on from totals [seat] before and after a hand; `won` [seat] takes the wins.

    `history` [MOST_HANDS, seat] is scratch memory.
    """
    counter = key
    for _ in range(GAMES):
        for seat in range(N_SEATS):
            history[0, seat], history[1, seat] = before[seat], after[seat]
        last, lead = 1, 0
        while not _share(history, last, target, won):
            if last == MOST_HANDS - 1:  # a very long game: its beginning is forgotten
                for row in range(last):
                    for seat in range(N_SEATS):
                        history[row, seat] = history[row + 1, seat]
                last -= 1
            lead = lead + 1 & 3  # K6, K7
            counter = wrapping_add(counter, engine.GOLDEN)
            drawn = high_half(mix(counter)) * len(played) >> 32
            for seat in range(N_SEATS):
                gained = played[drawn, seat - lead & 3]
                history[last + 1, seat] = history[last, seat] + gained
            last += 1
