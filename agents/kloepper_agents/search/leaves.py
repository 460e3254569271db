"""What the actions of a seat are worth in given worlds.

A leaf is any function of worlds (records of hands in play, in all of which the same seat decides)
and legal actions [A] that returns the payoff of that seat after each, [N, A]; a network that
values positions would be another.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from kloepper_agents.heuristic import rules_action
from kloepper_agents.search.payoff import payoff, payoffs
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import outcome
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver import queries
from kloepper_env.solver.table import WORDS as TABLE_WORDS

Leaf = Callable[[Records, IntArray], IntArray]
"""Worlds [N] and actions [A] to payoffs [N, A], in the unit of `payoff`."""

ROWS: Final = 4096  # hands played out at a time: 700 KB


class DoubleDummy:
    """Everybody sees all cards from here on, and plays best. For cards, not for announcements."""

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_WORDS, np.int64)

    def __call__(self, worlds: Records, actions: IntArray) -> IntArray:
        points = np.empty((len(worlds), N_CARDS), np.int64)
        queries.scores_of_all_cards(self._table, worlds, points)
        out = np.empty((len(worlds), len(actions)), np.int64)
        seat = int(worlds["turn"][0])
        payoffs(points[:, actions], worlds["black"].astype(np.int64), seat, out)
        return out


class Playout:
    """`rules` plays all four seats to the end, each by what it knows itself.

    No seat sees through the cards, and announcements to come are made as `rules` makes them.
    """

    def __init__(self) -> None:
        self._words = np.zeros(WORDS, np.int64)

    def __call__(self, worlds: Records, actions: IntArray) -> IntArray:
        step = max(1, ROWS // len(actions))
        parts = [
            self._some(worlds[start : start + step], actions)
            for start in range(0, len(worlds), step)
        ]
        return np.concatenate(parts)

    def _some(self, worlds: Records, actions: IntArray) -> IntArray:
        out = np.empty((len(worlds), len(actions)), np.int64)
        play_out_each(np.repeat(worlds, len(actions)), actions, self._words, out.ravel())
        return out


@jit
def play_out_each(hands: Records, actions: IntArray, words: IntArray, out: IntArray) -> None:
    """Play hand i after action i modulo A to its end; `out` [N] is the payoff of who acted."""
    for i in range(len(hands)):
        hand = hands[i]
        seat = int(hand.turn)
        engine.apply(hand, int(actions[i % len(actions)]))
        while not hand.over:
            engine.observe(hand, int(hand.turn), words)
            engine.apply(hand, rules_action(words, engine.legal(hand)))
        out[i] = payoff(outcome(hand), int(hand.black), seat)
