"""Solver: values and best cards of a State, by name."""

from collections.abc import Callable
from typing import Final

import numpy as np

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, whole_number
from kloepper_env.games.kloepper.record import CODES, N_CARDS, POINTS
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS
from kloepper_env.state import State

ALONE: Final = "alone"  # not to call (K14)


class Solver:
    """What a hand of Kloepper is worth when everybody sees all cards and plays best.

    It looks at the true hands of all seats. Its values are bounds for what players can reach who
    see only their own cards, and it is never a contestant. Announcements made so far count, later
    ones are left out, and so are the seats' doubts about who is with whom: the sides are those of
    the record.

    Each solver owns a transposition table of 256 KiB, which it keeps across hands; it is not
    to be shared by threads.

    >>> solver = Solver()
    >>> state = State.deal(seed=1)
    >>> solver.points(state) == solver.card_points(state)[solver.line(state)[0]]
    True
    """

    def __init__(self) -> None:
        self._transpositions = np.zeros(WORDS, np.int64)

    def points(self, state: State) -> int:
        """Card points (0 to 120) that the black side has at the end, those taken so far included.

        A knocked hand is played to the end for this.
        """
        return int(queries.points_of_record(self._transpositions, _records(state)))

    def reaches(self, state: State, points: int) -> bool:
        """Whether the black side can have at least `points` at the end: cheaper than `points`."""
        most = min(whole_number("points", points), queries.TOTAL_POINTS + 1)
        return bool(queries.record_reaches(self._transpositions, _records(state), most))

    def score(self, state: State) -> int:
        """Points of the rules to each seat of the black side, or, negative, of the red side."""
        return int(queries.score_of_record(self._transpositions, _records(state)))

    def all_tricks(self, state: State) -> bool:
        """Whether the black side can take all tricks, earlier ones included (should it knock?).

        Whether the red side can take one (should it knock off?) is the opposite.
        """
        return bool(queries.record_sweeps(self._transpositions, _records(state)))

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
        return {action: self.score(after) for action, after in announced(state).items()}

    def line(self, state: State) -> list[str]:
        """Cards that the four seats play from here to the end, each the best for score and points.

        Score and points never ask for different cards, but among cards that leave all 120 points
        to the black side only some may give it all tricks. Of equally good cards the line takes
        the one with the fewest card points, then the weakest.
        """
        after, cards = state.copy(), []
        while not after.is_over:
            if after.legal()[0] not in CODES:
                after.push("pass")
                continue
            points, scores = self.card_points(after), self.scores(after)
            sign = 1 if int(after.hand.black) >> int(after.hand.player) & 1 else -1
            merits = {
                card: (sign * scores[card], sign * points[card], *_cheapness(card))
                for card in points
            }
            cards.append(max(merits, key=merits.__getitem__))
            after.push(cards[-1])
        return cards

    def _of_cards(
        self, state: State, query: Callable[[IntArray, Records, IntArray], None]
    ) -> dict[str, int]:
        if state.is_over:
            return {}
        out = np.empty((1, N_CARDS), np.int64)
        query(self._transpositions, _records(state), out)
        return {
            code: int(value)
            for code, value in zip(CODES, out[0], strict=True)
            if value != queries.ILLEGAL
        }


def announced(state: State) -> dict[str, State]:
    """The hand after each announcement of the seat that decides; empty if it is to play a card."""
    return {action: _after(state, action) for action in state.legal() if action not in CODES}


def called(state: State) -> dict[str, State]:
    """The hand after each call that a double holder can still make, as if it were asked now.

    `alone` is the hand as it is. Empty when there is no double holder, or its time is over.
    """
    holder = int(state.hand.queens)
    if state.is_over or holder.bit_count() != 1:
        return {}
    asked = state.copy()
    asked.hands["asked"] = holder
    asked.hands["turn"] = holder.bit_length() - 1
    calls = [action for action in asked.legal() if action.startswith("call:")]
    return {ALONE: state} | {call: _after(asked, call) for call in calls} if calls else {}


def _after(state: State, action: str) -> State:
    after = state.copy()
    after.push(action)
    return after


def _cheapness(card: str) -> tuple[int, int]:
    number = CODES.index(card)
    return -int(POINTS[number]), number


def _records(state: State) -> Records:
    if state.game.name != "kloepper":
        raise ConfigError(f"the solver plays kloepper only, not {state.game.name}")
    return state.hands
