"""How `rules` plays a card in a knocked hand, where only the sweep counts.

A lone knocker who leads plays the order that takes all tricks if any does (docs/lone-knocker.md).
Everybody else counts what a card does now and what it leaves: how likely its side takes the trick,
who must hold what, which guards are kept, how many trumps, masters and losers. These counts are
weighed by a small network, which was fitted to the shares of consistent deals that each card leaves
to a sweep (lab/choices/fit.py); its weights are in knocked_weights.py.
"""

from typing import Final

import numpy as np

from kloepper_agents.games.kloepper.beating import enemy_cards, stronger, wins_now
from kloepper_agents.games.kloepper.features import Features
from kloepper_agents.games.kloepper.holding import Holding, Holdings, holdings_of, wins
from kloepper_agents.games.kloepper.knocked_weights import BLACK, RED
from kloepper_env._jit import deposit, jit, lowest, popcount
from kloepper_env.beliefs.counting import CHOOSE
from kloepper_env.games.kloepper.record import (
    ALL_CARDS,
    BLACK_QUEENS,
    FOLLOW,
    N_SEATS,
    POINTS,
    SUIT,
    TRUMPS,
)
from kloepper_env.solver.kloepper.position import SUIT_STARTS, run_from
from kloepper_env.tricks import NONE

N_COUNTS: Final = 43
SURE: Final = 0.995  # probability from which a trick is as good as taken
Counts = tuple[float, ...]  # [N_COUNTS]


@jit
def flag(holds: bool) -> float:
    """1 for what holds, else 0."""
    return 1.0 if holds else 0.0


# --- the trick, and what is guarded --------------------------------------------------------------


@jit
def guards(held: Holding, own: int, suit: int) -> float:
    """Probability that cards of a suit take a trick from one enemy who leads it from the top.

    They do if the enemy has a card below their highest, and fewer above it than they are: the
    condition on a lone knocker, for one suit.
    """
    cards = own & int(FOLLOW[suit])
    if cards == 0:
        return 0.0
    below = -(cards & -cards)
    sure, maybe = held.sure & int(FOLLOW[suit]), held.maybe & int(FOLLOW[suit])
    size, n_low = popcount(held.maybe), popcount(maybe & below)
    n_high = popcount(maybe) - n_low
    has_low = sure & below != 0
    most = popcount(cards) - 1 - popcount(sure & ~below)
    ways = 0
    for high in range(min(most, n_high, held.n) + 1):
        rest = held.n - high
        without = 0 if has_low else int(CHOOSE[size - n_high - n_low, rest])
        ways += int(CHOOSE[n_high, high]) * (int(CHOOSE[size - n_high, rest]) - without)
    return ways / int(CHOOSE[size, held.n])


@jit
def keeps_no_guard(held: Holdings, own: int, allies: int, trumps: bool) -> float:
    """Probability that cards kept take no trick, in the trump suit or in the plain suits."""
    none = 1.0
    for k in range(1, N_SEATS):
        if not allies >> k & 1:
            for suit in range(TRUMPS + 1):
                if (suit == TRUMPS) == trumps:
                    none *= 1.0 - guards(held[k], own, suit)
    return none


@jit
def chances(features: Features, card: int) -> tuple[float, float, float]:
    """Probabilities that the trick is won, that a plain guard is kept, and that one of trumps is.

    Each seat that may be the only ally is tried, as likely as it is one.
    """
    won, plain, trump, total = 0.0, 0.0, 0.0, 0.0
    kept = features.hand & ~(1 << card)
    for k in range(1, N_SEATS):
        weight = features.with_me[k]
        allies = 1 | 1 << k
        if features.lone:
            weight = 1.0 if k == 1 else 0.0
            allies = 1 if features.black else 15 & ~(1 << features.knocker)
        if weight > 0.0:
            held = holdings_of(features, allies)
            total += weight
            won += weight * wins(features, held, card, allies)
            if not features.black:
                plain += weight * (1.0 - keeps_no_guard(held, kept, allies, False))
                trump += weight * (1.0 - keeps_no_guard(held, kept, allies, True))
    total = max(total, 1e-9)
    return won / total, plain / total, trump / total


# --- counts --------------------------------------------------------------------------------------


@jit
def certain_ally(features: Features) -> int:
    """A seat that is certainly on the player's side, or NONE."""
    ally = NONE
    for k in range(1, N_SEATS):
        if features.with_me[k] == 1.0:
            ally = k
    return ally


@jit
def ally_wins(features: Features) -> bool:
    """Whether a seat that is certainly on the player's side wins the trick so far."""
    return features.winning != NONE and features.with_me[features.winning] == 1.0


@jit
def is_void(features: Features, k: int, suit: int) -> bool:
    """Whether seat k, if there is one, has shown to hold none of a suit."""
    return k != NONE and features.voids[k] >> suit & 1 == 1


@jit
def may_hold(features: Features) -> int:
    """Unseen cards that may lie with a seat that is not certainly an ally."""
    cards = 0
    for k in range(1, N_SEATS):
        if features.with_me[k] < 1.0:
            for suit in range(TRUMPS + 1):
                if not features.voids[k] >> suit & 1:
                    cards |= features.unseen & int(FOLLOW[suit])
    return cards & enemy_cards(features)


@jit
def plain_kinds(cards: int, enemies: int) -> tuple[int, int]:
    """How many plain cards no card of the enemies beats in its suit, and how many others."""
    masters, losers = 0, 0
    left = cards & ~int(FOLLOW[TRUMPS])
    while left:
        card = lowest(left)
        left &= left - 1
        beaten = enemies & stronger(card, int(SUIT[card])) & int(FOLLOW[SUIT[card]]) != 0
        losers += beaten
        masters += not beaten
    return masters, losers


@jit
def of_trick(features: Features, card: int) -> Counts:
    """What the card does to the trick, and the guards it leaves."""
    won, plain_guard, trump_guard = chances(features, card)
    takes = wins_now(features, card)
    return (
        won,
        np.log(won + 0.01) / 4.0,
        np.log(1.01 - won) / 4.0,
        flag(won > SURE),
        plain_guard,
        np.log(1.03 - plain_guard) / 3.0,
        trump_guard,
        np.log(1.03 - trump_guard) / 3.0,
        flag(takes),
        flag(takes and ally_wins(features)),
    )


@jit
def of_card(features: Features, card: int, enemies: int) -> Counts:
    """What the card is: its suit, what may lie above it, and how long the suit is."""
    suit = int(SUIT[card])
    own, trump = int(FOLLOW[suit]), suit == TRUMPS
    above = popcount(enemies & stronger(card, suit) & own)
    return (
        flag(trump and above == 0),
        flag(trump and above == 1),
        flag(trump and above == 2),
        flag(trump and above > 2),
        flag(not trump and above == 0),
        flag(not trump and above == 1),
        flag(not trump and above > 1),
        above / 4.0,
        popcount(features.unseen & stronger(card, suit) & own) / 4.0,
        popcount(features.unseen & own) / 4.0,
        flag(1 << card & BLACK_QUEENS != 0),
        flag(features.hand & own == 1 << card),
        popcount(features.hand & own) / 4.0,
        popcount(enemies & own) / 4.0,
        flag(is_void(features, certain_ally(features), suit)),
    )


@jit
def of_rest(kept: int, enemies: int, unseen: int) -> Counts:
    """What the cards kept are: trumps, tops among them, masters and losers."""
    trumps = int(FOLLOW[TRUMPS])
    out = enemies & trumps
    tops = kept & trumps & ((out & -out) - 1) if out else kept & trumps
    masters, losers = plain_kinds(kept, enemies)
    highest, lower = plain_kinds(kept, unseen)
    first = unseen & trumps
    return (
        highest / 2.0,
        lower / 2.0,
        popcount(kept & trumps & ((first & -first) - 1) if first else kept & trumps) / 4.0,
        popcount(kept & trumps) / 4.0,
        popcount(tops) / 4.0,
        masters / 2.0,
        losers / 2.0,
        popcount(kept) / 4.0,
        popcount(out) / 4.0,
    )


@jit
def of_seats(features: Features) -> Counts:
    """Who leads, and what is known of the others."""
    ally, enemy_voids = certain_ally(features), 0
    for k in range(1, N_SEATS):
        enemy_voids += features.with_me[k] == 0.0 and is_void(features, k, TRUMPS)
    return (
        flag(features.winning == NONE),
        flag(ally != NONE),
        popcount(features.unseen & int(FOLLOW[TRUMPS])) / 4.0,
        popcount(features.unseen & BLACK_QUEENS) / 2.0,
        flag(features.knocker == 0),
        flag(ally != NONE and features.behind >> ally & 1 == 1),
        flag(ally_wins(features)),
        flag(is_void(features, ally, TRUMPS)),
        enemy_voids / 2.0,
    )


@jit
def counts_of(features: Features, card: int) -> Counts:
    """What there is to count about playing a card."""
    enemies, kept = may_hold(features), features.hand & ~(1 << card)
    trick, own = of_trick(features, card), of_card(features, card, enemies)
    return (
        trick + own + of_rest(kept, enemies, features.unseen & ~BLACK_QUEENS) + of_seats(features)
    )


# --- the choice ----------------------------------------------------------------------------------


@jit
def weighed(counts: Counts, black: int) -> float:
    """What the network makes of the counts: the higher, the better for the player's side."""
    weights = BLACK if black else RED
    value = 0.0
    for unit in range(len(weights)):
        total = weights[unit, N_COUNTS]
        for i in range(N_COUNTS):
            total += weights[unit, i] * counts[i]
        value += weights[unit, N_COUNTS + 1] * max(total, 0.0)
    return value


@jit
def from_the_top(features: Features) -> int:
    """The card that a lone knocker leads: his highest trump, or the highest of a plain suit."""
    trumps = features.legal & int(FOLLOW[TRUMPS])
    return lowest(trumps if trumps else features.legal)


@jit
def is_lost(features: Features) -> bool:
    """Whether the red side has certainly taken a trick, in a hand that goes on all the same."""
    lost = False
    for k in range(N_SEATS):
        red = features.with_me[k] == (0.0 if features.black else 1.0)
        lost |= red and features.tricks[k] > 0
    return lost


@jit
def cheapest(cards: int) -> int:
    """The card of a mask with the fewest points, of equals the weakest."""
    chosen, least = NONE, 100
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if POINTS[card] <= least:
            chosen, least = card, int(POINTS[card])
    return chosen


@jit
def play_knocked(features: Features) -> int:
    """The cheapest card of the class that weighs most; of equal classes the last.

    A class is a run of cards with none between them that another hand holds or that wins the trick:
    they take the same tricks. It counts as its weakest card does.
    """
    if features.lone and features.knocker == 0 and features.winning == NONE:
        return from_the_top(features)
    best = 1 << features.best if features.best != NONE else 0
    blockers, left = features.unseen | best | SUIT_STARTS, features.legal & ALL_CARDS
    chosen, highest = 0, -1e9
    while left:
        run = run_from(left & -left, left, blockers)
        left ^= run
        weakest = deposit(1 << popcount(run) - 1, run)
        value = weighed(counts_of(features, lowest(weakest)), features.black)
        if value >= highest:
            chosen, highest = run, value
    return cheapest(chosen)
