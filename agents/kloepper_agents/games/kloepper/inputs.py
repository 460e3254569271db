"""Facts that networks of Kloepper take besides the observation, worked out from it (`inputs`).

Trained policies rest on every number here: what is to change becomes another version.
"""

from typing import Final

import numpy as np

from kloepper_agents.base import Int8Array
from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.beating import stronger, wins_now
from kloepper_agents.games.kloepper.features import (
    FLAG_WORDS,
    Features,
    Probabilities,
    features_of,
    holds_one,
    side_of,
)
from kloepper_agents.inputs import Derived
from kloepper_env._jit import IntArray, jit, lowest, popcount
from kloepper_env.games.kloepper import observe
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    FIRST_OF_SUIT,
    FOLLOW,
    HAND_SIZE,
    N_CARDS,
    N_SEATS,
    SUIT,
    TRUMPS,
)
from kloepper_env.layout import Layout
from kloepper_env.tricks import NONE

STEPS: Final = 11  # card points of a side are told in steps of ten, of which the first is a point
PERCENT: Final = 100

DERIVED: Final = Layout(
    [
        ("unseen", N_CARDS),  # cards in the other hands
        ("top", N_CARDS),  # own cards that no unseen card of their suit beats
        ("second", N_CARDS),  # own cards that a single one beats
        ("takes", N_CARDS),  # own cards that would lead the trick
        ("holds", N_CARDS),  # those of them that only a hidden void of a seat behind can beat
        *((f"may_hold.{k}", 4) for k in (1, 2, 3)),  # suits a seat can still have
        ("behind", N_SEATS),  # how many seats play after the observer
        ("mine", STEPS),  # card points of the observer's side, at least 1, 11, ... 101
        ("theirs", STEPS),  # of the other side
        ("out", 4),  # unseen cards of each suit
        ("on_table", 1),  # card points of the trick in play
        ("with_me", 3),  # percent: seats 1 to 3 on the observer's side, by who can hold what tells
        ("trick_is_mine", 2),  # percent: the card that wins so far is of the observer's side, not
    ]
)
TOP, SECOND, TAKES, HOLDS = (DERIVED.start(name) for name in ("top", "second", "takes", "holds"))
MAY_HOLD, BEHIND, MINE, THEIRS = (
    DERIVED.start(name) for name in ("may_hold.1", "behind", "mine", "theirs")
)
OUT, ON_TABLE, WITH_ME = (DERIVED.start(name) for name in ("out", "on_table", "with_me"))
TRICK_IS_MINE: Final = DERIVED.start("trick_is_mine")
_SCALES: Final = {"out": 0.2, "on_table": 0.05, "with_me": 0.01, "trick_is_mine": 0.01}


def derived() -> Derived:
    """Version 1 of the inputs of Kloepper."""
    scale = [_SCALES.get(name, 1.0) for name, size in DERIVED.parts for _ in range(size)]
    return Derived(tuple(scale), work_out)


def work_out(observations: Int8Array) -> Int8Array:
    """Facts int8 [N, F], laid out as DERIVED, of observations int8 [N, W]."""
    facts = np.zeros((len(observations), DERIVED.size), np.int8)
    _work_out(words_of(observations, observe.WORDS), facts)
    return facts


@jit
def _work_out(words: IntArray, facts: Int8Array) -> None:
    for i in range(len(facts)):
        features = features_of(words[i], 0)
        flags = bits_of(words[i], observe.CARD_WORDS, FLAG_WORDS)
        ally, enemy = (flags >> observe.ALLY & 7) << 1, (flags >> observe.ENEMY & 7) << 1
        _cards(features, facts[i])
        _seats(features, facts[i])
        _points(features, _with_me(features, ally, enemy), facts[i])


@jit
def _cards(features: Features, facts: Int8Array) -> None:
    for card in range(N_CARDS):
        facts[card] = features.unseen >> card & 1
        if features.hand >> card & 1:
            beating = popcount(features.unseen & stronger(card, 0) & _suit_of(card))
            facts[TOP + card] = beating == 0
            facts[SECOND + card] = beating == 1
            takes = wins_now(features, card)
            facts[TAKES + card] = takes
            facts[HOLDS + card] = takes and not _known_beaten(features, card)
    for suit in range(4):
        facts[OUT + suit] = popcount(features.unseen & int(FOLLOW[suit]))


@jit
def _suit_of(card: int) -> int:
    return int(FOLLOW[SUIT[card]])


@jit
def _known_beaten(features: Features, card: int) -> bool:
    """Whether a seat behind may beat a card that leads the trick, were it void only where seen."""
    led = features.led if features.led != NONE else int(SUIT[card])
    beating = features.unseen & stronger(card, led)
    trumps = int(FOLLOW[TRUMPS])
    beaten = False
    for k in range(1, N_SEATS):
        if features.behind >> k & 1:
            is_void = features.voids[k] >> led & 1 or features.unseen & int(FOLLOW[led]) == 0
            may_play = trumps if is_void else int(FOLLOW[led])
            has_none = may_play == trumps and features.voids[k] >> TRUMPS & 1
            beaten |= not has_none and beating & may_play != 0
    return beaten


@jit
def _seats(features: Features, facts: Int8Array) -> None:
    for k in range(1, N_SEATS):
        for suit in range(4):
            is_out = features.unseen & int(FOLLOW[suit]) != 0
            facts[MAY_HOLD + 4 * (k - 1) + suit] = is_out and not features.voids[k] >> suit & 1
    facts[BEHIND + popcount(features.behind)] = 1


@jit
def _points(features: Features, with_me: Probabilities, facts: Int8Array) -> None:
    """Points of the sides, a seat's by the probability that it is on the observer's side."""
    mine, theirs = 0.0, 0.0
    for k in range(N_SEATS):
        mine += with_me[k] * features.points[k]
        theirs += (1.0 - with_me[k]) * features.points[k]
    for step in range(STEPS):
        facts[MINE + step] = mine >= 10 * step + 1
        facts[THEIRS + step] = theirs >= 10 * step + 1
    for k in range(1, N_SEATS):
        facts[WITH_ME + k - 1] = round(PERCENT * with_me[k])
    facts[ON_TABLE] = features.on_table
    if features.winning != NONE:
        sure = round(PERCENT * with_me[features.winning])
        facts[TRICK_IS_MINE] = sure
        facts[TRICK_IS_MINE + 1] = PERCENT - sure


# --- who is with whom: as in features.py, but without its fitted constants, which may change -----


@jit
def _with_me(features: Features, ally: int, enemy: int) -> Probabilities:
    """Probability that each seat is on the observer's side: by who can hold the cards that tell."""
    if features.caller != NONE:
        telling = features.unseen & 1 << int(FIRST_OF_SUIT[features.called])
    else:
        telling = features.unseen & BLACK_QUEENS
    suit = int(SUIT[lowest(telling)]) if telling else TRUMPS
    known = ally | enemy
    hidden = popcount(telling)
    for k in range(1, N_SEATS):
        known_black = (ally if features.black else enemy) >> k & 1
        if features.caller == NONE and known_black and not features.played[k] & BLACK_QUEENS:
            hidden -= 1  # it has knocked and not shown its queen
    weights = (
        _weight(features, 1, known, suit),
        _weight(features, 2, known, suit),
        _weight(features, 3, known, suit),
    )
    black = features.black
    return (
        1.0,
        side_of(ally >> 1 & 1, enemy >> 1 & 1, black, holds_one(hidden, 0, weights)),
        side_of(ally >> 2 & 1, enemy >> 2 & 1, black, holds_one(hidden, 1, weights)),
        side_of(ally >> 3 & 1, enemy >> 3 & 1, black, holds_one(hidden, 2, weights)),
    )


@jit
def _weight(features: Features, k: int, known: int, suit: int) -> float:
    """How likely seat k holds a hidden card of a suit, up to a factor."""
    if known >> k & 1 or features.voids[k] >> suit & 1:
        return 0.0
    return float(HAND_SIZE - popcount(features.played[k]))
