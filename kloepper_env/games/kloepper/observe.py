"""What a seat of Kloepper sees: the observation, its named layout, and who is known to be what.

Seats are relative to the observer: 0 himself, 1 his left, 2 opposite, 3 his right. Nothing here
may depend on cards the observer cannot see, nor, since passes are not public, on who is being
asked: a waiting seat sees the same whoever is asked behind its back.
"""

from typing import Final

from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit, popcount
from kloepper_env.engine import EIGHT_BYTES
from kloepper_env.games.kloepper.kernels import ALL_SEATS
from kloepper_env.games.kloepper.record import (
    ACE_HEARTS,
    BLACK_QUEENS,
    FIRST_OF_SUIT,
    HAND,
    N_CARDS,
    Hand,
)
from kloepper_env.layout import Layout
from kloepper_env.tricks import NONE

_CARD_PARTS: Final = [
    ("hand", N_CARDS),  # cards held
    *((f"played.{k}", N_CARDS) for k in range(4)),  # cards each seat has played
    *((f"table.{k}", N_CARDS) for k in range(4)),  # its card in the trick in play
]
_FLAG_PARTS: Final = [
    *(
        (f"void.{k}", 4) for k in (1, 2, 3)
    ),  # did not follow clubs, spades, hearts, trumps
    ("ally", 3),  # seats 1 to 3 certainly on the observer's side
    ("enemy", 3),  # ... certainly on the other
    ("queens", 2),  # was dealt the queen of clubs, of spades
    ("called_me", 1),  # was dealt the called ace
    ("caller", 4),  # seat that called
    ("called", 3),  # clubs, spades or hearts
    ("knocker", 4),
    ("lone", 1),  # the knocker plays alone
    ("knocked_off", 4),  # seat that knocked off
    ("dealer", 4),
    ("leader", 4),  # seat that leads or led the trick in play
    ("player", 4),  # seat that plays the next card
    ("winning", 4),  # seat whose card wins the trick so far
    ("led", 4),  # suit led
    ("announcing", 1),  # the observer is asked for an announcement
    ("trick", 6),  # number of the trick in play
]
_COUNT_PARTS: Final = [
    *((f"points.{k}", 1) for k in range(4)),  # card points taken, 0 to 120
    *((f"tricks.{k}", 1) for k in range(4)),  # tricks taken, 0 to 6
]

LAYOUT: Final = Layout([*_CARD_PARTS, *_FLAG_PARTS, *_COUNT_PARTS])
"""The observation: int8, zeros and ones but for the counts at the end."""

_FLAGS: Final = Layout(_FLAG_PARTS)
CARD_WORDS: Final = 27  # 9 parts of 24 cards, eight to a word
WORDS: Final = LAYOUT.size // 8
assert _FLAGS.size == 64 and LAYOUT.size % 8 == 0, "the parts must fill whole words"

ALLY, ENEMY = _FLAGS["ally"].start, _FLAGS["enemy"].start
QUEENS, CALLED_ME = _FLAGS["queens"].start, _FLAGS["called_me"].start
CALLER, CALLED = _FLAGS["caller"].start, _FLAGS["called"].start
KNOCKER, LONE = _FLAGS["knocker"].start, _FLAGS["lone"].start
KNOCKED_OFF, DEALER = _FLAGS["knocked_off"].start, _FLAGS["dealer"].start
LEADER, PLAYER, WINNING = (
    _FLAGS[name].start for name in ("leader", "player", "winning")
)
LED, ANNOUNCING, TRICK = (_FLAGS[name].start for name in ("led", "announcing", "trick"))


@jit
def sides(hand: Hand, seat: int) -> int:
    """Who is certainly with and who certainly against `seat`, as far as it can know.

    Returns a mask of absolute seats: allies in bits 0 to 3 (`seat` itself not), enemies in 4 to 7.
    Facts used: own cards, black queens and the called ace seen, announcements, and that a knocked
    hand which goes on has lost no trick (`shown`).
    """
    me = 1 << seat
    am_black = int(hand.black) & me
    black = int(hand.shown) | am_black
    first, second = 0, 0  # seats known to have been dealt the queen of clubs, of spades
    own = int(hand.hands[seat]) | int(hand.played[seat])
    for other in range(4):
        seen = own if other == seat else int(hand.played[other])
        first |= (seen & 1) << other
        second |= (seen >> 1 & 1) << other
    # K14: both queens in one hand, no call, and a card played (or a lone knock): alone.
    committed = hand.caller == NONE and first == second and first != 0
    if first == me and hand.played[seat] == 0:
        committed = False
    whole = popcount(black) == 2 or hand.lone != 0 or committed
    if whole:
        red = ALL_SEATS & ~black
    else:
        red = 0 if am_black or black == 0 else me
        if hand.knocked_off != NONE:
            red |= 1 << int(hand.knocked_off)
        if popcount(red) == 2:
            black = ALL_SEATS & ~red
    if am_black:
        return (black & ~me) | red << 4
    return (red & ~me) | black << 4


@jit
def _turned(mask: int, seat: int) -> int:
    """A mask of absolute seats as seen from `seat`."""
    return (mask | mask << 4) >> seat & ALL_SEATS


@jit
def _bit(other: int, seat: int) -> int:
    """The relative seat of `other` as a mask; 0 for NONE."""
    return 1 << (other - seat & 3) if other != NONE else 0


@jit
def _flag_word(hand: Hand, seat: int) -> int:
    """The 64 flags of the observation as one word."""
    own = int(hand.hands[seat]) | int(hand.played[seat])
    voids = int(hand.voids)
    word = (voids | voids << 16) >> 4 * seat + 4 & 0xFFF
    known = sides(hand, seat)
    word |= _turned(known & ALL_SEATS, seat) >> 1 << ALLY
    word |= _turned(known >> 4, seat) >> 1 << ENEMY
    word |= (own & BLACK_QUEENS) << QUEENS
    if hand.called != NONE:
        called = int(hand.called)
        word |= (own >> _ace(called) & 1) << CALLED_ME | 1 << CALLED + called
        word |= _bit(int(hand.caller), seat) << CALLER
    if hand.knocker != NONE:
        word |= _bit(int(hand.knocker), seat) << KNOCKER | int(hand.lone) << LONE
        word |= _bit(int(hand.knocked_off), seat) << KNOCKED_OFF
    word |= _bit(int(hand.dealer), seat) << DEALER
    word |= _bit(int(hand.leader), seat) << LEADER
    word |= _bit(int(hand.player), seat) << PLAYER
    word |= _bit(int(hand.winner), seat) << WINNING
    if hand.led != NONE:
        word |= 1 << LED + int(hand.led)
    word |= (hand.asked != 0 and hand.turn == seat) << ANNOUNCING
    return word | 1 << TRICK + min(int(hand.plies) >> 2, 5)


@jit
def _ace(suit: int) -> int:
    return ACE_HEARTS if suit == 2 else FIRST_OF_SUIT[0] + 4 * suit


@jit
def observe(hand: Hand, seat: int, words: IntArray) -> None:
    """Write the observation of a seat, laid out as LAYOUT, eight values to a word."""
    table = int(hand.table)
    _spread_cards(int(hand.hands[seat]), words, 0)
    counts = 0
    for k in range(4):
        other = seat + k & 3
        played = int(hand.played[other])
        _spread_cards(played, words, 3 + 3 * k)
        _spread_cards(played & table, words, 15 + 3 * k)
        counts |= (
            int(hand.points[other]) << 8 * k | int(hand.tricks[other]) << 32 + 8 * k
        )
    flags = _flag_word(hand, seat)
    for i in range(8):
        words[CARD_WORDS + i] = EIGHT_BYTES[flags >> 8 * i & 255]
    words[CARD_WORDS + 8] = counts


@jit
def _spread_cards(mask: int, words: IntArray, at: int) -> None:
    words[at] = EIGHT_BYTES[mask & 255]
    words[at + 1] = EIGHT_BYTES[mask >> 8 & 255]
    words[at + 2] = EIGHT_BYTES[mask >> 16 & 255]


define(engine.observe, HAND, observe)
