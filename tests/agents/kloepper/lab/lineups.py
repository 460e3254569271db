"""Players and hands that the tests of the lab share."""

import numpy as np

from kloepper_agents.base import Int8Array, IntArray, ObservationAgent, WordArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME, Lineup
from kloepper_agents.kinds import make_agent
from kloepper_env import engine
from kloepper_env.engine import Records


class _Uncompiled(ObservationAgent):
    """`rules` by the way that every other player goes; its name alone must not show otherwise."""

    name = "rules"

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        rules = make_agent("rules")
        assert isinstance(rules, ObservationAgent)
        return rules.act_many(observations, masks, random)


OPTIONS = GAME.options(None)
RULES = Lineup(make_agent("rules"), OPTIONS, seed=3)
UNCOMPILED = Lineup(_Uncompiled(), OPTIONS, seed=3)


def dealt(n: int, seed: int = 5) -> Records:
    """`n` hands just dealt."""
    hands = GAME.new_hands(n, OPTIONS, engine.seed_key(seed))
    engine.start(hands, GAME.tables, -1)
    return hands


def every_seat(n: int) -> IntArray:
    """Seats 0, 1, 2, 3, 0, ... [n]."""
    return np.arange(n, dtype=np.int64) % 4
