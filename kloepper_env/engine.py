"""Drivers for the hands of any game.

A hand in play is one record of its game's dtype; many are an array of them. The kernels below are
declared here and written by each game (games/<name>/kernels.py); a driver that calls them is
compiled once a record type. No rule of a game stands in this file.

Legal actions are the one bits of a mask of one or more words: action a is bit a modulo 64 of word
a // 64. A game of at most 64 actions writes `legal`, a larger one `legal_word`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import (
    IntArray,
    define,
    deposit,
    high_half,
    jit,
    kernel,
    lowest,
    mix,
    popcount,
    spread32,
    wrapping_add,
)
from kloepper_env.errors import whole_number

Records = NDArray[Any]  # [N] of a game's dtype

GOLDEN = -7046029254386353131  # 2**64 / golden ratio, the step of SplitMix64


# --- what a game brings ------------------------------------------------------------------------


@kernel
def deal(hand: Any, tables: IntArray, dealer: int) -> None:
    """Deal hand number `serial` of the seed in `key`, keeping those two and the options.

    A dealer below 0 is drawn from the seed as well.
    """


@kernel
def legal(hand: Any) -> int:
    """Mask of the legal actions of the seat that decides; 0 when the hand is over."""
    raise NotImplementedError  # never called: see _jit.kernel


@kernel
def legal_word(hand: Any, word: int) -> int:
    """One word of that mask, in a game of more than 64 actions; in others the same as `legal`."""
    raise NotImplementedError  # never called: see _jit.kernel


@kernel
def apply(hand: Any, action: int) -> None:
    """Carry out a legal action in place."""


@kernel
def result(hand: Any, scores: IntArray) -> None:
    """Add what each seat scores to `scores` [seat]; the hand must be over."""


@kernel
def observe(hand: Any, seat: int, words: IntArray) -> None:
    """Write the observation of a seat into `words`: eight int8 values to an int64."""


@kernel
def late_cards(hand: Any) -> int:
    """Mask of the cards that are dealt after the first action, whether or not they have been."""
    raise NotImplementedError  # never called: see _jit.kernel


# --- how many actions there are -----------------------------------------------------------------

WORD_BITS = 64  # of a mask
ACTION_BITS = 6  # of a noted action, in games of at most 64


@kernel
def n_words(hand: Any) -> int:
    """Words of the mask of legal actions, and a constant for the compiler."""
    raise NotImplementedError  # never called: see _jit.kernel


@kernel
def action_bits(hand: Any) -> int:
    """Bits that a noted action has in the log, and a constant; the seat stands above them."""
    raise NotImplementedError  # never called: see _jit.kernel


def make_room(dtype: np.dtype[Any], n_seats: int, n_actions: int) -> None:
    """Fit the drivers to the number of a game's actions, before its first hand is dealt.

    Raises ValueError where the log of the record is too narrow for them.
    """
    words, bits = -(-n_actions // WORD_BITS), log_bits(n_actions)
    log = dtype["log"].base
    if noted(n_seats - 1, n_actions - 1, bits) > np.iinfo(log).max:
        raise ValueError(f"a log of {log} has no room for {n_seats} seats and {n_actions} actions")
    define(n_words, dtype, _constant(words))
    define(action_bits, dtype, _constant(bits))
    if words == 1:
        define(legal_word, dtype, _only_word)


def log_bits(n_actions: int) -> int:
    """What `action_bits` is in a game of so many actions."""
    return max(ACTION_BITS, (n_actions - 1).bit_length())


def _constant(value: int) -> Callable[[Any], int]:
    def constant(hand: Any) -> int:
        return value

    return jit(constant)


@jit
def _only_word(hand: Any, word: int) -> int:
    return legal(hand)


# --- what was done -----------------------------------------------------------------------------


@jit
def noted(seat: int, action: int, bits: int = ACTION_BITS) -> int:
    """A seat and what it did as one number, the form of logs: below 256 for 4 seats, 64 actions."""
    return seat << bits | action


@jit
def noted_seat(code: int, bits: int = ACTION_BITS) -> int:
    """The seat of a noted action."""
    return code >> bits


@jit
def noted_action(code: int, bits: int = ACTION_BITS) -> int:
    """The action of a noted action."""
    return code & (1 << bits) - 1


def seats_noted(log: NDArray[Any], bits: int = ACTION_BITS) -> NDArray[np.int64]:
    """`noted_seat` of a whole array of numbers."""
    return log.astype(np.int64) >> bits


def actions_noted(log: NDArray[Any], bits: int = ACTION_BITS) -> NDArray[np.int64]:
    """`noted_action` of a whole array of numbers."""
    return log.astype(np.int64) & (1 << bits) - 1


@jit
def note(hand: Any, seat: int, action: int) -> None:
    """Append what a seat did to the log of a hand."""
    hand.log[hand.log_length] = noted(seat, action, action_bits(hand))
    hand.log_length += 1


# --- chance ------------------------------------------------------------------------------------


@jit
def draw(hand: Any) -> int:
    """The next 64 random bits of a hand's own generator (SplitMix64)."""
    hand.random = wrapping_add(int(hand.random), GOLDEN)
    return mix(int(hand.random))


@jit
def start_random(hand: Any) -> None:
    """Set a hand's generator to the start that its key and serial number fix."""
    hand.random = mix(wrapping_add(int(hand.key), mix(wrapping_add(int(hand.serial), GOLDEN))))


@jit
def random_bit(hand: Any, mask: int) -> int:
    """Index of a one bit of a non-empty mask, each equally likely."""
    choice = high_half(draw(hand)) * popcount(mask) >> 32
    return lowest(deposit(1 << choice, mask))


@jit
def random_action(hand: Any) -> int:
    """A legal action, each equally likely, by the hand's own generator; -1 if there is none."""
    if n_words(hand) == 1:
        mask = legal_word(hand, 0)
        return random_bit(hand, mask) if mask else -1
    total = 0
    for word in range(n_words(hand)):
        total += popcount(legal_word(hand, word))
    if not total:
        return -1
    choice = high_half(draw(hand)) * total >> 32
    word = 0
    mask = legal_word(hand, 0)
    while choice >= popcount(mask):
        choice -= popcount(mask)
        word += 1
        mask = legal_word(hand, word)
    return WORD_BITS * word + lowest(deposit(1 << choice, mask))


def seed_key(seed: int) -> int:
    """The key of a seed: any whole number from 0 on, folded to a word.

    Raises ConfigError for anything else.
    """
    seed = whole_number("seed", seed)
    key = 0
    while True:
        word = seed & 0xFFFFFFFFFFFFFFFF
        key = mix(wrapping_add(key, mix(_as_int64(word ^ 0x6B6C6F6570706572))))
        seed >>= 64
        if seed == 0:
            return int(key)


def _as_int64(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


# --- one hand ----------------------------------------------------------------------------------


@jit
def start(hands: Records, tables: IntArray, dealer: int) -> None:
    """Deal every hand of an array, whose key, serial and flags are set."""
    for i in range(len(hands)):
        deal(hands[i], tables, dealer)


@jit
def play_single(hands: Records, action: int, words: IntArray, mask_words: IntArray) -> int:
    """Act in hands[0] and write observation and mask of the seat that decides next.

    An action of -1 draws a legal one at random. Returns that seat, -1 when the hand is over, and
    -2, with nothing changed, when the action is not legal.
    """
    hand = hands[0]
    if action < 0:
        action = random_action(hand)
        if action < 0:
            return -2
    elif not is_legal(hand, action):
        return -2
    apply(hand, action)
    observe(hand, int(hand.turn), words)
    write_mask(hand, mask_words)
    return -1 if hand.over else int(hand.turn)


@jit
def glance(hands: Records, numbers: IntArray) -> None:
    """Write the seat of hands[0] that decides, or -1, its dealer, `late_cards`, and by seat the
    mask of the cards held, then of those held or played, into `numbers` [3 + 2 S]."""
    hand = hands[0]
    n = len(hand.hands)
    numbers[0] = -1 if hand.over else int(hand.turn)
    numbers[1] = hand.dealer
    numbers[2] = late_cards(hand)
    for seat in range(n):
        numbers[3 + seat] = hand.hands[seat]
        numbers[3 + n + seat] = hand.hands[seat] | hand.played[seat]


@jit
def push(hands: Records, action: int) -> bool:
    """Act in hands[0]; False, with nothing changed, when the action is not legal."""
    if not is_legal(hands[0], action):
        return False
    apply(hands[0], action)
    return True


@jit
def see(hands: Records, seat: int, words: IntArray, mask_words: IntArray) -> None:
    """Write observation and mask of a seat of hands[0]; the mask is 0 unless it decides."""
    hand = hands[0]
    observe(hand, seat, words)
    if hand.turn == seat:
        write_mask(hand, mask_words)
    else:
        spread(0, mask_words)


@jit
def legal_of(hands: Records, word: int = 0) -> int:
    """`legal_word` of hands[0]."""
    return legal_word(hands[0], word)


@jit
def apply_to(hands: Records, action: int) -> None:
    """`apply` to hands[0]."""
    apply(hands[0], action)


@jit
def result_of(hands: Records, scores: IntArray) -> None:
    """`result` of hands[0]."""
    result(hands[0], scores)


@jit
def observe_from(hands: Records, seat: int, words: IntArray) -> None:
    """`observe` hands[0] from a seat."""
    observe(hands[0], seat, words)


# --- many hands --------------------------------------------------------------------------------


@jit
def spread(mask: int, words: IntArray) -> None:
    """Write the bits of a mask as int8 zeros and ones over `words`, a multiple of four of them."""
    for i in range(0, len(words), 4):
        spread32(words, i, mask >> 8 * i)


@jit
def write_mask(hand: Any, words: IntArray) -> None:
    """`spread` the legal actions of the seat that decides over `words`."""
    if n_words(hand) == 1:
        spread(legal_word(hand, 0), words)
    else:
        for word in range(n_words(hand)):
            spread(legal_word(hand, word), words[8 * word : 8 * word + 8])


@jit
def look(hands: Records, words: IntArray, mask_words: IntArray) -> None:
    """Write observation [N, W/8] and mask [N, M/8] of the seat that decides in every hand."""
    for i in range(len(hands)):
        hand = hands[i]
        observe(hand, int(hand.turn), words[i])
        write_mask(hand, mask_words[i])


@jit
def is_legal(hand: Any, action: int) -> bool:
    """Whether the seat that decides may do this, which may be any number."""
    if action < 0 or action >= WORD_BITS * n_words(hand):
        return False
    return legal_word(hand, action >> 6) >> (action & 63) & 1 != 0


@jit
def first_illegal(hands: Records, actions: IntArray) -> int:
    """Index of the first hand whose action is not legal, or -1."""
    for i in range(len(hands)):
        if not is_legal(hands[i], int(actions[i])):
            return i
    return -1


@jit
def first_refused(
    hands: Records, lanes: IntArray, actions: IntArray, named: NDArray[np.int8]
) -> int:
    """Index of the first of `lanes` that is none, is named twice or has an illegal action, or -1.

    `named` [N] are zeros before and after.
    """
    refused, seen = -1, 0
    while seen < len(lanes):
        lane = int(lanes[seen])
        if lane < 0 or lane >= len(hands) or named[lane]:
            refused = seen
            break
        named[lane] = 1
        seen += 1
        if not is_legal(hands[lane], int(actions[seen - 1])):
            refused = seen - 1
            break
    for i in range(seen):
        named[lanes[i]] = 0
    return refused


@jit
def first_masked(masks: IntArray, actions: IntArray) -> int:
    """Index of the first of some hands whose action, any number, its mask [N, M] forbids, or -1."""
    for i in range(len(actions)):
        action = int(actions[i])
        if not (0 <= action < masks.shape[1] and masks[i, action]):
            return i
    return -1


@jit
def step(
    hands: Records,
    tables: IntArray,
    actions: IntArray,
    stride: int,
    words: IntArray,
    mask_words: IntArray,
    rewards: IntArray,
    ended: IntArray,
) -> None:
    """Act in every hand, deal anew where one ends, and write what the next seat sees.

    The new hand of a lane is `stride` further in the stream of its seed. `rewards` [N, seat] are
    the scores of a hand that ended with this action, else 0; `ended` [N] is 1 there, else 0. Both
    must be as the last call left them, or zeros: only what a hand has paid is cleared.
    """
    for i in range(len(hands)):
        hand = hands[i]
        apply(hand, int(actions[i]))
        if ended[i]:
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0
        ended[i] = hand.over
        if hand.over:
            result(hand, rewards[i])
            hand.serial += stride
            deal(hand, tables, -1)
        observe(hand, int(hand.turn), words[i])
        write_mask(hand, mask_words[i])


@jit
def advance(
    hands: Records, rows: IntArray, actions: IntArray, words: IntArray, mask_words: IntArray
) -> None:
    """Act in the hands at `rows`, none of them over, and write there what the next seat sees.

    `actions` [len(rows)] are legal; `words` and `mask_words` have a row for each hand. Nothing is
    dealt anew: the mask of a hand that ended is 0.
    """
    for i in range(len(rows)):
        row = rows[i]
        hand = hands[row]
        apply(hand, int(actions[i]))
        observe(hand, int(hand.turn), words[row])
        write_mask(hand, mask_words[row])


@jit
def results(hands: Records, scores: IntArray) -> None:
    """Add what each seat scores to `scores` [N, seat]; every hand must be over."""
    for i in range(len(hands)):
        result(hands[i], scores[i])


@jit
def sample(hands: Records, actions: IntArray) -> None:
    """Draw a legal action for every hand from the hand's own generator."""
    for i in range(len(hands)):
        actions[i] = random_action(hands[i])


@jit
def play_random(hands: Records, tables: IntArray, n_hands: int, totals: IntArray) -> int:
    """Deal and play `n_hands` whole hands one after the other in hands[0], all seats at random.

    Adds the scores to `totals` [seat] and returns the number of decisions.
    """
    hand = hands[0]
    decisions = 0
    for _ in range(n_hands):
        deal(hand, tables, -1)
        while not hand.over:
            apply(hand, random_action(hand))
            decisions += 1
        result(hand, totals)
        hand.serial += 1
    return decisions
