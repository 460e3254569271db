"""How `rules` plays the end of a hand: by counting through every consistent deal.

With two cards left each, the hidden cards can lie in ninety ways at most, and in each of them there
are a few lines of play. So nothing is estimated there: cards are compared by the mean payoff over
these deals, all as likely, with open cards from there on. A card that another one equals in every
deal and beats in some has a lower mean and is never played. The trick before is counted as well by
those who play last or last but one to it. Knocked hands are played by knocked.py.
"""

from typing import Final, NamedTuple

import numpy as np

from kloepper_agents.games.kloepper.features import PACK_OF_SIZE, Features, points_of
from kloepper_env._jit import IntArray, jit, lowest, popcount
from kloepper_env.games.kloepper.kernels import normal_score
from kloepper_env.games.kloepper.record import (
    ALL_CARDS,
    BLACK_QUEENS,
    FIRST_OF_SUIT,
    FOLLOW,
    N_SEATS,
    PACK_POINTS,
    POINTS,
    TRUMPS,
)
from kloepper_env.solver.kloepper.endings import winner_of
from kloepper_env.solver.kloepper.position import ALL_TRUMPS, SUIT_MASK, follow
from kloepper_env.tricks import NONE

LAST_TWO: Final = 2  # cards left from which on everybody counts
REPLIES: Final = 1  # seats behind in the trick before with which a player still does
DEALS: Final = 90  # of more consistent deals not all are looked at
MOST_POINTS: Final = int(PACK_POINTS.max())
SWEPT: Final = MOST_POINTS + 1  # in place of card points: all tricks


def _payoffs() -> IntArray:
    table = np.zeros((len(PACK_POINTS), 2, SWEPT + 1), np.int64)
    for pack, whole in enumerate(PACK_POINTS.tolist()):
        for alone in (0, 1):
            for points in range(SWEPT + 1):
                score = normal_score(points, whole, points == SWEPT, alone == 1)
                table[pack, alone, points] = score * 3 // 2 if alone else score
    return table


PAYOFFS: Final = _payoffs()
"""[pack, alone, card points of the black side, or SWEPT] payoff of each seat of the black side."""


Three = tuple[int, int, int]
Four = tuple[int, int, int, int]  # one number for each seat


class Hidden(NamedTuple):
    """What is known of the hidden hands. Cards are masks."""

    unseen: int
    may1: int  # cards that seat 1 may hold, and so on
    may2: int
    may3: int
    n1: int  # how many cards it holds
    n2: int


class Stakes(NamedTuple):
    """What the rest of a hand is about, for one black side."""

    pack: int
    alone: int  # 1 when the black side is a single seat
    black: int  # mask of relative seats
    taken: int  # card points of the black side
    left: int  # card points in the hands and on the table
    swept: int  # 1 when the black side has taken all tricks
    worst: int  # payoff of the black side if it takes no more points
    best: int  # ... if it takes all


# --- with open cards -----------------------------------------------------------------------------


@jit
def payoff_at_end(stakes: Stakes, points: int, swept: int) -> int:
    """Payoff of a black seat when its side takes `points` of those left, or all tricks."""
    index = SWEPT if swept else min(stakes.taken + points, MOST_POINTS)
    return int(PAYOFFS[stakes.pack, stakes.alone, index])


@jit
def last_two(
    stakes: Stakes,
    hands: Four,
    moves: Four,
    sides: int,
    gained: int,
    left: int,
    swept: int,
    low: int,
    high: int,
) -> int:
    """Payoff of a black seat with two tricks left and best play of all, if from `low` to `high`.

    `hands` are those of the leader and of the seats to its left, with what lies on the table;
    `moves` are the cards that seats have played already, else 0. Bit k of `sides` is 1 when the
    k-th of them is black. The black side has `gained` points of those left at first, and `left` are
    still to come. Alpha-beta: a black seat raises the lower bound, a red one lowers the upper.
    """
    low0 = max(low, payoff_at_end(stakes, gained, 0))
    high0 = min(high, payoff_at_end(stakes, gained + left, swept))
    h0, h1, h2, h3 = hands
    black0, black1, black2, black3 = sides & 1, sides >> 1 & 1, sides >> 2 & 1, sides >> 3 & 1
    cards = h0 | h1 | h2 | h3
    black = h0 & -black0 | h1 & -black1 | h2 & -black2 | h3 & -black3
    moves0 = moves[0] if moves[0] else h0
    while moves0 and low0 < high0:
        card0 = moves0 & -moves0
        moves0 ^= card0
        led = int(SUIT_MASK[lowest(card0)])
        low1, high1 = low0, high0
        moves1 = moves[1] if moves[1] else follow(h1, led)
        while moves1 and low1 < high1:
            card1 = moves1 & -moves1
            moves1 ^= card1
            low2, high2 = low1, high1
            moves2 = moves[2] if moves[2] else follow(h2, led)
            while moves2 and low2 < high2:
                card2 = moves2 & -moves2
                moves2 ^= card2
                low3, high3 = low2, high2
                moves3 = moves[3] if moves[3] else follow(h3, led)
                while moves3 and low3 < high3:
                    card3 = moves3 & -moves3
                    moves3 ^= card3
                    trick = card0 | card1 | card2 | card3
                    points = int(POINTS[lowest(card0)] + POINTS[lowest(card1)])
                    points += int(POINTS[lowest(card2)] + POINTS[lowest(card3)])
                    best = first_of(trick & (led | ALL_TRUMPS))
                    last = first_of(cards & ~trick)
                    if last & ALL_TRUMPS == 0:  # else a trump wins, whatever is led
                        lead = hand_with(hands, best) & ~trick
                        last = first_of(cards & ~trick & int(SUIT_MASK[lowest(lead)]))
                    won, end = int(best & black != 0), int(last & black != 0)
                    more = gained + points * won + (left - points) * end
                    value = payoff_at_end(stakes, more, swept & won & end)
                    low3, high3 = narrowed(low3, high3, value, black3)
                low2, high2 = narrowed(low2, high2, low3 if black3 else high3, black2)
            low1, high1 = narrowed(low1, high1, low2 if black2 else high2, black1)
        low0, high0 = narrowed(low0, high0, low1 if black1 else high1, black0)
    return low0 if black0 else high0


@jit
def first_of(cards: int) -> int:
    """The strongest of some cards of a suit, or of trumps and the suit led, as a bit."""
    return cards & -cards


@jit
def hand_with(hands: Four, card: int) -> int:
    """The one of four hands that holds a card (a bit)."""
    h0, h1, h2, h3 = hands
    return h0 if h0 & card else h1 if h1 & card else h2 if h2 & card else h3


@jit
def narrowed(low: int, high: int, value: int, black: int) -> tuple[int, int]:
    """Bounds on what the black side gets after a move of one side is found to bring a value."""
    return max(low, value) if black else low, high if black else min(high, value)


@jit
def rotated(four: Four, first: int) -> Four:
    """Four numbers by seat, from seat `first` on."""
    return four[first], four[first + 1 & 3], four[first + 2 & 3], four[first + 3 & 3]


@jit
def turned(seats: int, first: int) -> int:
    """A mask of seats as seat `first` numbers them."""
    return (seats | seats << 4) >> first & 15


@jit
def payoff_with(features: Features, stakes: Stakes, hands: Four, card: int) -> int:
    """Payoff of the player if it plays a card (a bit) and all see all cards from there on.

    `hands` are the cards of all seats, what lies on the table included.
    """
    first, table = features.first, features.table
    h0, h1, h2, h3 = hands
    two_left = popcount(h0) == LAST_TWO
    led = int(SUIT_MASK[lowest(card if features.led == NONE else table[first])])
    black = stakes.black >> 1 & 1
    low, high = stakes.worst, stakes.best
    replies = table[1] if table[1] or two_left else follow(h1, led)
    going = True
    while going and low < high:  # two cards left: once
        reply = replies & -replies
        replies ^= reply
        going = replies != 0
        moves = rotated((card, reply, table[2], table[3]), first)
        lead, gained, left, swept = first, 0, stakes.left, stakes.swept
        if not two_left:
            trick = card | reply | table[2] | table[3]
            lead = first + winner_of(moves[0], moves[1], moves[2], moves[3], led) & 3
            won, points = stakes.black >> lead & 1, points_of(trick)
            gained, left, swept = points * won, left - points, swept & won
            hands = (h0 & ~trick, h1 & ~trick, h2 & ~trick, h3 & ~trick)
            moves = (0, 0, 0, 0)
        sides = turned(stakes.black, lead)
        cards = rotated(hands, lead)
        value = last_two(stakes, cards, moves, sides, gained, left, swept, low, high)
        low, high = narrowed(low, high, value, black)
    return of_player(stakes, low if black else high)


@jit
def of_player(stakes: Stakes, payoff: int) -> int:
    """The payoff of a black seat as that of the player: against a soloist three share it."""
    if stakes.black & 1:
        return payoff
    return -payoff // 3 if stakes.alone else -payoff


# --- the consistent deals ------------------------------------------------------------------------


@jit
def stakes_of(features: Features, black: int, left: int) -> Stakes:
    """What is at stake for a black side (a mask) with `left` card points in play."""
    taken, swept = 0, 1
    for k in range(N_SEATS):
        is_black = black >> k & 1
        taken += features.points[k] * is_black
        swept &= is_black | (features.tricks[k] == 0)
    pack, alone = int(PACK_OF_SIZE[features.dealt]), int(popcount(black) == 1)
    taken = min(taken, MOST_POINTS - left)
    worst = int(PAYOFFS[pack, alone, taken])
    best = int(PAYOFFS[pack, alone, SWEPT if swept else taken + left])
    return Stakes(pack, alone, black, taken, left, swept, worst, best)


@jit
def cannot_hold(features: Features, k: int) -> int:
    """Cards that seat k cannot hold: of suits that it did not follow, and what a call tells."""
    cards = 0
    for suit in range(TRUMPS + 1):
        cards |= -(features.voids[k] >> suit & 1) & int(FOLLOW[suit])
    if features.caller == k:
        cards |= 1 << int(FIRST_OF_SUIT[features.called])
    elif features.caller != NONE:
        cards |= BLACK_QUEENS
    return cards


@jit
def black_side(features: Features, hands: Four) -> int:
    """The black side when the seats have these cards, those on the table included."""
    telling = BLACK_QUEENS
    if features.caller != NONE:
        telling = 1 << int(FIRST_OF_SUIT[features.called])
    black = features.black | (1 << features.caller if features.caller != NONE else 0)
    black |= int((hands[1] | features.played[1]) & telling != 0) << 1
    black |= int((hands[2] | features.played[2]) & telling != 0) << 2
    return black | int((hands[3] | features.played[3]) & telling != 0) << 3


@jit
def is_possible(features: Features, black: int) -> bool:
    """Whether a black side agrees with who has knocked and who has answered."""
    knocker, answered = features.knocker, features.knocked_off
    if features.lone:
        return black == 1 << knocker
    return (knocker == NONE or black >> knocker & 1 == 1) and (
        answered == NONE or black >> answered & 1 == 0
    )


@jit
def room(features: Features, k: int) -> int:
    """How many cards seat k holds."""
    return features.dealt - popcount(features.played[k])


@jit
def is_counted(features: Features) -> bool:
    """Whether the rest of the hand is short enough, and the observation makes sense."""
    left = popcount(features.hand)
    hidden, sound = 0, room(features, 0) == left
    for k in range(1, N_SEATS):
        hidden += room(features, k)
        sound &= room(features, k) + popcount(features.table[k]) == left
    sound &= hidden == popcount(features.unseen)
    last = left == LAST_TWO + 1 and popcount(features.behind) <= REPLIES
    return sound and (left == LAST_TWO or last)


@jit
def add_payoffs(features: Features, cards: int, left: int, hands: Four, totals: Three) -> Three:
    """Payoffs of up to three cards (a mask) in one deal, added to `totals`."""
    black = black_side(features, hands)
    stakes = stakes_of(features, black, left)
    if stakes.worst == stakes.best or not is_possible(features, black):
        return totals
    n = 0
    while cards:
        payoff = payoff_with(features, stakes, hands, cards & -cards)
        totals = (
            totals[0] + payoff * (n == 0),
            totals[1] + payoff * (n == 1),
            totals[2] + payoff * (n == 2),
        )
        cards &= cards - 1
        n += 1
    return totals


@jit
def hidden_cards(features: Features) -> Hidden:
    """What is known of the hidden hands."""
    unseen = features.unseen
    return Hidden(
        unseen,
        unseen & ~cannot_hold(features, 1),
        unseen & ~cannot_hold(features, 2),
        unseen & ~cannot_hold(features, 3),
        room(features, 1),
        room(features, 2),
    )


@jit
def next_deal(hidden: Hidden, h1: int, h2: int) -> tuple[int, int]:
    """The hands of seats 1 and 2 in the deal after this one; NONE after the last.

    The first follows the pair of `may1` and ALL_CARDS + 1. Subsets are taken in falling order.
    """
    going = True
    while going:
        if h2 and popcount(h1) == hidden.n1:
            h2 = h2 - 1 & hidden.may2 & ~h1
        elif h1:
            h1 = h1 - 1 & hidden.may1
            h2 = hidden.may2 & ~h1
        else:
            return NONE, NONE
        rest = hidden.unseen & ~(h1 | h2)
        fits = popcount(h1) == hidden.n1 and popcount(h2) == hidden.n2
        going = not fits or rest & ~hidden.may3 != 0
    return h1, h2


@jit
def total_payoffs(features: Features, cards: int) -> Three:
    """Payoffs of up to three cards (a mask) summed over the deals that are looked at.

    Those are all consistent ones, or of more than DEALS every second, every third, and so on.
    """
    hidden, table, totals = hidden_cards(features), features.table, (0, 0, 0)
    left = points_of(features.hand | hidden.unseen | table[1] | table[2] | table[3])
    deals = 0
    h1, h2 = next_deal(hidden, hidden.may1, ALL_CARDS + 1)
    while h1 != NONE:
        deals += 1
        h1, h2 = next_deal(hidden, h1, h2)
    step = 1 + deals // DEALS
    at = 0
    h1, h2 = next_deal(hidden, hidden.may1, ALL_CARDS + 1)
    while h1 != NONE:
        if at % step == 0:
            h3 = hidden.unseen & ~(h1 | h2)
            hands = (features.hand, h1 | table[1], h2 | table[2], h3 | table[3])
            totals = add_payoffs(features, cards, left, hands, totals)
        at += 1
        h1, h2 = next_deal(hidden, h1, h2)
    return totals


@jit
def best_of_ending(features: Features, cards: int) -> int:
    """The cards of a mask of two or three that have the highest mean payoff over all deals."""
    totals, n = total_payoffs(features, cards), popcount(cards)
    highest = max(totals[0], totals[1])
    highest = max(highest, totals[2]) if n > LAST_TWO else highest
    best, i = 0, 0
    while cards:
        card = cards & -cards
        cards ^= card
        best |= card * (totals[i] == highest)
        i += 1
    return best
