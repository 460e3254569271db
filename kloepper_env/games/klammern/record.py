"""Klammern as data: cards, actions, tables, and the record of a hand in play.

Cards are numbered suit by suit, in the order of runs (M19): card = 8 * suit + rank.

     0  1  2  3  4  5  6  7 |  8 ... 15 | 16 ... 23 | 24 ... 31
    7C 8C 9C TC JC QC KC AC | spades    | hearts    | diamonds

Actions 0..31 play a card; then come pass, the four takes, kontra, re and declare.
"""

from typing import Annotated, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.games.action import plays, says
from kloepper_env.games.fields import i1, i2, i4, i8, record_dtype

N_SEATS: Final = 4  # M1
N_SUITS: Final = 4  # M1
N_RANKS: Final = 8  # M1
N_CARDS: Final = N_SUITS * N_RANKS
ALL_CARDS: Final = (1 << N_CARDS) - 1
HAND_SIZE: Final = 8
RANKS: Final = "789TJQKA"
SUITS: Final = "CSHD"
CODES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)

PASS: Final = N_CARDS
TAKE: Final = PASS + 1  # + suit
KONTRA: Final = TAKE + N_SUITS
RE: Final = KONTRA + 1
DECLARE: Final = RE + 1
ACTIONS: Final = plays(CODES) + says(
    ("pass", *(f"take:{suit}" for suit in SUITS), "kontra", "re", "declare")
)
ACTION_NAMES: Final = tuple(action.name for action in ACTIONS)

FIRST_CHOICE, SECOND_CHOICE, ASK_KONTRA, ASK_RE, ASK_MELDS, PLAY = range(6)
"""The steps of the order of decisions; a hand that is over stays in its last one."""

TURNED: Final = 20  # place of the turned card in the pack, and the cards dealt before it
TURNED_OF_DEALER: Final = 30  # the same where all cards are dealt at once (M5)
KING_QUEEN: Final = 0b0110_0000  # of a suit (M25)
SUIT_CARDS: Final = 0xFF
NO_CARD: Final = N_CARDS  # beaten by every card

_TRUMP_ORDER, _PLAIN_ORDER = "J9ATKQ87", "ATKQJ987"  # the strongest first (M2, M3)
_TRUMP_POINTS = dict(zip(_TRUMP_ORDER, (20, 14, 11, 10, 4, 3, 0, 0), strict=True))
_PLAIN_POINTS = dict(zip(_PLAIN_ORDER, (11, 10, 4, 3, 2, 0, 0, 0), strict=True))


def _tables() -> tuple[IntArray, IntArray, IntArray]:
    points = np.zeros((N_SUITS, N_CARDS), np.int64)
    strength = np.zeros((N_SUITS, N_SUITS, N_CARDS + 1), np.int64)  # the last: NO_CARD
    for trump in range(N_SUITS):
        for card, code in enumerate(CODES):
            suit = card // N_RANKS
            if suit == trump:
                points[trump, card] = _TRUMP_POINTS[code[0]]
                strength[trump, :, card] = 2 * N_RANKS - _TRUMP_ORDER.index(code[0])  # M18
            else:
                points[trump, card] = _PLAIN_POINTS[code[0]]
                strength[trump, suit, card] = N_RANKS - _PLAIN_ORDER.index(code[0])
    beating = np.zeros((N_SUITS, N_CARDS + 1), np.int64)
    for trump in range(N_SUITS):
        for best in range(N_CARDS):
            led = best // N_RANKS
            for card in range(N_RANKS * trump, N_RANKS * (trump + 1)):
                if strength[trump, led, card] > strength[trump, led, best]:
                    beating[trump, best] |= 1 << card
    return points, strength, beating


POINTS, STRENGTH, BEATING = _tables()
"""Card points [trump, card] (M2, M3); strength [trump, led, card] as in kloepper_env.tricks; the
trumps [trump, winning card] that beat the winning card, as a mask."""
FOLLOW: Final = np.array([SUIT_CARDS << N_RANKS * suit for suit in range(N_SUITS)] + [0], np.int64)
"""The cards of a suit; the last: no suit led."""

MAX_LOG: Final = 48
"""Most actions of a hand: 8 in the choice of trump, 2 and 2 for Kontra and Re, 4 about melds, and
32 cards."""


class Hand(Protocol):
    """A hand in play."""

    key: i8  # the seed, mixed; with serial it fixes the deal
    serial: i8  # number of the hand in the stream of that seed
    random: i8  # state of the generator that deals and draws random actions
    counts: i8  # byte k: card points of seat k; byte 4 + k: its tricks
    option_flags: i8  # see options.py
    hands: Annotated[IntArray, "i8", N_SEATS]  # [seat] mask of the cards held
    played: Annotated[IntArray, "i8", N_SEATS]  # [seat] mask of the cards played
    known: Annotated[IntArray, "i8", N_SEATS]  # [seat] mask of the cards all know it was dealt
    melds: Annotated[IntArray, "i8", N_SEATS]  # [seat] its meld set as melds.py packs it
    meld_cards: Annotated[IntArray, "i8", N_SEATS]  # [seat] mask of the cards of its meld set
    told: i8  # melds announced, seat by seat as melds.public_melds gives them
    table: i8  # mask of the cards of the trick in play
    voids: i4  # bit 4 * seat + suit: all know that the seat has no card of the suit
    litige: i4  # suspended points brought into the hand (M35)
    meld_points: i2  # what the melds that score are worth; 0 until trick 1 is complete
    table_points: i2  # card points of the trick in play
    step: i1  # of the order of decisions
    plies: i1  # cards played so far
    dealer: i1
    turn: i1  # seat that decides
    leader: i1  # seat that leads or led the trick in play, or took the last one
    led: i1  # suit led, or NONE
    best: i1  # winning card of the trick in play, or NO_CARD
    winner: i1  # seat that played it, or NONE
    over: i1  # 1 when the hand has ended
    turned: i1  # the turned card
    trump: i1  # suit, or NONE before a take
    taker: i1  # seat, or NONE
    kontra: i1  # seat that said Kontra, or NONE
    re: i1  # seat that said Re, or NONE
    declared: i1  # mask of the seats that announce their melds (M22)
    scoring: i1  # team whose melds score, or NONE; known when trick 1 is complete (M23)
    belle: i1  # mask of the seats dealt king and queen of trump (M25)
    belle_shown: i1  # those of them that have announced it
    log_length: i1
    log: Annotated[IntArray, "u1", MAX_LOG]  # as engine.note writes it
    deck: Annotated[IntArray, "u1", N_CARDS]  # the pack in dealing order


HAND: Final = record_dtype(Hand)
"""The record of a hand in play."""


def no_tables() -> NDArray[np.int64]:
    """Dealing looks nothing up."""
    return np.zeros(0, np.int64)


def deck_of(hand: Any) -> list[str]:
    """The pack that deals a hand (M5, M9)."""
    return [CODES[int(card)] for card in hand.deck]
