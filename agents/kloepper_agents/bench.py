"""Speed of the compiled players."""

from time import perf_counter

import numpy as np

import kloepper_agents.heuristic  # noqa: F401  # defines what play_hands plays
from kloepper_agents.playing import play_hands
from kloepper_env import engine
from kloepper_env.games import get_game


def rules_hands(n: int) -> float:
    """Whole hands a second that four `rules` play on one core, timed over `n` hands."""
    game = get_game("kloepper")
    hands = game.new_hands(1, game.options(None), engine.seed_key(0))
    words, totals = np.zeros(game.words, np.int64), np.zeros(game.n_seats, np.int64)
    play_hands(hands, game.tables, words, 10, totals)  # compile before the clock starts
    start = perf_counter()
    play_hands(hands, game.tables, words, n, totals)
    return n / (perf_counter() - start)
