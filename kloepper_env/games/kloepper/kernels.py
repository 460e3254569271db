"""The rules of a single hand of Kloepper, compiled: deal, legal, apply, result.

A hand alternates between announcement rounds and card plays (the order of decisions in the rules
document). `asked` holds the seats still to be asked in an open round; `player` is the seat whose
card comes next, `turn` the seat that decides now.
"""

import numpy as np

from kloepper_env import engine
from kloepper_env._jit import (
    IntArray,
    define,
    deposit,
    high_half,
    jit,
    popcount,
)
from kloepper_env.games.kloepper.options import (
    FLAG_FAILED_NONE,
    FLAG_FAILED_NORMAL,
    FLAG_OWN_TURN,
    FLAG_PARTNER_MAY_KNOCK,
    FLAG_PROMPT_ALL,
    FLAG_STOP,
    PACK_SHIFT,
)
from kloepper_env.games.kloepper.record import (
    ACE_CLUBS,
    ACE_HEARTS,
    ACE_SPADES,
    ALL_CARDS,
    BLACK_QUEENS,
    CALL,
    CALLABLE_ACES,
    FIRST_OF_SUIT,
    FOLLOW,
    HAND,
    HAND_SUBSETS,
    KNOCK,
    KNOCK_OFF,
    N_CARDS,
    N_SEATS,
    NO_CARD,
    PACK_CARDS,
    PACK_POINTS,
    PACK_SUBSETS,
    PASS,
    POINTS,
    STRENGTH,
    SUBSET_STARTS,
    SUIT,
    Hand,
)
from kloepper_env.tricks import NONE, beats, next_in, playable

ALL_SEATS = (1 << N_SEATS) - 1
TRICK_ONE = N_SEATS  # cards of trick 1: announcement rounds open up to here
STAKE_KNOCK, STAKE_KNOCK_OFF, STAKE_LONE_KNOCK = 12, 24, 30  # K24, K25, K26
SUBSETS_24, SUBSETS_18, SUBSETS_12 = HAND_SUBSETS
ACE_OF_SUIT = np.array([*FIRST_OF_SUIT[:3], -1], np.int64)  # [called]; NONE has none


# --- dealing -----------------------------------------------------------------------------------


@jit
def pack_of(hand: Hand) -> int:
    """The place of its pack in the tables of packs (K32)."""
    return int(hand.option_flags) >> PACK_SHIFT


@jit
def _hand_out(hand: Hand, tables: IntArray, a: int, b: int, c: int, cards: int) -> None:
    """Give the four seats the cards of a mask, by the places of three hands in the tables."""
    hand.hands[0] = int(tables[a])
    left = cards ^ int(hand.hands[0])
    hand.hands[1] = deposit(int(tables[b]), left)
    left ^= int(hand.hands[1])
    hand.hands[2] = deposit(int(tables[c]), left)
    hand.hands[3] = left ^ int(hand.hands[2])


@jit
def deal(hand: Hand, tables: IntArray, dealer: int) -> None:
    """Deal (K5, K32): three independent draws out of the tables of hands."""
    engine.start_random(hand)
    first, second = engine.draw(hand), engine.draw(hand)
    x, y, z = high_half(first), first & 0xFFFFFFFF, high_half(second)
    pack = pack_of(hand)
    if pack == 0:  # the same with constants: a sixth quicker
        a, b, c = x * SUBSETS_24 >> 32, y * SUBSETS_18 >> 32, z * SUBSETS_12 >> 32
        _hand_out(hand, tables, a, SUBSETS_24 + b, SUBSETS_24 + SUBSETS_18 + c, ALL_CARDS)
    else:
        a = int(SUBSET_STARTS[pack, 0]) + (x * int(PACK_SUBSETS[pack, 0]) >> 32)
        b = int(SUBSET_STARTS[pack, 1]) + (y * int(PACK_SUBSETS[pack, 1]) >> 32)
        c = int(SUBSET_STARTS[pack, 2]) + (z * int(PACK_SUBSETS[pack, 2]) >> 32)
        _hand_out(hand, tables, a, b, c, int(PACK_CARDS[pack]))
    begin(hand, dealer if dealer >= 0 else second & 3)


@jit
def begin(hand: Hand, dealer: int) -> None:
    """Open a hand whose cards lie in `hands`: clear the rest, then the first round (K7)."""
    for seat in range(N_SEATS):
        hand.played[seat] = 0
    hand.counts = 0
    hand.table = 0
    hand.table_points = 0
    hand.voids = 0
    hand.plies = 0
    hand.dealer = dealer
    hand.leader = dealer + 1 & 3
    hand.player = hand.leader
    hand.led = NONE
    hand.best = NO_CARD
    hand.winner = NONE
    hand.over = 0
    queens = 0
    for seat in range(N_SEATS):
        queens |= (int(hand.hands[seat]) & BLACK_QUEENS != 0) << seat
    hand.queens = queens
    hand.black = queens  # K10
    hand.shown = 0
    hand.won = 0
    hand.caller = NONE
    hand.called = NONE
    hand.knocker = NONE
    hand.lone = 0
    hand.knocked_off = NONE
    hand.able = queens  # K15: a seat that was dealt a black queen may knock
    hand.stops = 0
    hand.telling = BLACK_QUEENS
    hand.queens_seen = 0
    hand.log_length = 0
    _open_round(hand)


# --- announcement rounds -----------------------------------------------------------------------


@jit
def _open_round(hand: Hand) -> None:
    """Ask before a card of trick 1 and once after it; if nobody is asked, the next seat plays."""
    seats = ALL_SEATS if hand.option_flags & FLAG_PROMPT_ALL else int(hand.able)
    if hand.option_flags & FLAG_OWN_TURN and hand.plies < TRICK_ONE:
        seats &= 1 << int(hand.player)
    hand.asked = seats
    hand.turn = next_in(seats, int(hand.player), N_SEATS)


@jit
def announcements(hand: Hand, seat: int) -> int:
    """Mask of the actions, other than pass, that a seat may announce.

    A seat that may call may also knock, so `able` need not look at the calls.
    """
    able = int(hand.able) >> seat & 1
    if hand.knocker != NONE:  # K15: one knock a hand; K18: it may be answered
        return able << KNOCK_OFF
    return able << KNOCK | _calls(hand, seat) << CALL  # K19: also after a lost trick 1


@jit
def _calls(hand: Hand, seat: int) -> int:
    """K11, K12, K32: a double holder who has not played may call an ace that it was not dealt.

    It need not hold a card of its suit (K13). If it plays without a call it is alone (K14): `black`
    is then that seat, and nothing has to be noted.
    """
    if hand.queens != 1 << seat or hand.caller != NONE or hand.played[seat] != 0:
        return 0
    gone = int(hand.hands[seat])
    for other in range(N_SEATS):
        gone |= int(hand.played[other])
    free = CALLABLE_ACES & int(PACK_CARDS[pack_of(hand)]) & ~gone
    return (free >> ACE_CLUBS & 1) | (free >> ACE_SPADES & 1) << 1 | (free >> ACE_HEARTS & 1) << 2


@jit
def _announce(hand: Hand, seat: int, action: int) -> None:
    """Carry out a pass or an announcement; the latter starts the asking anew at its left."""
    if action == PASS:
        hand.asked &= ~(1 << seat)
    else:
        if action == KNOCK:
            _knock(hand, seat)
        elif action == KNOCK_OFF:
            hand.knocked_off = seat
            hand.able = 0
        else:
            _call(hand, seat, action - CALL)
        hand.stops = hand.knocker != NONE and _stops_when_lost(hand)
        hand.asked = ALL_SEATS if hand.option_flags & FLAG_PROMPT_ALL else hand.able
    if hand.asked:
        hand.turn = next_in(int(hand.asked), seat + 1 & 3, N_SEATS)
    else:
        hand.turn = hand.player
        _end_if_decided(hand)


@jit
def _knock(hand: Hand, seat: int) -> None:
    hand.knocker = seat
    hand.shown |= 1 << seat
    hand.lone = popcount(int(hand.black)) == 1  # K17
    hand.able = 0 if hand.lone else ALL_SEATS & ~int(hand.black)  # K18


@jit
def _call(hand: Hand, seat: int, suit: int) -> None:
    ace = 1 << int(ACE_OF_SUIT[suit])
    hand.caller = seat
    hand.called = suit
    hand.shown |= 1 << seat
    hand.telling |= ace
    for other in range(N_SEATS):
        hand.black |= (int(hand.hands[other]) & ace != 0) << other  # K11
    if hand.option_flags & FLAG_PARTNER_MAY_KNOCK:  # K16
        hand.able = hand.black


@jit
def _stops_when_lost(hand: Hand) -> bool:
    """Whether a knocked hand ends with the first trick of the red side (K28)."""
    unanswered = hand.knocked_off == NONE and not hand.lone
    return bool(hand.option_flags & FLAG_STOP) and not (
        hand.option_flags & FLAG_FAILED_NORMAL and unanswered
    )


# --- cards -------------------------------------------------------------------------------------


@jit
def _play(hand: Hand, seat: int, card: int) -> None:
    """Play a card; the last one of a trick also awards the trick (K7, K9).

    Written without branches where a batch of hands would make them unpredictable.
    """
    bit = 1 << card
    # K28: a hand that would have ended goes on, so the black side has taken every trick.
    hand.shown |= int(hand.won) & -int(hand.stops)
    hand.shown |= (int(hand.telling) >> card & 1) << seat
    hand.queens_seen |= (bit & 1 | (bit & 2) << 3) << seat
    hand.hands[seat] ^= bit
    hand.played[seat] |= bit
    hand.table |= bit
    hand.table_points += POINTS[card]
    hand.able &= -int(hand.knocker == NONE)  # K18: an answer must come before the next card
    suit = int(SUIT[card])
    led = suit if hand.led == NONE else int(hand.led)
    hand.led = led
    hand.voids |= (suit != led) << 4 * seat + led
    takes = int(beats(card, int(hand.best), led, STRENGTH))
    hand.best += takes * (card - hand.best)
    hand.winner += takes * (seat - hand.winner)
    hand.plies += 1
    hand.player = seat + 1 & 3
    ends_trick = hand.plies & 3 == 0
    if ends_trick:
        _award(hand)
    if hand.plies <= TRICK_ONE:  # K15: a knock must come before the lead to trick 2
        _open_round(hand)
    else:
        hand.turn = hand.player
    if ends_trick and not hand.asked:
        _end_if_decided(hand)


@jit
def _award(hand: Hand) -> None:
    winner = int(hand.winner)
    hand.counts += int(hand.table_points) << 8 * winner | 1 << 32 + 8 * winner
    hand.won |= 1 << winner
    hand.table = 0
    hand.table_points = 0
    hand.led = NONE
    hand.best = NO_CARD
    hand.winner = NONE
    hand.leader = winner
    hand.player = winner


@jit
def all_played(hand: Hand) -> bool:
    """Whether no card is left, whatever the pack: the seat to play next has none only then."""
    return bool(hand.hands[hand.player] == 0)


@jit
def _end_if_decided(hand: Hand) -> None:
    lost = int(hand.won) & ~int(hand.black) != 0
    hand.over = all_played(hand) or (lost and hand.stops != 0)


# --- the four kernels of the engine --------------------------------------------------------------


@jit
def legal(hand: Hand) -> int:
    """Legal actions of the seat that decides, as a mask."""
    if hand.over:
        return 0
    seat = int(hand.turn)
    if hand.asked:
        return announcements(hand, seat) | 1 << PASS
    return playable(int(hand.hands[seat]), int(hand.led), FOLLOW)  # K8


@jit
def apply(hand: Hand, action: int) -> None:
    """Carry out a legal action of the seat that decides."""
    seat = int(hand.turn)
    engine.note(hand, seat, action)
    if action < N_CARDS:
        _play(hand, seat, action)
    else:
        _announce(hand, seat, action)


@jit
def black_points(hand: Hand) -> int:
    """Card points taken by the black side."""
    points = 0
    for seat in range(N_SEATS):
        points += (int(hand.counts) >> 8 * seat & 255) * (int(hand.black) >> seat & 1)
    return points


@jit
def _stake(hand: Hand) -> int:
    """What a knocked hand is worth; 0 when it is not knocked."""
    if hand.knocker == NONE:
        return 0
    if hand.lone:
        return STAKE_LONE_KNOCK
    return STAKE_KNOCK if hand.knocked_off == NONE else STAKE_KNOCK_OFF


@jit
def normal_score(points: int, whole: int, all_tricks: bool, alone: bool) -> int:
    """Score without a knock, positive for the black side, else negative: K20, or K21 alone.

    `points` are those of the black side, of `whole` ones in the pack (K32).
    """
    if all_tricks:  # K22: all card points are not enough
        return 18 if alone else 6
    if 2 * points > whole:
        if 4 * points > 3 * whole:
            return 12 if alone else 4
        return 6 if alone else 2
    if 2 * points == whole:
        return -4 if alone else -2
    if 4 * points >= whole:
        return -6 if alone else -4
    return -12 if alone else -6


@jit
def outcome(hand: Hand) -> int:
    """Points to each seat of the black side, or, negative, to each seat of the red side."""
    swept = int(hand.won) & ~int(hand.black) == 0 and all_played(hand)
    return score_if(hand, black_points(hand), swept)


@jit
def score_if(hand: Hand, points: int, swept: bool) -> int:
    """`outcome` of a hand that ends with these card points of the black side, or all tricks."""
    stake = _stake(hand)
    if stake:
        if swept:
            return stake
        unanswered = stake == STAKE_KNOCK
        # K24: the options are about a knock that nobody answered
        if not (unanswered and hand.option_flags & (FLAG_FAILED_NORMAL | FLAG_FAILED_NONE)):
            return -stake
        if hand.option_flags & FLAG_FAILED_NONE:
            return 0
    whole, alone = int(PACK_POINTS[pack_of(hand)]), popcount(int(hand.black)) == 1
    return normal_score(points, whole, swept, alone)  # K23: not alone after a call


@jit
def result(hand: Hand, scores: IntArray) -> None:
    """Add the scores of the four seats (K27)."""
    points = outcome(hand)
    for seat in range(N_SEATS):
        black = int(hand.black) >> seat & 1
        scores[seat] += max(points, 0) if black else max(-points, 0)


@jit
def late_cards(hand: Hand) -> int:
    """None: all cards are dealt at once (K5)."""
    return 0


for _kernel, _code in (
    (engine.deal, deal),
    (engine.legal, legal),
    (engine.apply, apply),
    (engine.result, result),
    (engine.late_cards, late_cards),
):
    define(_kernel, HAND, _code)
