"""Who can beat which card: probabilities from Features, by counting the cards that are not seen."""

from typing import Final

from kloepper_agents.games.kloepper.features import Features
from kloepper_agents.hypergeometric import none_table
from kloepper_env._jit import jit, popcount
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    FOLLOW,
    HAND_SIZE,
    N_CARDS,
    STRENGTH,
    SUIT,
    TRUMPS,
)
from kloepper_env.tricks import NONE

NONE_OF: Final = none_table(N_CARDS - HAND_SIZE, HAND_SIZE)


@jit
def stronger(best: int, led: int) -> int:
    """Mask of the cards of its own suit that beat `best`, and of the trumps if it is none."""
    suit = int(SUIT[best])
    above = int(FOLLOW[suit]) & (1 << best) - 1
    return above if suit == TRUMPS else above | int(FOLLOW[TRUMPS])


@jit
def enemy_cards(features: Features) -> int:
    """Unseen cards that may lie with an enemy: a black player's partner has the unseen queens."""
    return features.unseen & ~BLACK_QUEENS if features.black else features.unseen


@jit
def held_queen(features: Features, k: int, as_black: int) -> int:
    """Hidden black queens that seat k holds if it is (not) on the black side."""
    hidden = features.unseen & BLACK_QUEENS
    if features.caller != NONE:
        return hidden if features.caller == k else 0
    if as_black and not features.played[k] & BLACK_QUEENS:
        return hidden & -hidden if features.black else hidden & 2 or hidden
    return 0


@jit
def can_beat(features: Features, k: int, best: int, led: int, as_black: int) -> float:
    """Probability that seat k, if it is (not) on the black side, can beat `best` in this trick."""
    queen = held_queen(features, k, as_black)
    pool = features.unseen & ~BLACK_QUEENS
    for suit in range(4):
        if features.voids[k] >> suit & 1:
            pool &= ~int(FOLLOW[suit])
    n = max(features.dealt - popcount(features.played[k]) - popcount(queen), 0)
    size = popcount(pool)
    beating = stronger(best, led)
    queen_beats = queen & beating != 0
    if led == TRUMPS:
        return 1.0 if queen_beats else 1.0 - NONE_OF[size, popcount(pool & beating), n]
    following = pool & int(FOLLOW[led])
    n_following = popcount(following)
    void = NONE_OF[size, n_following, n]
    ruffing = popcount(pool & beating & int(FOLLOW[TRUMPS]))
    ruff = 1.0 if queen_beats else 1.0 - NONE_OF[size - n_following, ruffing, n]
    over = 1.0 - NONE_OF[size, popcount(following & beating), n]
    return float(over + void * ruff)


@jit
def wins_now(features: Features, card: int) -> bool:
    """Whether a card takes the lead in the trick in play."""
    if features.winning == NONE:
        return True
    return bool(STRENGTH[features.led, card] > STRENGTH[features.led, features.best])
