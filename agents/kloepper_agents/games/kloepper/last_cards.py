"""What the cards of a seat are worth near the end, over the deals that its observation allows.

Few cards are left, so the deals that are possible are gone through one by one and solved with open
cards. Everything comes from the observation, as in `features.py`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.endings import black_side, cannot_hold
from kloepper_agents.games.kloepper.features import Features
from kloepper_env._jit import IntArray, deposit, jit, popcount
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.options import PACK_SHIFT
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import (
    N_CARDS,
    N_SEATS,
    NO_CARD,
    PACK_HANDS,
    Hand,
)
from kloepper_env.solver.kloepper.queries import ILLEGAL, scores_of_cards
from kloepper_env.tricks import NONE

FloatArray = NDArray[np.float64]

_PACK_OF_DEALT: Final = np.array(
    [PACK_HANDS.index(n) if n in PACK_HANDS else 0 for n in range(PACK_HANDS[0] + 1)]
)

MOST_UNSEEN: Final = 9
"""Cards in the other hands up to which their deals are gone through: 1,680 at most."""


@jit
def _next_subset(subset: int) -> int:
    """The next larger number with as many one bits (Gosper's hack)."""
    last = subset & -subset
    carried = subset + last
    return carried | (subset ^ carried) // last >> 2


@jit
def _agrees(features: Features, allies: int, enemies: int, black: int) -> bool:
    """Whether the sides of a deal are those that the seat knows of."""
    mine = black if black & 1 else ~black
    alone = popcount(black) == 1
    said = features.knocker == NONE or alone == (features.lone == 1)
    return said and allies & ~mine == 0 and enemies & mine == 0


@jit
def _is_sound(features: Features) -> bool:
    """Whether all seats hold as many cards as they can where the observer is the next to play."""
    n_held, coming = popcount(features.hand), popcount(features.behind)
    leads = coming == N_SEATS - 1
    sound = (features.led == NONE) == leads and (features.winning == NONE) == leads
    for k in range(1, N_SEATS):
        has_played = k > coming
        sound = sound and popcount(features.table[k]) == has_played
        sound = sound and features.dealt - popcount(features.played[k]) == n_held - has_played
    in_hands = (N_SEATS - 1) * n_held - (N_SEATS - 1 - coming)
    return sound and features.table[0] == 0 and popcount(features.unseen) == in_hands


@jit
def _stand(features: Features, hand: Hand) -> None:
    """Write what all deals have in common into a record; the observer is seat 0."""
    hand.hands[0] = features.hand
    hand.counts = 0
    hand.won = 0
    hand.plies = 0
    for k in range(N_SEATS):
        hand.counts |= features.points[k] << 8 * k | features.tricks[k] << 8 * (4 + k)
        hand.won |= (features.tricks[k] != 0) << k
        hand.plies += popcount(features.played[k])
    hand.table_points = features.on_table
    hand.player = 0
    hand.led = features.led
    hand.best = features.best if features.best != NONE else NO_CARD
    hand.winner = features.winning
    hand.knocker = features.knocker
    hand.lone = features.lone
    hand.knocked_off = features.knocked_off
    hand.caller = features.caller
    hand.option_flags = int(_PACK_OF_DEALT[features.dealt]) << PACK_SHIFT


@jit
def _pass_over(
    features: Features,
    sides: int,
    step: int,
    transpositions: IntArray,
    hand: Hand,
    points: IntArray,
    worth: FloatArray,
) -> int:
    """Number of consistent deals; every `step`-th is solved and its payoffs added to `worth`.

    `sides` are the known allies and, from bit 4, enemies; with a `step` of 0 nothing is solved.
    """
    unseen = features.unseen
    n1 = features.dealt - popcount(features.played[1])
    n2 = features.dealt - popcount(features.played[2])
    n3 = features.dealt - popcount(features.played[3])
    total = popcount(unseen)
    bar1, bar2, bar3 = (
        cannot_hold(features, 1),
        cannot_hold(features, 2),
        cannot_hold(features, 3),
    )
    found = 0
    first = (1 << n1) - 1
    while first < 1 << total:
        h1 = deposit(first, unseen)
        rest = unseen ^ h1
        second = (1 << n2) - 1
        while second < 1 << n2 + n3 and h1 & bar1 == 0:
            h2 = deposit(second, rest)
            h3 = rest ^ h2
            if h2 & bar2 == 0 and h3 & bar3 == 0:
                black = black_side(features, (0, h1, h2, h3))
                if _agrees(features, sides & 15, sides >> 4, black):
                    if step and found % step == step >> 1:
                        hand.hands[1] = h1
                        hand.hands[2] = h2
                        hand.hands[3] = h3
                        hand.black = black
                        scores_of_cards(transpositions, hand, points)
                        for card in range(N_CARDS):
                            if points[card] != ILLEGAL:
                                worth[card] += payoff(int(points[card]), black, 0)
                    found += 1
            second = _next_subset(second) if n2 else 1 << n2 + n3
        first = _next_subset(first) if n1 else 1 << total
    return found


@jit
def worth_of_last_cards(
    features: Features,
    sides: int,
    most: int,
    transpositions: IntArray,
    scratch: Records,
    points: IntArray,
    worth: FloatArray,
) -> int:
    """Mean payoff of each card [24] over the deals that are possible, all as likely.

    Of more than `most` deals that many or a few less are solved, evenly spread. Returns how many
    there are, 0 where more than MOST_UNSEEN cards are hidden and for an observation that nobody can
    have. `points` [24] and `scratch` [1] are overwritten; illegal cards are worth 0.
    """
    worth[:] = 0.0
    if popcount(features.unseen) > MOST_UNSEEN or not _is_sound(features):
        return 0
    hand = scratch[0]
    _stand(features, hand)
    count = _pass_over(features, sides, 0, transpositions, hand, points, worth)
    if count == 0:
        return 0
    step = -(-count // most)
    _pass_over(features, sides, step, transpositions, hand, points, worth)
    solved = (count - (step >> 1) + step - 1) // step
    for card in range(N_CARDS):
        worth[card] /= solved
    return count
