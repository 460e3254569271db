"""The solver as leaves of searches: best play with open cards in each world."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.playing import Playout
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.payoff import payoffs_to
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS as TABLE_WORDS


class DoubleDummy:
    """Everybody sees all cards from here on, and plays best. For cards, not for announcements."""

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_WORDS, np.int64)

    def __call__(self, worlds: Records, actions: IntArray) -> IntArray:
        points = np.empty((len(worlds), N_CARDS), np.int64)
        queries.scores_of_all_cards(self._table, worlds, points)
        black, seat = worlds["black"].astype(np.int64), int(worlds["turn"][0])
        return payoffs_to(points[:, actions], black[:, None], seat)


@jit
def _act(hands: Records, action: int) -> None:
    for i in range(len(hands)):
        engine.apply(hands[i], action)


class OpenCards:
    """`DoubleDummy` for cards; for the answer to a knock, the worse of open cards and of playing.

    Whoever answers doubles the stake against a seat that has thought about its chances. With open
    cards the red side always finds the card that breaks a sweep, and when `rules` plays it may be
    broken by a blunder: an answer that needs either is not worth giving.
    """

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_WORDS, np.int64)
        self._cards = DoubleDummy()
        self._playout = Playout(get_game("kloepper"))

    def __call__(self, worlds: Records, actions: IntArray) -> NDArray[Any]:
        if actions[-1] < N_CARDS:
            return self._cards(worlds, actions)
        played = self._playout(worlds, actions)
        return np.minimum(played, self._after(worlds, actions))

    def _after(self, worlds: Records, actions: IntArray) -> IntArray:
        """Payoffs [N, A] with open cards after announcements [A]; nobody makes another one."""
        seat, points = int(worlds["turn"][0]), np.empty((len(actions), len(worlds)), np.int64)
        for action, out in zip(actions, points, strict=True):
            hands = worlds.copy()
            _act(hands, int(action))
            queries.scores_of_hands(self._table, hands, out)
        return payoffs_to(points.T, worlds["black"].astype(np.int64)[:, None], seat)
