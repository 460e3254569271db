"""When `rules` takes, doubles and redoubles. Each function is one rule of thumb.

A choice is a sum over a hand counted for a trump suit, in points of the rules: what it brings, ours
minus theirs, more than a pass.
"""

from typing import Final, NamedTuple

from kloepper_agents.games.klammern.features import Features, suit_cards
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.klammern.melds import CLASS_POINTS, MELD, MELD_BITS, RUNS
from kloepper_env.games.klammern.record import (
    DECLARE,
    FIRST_CHOICE,
    KING_QUEEN,
    KONTRA,
    N_RANKS,
    N_SUITS,
    PASS,
    RANKS,
    RE,
    SUIT_CARDS,
    TAKE,
)
from kloepper_env.tricks import NONE

_SEVEN, _EIGHT, _NINE, _TEN, _JACK, _QUEEN, _KING, _ACE = (1 << r for r in range(len(RANKS)))
_ALL_SUITS: Final = 0x01010101
ACES: Final = _ACE * _ALL_SUITS


class Count(NamedTuple):
    """A hand counted for a trump suit."""

    jack: int
    nine: int
    ace: int
    ten: int
    low: int  # other trumps
    belle: int
    aces: int  # plain
    tens: int  # plain, with another card of the suit
    voids: int  # plain suits not held
    melds: int  # points of its runs


class Weights(NamedTuple):
    """What each number of a Count brings, in points; `base` is there in any case."""

    base: float
    jack: float
    nine: float
    ace: float
    ten: float
    low: float
    belle: float
    aces: float
    tens: float
    voids: float
    melds: float
    others_lead: float  # to the first trick


# Least squares on what it brought `rules` to do it instead of passing, the rest played by four of
# them, over 25,000 deals of a seed from 20,000,000 on; four times, each with the weights before.
FIRST: Final = Weights(-214.0, 158.0, 85.0, 52.0, 55.0, 39.0, 70.0, 18.0, 9.0, 0.0, 0.4, 12.0)
SECOND: Final = Weights(-228.0, 156.0, 84.0, 49.0, 46.0, 40.0, 56.0, 35.0, 13.0, 12.0, 1.5, 3.0)
DOUBLE: Final = Weights(-270.0, 125.0, 91.0, 72.0, 75.0, 46.0, 43.0, 43.0, 12.0, 21.0, 1.7, 0.0)
REDOUBLE: Final = Weights(-178.0, 0.0, 31.0, 49.0, 27.0, 0.0, 63.0, 42.0, 14.0, 36.0, 3.0, 0.0)


@jit
def count(cards: int, trump: int) -> Count:
    """Count some cards with a suit as trump."""
    own = cards >> N_RANKS * trump & SUIT_CARDS
    plain = cards & ~suit_cards(trump)
    tens, voids, melds = 0, 0, 0
    for suit in range(N_SUITS):
        held = cards >> N_RANKS * suit & SUIT_CARDS
        runs = int(RUNS[0, held])
        melds += int(CLASS_POINTS[(runs & MELD) >> 9]) + int(CLASS_POINTS[runs >> MELD_BITS + 9])
        if suit != trump:
            voids += held == 0
            tens += held & _TEN != 0 and held != _TEN
    return Count(
        int(own & _JACK != 0),
        int(own & _NINE != 0),
        int(own & _ACE != 0),
        int(own & _TEN != 0),
        popcount(own & (_SEVEN | _EIGHT | _QUEEN | _KING)),
        int(own & KING_QUEEN == KING_QUEEN),
        popcount(plain & ACES),
        tens,
        voids,
        melds,
    )


@jit
def place_of(features: Features) -> int:
    """The player's place in playing order: 0 is the forehand."""
    return 3 - features.dealer


@jit
def weigh(features: Features, own: Count, weights: Weights) -> float:
    """The sum of a count, each number times its weight."""
    return (
        weights.base
        + weights.others_lead * (place_of(features) & 1)
        + weights.jack * own.jack
        + weights.nine * own.nine
        + weights.ace * own.ace
        + weights.ten * own.ten
        + weights.low * own.low
        + weights.belle * own.belle
        + weights.aces * own.aces
        + weights.tens * own.tens
        + weights.voids * own.voids
        + weights.melds * own.melds
    )


@jit
def worth_of_take(features: Features, suit: int) -> float:
    """Take with jack, nine and length, with side aces and with what is melded."""
    own = count(features.hand | 1 << features.turned, suit)
    return weigh(features, own, FIRST if features.step == FIRST_CHOICE else SECOND)


@jit
def best_take(features: Features) -> int:
    """The take that is worth most, or PASS if none is better than passing."""
    chosen, highest = PASS, 0.0
    for suit in range(N_SUITS):
        if features.legal >> TAKE + suit & 1:
            worth = worth_of_take(features, suit)
            if worth > highest:
                chosen, highest = TAKE + suit, worth
    return chosen


@jit
def should_double(features: Features) -> bool:
    """Say Kontra with trumps that the takers lack, or Re with a hand that makes it anyway."""
    own = count(features.hand, features.trump)
    return weigh(features, own, DOUBLE if features.kontra == NONE else REDOUBLE) > 0.0


@jit
def announce(features: Features) -> int:
    """The announcement to make now, or PASS."""
    if features.legal >> DECLARE & 1:
        return DECLARE
    doubles = features.legal & (1 << KONTRA | 1 << RE)
    if doubles:
        return lowest(doubles) if should_double(features) else PASS
    return best_take(features)
