"""How likely worlds are by what was announced in them.

A seat that knocks has trumps, one that passes has not: with uniform worlds a player believes a
knocker to hold what anybody holds, and answers far too often. So worlds are weighed by Bayes, with
what each game says of how likely its announcements are. The cards played tell too little to be
worth it: weighing by what `rules` would have played gained nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, kernel
from kloepper_env.engine import Records, noted_action, noted_seat
from kloepper_env.games.game import Game

FloatArray = NDArray[np.float64]


# --- what a game brings, in search/<game>.py -----------------------------------------------------


@kernel
def reopen(hand: Any, world: Any) -> None:
    """Make `hand` what `world`, a hand of the same game, was before its first action."""


@kernel
def likelihood(hand: Any, words: IntArray, action: int) -> float:
    """How likely the seat that decides announces just this, or passes, by what it knows.

    Any number above 0; only the ratio between worlds counts. `words` [W / 8] is scratch memory
    for its observation.
    """
    raise NotImplementedError  # never called: see _jit.kernel


# --- weights -------------------------------------------------------------------------------------


@jit
def _weigh(
    worlds: Records,
    scratch: Records,
    words: IntArray,
    seat: int,
    heads: IntArray,
    weights: FloatArray,
) -> None:
    """Multiply up what seats other than `seat` announced in each world [N].

    `heads` [A] is 1 for announcements and passes; a card is never an alternative to one.
    """
    hand = scratch[0]
    bits = engine.action_bits(hand)
    for i in range(len(worlds)):
        world = worlds[i]
        reopen(hand, world)
        weights[i] = 1.0
        for t in range(world.log_length):
            code = int(world.log[t])
            action = noted_action(code, bits)
            if heads[action] and noted_seat(code, bits) != seat:
                weights[i] *= likelihood(hand, words, action)
            engine.apply(hand, action)


class Bidding:
    """Weighs worlds of one game by what the seats other than `seat` announced in them."""

    def __init__(self, game: Game, seat: int) -> None:
        self._seat, self._heads = seat, game.heads
        self._scratch = np.zeros(1, game.dtype)
        self._words = np.zeros(game.words, np.int64)

    def weights(self, worlds: Records) -> FloatArray:
        """Weights [N] of worlds that one View leaves possible, summing to 1."""
        weights = np.empty(len(worlds))
        _weigh(worlds, self._scratch, self._words, self._seat, self._heads, weights)
        weights /= weights.sum()
        return weights
