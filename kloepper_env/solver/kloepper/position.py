"""Cards seen by a solver: masks, points, runs of equal cards, and the structure of a position.

A solver looks at the table from the seat whose card comes next: `h0` is its hand, `h1` the hand of
the seat on its left, and so on; bit k of `sides` is 1 when relative seat k is on the black side.
Cards are numbered so that the stronger has the smaller number and trumps come first (record.py).
Among the cards that can win a trick at all, trumps and the suit led, the winner is therefore the
lowest bit: the mask of these is called `eligible` below.
"""

from typing import Final, NamedTuple

from kloepper_env._jit import extract, jit, lowest, popcount
from kloepper_env.games.kloepper.record import (
    CLUBS,
    CODES,
    FIRST_OF_SUIT,
    FOLLOW,
    HEARTS,
    N_CARDS,
    POINTS,
    SPADES,
    SUIT,
    TRUMPS,
)

ALL_TRUMPS: Final = int(FOLLOW[TRUMPS])
ALL_CLUBS: Final = int(FOLLOW[CLUBS])
ALL_SPADES: Final = int(FOLLOW[SPADES])
ALL_HEARTS: Final = int(FOLLOW[HEARTS])
NO_WINNER: Final = 1 << N_CARDS  # beaten by every card
SUIT_STARTS: Final = sum(1 << first for first in FIRST_OF_SUIT if first) | NO_WINNER

SUIT_MASK: Final = FOLLOW[SUIT]
"""[24] the mask of the suit that a card belongs to."""


def _rank(rank: str) -> tuple[int, int]:
    """The mask of a rank, and the card points of each of its cards."""
    cards = [card for card, code in enumerate(CODES) if code[0] == rank]
    return sum(1 << card for card in cards), int(POINTS[cards[0]])


(ACES, ACE), (TENS, TEN), (KINGS, KING), (QUEENS, QUEEN), (JACKS, JACK) = map(_rank, "ATKQJ")


class Position(NamedTuple):
    """A hand as the seat to play sees it: the arguments of `play` before the card."""

    h0: int  # hands: its own, and those of the seats to its left
    h1: int
    h2: int
    h3: int
    sides: int  # bit k: relative seat k is on the black side
    coming: int  # seats that play after it in this trick
    led: int  # suit mask of the trick so far, 0: none yet
    best: int  # its winning card (a bit), or NO_WINNER
    back: int  # how many plays ago that fell
    points: int  # card points of the trick so far
    left: int  # card points in the hands and on the table


@jit
def points_of(cards: int) -> int:
    """Card points of a mask (K4)."""
    return (
        ACE * popcount(cards & ACES)
        + TEN * popcount(cards & TENS)
        + KING * popcount(cards & KINGS)
        + QUEEN * popcount(cards & QUEENS)
        + JACK * popcount(cards & JACKS)
    )


@jit
def follow(hand: int, led: int) -> int:
    """The cards of a hand that may be played when a card of the suit mask `led` was led (K8)."""
    following = hand & led
    return following if following else hand


@jit
def next_seat(sides: int) -> int:
    """`sides` as the seat on the left sees it."""
    return sides >> 1 | (sides & 1) << 3


@jit
def turned(
    h0: int, h1: int, h2: int, h3: int, sides: int, steps: int
) -> tuple[int, int, int, int, int]:
    """A position as relative seat `steps` sees it."""
    if steps & 1:
        h0, h1, h2, h3 = h1, h2, h3, h0
        sides = next_seat(sides)
    if steps & 2:
        h0, h1, h2, h3 = h2, h3, h0, h1
        sides = next_seat(next_seat(sides))
    return h0, h1, h2, h3, sides


@jit
def run_from(first: int, hand: int, blockers: int) -> int:
    """The cards of a hand that are as strong as its card `first` (a bit), which is the lowest.

    Cards of one hand and suit with no card of `blockers` between them are equal for ever: whatever
    is played, each of them wins a trick exactly when the other would. `blockers` are the cards of
    the other hands, the winning card of the trick in play and SUIT_STARTS.
    """
    above = blockers & -(first << 1)
    return hand & ((above & -above) - first)


@jit
def equals(card: int, other: int, blockers: int) -> bool:
    """Whether two cards (bits) of one hand are of one run."""
    lower, higher = min(card, other), max(card, other)
    between = (higher << 1) - (lower << 1)
    return blockers & between & ~higher == 0 and SUIT_STARTS & between == 0


@jit
def answers(h1: int, h2: int, h3: int, led: int, enemies: int, coming: int) -> tuple[int, int]:
    """What may still beat the trick: cards that the seats to come may play, of enemies and friends.

    Bit k of `enemies` is 1 when relative seat k is an enemy of the seat that plays; `coming` is
    the number of seats that play after it.
    """
    eligible = led | ALL_TRUMPS
    m1 = follow(h1, led) & eligible if coming > 0 else 0
    m2 = follow(h2, led) & eligible if coming > 1 else 0
    m3 = follow(h3, led) & eligible if coming > 2 else 0
    e1, e2, e3 = -(enemies >> 1 & 1), -(enemies >> 2 & 1), -(enemies >> 3 & 1)
    return m1 & e1 | m2 & e2 | m3 & e3, m1 & ~e1 | m2 & ~e2 | m3 & ~e3


@jit
def structure(h0: int, h1: int, h2: int, h3: int, sides: int) -> int:
    """A number from 1 to 2**63 - 1 for all that decides who wins which trick.

    It holds, in order of strength, who owns each card still held (two bits a card), the number of
    cards of each suit, and the sides. Two positions with one structure have the same tree of plays
    with the same winners; they differ in the points of the cards at most.
    """
    live = h0 | h1 | h2 | h3
    lengths = (
        (popcount(live & ALL_TRUMPS) * 5 + popcount(live & ALL_CLUBS)) * 5
        + popcount(live & ALL_SPADES)
    ) * 6 + popcount(live & ALL_HEARTS)
    owners = extract(h1 | h3, live) | extract(h2 | h3, live) << 24
    return owners | lengths << 48 | sides << 59


@jit
def points_at(card: int) -> int:
    """Card points of a card (a bit)."""
    return int(POINTS[lowest(card)])


@jit
def play(
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    sides: int,
    coming: int,
    led: int,
    best: int,
    back: int,
    points: int,
    left: int,
    card: int,
) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int]:
    """The position after a card (a bit), and the points that the black side takes with it.

    `coming` seats play after this one in the trick; of the trick so far, `led` is the suit mask
    (0: none yet), `best` the winning card (a bit, or NO_WINNER), `back` how many plays ago it
    fell, `points` the card points. `left` counts the cards in the hands and on the table.
    """
    led = led if led else int(SUIT_MASK[lowest(card)])
    takes = card & (led | ALL_TRUMPS) != 0 and card < best
    best = card if takes else best
    back = 1 if takes else back + 1
    points += points_at(card)
    h0, h1, h2, h3, sides = turned(h0 ^ card, h1, h2, h3, sides, 1)
    if coming:
        return h0, h1, h2, h3, sides, coming - 1, led, best, back, points, left, 0
    h0, h1, h2, h3, sides = turned(h0, h1, h2, h3, sides, 4 - back & 3)
    return h0, h1, h2, h3, sides, 3, 0, NO_WINNER, 0, 0, left - points, points * (sides & 1)


@jit
def position_after(position: Position, card: int) -> tuple[Position, int]:
    """The position after a card (a bit), and the points that the black side takes with it."""
    h0, h1, h2, h3, sides, coming, led, best, back, points, left, taken = play(
        position.h0,
        position.h1,
        position.h2,
        position.h3,
        position.sides,
        position.coming,
        position.led,
        position.best,
        position.back,
        position.points,
        position.left,
        card,
    )
    return Position(h0, h1, h2, h3, sides, coming, led, best, back, points, left), taken


@jit
def blockers_of(position: Position) -> int:
    """What parts the cards of the seat to play into runs (`run_from`)."""
    return position.h1 | position.h2 | position.h3 | SUIT_STARTS | position.best
