"""What the searches tell of a hand: exact points, score class, and both for each card.

All functions take the record of a hand at any point, with the true cards of all seats, and its
black side as it stands now. They answer for the cards alone: nobody announces anything more.
"""

from typing import Final

from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import black_points, outcome, score_if
from kloepper_env.games.kloepper.record import FOLLOW, N_CARDS, N_SEATS, Hand
from kloepper_env.solver.position import points_of, relative_sides
from kloepper_env.solver.search import search
from kloepper_env.solver.sweep import sweep
from kloepper_env.tricks import NONE, beats, playable

FIRST_GUESS: Final = 80  # black points of a fresh deal, on average 81
STRIDE: Final = 2  # how far beyond a bound the next question goes; tuned on plays per deal
ILLEGAL: Final = -1000  # in place of a value, for a card that may not be played

Position = tuple[int, int, int, int, int, int, int, int, int]
"""Hands of the relative seats, sides, coming, led, best, back: see `search.search`."""


@jit
def position_of(hand: Hand) -> Position:
    """Where a hand stands, as the searches take it."""
    player = int(hand.player)
    in_trick = int(hand.plies) % N_SEATS
    return (
        int(hand.hands[player]),
        int(hand.hands[player + 1 & 3]),
        int(hand.hands[player + 2 & 3]),
        int(hand.hands[player + 3 & 3]),
        relative_sides(int(hand.black), player),
        N_SEATS - 1 - in_trick,
        int(FOLLOW[hand.led]),
        1 << int(hand.best),
        player - int(hand.winner) & 3 if in_trick else 0,
    )
