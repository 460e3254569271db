"""The solver as a leaf of searches: best play with open cards in each world."""

import numpy as np

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records
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
