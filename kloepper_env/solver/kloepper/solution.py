"""Everything the solver tells of a position, as data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kloepper_env.games.kloepper.record import CODES
from kloepper_env.solver.kloepper.api import Solver, announced, called
from kloepper_env.state import State


class Value(NamedTuple):
    """What a position is worth when everybody sees all cards and plays best."""

    black_points: int  # card points of the black side at the end, 0 to 120
    score: int  # points of the rules to each seat of the black side or, negative, of the red side


@dataclass(frozen=True)
class Solution:
    """A solved position. Announcements made so far count; nobody announces anything more."""

    black: tuple[int, ...]  # seats of the black side
    turn: int  # seat that decides
    player: int  # seat that plays the next card
    value: Value
    all_tricks: bool  # whether the black side can take all tricks
    announcements: Mapping[str, Value]  # of the seat that decides; empty if it is to play a card
    calls: Mapping[str, Value]  # `alone` and the calls that a double holder can still make
    cards: Mapping[str, Value]  # that `player` may play
    line: tuple[tuple[int, str], ...]  # seat and card, from here to the end

    @property
    def best_cards(self) -> dict[str, list[str]]:
        """The cards of `player` that are best for its side in each figure of Value."""
        return {
            figure: self._best(self.cards, self.player, place)
            for place, figure in enumerate(Value._fields)
        }

    @property
    def best_announcements(self) -> list[str]:
        """Of `announcements` and `calls` the best by the score of the side of the seat to decide.

        Card points do not tell: alone they are worth more than with a partner.
        """
        seat = self.black[0] if self.calls else self.turn
        return self._best({**self.announcements, **self.calls}, seat, 1)

    def _best(self, values: Mapping[str, Value], seat: int, place: int) -> list[str]:
        choose = max if seat in self.black else min
        top = choose((value[place] for value in values.values()), default=None)
        return [name for name, value in values.items() if value[place] == top]


def solve(state: State, solver: Solver | None = None) -> Solution:
    """Solve a position in which somebody is to decide, with a solver of one's own or a fresh one.

    >>> solution = solve(State.deal(seed=1))
    >>> solution.black, solution.value.score, solution.calls["call:S"].score
    ((3,), -12, 4)
    """
    solver = solver or Solver()

    def value(after: State) -> Value:
        return Value(solver.points(after), solver.score(after))

    points, scores = solver.card_points(state), solver.scores(state)
    black = int(state.hand.black)
    return Solution(
        black=tuple(seat for seat in range(state.game.n_seats) if black >> seat & 1),
        turn=int(state.hand.turn),
        player=int(state.hand.player),
        value=value(state),
        all_tricks=solver.all_tricks(state),
        announcements={name: value(after) for name, after in announced(state).items()},
        calls={name: value(after) for name, after in called(state).items()},
        cards={card: Value(points[card], scores[card]) for card in points},
        line=tuple(
            (seat, action)
            for seat, action in played(state, solver.line(state)).history[len(state.history) :]
            if action in CODES
        ),
    )


def played(state: State, cards: Iterable[str]) -> State:
    """The hand after these cards, one of each seat in turn, nobody announcing anything."""
    after = state.copy()
    for card in cards:
        while card not in after.legal():
            after.push("pass")
        after.push(card)
    return after
