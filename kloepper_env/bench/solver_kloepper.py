"""Benchmarks of the solver: fresh deals per second on one core, and what a search costs later on.

Each function does its work once, on the deals of seed 1, and returns one figure; times are
processor time. The table of the solver is empty at the start: what it remembers of other deals
counts.
"""

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from kloepper_env import engine
from kloepper_env._jit import IntArray
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS, PASS
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import PLAYS, WORDS

Query = Callable[[IntArray, engine.Records, IntArray], None]


def _deals(n: int) -> engine.Records:
    game = get_game("kloepper")
    hands = game.new_hands(n, game.options(None), engine.seed_key(1))
    engine.start(hands, game.tables, -1)
    return hands


def _rate(query: Query, n: int, out: IntArray) -> float:
    hands, table = _deals(n), np.zeros(WORDS, np.int64)
    query(table, hands[:1], out)
    table[:] = 0
    begin = time.process_time()
    query(table, hands, out)
    return n / (time.process_time() - begin)


def solver_points(n: int) -> float:
    """Exact card points of fresh deals."""
    return _rate(queries.points_of_hands, n, np.zeros(n, np.int64))


def solver_class(n: int) -> float:
    """Scores of fresh deals."""
    return _rate(queries.scores_of_hands, n, np.zeros(n, np.int64))


def solver_moves(n: int) -> float:
    """Fresh deals with the exact card points of every card of the leader."""
    return _rate(queries.points_of_all_cards, n, np.zeros((n, N_CARDS), np.int64))


def all_tricks(n: int) -> float:
    """Fresh deals for which it is said whether the black side can take all tricks."""
    return _rate(queries.sweeps_of_hands, n, np.zeros(n, np.int64))


def solver_points_us(n: int, tricks: int) -> float:
    """Microseconds for the exact card points of a deal after some tricks."""
    return _search(queries.points_of_hands, n, tricks)[1]


def solver_points_plays(n: int, tricks: int) -> float:
    """Cards played in the search for them."""
    return _search(queries.points_of_hands, n, tricks)[0]


def solver_class_us(n: int, tricks: int) -> float:
    """Microseconds for the score of a deal after some tricks."""
    return _search(queries.scores_of_hands, n, tricks)[1]


def solver_class_plays(n: int, tricks: int) -> float:
    """Cards played in the search for it."""
    return _search(queries.scores_of_hands, n, tricks)[0]


def _search(query: Query, n: int, tricks: int) -> tuple[float, float]:
    """Cards played in a search, and microseconds, per deal; `query` writes one number a hand."""
    hands, table, out = _after(n, tricks), np.zeros(WORDS, np.int64), np.zeros(n, np.int64)
    query(table, hands[:1], out)
    table[:] = 0
    begin = time.process_time()
    query(table, hands, out)
    spent = time.process_time() - begin
    return float(table[PLAYS]) / n, spent / n * 1e6


@cache
def _after(n: int, tricks: int) -> engine.Records:
    """Deals after some tricks of random cards, in which nobody announced anything."""
    hands = _deals(n)
    actions = np.zeros(1, np.int64)
    for i in range(n):
        one = hands[i : i + 1]
        while one["plies"][0] < N_SEATS * tricks:
            engine.sample(one, actions)
            engine.apply_to(one, min(int(actions[0]), PASS))
    return hands
