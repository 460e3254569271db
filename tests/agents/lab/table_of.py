"""Players and hands that the tests of the lab share."""

import numpy as np

from kloepper_agents.base import IntArray
from kloepper_agents.heuristic import Rules
from kloepper_agents.lab.playing import GAME, Table
from kloepper_env import engine
from kloepper_env.engine import Records


class UncompiledRules(Rules):
    """`rules` by the way that every other player goes."""

    name = "uncompiled rules"


OPTIONS = GAME.options(None)
RULES = Table(Rules(), OPTIONS, seed=3)
UNCOMPILED = Table(UncompiledRules(), OPTIONS, seed=3)


def dealt(n: int, seed: int = 5) -> Records:
    """`n` hands just dealt."""
    hands = GAME.new_hands(n, OPTIONS, engine.seed_key(seed))
    engine.start(hands, GAME.tables, -1)
    return hands


def every_seat(n: int) -> IntArray:
    """Seats 0, 1, 2, 3, 0, ... [n]."""
    return np.arange(n, dtype=np.int64) % 4
