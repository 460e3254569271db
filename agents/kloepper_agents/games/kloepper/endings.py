"""How `rules` plays the end of a hand: by counting through every consistent deal.

With two cards left each, the hidden cards can lie in ninety ways at most, and in each of them there
are a few lines of play. So nothing is estimated there: cards are compared by the mean payoff over
these deals, all as likely, with open cards from there on. A card that another one equals in every
deal and beats in some has a lower mean and is never played. The trick before is counted as well by
those who play last or last but one to it. Knocked hands are played by knocked.py.
"""

from typing import Final, NamedTuple

from kloepper_agents.games.kloepper.features import PACK_OF_SIZE, Features, points_of
from kloepper_agents.games.kloepper.open_endings import (
    MOST_POINTS,
    PAYOFFS,
    SWEPT,
    Four,
    Stakes,
    last_two,
    narrowed,
    of_player,
    rotated,
    turned,
)
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.kloepper.record import (
    ALL_CARDS,
    BLACK_QUEENS,
    FIRST_OF_SUIT,
    FOLLOW,
    N_SEATS,
    TRUMPS,
)
from kloepper_env.solver.kloepper.endings import winner_of
from kloepper_env.solver.kloepper.position import SUIT_MASK, follow
from kloepper_env.tricks import NONE

LAST_TWO: Final = 2  # cards left from which on everybody counts
REPLIES: Final = 1  # seats behind in the trick before with which a player still does
DEALS: Final = 60  # so many consistent deals are looked at in the trick before

Three = tuple[int, int, int]  # one number for each card


class Hidden(NamedTuple):
    """What is known of the hidden hands. Cards are masks."""

    unseen: int
    may1: int  # cards that seat 1 may hold, and so on
    may2: int
    may3: int
    n1: int  # how many cards it holds
    n2: int


# --- the consistent deals ------------------------------------------------------------------------


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
    """Whether a black side agrees with who has knocked, alone or not (K17), and who answered."""
    knocker, answered = features.knocker, features.knocked_off
    if knocker == NONE:
        return True
    seats = 1 if features.lone else 2
    knocks = black >> knocker & 1 == 1 and popcount(black) == seats
    return knocks and (answered == NONE or black >> answered & 1 == 0)


@jit
def room(features: Features, k: int) -> int:
    """How many cards seat k holds."""
    return features.dealt - popcount(features.played[k])


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


# --- the choice ----------------------------------------------------------------------------------


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
def step_between(hidden: Hidden) -> int:
    """1 if at most DEALS are consistent, 2 if at most twice as many, and so on."""
    deals = 0
    h1, h2 = next_deal(hidden, hidden.may1, ALL_CARDS + 1)
    while h1 != NONE:
        deals += 1
        h1, h2 = next_deal(hidden, h1, h2)
    return (deals + DEALS - 1) // DEALS


@jit
def total_payoffs(features: Features, cards: int) -> Three:
    """Payoffs of up to three cards (a mask) summed over the deals that are looked at.

    With two cards left those are all; before, of more than DEALS every second, third, and so on.
    """
    hidden, table, totals = hidden_cards(features), features.table, (0, 0, 0)
    left = points_of(features.hand | hidden.unseen | table[1] | table[2] | table[3])
    step = step_between(hidden) if popcount(features.hand) > LAST_TWO else 1
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


@jit
def is_counted(features: Features) -> bool:
    """Whether the rest of the hand is short enough; and the observation makes sense, as one that
    is made up need not."""
    left, n_played = popcount(features.hand), 0
    hidden = 0
    sound = room(features, 0) == left and features.legal & ~features.hand == 0
    for k in range(1, N_SEATS):
        card = features.table[k]
        n_played += card != 0
        hidden += room(features, k)
        sound &= room(features, k) + popcount(card) == left
        sound &= card & ~features.played[k] == 0 and card & card - 1 == 0
    for k in range(1, N_SEATS):
        sound &= (features.table[k] != 0) == (k >= N_SEATS - n_played)
    sound &= hidden == popcount(features.unseen) and features.first == -n_played & 3
    last = left == LAST_TWO + 1 and n_played + REPLIES + 1 >= N_SEATS
    return sound and (left == LAST_TWO or last)
