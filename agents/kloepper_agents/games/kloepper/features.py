"""What an observation of Kloepper says, read back into card masks for players that reason.

Everything comes from the observation and the mask of legal actions, so a player built on it cannot
know more than its seat. Seats are relative: 0 the player, then clockwise.
"""

from typing import Final, NamedTuple

import numpy as np

from kloepper_agents.compiled import bits_of
from kloepper_env._jit import IntArray, jit, lowest, popcount
from kloepper_env.games.kloepper import observe
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    FIRST_OF_SUIT,
    FOLLOW,
    N_ACTIONS,
    N_CARDS,
    N_SEATS,
    PACK_CARDS,
    PACK_HANDS,
    POINTS,
    SUIT,
    TRUMPS,
)
from kloepper_env.tricks import NONE

MASK_WORDS: Final = -(-N_ACTIONS // 8)
FLAG_WORDS: Final = 8
LED_TRUMP: Final = 0.29  # odds that the leader of the trick is black, after a trump
LED_PLAIN: Final = 3.19  # ... after a plain card

PACK_OF_SIZE: Final = np.array(
    [PACK_HANDS.index(n) if n in PACK_HANDS else 0 for n in range(N_CARDS + 1)]
)
"""The pack in play by the number of cards that a seat was dealt (K32), the full one for any other:
an observation made up may hold any number."""
DEALT: Final = np.array(PACK_HANDS)

Four = tuple[int, int, int, int]  # one number for each relative seat
Probabilities = tuple[float, float, float, float]


class Features(NamedTuple):
    """One decision as its seat sees it. Cards are masks, seats relative, sets of seats masks."""

    hand: int  # cards held
    legal: int  # legal actions
    unseen: int  # cards in the other hands
    played: Four  # cards each seat has played
    table: Four  # its card in the trick in play, as a mask
    voids: Four  # suits it did not follow, bit s for suit s
    on_table: int  # points of the trick in play
    best: int  # card that wins it so far, or NONE
    winning: int  # seat of that card, or NONE
    led: int  # suit led, or NONE
    behind: int  # seats that play after the player in this trick
    black: int  # 1 when the player is on the black side
    queens: int  # black queens the player was dealt
    caller: int  # seat, or NONE
    called: int  # suit, or NONE
    knocker: int  # seat, or NONE
    lone: int  # 1 when the knocker plays alone
    knocked_off: int  # seat, or NONE
    announcing: int  # 1 when asked for an announcement
    trick: int  # 0 to 5
    first: int  # seat that leads or led the trick in play
    tricks: Four  # taken by each seat
    points: Four  # card points taken by each seat
    with_me: Probabilities  # probability that a seat is on the player's side; 1 and 0 are certain
    dealt: int  # cards that each seat was dealt


# --- from bytes to masks -----------------------------------------------------------------------


@jit
def _four_cards(words: IntArray, start: int) -> Four:
    return (
        bits_of(words, start, 3),
        bits_of(words, start + 3, 3),
        bits_of(words, start + 6, 3),
        bits_of(words, start + 9, 3),
    )


@jit
def _four_counts(word: int) -> Four:
    return (word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24 & 255)


@jit
def _index(mask: int) -> int:
    return lowest(mask) if mask else NONE


@jit
def points_of(cards: int) -> int:
    """Card points of a mask."""
    total = 0
    while cards:
        total += int(POINTS[lowest(cards)])
        cards &= cards - 1
    return total


@jit
def features_of(words: IntArray, legal: int) -> Features:
    """Read an observation (int64 [W / 8]) and a mask of legal actions."""
    hand = bits_of(words, 0, 3)
    played, table = _four_cards(words, 3), _four_cards(words, 15)
    flags = bits_of(words, observe.CARD_WORDS, FLAG_WORDS)
    counts = int(words[observe.CARD_WORDS + FLAG_WORDS])
    cards = table[0] | table[1] | table[2] | table[3]
    winning = _index(flags >> observe.WINNING & 15)
    behind = 0
    for k in range(1, N_SEATS):
        behind |= (table[k] == 0) << k
    queens = flags >> observe.QUEENS & 3
    called_me = flags >> observe.CALLED_ME & 1
    black = 1 if queens or called_me else 0
    caller = _index(flags >> observe.CALLER & 15)
    called = _index(flags >> observe.CALLED & 7)
    voids = (0, flags & 15, flags >> 4 & 15, flags >> 8 & 15)
    pack = int(PACK_OF_SIZE[popcount(hand | played[0])])
    dealt = int(DEALT[pack])
    unseen = int(PACK_CARDS[pack]) & ~(hand | played[0] | played[1] | played[2] | played[3])
    telling = unseen & (1 << int(FIRST_OF_SUIT[called]) if caller != NONE else BLACK_QUEENS)
    first = _index(flags >> observe.LEADER & 15)
    ally, enemy = (flags >> observe.ALLY & 7) << 1, (flags >> observe.ENEMY & 7) << 1
    return Features(  # by place: numba takes no call with this many keywords
        hand,
        legal,
        unseen,
        played,
        table,
        voids,
        points_of(cards),
        _index(table[winning]) if winning != NONE else NONE,
        winning,
        _index(flags >> observe.LED & 15),
        behind,
        black,
        queens,
        caller,
        called,
        _index(flags >> observe.KNOCKER & 15),
        flags >> observe.LONE & 1,
        _index(flags >> observe.KNOCKED_OFF & 15),
        flags >> observe.ANNOUNCING & 1,
        lowest(flags >> observe.TRICK & 63),
        first,
        _four_counts(counts >> 32),
        _four_counts(counts),
        sides_of(ally, enemy, black, telling, first, played, table, voids, dealt),
        dealt,
    )


# --- who is with whom --------------------------------------------------------------------------


@jit
def weight_of_seat(
    k: int, known: int, suit: int, first: int, played: Four, table: Four, voids: Four, dealt: int
) -> float:
    """How likely seat k holds a hidden card of a suit, up to a factor: by its cards and its lead.

    Nothing if its side is known or it was void in the suit.
    """
    if known >> k & 1 or voids[k] >> suit & 1:
        return 0.0
    weight = float(dealt - popcount(played[k]))
    if k == first and table[k]:
        weight *= LED_TRUMP if table[k] & int(FOLLOW[TRUMPS]) else LED_PLAIN
    return weight


@jit
def sides_of(
    ally: int,
    enemy: int,
    black: int,
    telling: int,
    first: int,
    played: Four,
    table: Four,
    voids: Four,
    dealt: int,
) -> Probabilities:
    """Probability that each seat is on the player's side: by who may hold the cards that tell.

    `telling` are the hidden cards of the black side: the called ace after a call, else the black
    queens. They lie in hands that were not void in their suit.
    """
    suit = int(SUIT[lowest(telling)]) if telling else TRUMPS
    weights = (
        weight_of_seat(1, ally | enemy, suit, first, played, table, voids, dealt),
        weight_of_seat(2, ally | enemy, suit, first, played, table, voids, dealt),
        weight_of_seat(3, ally | enemy, suit, first, played, table, voids, dealt),
    )
    hidden = popcount(telling)
    if telling & BLACK_QUEENS:
        for k in range(1, N_SEATS):  # who has knocked and not shown its queen
            known_black = (ally if black else enemy) >> k & 1
            hidden -= known_black and not played[k] & BLACK_QUEENS
    return (
        1.0,
        side_of(ally >> 1 & 1, enemy >> 1 & 1, black, holds_one(hidden, 0, weights)),
        side_of(ally >> 2 & 1, enemy >> 2 & 1, black, holds_one(hidden, 1, weights)),
        side_of(ally >> 3 & 1, enemy >> 3 & 1, black, holds_one(hidden, 2, weights)),
    )


@jit
def holds_one(hidden: int, i: int, weights: tuple[float, float, float]) -> float:
    """Probability that the i-th of three seats holds one of the hidden cards; two lie apart."""
    total = weights[0] + weights[1] + weights[2]
    if hidden <= 0 or weights[i] == 0.0:
        return 0.0
    if hidden == 1:
        return weights[i] / total
    first_two = weights[0] * weights[1]
    pairs = first_two + weights[2] * (weights[0] + weights[1])
    return weights[i] * (total - weights[i]) / pairs if pairs > 0.0 else 1.0


@jit
def side_of(ally: int, enemy: int, black: int, is_black: float) -> float:
    """Probability that a seat is on the player's side, given the probability that it is black."""
    if ally or enemy:
        return 1.0 if ally else 0.0
    return is_black if black else 1.0 - is_black
