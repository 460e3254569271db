"""`rules` at all seats, for any game: whole hands, and hands in play to their end.

`rules_choice` is declared here and written by each game that has such a player, as the kernels of
kloepper_env.engine are; importing that player's module defines it. What a user calls here imports
it first.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.kinds import make_agent
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, kernel
from kloepper_env.engine import Records
from kloepper_env.games.game import Game
from kloepper_env.payoff import payoffs

ROWS: Final = 4096  # hands played out at a time: a megabyte


@kernel
def rules_choice(hand: Any, words: IntArray) -> int:
    """What `rules` does for the seat that decides, by what that seat knows.

    `words` [W / 8] is scratch memory for its observation.
    """
    raise NotImplementedError  # never called: see _jit.kernel


@jit
def finish(hand: Any, words: IntArray) -> int:
    """Let `rules` play all seats to the end of a hand; returns the number of decisions."""
    decisions = 0
    while not hand.over:
        engine.apply(hand, rules_choice(hand, words))
        decisions += 1
    return decisions


def play_hands(game: Game, hands: Records, n_hands: int, totals: IntArray) -> int:
    """Deal and play `n_hands` whole hands one after the other in hands[0], `rules` at all seats.

    Adds the scores to `totals` [seat] and returns the number of decisions. Raises ConfigError for
    a game that `rules` does not play.
    """
    _define_rules(game)
    words = np.zeros(game.words, np.int64)
    return int(_play_hands(hands, game.tables, words, n_hands, totals))


def _define_rules(game: Game) -> None:
    make_agent("rules", game.name)  # its module says what `rules_choice` is


@jit
def _play_hands(
    hands: Records, tables: IntArray, words: IntArray, n_hands: int, totals: IntArray
) -> int:
    hand = hands[0]
    decisions = 0
    for _ in range(n_hands):
        engine.deal(hand, tables, -1)
        decisions += finish(hand, words)
        engine.result(hand, totals)
        hand.serial += 1
    return decisions


@jit
def play_each(hands: Records, actions: IntArray, words: IntArray, scores: IntArray) -> None:
    """Play hand i after action i modulo A to its end, and add what each seat scores to `scores`.

    `hands` [N] are in play, `actions` [A] legal in them, `scores` [N, seat].
    """
    for i in range(len(hands)):
        hand = hands[i]
        engine.apply(hand, int(actions[i % len(actions)]))
        finish(hand, words)
        engine.result(hand, scores[i])


class Playout:
    """What actions are worth when `rules` plays all seats from there on, each by what it knows."""

    def __init__(self, game: Game) -> None:
        _define_rules(game)
        self._words = np.zeros(game.words, np.int64)
        self._n_seats = game.n_seats

    def __call__(self, worlds: Records, actions: IntArray) -> NDArray[np.float64]:
        """Payoffs [N, A] of legal actions [A] in worlds [N], in all of which one seat decides."""
        seat, rows = int(worlds["turn"][0]), max(1, ROWS // len(actions))
        values = np.empty((len(worlds), len(actions)))
        for start in range(0, len(worlds), rows):
            some = worlds[start : start + rows]
            scores = np.zeros((len(some) * len(actions), self._n_seats), np.int64)
            play_each(np.repeat(some, len(actions)), actions, self._words, scores)
            own = payoffs(scores)[:, seat]
            values[start : start + rows] = own.reshape(len(some), len(actions))
        return values
