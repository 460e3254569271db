"""Trick play driven by tables: what may be played, and which card wins.

Two tables describe a game's cards. S suits (trumps are one of them), C cards:

- `follow`   int64 [S + 1]: mask of the cards that belong to a suit; the last row is 0, so that
  "no suit led" (NONE) puts no bound on anybody;
- `strength` int64 [S, C + 1]: rank of a card when a suit was led; the highest wins, 0 cannot win.
  The last column is 0 and stands for "no card yet".

A game whose trumps change from hand to hand hands over the tables of the trumps in force.
Seats go round modulo the number of seats.
"""

from kloepper_env._jit import IntArray, jit, lowest

NONE = -1  # no suit, no card, no seat


@jit
def playable(held: int, led: int, follow: IntArray) -> int:
    """Mask of the cards of `held` that may be played: the led suit if there is one, else all."""
    following = held & int(follow[led])
    return following if following else held


@jit
def beats(card: int, best: int, led: int, strength: IntArray) -> bool:
    """Whether `card` takes the trick from `best`, the winning card so far."""
    return bool(strength[led, card] > strength[led, best])


@jit
def next_in(seats: int, start: int, n_seats: int) -> int:
    """First seat of a mask, going clockwise from `start` (included); `start` if it is empty."""
    distance = lowest((seats | seats << n_seats) >> start | 1 << n_seats)
    seat = start + distance
    return seat if seat < n_seats else seat - n_seats
