"""Solver: values and best cards of a State, by name."""

from collections.abc import Callable

import numpy as np

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import CODES, N_CARDS, POINTS
from kloepper_env.solver import queries
from kloepper_env.solver.table import WORDS
from kloepper_env.state import State


class Solver:
    """What a hand of Kloepper is worth when everybody sees all cards and plays best.

    It looks at the true hands of all seats. Its values are bounds for what players can reach who
    see their own cards only, and it is never a contestant. Announcements made so far count, later
    ones are left out, and so are the seats' doubts about who is with whom: the sides are those of
    the record.

    Each solver owns a table of 256 KiB in which it remembers positions across hands; it is not
    to be shared by threads.

    >>> solver = Solver()
    >>> state = State.deal(seed=1)
    >>> solver.points(state) == solver.card_points(state)[solver.line(state)[0]]
    True
    """

    def __init__(self) -> None:
        self.table = np.zeros(WORDS, np.int64)

    def points(self, state: State) -> int:
        """Card points (0 to 120) that the black side has at the end, those taken so far included.

        A knocked hand is played to the end for this.
        """
        return int(queries.points_of_record(self.table, _records(state)))

    def reaches(self, state: State, points: int) -> bool:
        """Whether the black side can have at least `points` at the end: cheaper than `points`."""
        return bool(queries.record_reaches(self.table, _records(state), points))

    def score(self, state: State) -> int:
        """Points of the rules to each seat of the black side, or, negative, of the red side."""
        return int(queries.score_of_record(self.table, _records(state)))

    def all_tricks(self, state: State) -> bool:
        """Whether the black side can take all six tricks, earlier ones included (should it knock?).

        Whether the red side can take one (should it knock off?) is the opposite.
        """
        return bool(queries.record_sweeps(self.table, _records(state)))

    def card_points(self, state: State) -> dict[str, int]:
        """`points` after each card that the seat to play may play; empty when the hand is over."""
        return self._of_cards(state, queries.points_of_all_cards)

    def scores(self, state: State) -> dict[str, int]:
        """`score` after each card that the seat to play may play; empty when the hand is over."""
        return self._of_cards(state, queries.scores_of_all_cards)

    def announcements(self, state: State) -> dict[str, int]:
        """`score` after each announcement of the seat that decides; empty if it is to play a card.

        For a double holder who has not called, `pass` is worth what playing alone is worth.
        """
        values = {}
        for action in state.legal():
            if action not in CODES:
                after = state.copy()
                after.push(action)
                values[action] = self.score(after)
        return values

    def line(self, state: State) -> list[str]:
        """Cards that the four seats play from here to the end, each with the best points.

        Of equally good cards it takes the one with the fewest card points, then the weakest.
        """
        after, cards = state.copy(), []
        while not after.is_over:
            if after.legal()[0] not in CODES:
                after.push("pass")
                continue
            values = self.card_points(after)
            sign = 1 if int(after.hand.black) >> int(after.hand.player) & 1 else -1
            cards.append(max(values, key=lambda card: _merit(card, sign * values[card])))
            after.push(cards[-1])
        return cards

    def _of_cards(
        self, state: State, query: Callable[[IntArray, Records, IntArray], None]
    ) -> dict[str, int]:
        if state.is_over:
            return {}
        out = np.empty((1, N_CARDS), np.int64)
        query(self.table, _records(state), out)
        return {
            code: int(value)
            for code, value in zip(CODES, out[0], strict=True)
            if value != queries.ILLEGAL
        }


def _merit(card: str, value: int) -> tuple[int, int, int]:
    number = CODES.index(card)
    return value, -int(POINTS[number]), number


def _records(state: State) -> Records:
    if state.game.name != "kloepper":
        raise ConfigError(f"the solver plays kloepper only, not {state.game.name}")
    return state.hands
