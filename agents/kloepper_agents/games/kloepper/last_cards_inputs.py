"""Version 2 of the inputs of Kloepper: version 1, and what the last cards are worth (`last_cards`).

From two cards a hand on all deals that are possible are solved, of those of three cards some. A
network need not learn to count there, and is left to learn what no count says: how likely the
deals are by how they were played.
"""

import threading
from typing import Final

import numpy as np

from kloepper_agents.base import Int8Array
from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.features import FLAG_WORDS, features_of
from kloepper_agents.games.kloepper.inputs import DERIVED, derived, work_out
from kloepper_agents.games.kloepper.last_cards import FloatArray, worth_of_last_cards
from kloepper_agents.games.kloepper.twin import twin_of
from kloepper_agents.inputs import Derived, Twin
from kloepper_env._jit import IntArray, jit, popcount
from kloepper_env.engine import Records
from kloepper_env.games.kloepper import observe
from kloepper_env.games.kloepper.record import HAND, N_CARDS
from kloepper_env.layout import Layout
from kloepper_env.solver.kloepper.queries import ILLEGAL
from kloepper_env.solver.kloepper.transpositions import WORDS as TABLE_WORDS

FEW_CARDS: Final = 3  # held by the observer, where its cards are valued
SOLVED: Final = np.array([0, 90, 90, 32])
"""[cards held] most deals that are solved; all of two cards a hand."""
NEAR, FAR = 4.0, 1.0  # a card that loses 1 / NEAR of payoff to the best is e times less near

ENDING: Final = Layout(
    [
        ("ending", 1),  # the cards are valued
        ("near", N_CARDS),  # percent: e to the power of -NEAR times what the card loses
        ("far", N_CARDS),  # percent: the same by FAR
    ]
)
_FLAG, _NEAR, _FAR = (ENDING.start(name) for name in ("ending", "near", "far"))
_PERCENT: Final = 100.0


class _Memory(threading.local):
    """What the solver writes to; one a thread."""

    def __init__(self) -> None:
        self.transpositions = np.zeros(TABLE_WORDS, np.int64)
        self.scratch = np.zeros(1, HAND)
        self.points = np.empty(N_CARDS, np.int64)
        self.worth = np.empty(N_CARDS)


_memory: Final = _Memory()


def with_endings() -> Derived:
    """Version 2 of the inputs of Kloepper."""
    scale = (*derived().scale, 1.0, *(1 / _PERCENT for _ in range(2 * N_CARDS)))
    return Derived(scale, work_out_with_endings, _twin)


def _twin() -> Twin:
    return twin_of(Layout([*observe.LAYOUT.parts, *DERIVED.parts, *ENDING.parts]))


def work_out_with_endings(observations: Int8Array) -> Int8Array:
    """Facts int8 [N, F], laid out as DERIVED and then ENDING, of observations int8 [N, W]."""
    facts = np.zeros((len(observations), DERIVED.size + ENDING.size), np.int8)
    facts[:, : DERIVED.size] = work_out(observations)
    memory = _memory
    _work_out(
        words_of(observations, observe.WORDS),
        facts[:, DERIVED.size :],
        memory.transpositions,
        memory.scratch,
        memory.points,
        memory.worth,
    )
    return facts


@jit
def _work_out(
    words: IntArray,
    facts: Int8Array,
    transpositions: IntArray,
    scratch: Records,
    points: IntArray,
    worth: FloatArray,
) -> None:
    for i in range(len(facts)):
        n_held = popcount(bits_of(words[i], 0, 3))
        flags = bits_of(words[i], observe.CARD_WORDS, FLAG_WORDS)
        if 0 < n_held <= FEW_CARDS and flags >> observe.PLAYER & 1:
            features = features_of(words[i], 0)
            sides = (flags >> observe.ALLY & 7) << 1 | (flags >> observe.ENEMY & 7) << 5
            most = int(SOLVED[n_held])
            if worth_of_last_cards(features, sides, most, transpositions, scratch, points, worth):
                _write(points, worth, facts[i])


@jit
def _write(points: IntArray, worth: FloatArray, facts: Int8Array) -> None:
    """Write what the legal cards lose to the best; `points` are those of any of the deals."""
    best = -np.inf
    for card in range(N_CARDS):
        if points[card] != ILLEGAL:
            best = max(best, worth[card])
    facts[_FLAG] = 1
    for card in range(N_CARDS):
        if points[card] != ILLEGAL:
            loss = best - worth[card]
            facts[_NEAR + card] = round(_PERCENT * np.exp(-NEAR * loss))
            facts[_FAR + card] = round(_PERCENT * np.exp(-FAR * loss))
