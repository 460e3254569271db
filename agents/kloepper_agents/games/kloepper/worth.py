"""What cards turn out to be worth, for those who learn: `teaching.Worth` of Kloepper."""

import numpy as np
from numpy.typing import NDArray

from kloepper_env.engine import Records
from kloepper_env.games.kloepper.payoff import payoffs_to
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS as TABLE_WORDS


class OpenCards:
    """Payoff of each card if all seats see all cards from there on, and nobody announces more.

    A learner that is told so for the true cards of many hands comes to know the mean over the deals
    that are possible, each as likely as the play before it makes it.
    """

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_WORDS, np.int64)

    def __call__(self, hands: Records) -> NDArray[np.float32]:
        points = np.empty((len(hands), N_CARDS), np.int64)
        queries.scores_of_all_cards(self._table, hands, points)
        black, turn = (hands[name].astype(np.int64)[:, None] for name in ("black", "turn"))
        worth = payoffs_to(points, black, turn).astype(np.float32)
        worth[points == queries.ILLEGAL] = np.nan
        return worth
