"""When `rules` knocks, knocks off, calls an ace or plays alone. Each function is one rule of thumb.

The constants were fitted to what four such players scored when made to announce on many deals.
"""

from typing import Final, NamedTuple

from kloepper_agents.games.kloepper.beating import enemy_cards, stronger
from kloepper_agents.games.kloepper.features import Features
from kloepper_env._jit import jit, popcount
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALL,
    CALLABLE_ACES,
    FOLLOW,
    HEARTS,
    KNOCK,
    KNOCK_OFF,
    N_CARDS,
    N_SEATS,
    PASS,
    SUIT,
    TRUMPS,
)
from kloepper_env.tricks import NONE

# Knock when this sum is above 0
KNOCK_BASE: Final = -0.1
KNOCK_TOP: Final = 1.2  # for each own trump that no enemy beats
KNOCK_OUT: Final = -0.6  # for each trump an enemy may hold
KNOCK_LOSER: Final = -1.8  # for each plain card that may lose
# Alone from this sum on
ALONE_AT: Final = 11.5
ALONE_TRUMP: Final = 2.5  # for each trump, jacks and queens included
ALONE_JACK: Final = 1.0
ALONE_ACE: Final = 1.25  # for each plain ace
JACKS: Final = 0b111100
# Call: what a suit is worth by the number of its cards held
CALL_VOID: Final = 0.0
CALL_SINGLE: Final = 0.1
CALL_DOUBLE: Final = -0.1
CALL_LONG: Final = -0.8
CALL_HEARTS: Final = 0.4  # the suit with five cards


class Count(NamedTuple):
    """A hand counted for announcements."""

    tops: int  # own trumps that no enemy beats
    trumps: int  # own trumps
    out: int  # trumps that enemies may hold
    losers: int  # own plain cards that are not the highest of their suit


@jit
def count(features: Features) -> Count:
    """Count trumps: those at the top, all, and the enemy's; and the plain cards that may lose."""
    unseen = enemy_cards(features)
    tops, losers = 0, 0
    for card in range(N_CARDS):
        if features.hand >> card & 1:
            suit = int(SUIT[card])
            beaten = unseen & stronger(card, suit) & int(FOLLOW[suit]) != 0
            tops += suit == TRUMPS and not beaten
            losers += suit != TRUMPS and beaten
    trumps = int(FOLLOW[TRUMPS])
    return Count(tops, popcount(features.hand & trumps), popcount(unseen & trumps), losers)


@jit
def enemy_has_trick(features: Features) -> bool:
    """Whether a seat that is not certainly on the player's side has taken a trick."""
    lost = False
    for k in range(N_SEATS):
        lost |= features.tricks[k] > 0 and features.with_me[k] < 1.0
    return lost


@jit
def knock_odds(own: Count) -> float:
    """Logarithm of the odds of all six tricks, less the break-even of a knock."""
    return KNOCK_BASE + KNOCK_TOP * own.tops + KNOCK_OUT * own.out + KNOCK_LOSER * own.losers


@jit
def should_knock(features: Features) -> bool:
    """Knock when trick 1 is ours and top trumps, few trumps out and no losers make six likely."""
    if features.trick == 0 or enemy_has_trick(features):
        return False
    own = count(features)
    if features.queens == BLACK_QUEENS and features.caller == NONE:  # alone against three
        return own.losers == 0 and own.tops >= own.out
    return knock_odds(own) > 0.0


@jit
def must_take_trick(own: int, unseen: int) -> bool:
    """Whether trumps are too high to lose them all.

    The j highest fall in different tricks, each to a higher trump; if fewer than j others are above
    the j-th, one of them takes its trick.
    """
    left = own & int(FOLLOW[TRUMPS])
    needed, certain = 0, False
    while left:
        card = left & -left
        left ^= card
        needed += 1
        certain |= popcount(unseen & card - 1) < needed
    return certain


@jit
def should_knock_off(features: Features) -> bool:
    """Knock off with a trick in hand, or trumps that must take one: who knocks is nearly sure."""
    for k in range(N_SEATS):
        if features.tricks[k] and features.with_me[k] == 1.0:
            return True
    return must_take_trick(features.hand, features.unseen)


@jit
def should_play_alone(features: Features) -> bool:
    """Play alone with many trumps, jacks and aces: three pay, and nobody knows."""
    trumps = popcount(features.hand & int(FOLLOW[TRUMPS]))
    jacks, aces = popcount(features.hand & JACKS), popcount(features.hand & CALLABLE_ACES)
    return ALONE_TRUMP * trumps + ALONE_JACK * jacks + ALONE_ACE * aces >= ALONE_AT


@jit
def worth_of_call(hand: int, suit: int) -> float:
    """Call an ace whose suit one follows once; rather hearts, which goes round more often."""
    length = popcount(hand & int(FOLLOW[suit]))
    worth = CALL_HEARTS if suit == HEARTS else 0.0
    if length == 0:
        return worth + CALL_VOID
    if length == 1:
        return worth + CALL_SINGLE
    return worth + (CALL_DOUBLE if length == 2 else CALL_LONG)


@jit
def best_call(features: Features) -> int:
    """The ace to call; of equals the first: clubs, spades, hearts."""
    chosen, highest = PASS, -1e9
    for suit in range(TRUMPS):
        if features.legal >> CALL + suit & 1:
            worth = worth_of_call(features.hand, suit)
            if worth > highest:
                chosen, highest = CALL + suit, worth
    return chosen


@jit
def announce(features: Features) -> int:
    """The announcement to make now, or PASS."""
    if features.legal >> KNOCK_OFF & 1:
        return KNOCK_OFF if should_knock_off(features) else PASS
    if features.legal >> CALL and not should_play_alone(features):
        return best_call(features)
    if features.legal >> KNOCK & 1 and should_knock(features):
        return KNOCK
    return PASS
