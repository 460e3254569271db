"""The table-driven trick play with a toy game, against a naive one made of words.

48 cards: four suits of twelve. In the toy game the suit d is trump, and so are the two highest
cards of every other suit; they stand above the rest of d. Packs of 48 use bits above 32.
"""

import random

import numpy as np
import pytest

from kloepper_env.tricks import NONE, beats, next_in, playable

N_CARDS = 48
NO_CARD = N_CARDS
PLAIN = "abc"
SUITS = "abcd"  # d: trumps
RANKS = 12
CARDS = [(suit, rank) for suit in SUITS for rank in range(RANKS)]  # card number -> printed


def suit_of(card: int) -> str:
    suit, rank = CARDS[card]
    return "d" if rank >= RANKS - 2 else suit


def power(card: int) -> tuple[int, int, int]:
    """Trumps above plain cards, the high ones above the other trumps; then rank, then suit."""
    suit, rank = CARDS[card]
    if suit_of(card) != "d":
        return 0, rank, 0
    return (2, rank, SUITS.index(suit)) if rank >= RANKS - 2 else (1, rank, 0)


def naive_playable(hand: list[int], led: str | None) -> list[int]:
    following = [card for card in hand if suit_of(card) == led]
    return following or hand


def naive_winner(trick: list[int]) -> int:
    led = suit_of(trick[0])
    contenders = [card for card in trick if suit_of(card) in ("d", led)]
    return trick.index(max(contenders, key=power))


FOLLOW = np.zeros(len(SUITS) + 1, np.int64)
STRENGTH = np.zeros((len(SUITS), N_CARDS + 1), np.int64)
_ORDER = sorted(range(N_CARDS), key=power)
for _card in range(N_CARDS):
    FOLLOW[SUITS.index(suit_of(_card))] |= 1 << _card
    for _led, _suit in enumerate(SUITS):
        if suit_of(_card) in ("d", _suit):
            STRENGTH[_led, _card] = 1 + _ORDER.index(_card)


def winner(trick: list[int]) -> int:
    """The place of the winning card by the tables."""
    led = SUITS.index(suit_of(trick[0]))
    best, place = NO_CARD, -1
    for k, card in enumerate(trick):
        if beats(card, best, led, STRENGTH):
            best, place = card, k
    return place


@pytest.mark.parametrize("n_seats", [3, 4, 5, 6])
def test_whole_hands_of_3_to_6_seats(n_seats: int) -> None:
    rng = random.Random(n_seats)
    for _ in range(20):
        pack = rng.sample(range(N_CARDS), N_CARDS)
        hands = [pack[seat::n_seats] for seat in range(n_seats)]
        leader = rng.randrange(n_seats)
        for _ in range(N_CARDS // n_seats):
            trick: list[int] = []
            for k in range(n_seats):
                hand = hands[(leader + k) % n_seats]
                led = suit_of(trick[0]) if trick else None
                allowed = naive_playable(hand, led)
                mask = playable(
                    sum(1 << card for card in hand), SUITS.index(led) if led else NONE, FOLLOW
                )
                assert mask == sum(1 << card for card in allowed)
                trick.append(rng.choice(allowed))
                hand.remove(trick[-1])
            assert winner(trick) == naive_winner(trick)
            leader = (leader + winner(trick)) % n_seats


def test_nothing_led_puts_no_bound_on_anybody() -> None:
    assert playable(0b1011, NONE, FOLLOW) == 0b1011


def test_the_top_card_of_48_is_a_card_like_others() -> None:
    assert playable(1 << 47 | 1, SUITS.index("d"), FOLLOW) == 1 << 47
    assert beats(47, 46, SUITS.index("a"), STRENGTH)


@pytest.mark.parametrize("card", [0, 12, 24])  # plain a, b, c
def test_a_card_that_is_not_of_the_suit_led_beats_not_even_no_card(card: int) -> None:
    for led, suit in enumerate(SUITS):
        assert beats(card, NO_CARD, led, STRENGTH) == (suit_of(card) == suit)


@pytest.mark.parametrize("n_seats", [3, 4, 5, 6])
def test_next_in_goes_clockwise_from_the_start(n_seats: int) -> None:
    for seats in range(1 << n_seats):
        for start in range(n_seats):
            around = [(start + k) % n_seats for k in range(n_seats)]
            inside = [seat for seat in around if seats >> seat & 1]
            assert next_in(seats, start, n_seats) == (inside[0] if inside else start)
