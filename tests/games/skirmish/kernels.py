"""What happens in a hand of Skirmish, for any number of players."""

from typing import Any

import numpy as np

from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit, lowest
from tests.games.skirmish.record import (
    BIDDING,
    FIRST,
    LAY,
    LAYING,
    LOOK,
    LOOKING,
    MOST_BID,
    N_CARDS,
    NONE,
    PLAYING,
    POINTS,
    SIZE,
    Hand,
    dtype_of,
)

FIRST_CARDS = np.array([FIRST.get(n, 0) for n in range(7)])
CARDS = np.array([SIZE.get(n, 0) for n in range(7)])
SUIT_CARDS = (1 << 12) - 1


@jit
def deal(hand: Hand, tables: IntArray, dealer: int) -> None:
    engine.start_random(hand)
    left = (1 << N_CARDS) - 1
    for place in range(N_CARDS):
        card = engine.random_bit(hand, left)
        hand.deck[place] = card
        left ^= 1 << card
    n = len(hand.hands)
    hand.dealer = dealer if dealer >= 0 else (engine.draw(hand) >> 8 & 255) % n
    seats = (1 << n) - 1
    for k in range(n):
        seat = engine.random_bit(hand, seats)
        seats ^= 1 << seat
        hand.team[seat] = k % max(int(hand.option_flags), 1)
    begin(hand)


@jit
def begin(hand: Hand) -> None:
    """Deal the first cards; pack, dealer and parties are there."""
    n = len(hand.hands)
    for seat in range(n):
        hand.hands[seat] = hand.played[seat] = hand.dealt[seat] = hand.early[seat] = 0
        hand.points[seat] = hand.tricks[seat] = 0
        hand.table[seat] = NONE
    hand.laid = hand.seen = hand.over = hand.log_length = 0
    hand.captain = (hand.dealer + 1) % n
    hand.led = hand.best = hand.winner = NONE
    hand.bid = 0
    if not hand.option_flags:  # three players: the captain against the others
        for seat in range(n):
            hand.team[seat] = int(seat != hand.captain)
    give(hand, 0, int(FIRST_CARDS[n]))
    for seat in range(n):
        hand.early[seat] = hand.hands[seat]
    hand.step, hand.turn = BIDDING, hand.captain


@jit
def give(hand: Hand, at: int, number: int) -> int:
    """Deal everybody `number` cards from place `at` of the pack; returns the place behind."""
    n = len(hand.hands)
    for k in range(n):
        seat = (hand.captain + k) % n
        for _ in range(number):
            hand.hands[seat] |= 1 << hand.deck[at]
            at += 1
        hand.dealt[seat] = hand.hands[seat]
    return at


@jit
def legal_word(hand: Hand, word: int) -> int:
    if hand.over:
        return 0
    n, held = len(hand.hands), int(hand.hands[hand.turn])
    if hand.step == PLAYING:
        return playable(hand, held) if word == 0 else 0
    if hand.step == LAYING:
        return held << LAY if word == 0 else (held >> 64 - LAY if word == 1 else 0)
    if hand.step == LOOKING:
        return ((1 << n) - 1 ^ 1 << hand.turn) << LOOK - 64 if word == 1 else 0
    mask = 0
    for bit in range(64):
        amount = 64 * word + bit - LOOK - n
        if 0 <= amount <= MOST_BID:
            mask |= 1 << bit
    return mask


@jit
def playable(hand: Hand, held: int) -> int:
    """Who can follow suit must."""
    if hand.led == NONE:
        return held
    following = held & SUIT_CARDS << hand.led // 12 * 12
    return following if following else held


@jit
def apply(hand: Hand, action: int) -> None:
    seat, n = int(hand.turn), len(hand.hands)
    engine.note(hand, seat, action)
    if hand.step == BIDDING:
        hand.bid = action - LOOK - n
        at = give(hand, n * int(FIRST_CARDS[n]), int(CARDS[n] - FIRST_CARDS[n]))
        hand.hands[hand.captain] |= 1 << hand.deck[at]
        hand.dealt[hand.captain] = hand.hands[hand.captain]
        hand.step, hand.turn = LOOKING, (hand.captain + 1) % n
    elif hand.step == LOOKING:
        hand.seen = hand.hands[action - LOOK]
        hand.step, hand.turn = LAYING, hand.captain
    elif hand.step == LAYING:
        hand.laid = 1 << action - LAY
        hand.hands[seat] ^= hand.laid
        hand.step = PLAYING
    else:
        play(hand, seat, action)


@jit
def play(hand: Hand, seat: int, card: int) -> None:
    n = len(hand.hands)
    hand.hands[seat] ^= 1 << card
    hand.played[seat] |= 1 << card
    if hand.led == NONE:
        hand.led = card
    if hand.best == NONE or (card // 12 == hand.best // 12 and card > hand.best):
        hand.best, hand.winner = card, seat
    hand.table[seat] = card
    hand.turn = (seat + 1) % n
    if hand.table[hand.turn] == NONE:
        return
    for other in range(n):
        hand.points[hand.winner] += POINTS[hand.table[other]]
        hand.table[other] = NONE
    hand.tricks[hand.winner] += 1
    hand.turn = hand.winner
    hand.led = hand.best = NONE
    hand.over = int(hand.hands[hand.turn] == 0)


@jit
def result(hand: Hand, scores: IntArray) -> None:
    """A seat scores its party's points; the captain's party wins or loses a tenth of the bid."""
    n, own = len(hand.hands), 0
    for seat in range(n):
        if hand.team[seat] == hand.team[hand.captain]:
            own += int(hand.points[seat])
    stake = int(hand.bid) // 10
    for seat in range(n):
        for other in range(n):
            if hand.team[seat] == hand.team[other]:
                scores[seat] += hand.points[other]
        if hand.team[seat] == hand.team[hand.captain]:
            scores[seat] += stake if own >= hand.bid else -stake


@jit
def observe(hand: Hand, seat: int, words: IntArray) -> None:
    """See LAYOUT of observe.py: masks of 48 cards, flags, then one number a seat."""
    n = len(hand.hands)
    scout = (hand.captain + 1) % n
    write(words, 0, int(hand.hands[seat]))
    write(words, 1, int(hand.laid) if seat == hand.captain else 0)
    write(words, 2, int(hand.seen) if seat == scout else 0)
    flags = 1 << hand.step
    for k in range(n):
        other = (seat + k) % n
        write(words, 3 + k, int(hand.played[other]))
        flags |= int(hand.team[other] == hand.team[seat]) << 4 + k
        flags |= int(other == hand.captain) << 4 + n + k
        flags |= int(other == hand.turn) << 4 + 2 * n + k
        flags |= int(other == hand.dealer) << 4 + 3 * n + k
    at = 6 * (3 + n)
    engine.spread(flags, words[at : at + 4])
    words[at + 4] = int(hand.led != NONE)
    words[at + 5] = hand.bid
    for k in range(n):
        words[at + 6 + k] = int(hand.points[(seat + k) % n])


@jit
def write(words: IntArray, part: int, mask: int) -> None:
    """48 cards in six words."""
    for i in range(6):
        word = 0
        octet = mask >> 8 * i & 255
        while octet:
            bit = lowest(octet)
            word |= 1 << 8 * bit
            octet &= octet - 1
        words[6 * part + i] = word


@jit
def late_cards(hand: Hand) -> int:
    mask = 0
    for seat in range(len(hand.hands)):
        mask |= hand.dealt[seat] & ~hand.early[seat]
    return mask


for players in SIZE:
    record: Any = dtype_of(players)
    define(engine.deal, record, deal)
    define(engine.legal_word, record, legal_word)
    define(engine.apply, record, apply)
    define(engine.result, record, result)
    define(engine.observe, record, observe)
    define(engine.late_cards, record, late_cards)
