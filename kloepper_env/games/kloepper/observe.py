"""What a seat of Kloepper sees: the observation, its named layout, and who is known to be what.

Seats are relative to the observer: 0 is the observer, 1 the seat at its left, 2 opposite, 3 the
seat at its right. Nothing here may depend on cards the observer cannot see, nor, since
passes are not public, on who is being asked: a waiting seat sees the same in either case.
"""

from typing import Final

from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit, popcount, spread64
from kloepper_env.games.kloepper.kernels import ALL_SEATS
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
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
    *((f"void.{k}", 4) for k in (1, 2, 3)),  # did not follow clubs, spades, hearts, trumps
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
assert _FLAGS.size == 64, "the flags must fill a word of 64 bits"

ALLY, ENEMY = _FLAGS.start("ally"), _FLAGS.start("enemy")
QUEENS, CALLED_ME = _FLAGS.start("queens"), _FLAGS.start("called_me")
CALLER, CALLED = _FLAGS.start("caller"), _FLAGS.start("called")
KNOCKER, LONE = _FLAGS.start("knocker"), _FLAGS.start("lone")
KNOCKED_OFF, DEALER = _FLAGS.start("knocked_off"), _FLAGS.start("dealer")
LEADER, PLAYER, WINNING = (_FLAGS.start(name) for name in ("leader", "player", "winning"))
LED, ANNOUNCING, TRICK = (_FLAGS.start(name) for name in ("led", "announcing", "trick"))


@jit
def sides(hand: Hand, seat: int) -> int:
    """The seats that `seat` can know to be on its side, and those it can know to be against it.

    Returns a mask of absolute seats: allies in bits 0 to 3 (`seat` itself not), enemies in 4 to 7.
    Facts used: own cards, black queens and the called ace seen, announcements, and that a knocked
    hand which goes on has lost no trick (all but the first in `shown`).

    No branches: in a batch of hands each of these facts is a coin toss to the processor.
    """
    me = 1 << seat
    am_black = int(hand.black) >> seat & 1
    shown = int(hand.shown) | am_black << seat
    # The seats known to have been dealt the queen of clubs, the queen of spades.
    first = int(hand.queens_seen) & ALL_SEATS | (int(hand.hands[seat]) & 1) << seat
    second = int(hand.queens_seen) >> 4 | (int(hand.hands[seat]) >> 1 & 1) << seat
    # K14: both queens in one hand, no call, and a card played: alone. (Before it I may call.)
    alone = int(first == second) & int(first != 0) & int(hand.caller == NONE)
    alone &= 1 - (int(first == me) & int(hand.played[seat] == 0))
    complete = int(popcount(shown) == 2) | int(hand.lone) | alone
    # Not complete, but two red seats are known: then the others are black. (Who is red before a
    # call may change sides by it; but two are known only after a knock-off, hence a knock.)
    answered = int(hand.knocked_off) + 1
    red = (1 - am_black) << seat | 1 << answered >> 1
    others = (1 - complete) & int(popcount(red) == 2)
    black = shown | ALL_SEATS & ~red & -others
    red = ALL_SEATS & ~shown & -complete | red & complete - 1
    swap = (black ^ red) & am_black - 1
    return (black ^ swap) & ~me | (red ^ swap) << 4


@jit
def _turned(mask: int, seat: int) -> int:
    """A mask of absolute seats as seen from `seat`."""
    return (mask | mask << 4) >> seat & ALL_SEATS


@jit
def _bit(other: int, seat: int) -> int:
    """The relative seat of `other` as a mask; 0 for NONE."""
    return int(other != NONE) << (other - seat & 3)


@jit
def _flag_word(hand: Hand, seat: int) -> int:
    """The 64 flags of the observation as one word. `1 << x + 1 >> 1` is 0 when x is NONE."""
    own = int(hand.hands[seat]) | int(hand.played[seat])
    voids = int(hand.voids)
    word = (voids | voids << 16) >> 4 * seat + 4 & 0xFFF
    known = sides(hand, seat)
    word |= _turned(known & ALL_SEATS, seat) >> 1 << ALLY
    word |= _turned(known >> 4, seat) >> 1 << ENEMY
    word |= (own & BLACK_QUEENS) << QUEENS
    word |= int(own & int(hand.telling) & ~BLACK_QUEENS != 0) << CALLED_ME
    word |= _bit(int(hand.caller), seat) << CALLER
    word |= (1 << int(hand.called) + 1 >> 1) << CALLED
    word |= _bit(int(hand.knocker), seat) << KNOCKER
    word |= int(hand.lone) << LONE
    word |= _bit(int(hand.knocked_off), seat) << KNOCKED_OFF
    word |= _bit(int(hand.dealer), seat) << DEALER
    word |= _bit(int(hand.leader), seat) << LEADER
    word |= _bit(int(hand.player), seat) << PLAYER
    word |= _bit(int(hand.winner), seat) << WINNING
    word |= (1 << int(hand.led) + 1 >> 1) << LED
    word |= (int(hand.asked != 0) & int(hand.turn == seat)) << ANNOUNCING
    plies = int(hand.plies)
    played_out = int(hand.hands[seat] == 0) & int(plies & 3 == 0)  # of any pack (K32)
    return word | 1 << TRICK + (plies - played_out >> 2)


@jit
def observe(hand: Hand, seat: int, words: IntArray) -> None:
    """Write the observation of a seat, laid out as LAYOUT, eight values to a word.

    The 280 bits are put together first and spread 64 at a time; the last 24 of the cards are
    followed by zeros, which the flags then overwrite.
    """
    table = int(hand.table)
    left, across, right = seat + 1 & 3, seat + 2 & 3, seat + 3 & 3
    p0, p1 = int(hand.played[seat]), int(hand.played[left])
    p2, p3 = int(hand.played[across]), int(hand.played[right])
    t0, t1, t2, t3 = p0 & table, p1 & table, p2 & table, p3 & table
    spread64(words, 0, int(hand.hands[seat]) | p0 << 24 | p1 << 48)
    spread64(words, 8, p1 >> 16 | p2 << 8 | p3 << 32 | t0 << 56)
    spread64(words, 16, t0 >> 8 | t1 << 16 | t2 << 40)
    spread64(words, 24, t3)
    spread64(words, CARD_WORDS, _flag_word(hand, seat))
    points, tricks = int(hand.counts) & 0xFFFFFFFF, int(hand.counts) >> 32
    points = (points | points << 32) >> 8 * seat & 0xFFFFFFFF  # turned to the observer's seat
    tricks = (tricks | tricks << 32) >> 8 * seat & 0xFFFFFFFF
    words[CARD_WORDS + 8] = points | tricks << 32


define(engine.observe, HAND, observe)
