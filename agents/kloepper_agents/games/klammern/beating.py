"""Who can beat which card in Klammern: probabilities from Features, counting unseen cards."""

from typing import Final

from kloepper_agents.games.klammern.features import ABOVE, Features, held_by, suit_cards
from kloepper_agents.hypergeometric import none_table
from kloepper_env._jit import jit, popcount
from kloepper_env.games.klammern.record import HAND_SIZE, N_CARDS, N_RANKS, N_SUITS, STRENGTH
from kloepper_env.tricks import NONE

NONE_OF: Final = none_table(N_CARDS - HAND_SIZE, HAND_SIZE)


@jit
def suit_of(card: int) -> int:
    """The printed suit of a card."""
    return card // N_RANKS


@jit
def pool_of(features: Features, k: int) -> int:
    """The unseen cards that a seat may hold beside those it is known to hold."""
    pool = features.unseen
    for other in range(1, 4):
        pool &= ~features.known[other]
    for suit in range(N_SUITS):
        if features.voids[k] >> suit & 1:
            pool &= ~suit_cards(suit)
    return pool


@jit
def can_beat(features: Features, k: int, best: int, led: int) -> float:
    """Probability that seat k can beat `best` in a trick to which `led` was led (M13 to M18)."""
    known, pool = features.known[k], pool_of(features, k)
    n, size = held_by(features, k) - popcount(known), popcount(pool)
    above, following = int(ABOVE[features.trump, best]), suit_cards(led)
    over = above & following  # nothing if a trump lies on another suit
    sure = known & over != 0
    beats = 1.0 if sure else 1.0 - NONE_OF[size, popcount(pool & over), n]
    if led == features.trump or known & following:
        return beats
    trumps = above if suit_of(best) == features.trump else suit_cards(features.trump)
    n_following = popcount(pool & following)
    void = NONE_OF[size, n_following, n]
    ruff = 1.0 - NONE_OF[size - n_following, popcount(pool & trumps), n]
    return float(beats + void * (1.0 if known & trumps else ruff))


@jit
def wins_now(features: Features, card: int) -> bool:
    """Whether a card takes the lead in the trick in play (M18)."""
    if features.winning == NONE:
        return True
    strength = STRENGTH[features.trump, features.led]
    return bool(strength[card] > strength[features.best])
