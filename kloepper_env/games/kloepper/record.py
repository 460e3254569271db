"""Kloepper as data: cards, actions, tables, and the record of a hand in play.

Cards are numbered so that a stronger card of a suit has the smaller number:

     0  1  2  3  4  5  6  7  8  9 10 | 11 12 13 14 | 15 16 17 18 | 19 20 21 22 23
    QC QS JC JS JH JD AD TD KD QD 9D | AC TC KC 9C | AS TS KS 9S | AH TH KH QH 9H
    trumps (K2)                      | clubs (K3)  | spades      | hearts

Actions 0..23 play a card, the others announce. The cards of a short pack (K32) keep their numbers.
"""

from itertools import combinations
from math import comb
from typing import Annotated, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.cards import cards_of, mask_of
from kloepper_env.games.action import plays, says
from kloepper_env.games.fields import i1, i2, i4, i8, record_dtype
from kloepper_env.games.kloepper.options import PACKS

N_SEATS: Final = 4  # K1
N_CARDS: Final = 24  # K1
HAND_SIZE: Final = 6  # K5
CODES: Final = tuple(
    "QC QS JC JS JH JD AD TD KD QD 9D AC TC KC 9C AS TS KS 9S AH TH KH QH 9H".split()  # noqa: SIM905  # a list of 24 quoted strings would fill the page
)

PASS: Final = 24
KNOCK: Final = 25
KNOCK_OFF: Final = 26
CALL: Final = 27  # + suit: call:C, call:S, call:H
ACTIONS: Final = plays(CODES) + says(("pass", "knock", "knock_off", "call:C", "call:S", "call:H"))
ACTION_NAMES: Final = tuple(action.name for action in ACTIONS)
N_ACTIONS: Final = len(ACTION_NAMES)

CLUBS, SPADES, HEARTS, TRUMPS = range(4)
FIRST_OF_SUIT: Final = (11, 15, 19, 0)  # the ace of a plain suit, the queen of clubs
SUIT_SIZE: Final = (4, 4, 5, 11)

QUEEN_CLUBS: Final = 0
QUEEN_SPADES: Final = 1
ACE_CLUBS, ACE_SPADES, ACE_HEARTS = FIRST_OF_SUIT[:3]
BLACK_QUEENS: Final = 0b11
CALLABLE_ACES: Final = 1 << ACE_CLUBS | 1 << ACE_SPADES | 1 << ACE_HEARTS
ALL_CARDS: Final = (1 << N_CARDS) - 1
NO_CARD: Final = N_CARDS  # beaten by every card

_POINTS_OF_RANK = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}  # K4


def _tables() -> tuple[IntArray, IntArray, IntArray]:
    suit = np.zeros(N_CARDS, np.int64)
    follow = np.zeros(len(SUIT_SIZE) + 1, np.int64)
    strength = np.zeros((len(SUIT_SIZE), N_CARDS + 1), np.int64)  # the last: NO_CARD
    for s, (first, size) in enumerate(zip(FIRST_OF_SUIT, SUIT_SIZE, strict=True)):
        for card in range(first, first + size):
            suit[card] = s
            follow[s] |= 1 << card
            strength[s, card] = N_CARDS - card  # a card of the suit led
            if s == TRUMPS:
                strength[:, card] = 2 * N_CARDS - card  # K9: any trump beats it
    return suit, follow, strength


SUIT, FOLLOW, STRENGTH = _tables()
"""Suit of a card [24]; and the two tables of kloepper_env.tricks."""
POINTS: Final = np.array([_POINTS_OF_RANK[code[0]] for code in CODES], np.int64)
"""Card points [24] (K4)."""

_SHORT_PACKS = ("QC QS JC JD AD TD AC TC AS TS AH TH", "QC QS JD AD AC TC AH TH")  # K32
PACK_CARDS: Final = np.array(
    [ALL_CARDS, *(mask_of(pack.split(), CODES) for pack in _SHORT_PACKS)], np.int64
)
"""Mask of the cards of each pack, in the order of options.PACKS, as in all tables of packs."""
PACK_HANDS: Final = tuple(size // N_SEATS for size in PACKS)
"""How many cards a seat is dealt: 6, 3, 2 (K5, K32)."""
PACK_POINTS: Final = np.array(
    [sum(int(POINTS[card]) for card in range(N_CARDS) if cards >> card & 1) for cards in PACK_CARDS]
)
"""Card points of each pack: 120, 94, 61."""


def pack_codes(size: int) -> tuple[str, ...]:
    """The cards of the pack of so many cards, in the order of their numbers."""
    return tuple(cards_of(int(PACK_CARDS[PACKS.index(size)]), CODES))


MAX_LOG: Final = 60
"""Most actions of a hand: 24 cards, 5 rounds of 4 seats, 3 announcements that ask all 4 anew."""


class Hand(Protocol):
    """A hand in play."""

    key: i8  # the seed, mixed; with serial it fixes the deal
    serial: i8  # number of the hand in the stream of that seed
    random: i8  # state of the generator that deals and draws random actions
    counts: i8  # byte k: card points of seat k; byte 4 + k: its tricks
    hands: Annotated[IntArray, "i4", N_SEATS]  # [seat] mask of the cards held
    played: Annotated[IntArray, "i4", N_SEATS]  # [seat] mask of the cards played
    voids: i4  # bit 4 * seat + suit: the seat did not follow that suit
    telling: i4  # mask of the cards that show their player to be black
    table: i4  # mask of the cards of the trick in play
    queens_seen: i2  # bit k: seat k has played the queen of clubs; bit 4 + k: of spades
    table_points: i2  # card points of the trick in play
    option_flags: i2  # see options.py
    plies: i1  # cards played so far
    dealer: i1
    turn: i1  # seat that decides: asked for an announcement, or to play
    player: i1  # seat that plays the next card
    leader: i1  # seat that leads or led the trick in play
    led: i1  # suit led, or NONE
    best: i1  # winning card of the trick in play, or NO_CARD
    winner: i1  # seat that played it, or NONE
    asked: i1  # mask of the seats still to be asked in an open round; 0: none
    over: i1  # 1 when the hand has ended
    queens: i1  # mask of the seats that were dealt a black queen
    black: i1  # mask of the black side (K10, K11)
    shown: i1  # mask of the seats publicly known to be black
    won: i1  # mask of the seats that have taken a trick
    caller: i1  # seat, or NONE
    called: i1  # suit called, or NONE
    knocker: i1  # seat, or NONE
    lone: i1  # 1 when the knocker plays alone (K17)
    knocked_off: i1  # seat that knocked off, or NONE
    able: i1  # mask of the seats that have something to announce (K15, K16, K18)
    stops: i1  # 1 when the hand ends with the first trick of the red side (K28)
    log_length: i1
    log: Annotated[IntArray, "u1", MAX_LOG]  # as engine.note writes it


HAND: Final = record_dtype(Hand)
"""The record of a hand in play."""


def _ways(pack: int, hand: int) -> tuple[int, int, int]:
    return comb(pack, hand), comb(pack - hand, hand), comb(pack - 2 * hand, hand)


PACK_SUBSETS: Final = np.array(
    [_ways(*sizes) for sizes in zip(PACKS, PACK_HANDS, strict=True)], np.int64
)
"""[pack, 3] ways to choose the first hand, the second and the third."""
SUBSET_STARTS: Final = (PACK_SUBSETS.cumsum() - PACK_SUBSETS.ravel()).reshape(PACK_SUBSETS.shape)
"""[pack, 3] where they begin in `subset_table`."""
HAND_SUBSETS: Final = tuple(PACK_SUBSETS[0].tolist())
"""Ways to choose 6 cards of 24, of 18 and of 12."""


def subset_table() -> NDArray[np.int32]:
    """All hands of each pack, as masks, one after the other; `deal` draws from them.

    For each pack all first hands; then, as places among the cards that are left, all second and
    all third ones.
    """
    masks = [
        sum(chosen)
        for size, hand, cards in zip(PACKS, PACK_HANDS, PACK_CARDS.tolist(), strict=True)
        for bits in (
            [1 << card for card in range(N_CARDS) if cards >> card & 1],
            [1 << place for place in range(size - hand)],
            [1 << place for place in range(size - 2 * hand)],
        )
        for chosen in combinations(bits, hand)
    ]
    return np.array(masks, np.int32)


PACKET: Final = 3  # cards that leave the pack together; 2 when no seat gets more (K5, K32)


def packets(hands: list[list[Any]], dealer: int) -> list[Any]:
    """The pack that deals these hands, packet by packet from dealer's left (K5, K32)."""
    order = [hands[(dealer + 1 + i) % N_SEATS] for i in range(N_SEATS)]
    starts = range(0, len(order[0]), PACKET)
    return [card for start in starts for hand in order for card in hand[start : start + PACKET]]


def hands_of(deck: list[str], dealer: int) -> list[int]:
    """The masks of the four hands that a pack deals, by seat (K5, K32)."""
    masks = [0] * N_SEATS
    size = min(PACKET, len(deck) // N_SEATS)
    for packet, start in enumerate(range(0, len(deck), size)):
        seat = (dealer + 1 + packet) % N_SEATS
        masks[seat] |= mask_of(deck[start : start + size], CODES)
    return masks
