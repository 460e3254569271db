"""`oracle`: plays double dummy with the true cards, to show how far players could be from the top.

It is no contestant: it gets the State itself, which only the arena hands out, and no environment.
"""

import numpy as np

from kloepper_agents.base import SeesAll, refuse_settings
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_env import engine
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver import Solver
from kloepper_env.state import State


class Oracle(SeesAll):
    """Takes the action after which best play by all with open cards scores most.

    Nobody announces anything after its own announcement in this reckoning.
    """

    name = "oracle"

    def __init__(self) -> None:
        self._cards = DoubleDummy()
        self._solver = Solver()

    def act_on(self, state: State, random: int) -> int:
        legal = np.array(state.legal_actions(), np.int64)
        if legal[-1] < N_CARDS:
            values = self._cards(state.hands, legal)[0]
        else:
            values = np.array([self._after(state, int(action)) for action in legal])
        return int(legal[values.argmax()])

    def _after(self, state: State, action: int) -> int:
        seat = int(state.hand.turn)
        after = state.copy()
        engine.apply_to(after.hands, action)
        return int(payoff(self._solver.score(after), int(after.hand.black), seat))


def make_oracle(settings: str) -> Oracle:
    """`oracle`. Raises ConfigError for settings."""
    refuse_settings("oracle", settings)
    return Oracle()
