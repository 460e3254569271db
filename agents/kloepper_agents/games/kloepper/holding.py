"""Which cards a seat may hold: those that only it can have, and those that it may share.

Used in knocked hands, where somebody must take every trick and so each voided suit tells.
"""

from typing import Final, NamedTuple

from kloepper_agents.games.kloepper.beating import NONE_OF, held_queen, stronger, wins_now
from kloepper_agents.games.kloepper.features import Features
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.kloepper.record import BLACK_QUEENS, FOLLOW, SUIT, TRUMPS
from kloepper_env.tricks import NONE

OUTBID: Final = 0.55  # how often an ally who can beat a card also beats what an enemy put on top


class Holding(NamedTuple):
    """What one seat may hold. Cards are masks."""

    sure: int  # cards that it has
    maybe: int  # cards that it or another may have
    n: int  # how many of those it has


Holdings = tuple[Holding, Holding, Holding, Holding]  # by relative seat; one's own is empty


@jit
def room(features: Features, k: int) -> int:
    """How many cards seat k holds."""
    return features.dealt - popcount(features.played[k])


@jit
def others_may_hold(features: Features, k: int, suit: int) -> bool:
    """Whether a hidden seat other than k may hold cards of a suit."""
    found = False
    for other in range(1, 4):
        void = features.voids[other] >> suit & 1 == 1
        found |= other != k and not void and room(features, other) > 0
    return found


@jit
def queen_of(features: Features, k: int, allies: int) -> int:
    """The black queen that seat k holds if `allies` are the seats on the player's side."""
    if features.lone:
        return features.unseen & BLACK_QUEENS if features.knocker == k else 0
    return held_queen(features, k, is_black(features, k, allies))


@jit
def is_black(features: Features, k: int, allies: int) -> int:
    """1 if seat k is black when `allies` are the seats on the player's side."""
    return features.black if allies >> k & 1 else 1 - features.black


@jit
def holding_of(features: Features, k: int, allies: int) -> Holding:
    """What seat k may hold if `allies` (a mask with the player itself) are on one side."""
    queens = queen_of(features, 1, allies) | queen_of(features, 2, allies)
    queens |= queen_of(features, 3, allies)
    hidden = features.unseen & ~(queens if is_black(features, k, allies) else BLACK_QUEENS)
    sure, maybe = queen_of(features, k, allies), 0
    for suit in range(4):
        if not features.voids[k] >> suit & 1:
            cards = hidden & int(FOLLOW[suit])
            if others_may_hold(features, k, suit):
                maybe |= cards
            else:
                sure |= cards
    n = max(room(features, k) - popcount(sure), 0)
    if n >= popcount(maybe):
        return Holding(sure | maybe, 0, 0)
    return Holding(sure, maybe, n)


@jit
def holdings_of(features: Features, allies: int) -> Holdings:
    """What each hidden seat may hold."""
    return (
        Holding(0, 0, 0),
        holding_of(features, 1, allies),
        holding_of(features, 2, allies),
        holding_of(features, 3, allies),
    )


@jit
def beats(held: Holding, best: int, led: int) -> float:
    """Probability that a seat can beat the card `best` of a trick to which `led` was led."""
    beating = stronger(best, led)
    size = popcount(held.maybe)
    if led == TRUMPS:
        if held.sure & beating:
            return 1.0
        return 1.0 - float(NONE_OF[size, popcount(held.maybe & beating), held.n])
    of_suit, trumps = int(FOLLOW[led]), int(FOLLOW[TRUMPS])
    if held.sure & of_suit & beating:
        return 1.0
    following = held.maybe & of_suit
    over = 1.0 - float(NONE_OF[size, popcount(following & beating), held.n])
    if held.sure & of_suit:
        return over
    n_following = popcount(following)
    void = float(NONE_OF[size, n_following, held.n])
    ruffing = popcount(held.maybe & beating & trumps)
    ruff = 1.0 - float(NONE_OF[size - n_following, ruffing, held.n])
    if held.sure & beating & trumps:
        ruff = 1.0
    return over + void * ruff


@jit
def cannot_be_beaten(held: Holding, best: int, led: int, enemies: int) -> bool:
    """Whether a seat surely has a card for this trick above `best` and all cards of `enemies`."""
    tops = held.sure & stronger(best, led)
    if led != TRUMPS and held.sure & int(FOLLOW[led]):
        tops &= int(FOLLOW[led])
    return tops != 0 and enemies & stronger(lowest(tops), led) == 0


@jit
def wins(features: Features, held: Holdings, card: int, allies: int) -> float:
    """Probability that the side of `allies` takes the trick in play with `card` added to it."""
    leads_it = wins_now(features, card)
    led = int(SUIT[card]) if features.winning == NONE else features.led
    best = card if leads_it else features.best
    ours = leads_it or allies >> features.winning & 1 == 1
    quiet, enemies = 1.0, 0  # quiet: no enemy behind can beat it
    for k in range(1, 4):
        if features.behind >> k & 1 and not allies >> k & 1:
            quiet *= 1.0 - beats(held[k], best, led)
            enemies |= held[k].sure | held[k].maybe
    lost = 1.0  # an enemy card on top stays there
    for k in range(1, 4):
        if features.behind >> k & 1 and allies >> k & 1:
            over = beats(held[k], best, led)
            last = over if cannot_be_beaten(held[k], best, led, enemies) else OUTBID * over
            lost *= 1.0 - (last if ours else max(over * quiet, last))
    return quiet + (1.0 - quiet) * (1.0 - lost) if ours else 1.0 - lost
