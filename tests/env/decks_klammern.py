"""Random packs of Klammern, some of them with what chance alone seldom gives.

Hands of eight are listed from the dealer's left. They come out exactly where everything is dealt at
once; else the turned card and the last packets shift a few cards.
"""

import random
from collections.abc import Mapping
from typing import Any

from kloepper_env.games.klammern.record import CODES, RANKS, SUITS


def packets(hands: list[list[str]]) -> list[str]:
    """The pack that deals hands, with everything dealt at once (M5)."""
    sizes = ((0, 3), (3, 5), (5, 8))
    return [card for start, stop in sizes for hand in hands for card in hand[start:stop]]


def shuffled_deck(rng: random.Random) -> list[str]:
    return rng.sample(CODES, len(CODES))


def rich_deck(rng: random.Random) -> list[str]:
    """Long runs and fours: sorted by suit or by rank, then disturbed a little."""
    deck = list(CODES)
    if rng.random() < 0.5:
        deck.sort(key=lambda card: (RANKS.index(card[0]), card[1]))
    shift = rng.randrange(32)
    deck = disturbed(deck[shift:] + deck[:shift], rng.choice((0, 2, 5, 9)), rng)
    hands = [deck[8 * k : 8 * k + 8] for k in range(4)]
    for hand in hands:
        rng.shuffle(hand)
    rng.shuffle(hands)
    return packets(hands)


def level_deck(rng: random.Random) -> list[str]:
    """Two neighbours with melds of equal points: a run of the same ranks, or a Quint and a four."""
    suits, length = rng.sample(SUITS, 2), rng.choice((3, 3, 4, 5))
    first = rng.randrange(len(RANKS) - length + 1)
    ranks = RANKS[first : first + length]
    hands = [[rank + suit for rank in ranks] for suit in suits]
    if length == 5:
        other = rng.choice([rank for rank in "78TQKA" if rank not in ranks])
        hands[1] = [other + suit for suit in SUITS]
    rest = [card for card in shuffled_deck(rng) if card not in hands[0] + hands[1]]
    hands += [[], []]
    for hand in hands:
        while len(hand) < 8:
            hand.append(rest.pop())
        rng.shuffle(hand)
    shift = rng.randrange(4)
    return packets(hands[shift:] + hands[:shift])


def one_sided_deck(rng: random.Random) -> list[str]:
    """Two suits for each team, so that one of them may take every trick."""
    suits = rng.sample(SUITS, 4)
    teams = [[card for card in CODES if card[1] in pair] for pair in (suits[:2], suits[2:])]
    for cards in teams:
        rng.shuffle(cards)
    (north, south), (east, west) = ((cards[:8], cards[8:]) for cards in teams)
    return disturbed(packets([north, east, south, west]), rng.choice((0, 0, 1)), rng)


def disturbed(deck: list[str], swaps: int, rng: random.Random) -> list[str]:
    """A pack after some swaps of two cards."""
    deck = list(deck)
    for _ in range(swaps):
        i, j = rng.randrange(32), rng.randrange(32)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def random_deck(rng: random.Random, rules: Mapping[str, Any]) -> list[str]:
    """A pack of any kind, under any rules."""
    return rng.choice((shuffled_deck, rich_deck, rich_deck, level_deck, one_sided_deck))(rng)
