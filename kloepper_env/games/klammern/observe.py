"""What a seat of Klammern sees: the observation with its named layout, and the public facts.

Seats are relative to the observer: 0 is the observer, 1 the seat at its left, 2 its partner, 3 the
seat at its right; of the teams 0 is its own. Nothing here may depend on
cards the observer cannot see.
"""

from functools import lru_cache
from typing import Any, Final

from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit, spread32, spread64
from kloepper_env.cards import cards_of
from kloepper_env.games.klammern.melds import PUBLIC_MELDS
from kloepper_env.games.klammern.record import (
    CODES,
    HAND,
    N_CARDS,
    N_SEATS,
    Hand,
)
from kloepper_env.games.klammern.settlement import BELLE
from kloepper_env.layout import Layout
from kloepper_env.tricks import NONE

_CARD_PARTS: Final = [
    ("hand", N_CARDS),  # cards held
    *((f"played.{k}", N_CARDS) for k in range(4)),  # cards each seat has played
    *((f"table.{k}", N_CARDS) for k in range(4)),  # its card in the trick in play
    *((f"known.{k}", N_CARDS) for k in range(4)),  # cards everybody knows it to hold
    ("turned", N_CARDS),  # the turned card
]
_FLAG_PARTS: Final = [
    *((f"void.{k}", 4) for k in (1, 2, 3)),  # certainly has no clubs, spades, hearts, diamonds
    ("trump", 4),
    *((f"melds.{k}", len(PUBLIC_MELDS)) for k in range(4)),  # announced, as PUBLIC_MELDS names them
    ("belle", 4),  # seat that has announced Belle
    ("scoring", 2),  # team whose melds score
    ("step", 6),  # first choice, second choice, Kontra, Re, melds, cards
    ("taker", 4),
    ("kontra", 4),  # seat that said Kontra
    ("re", 4),  # seat that said Re
    ("dealer", 4),
    ("leader", 4),  # seat that leads or led the trick in play
    ("turn", 4),  # seat that decides
    ("winning", 4),  # seat whose card wins the trick so far
    ("led", 4),  # suit led
    ("trick", 8),  # number of the trick in play
]
_COUNT_PARTS: Final = [
    *((f"points.{k}", 2) for k in (0, 1)),  # card points of a team: up to 127, and what is over
    *((f"tricks.{k}", 1) for k in (0, 1)),  # tricks of a team, 0 to 8
    *((f"extra.{k}", 1) for k in (0, 1)),  # tens for the melds that score and for Belle
]

LAYOUT: Final = Layout([*_CARD_PARTS, *_FLAG_PARTS, *_COUNT_PARTS])
"""The observation: int8, zeros and ones but for the counts at the end."""

_FLAGS: Final = Layout(_FLAG_PARTS)
_SECOND: Final = _FLAGS.start("taker")
assert _SECOND == 64, "the flags before `taker` must fill a word of 64 bits"
assert _FLAGS.start("trick") == 96, "those before `trick` must fill another 32"
FLAG_WORDS: Final = 14 * N_CARDS // 8
TRICK_WORD: Final = FLAG_WORDS + 12
COUNT_WORD: Final = TRICK_WORD + 1
WORDS: Final = LAYOUT.size // 8

TRUMP, MELDS, SHOWN_BELLE, SCORING, STEP = (
    _FLAGS.start(name) for name in ("trump", "melds.0", "belle", "scoring", "step")
)
KONTRA, RE, DEALER, LEADER = (
    _FLAGS.start(name) - _SECOND for name in ("kontra", "re", "dealer", "leader")
)
TURN, WINNING, LED = (_FLAGS.start(name) - _SECOND for name in ("turn", "winning", "led"))
_MELD_FLAGS: Final = len(PUBLIC_MELDS)
_ALL_MELD_FLAGS: Final = (1 << N_SEATS * _MELD_FLAGS) - 1
MOST: Final = 127  # the largest int8


@jit
def _bit(other: int, seat: int) -> int:
    """The relative seat of `other` as a mask; 0 for NONE."""
    return int(other != NONE) << (other - seat & 3)


@jit
def _first_flags(hand: Hand, seat: int) -> int:
    """The flags before `taker`. `1 << x + 1 >> 1` is 0 when x is NONE."""
    voids = int(hand.voids)
    told, turn = int(hand.told), _MELD_FLAGS * seat
    told = (told >> turn | told << N_SEATS * _MELD_FLAGS - turn) & _ALL_MELD_FLAGS
    belle = int(hand.belle_shown)
    word = (voids | voids << 16) >> 4 * seat + 4 & 0xFFF
    word |= (1 << int(hand.trump) + 1 >> 1) << TRUMP
    word |= told << MELDS
    word |= ((belle | belle << 4) >> seat & 15) << SHOWN_BELLE
    word |= int(hand.scoring != NONE) << SCORING + ((int(hand.scoring) ^ seat) & 1)
    return word | 1 << STEP + int(hand.step)


@jit
def _second_flags(hand: Hand, seat: int) -> int:
    """The flags from `taker` to `led`."""
    word = _bit(int(hand.taker), seat)
    word |= _bit(int(hand.kontra), seat) << KONTRA
    word |= _bit(int(hand.re), seat) << RE
    word |= _bit(int(hand.dealer), seat) << DEALER
    word |= _bit(int(hand.leader), seat) << LEADER
    word |= _bit(int(hand.turn), seat) << TURN
    word |= _bit(int(hand.winner), seat) << WINNING
    return word | (1 << int(hand.led) + 1 >> 1) << LED


@jit
def _counts(hand: Hand, seat: int) -> int:
    """The counts as bytes of a word."""
    sums = int(hand.counts) + (int(hand.counts) >> 16)  # bytes 0 and 1, 4 and 5: of the teams
    word = 0
    for k in range(2):
        team = seat + k & 1
        points, tricks = sums >> 8 * team & 255, sums >> 32 + 8 * team & 255
        low = min(points, MOST)
        extra = int(hand.meld_points) * int(hand.scoring == team)
        extra += BELLE * int(int(hand.belle_shown) >> team & 0b101 != 0)
        word |= (low | points - low << 8) << 16 * k | tricks << 32 + 8 * k
        word |= extra // 10 << 48 + 8 * k
    return word


@jit
def observe(hand: Hand, seat: int, words: IntArray) -> None:
    """Write the observation of a seat, laid out as LAYOUT, eight values to a word."""
    table = int(hand.table)
    left, across, right = seat + 1 & 3, seat + 2 & 3, seat + 3 & 3
    p0, p1 = int(hand.played[seat]), int(hand.played[left])
    p2, p3 = int(hand.played[across]), int(hand.played[right])
    k0, k1 = int(hand.known[seat]) & ~p0, int(hand.known[left]) & ~p1
    k2, k3 = int(hand.known[across]) & ~p2, int(hand.known[right]) & ~p3
    t0, t1, t2, t3 = p0 & table, p1 & table, p2 & table, p3 & table
    spread64(words, 0, int(hand.hands[seat]) | p0 << 32)
    spread64(words, 8, p1 | p2 << 32)
    spread64(words, 16, p3 | t0 << 32)
    spread64(words, 24, t1 | t2 << 32)
    spread64(words, 32, t3 | k0 << 32)
    spread64(words, 40, k1 | k2 << 32)
    spread64(words, 48, k3 | 1 << 32 + int(hand.turned))
    spread64(words, FLAG_WORDS, _first_flags(hand, seat))
    spread32(words, FLAG_WORDS + 8, _second_flags(hand, seat))
    plies = int(hand.plies)
    words[TRICK_WORD] = 1 << 8 * (plies - int(plies == N_CARDS) >> 2)
    words[COUNT_WORD] = _counts(hand, seat)


define(engine.observe, HAND, observe)


# --- what is public beyond the actions -----------------------------------------------------------

_TURNED: Final = tuple(f"turned:{code}" for code in CODES)
_MELDS: Final = tuple(f"meld:{seat}:{name}" for seat in range(N_SEATS) for name in PUBLIC_MELDS)
_SHOWN: Final = [tuple(f"shown:{seat}:{code}" for code in CODES) for seat in range(N_SEATS)]
_BELLE: Final = tuple(f"belle:{seat}" for seat in range(N_SEATS))

FACT_NAMES: Final = (*_TURNED, *_MELDS, *(name for names in _SHOWN for name in names), *_BELLE)
"""The turned card, melds announced to trick 1, their cards shown after it, and Belle."""


def facts(hand: Any) -> tuple[str, ...]:
    """Those of FACT_NAMES that are so, in that order."""
    told = hand["told"]
    shown: tuple[int, ...] = (0,) * N_SEATS
    if told and (scoring := hand["scoring"]) != NONE:
        masks, declared = hand["meld_cards"].tolist(), hand["declared"]
        shown = tuple(
            mask if scoring == seat & 1 and declared >> seat & 1 else 0
            for seat, mask in enumerate(masks)
        )
    return _facts(hand["turned"], told, shown, hand["belle_shown"])


@lru_cache(4096)  # they stay the same for many decisions of a hand
def _facts(turned: int, told: int, shown: tuple[int, ...], belle: int) -> tuple[str, ...]:
    found = [_TURNED[turned], *cards_of(told, _MELDS)]
    for seat, mask in enumerate(shown):
        found += cards_of(mask, _SHOWN[seat])
    return (*found, *cards_of(belle, _BELLE))
