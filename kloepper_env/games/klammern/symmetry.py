"""All suits of Klammern are alike (M1 to M3), so learners may always see trump as the first one."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.games.game import Symmetry
from kloepper_env.games.klammern.observe import LAYOUT
from kloepper_env.games.klammern.record import ACTION_NAMES, N_CARDS, N_RANKS, N_SUITS, TAKE
from kloepper_env.layout import Layout

_BY_SUIT: Final = ("void", "trump", "led", "take")  # parts with an entry for each suit
_ACTIONS: Final = Layout(
    [
        ("card", N_CARDS),
        ("pass", TAKE - N_CARDS),
        ("take", N_SUITS),
        ("other", len(ACTION_NAMES) - TAKE - N_SUITS),
    ]
)


def first_suit(observations: NDArray[np.int8]) -> NDArray[np.int64]:
    """The suit [N] that becomes the first one: trump, or before a take that of the turned card."""
    trump = observations[:, LAYOUT["trump"]]
    turned = observations[:, LAYOUT["turned"]].reshape(-1, N_SUITS, N_RANKS).any(axis=2)
    first: NDArray[np.int64] = np.where(
        trump.any(axis=1), trump.argmax(axis=1), turned.argmax(axis=1)
    )
    return first


def _places(layout: Layout, suits: Sequence[int]) -> list[int]:
    """Where the entries of a vector stood before its suits were put into an order."""
    places: list[int] = []
    for name, part in layout.items():
        if part.stop - part.start == N_CARDS:
            places += [part.start + N_RANKS * s + rank for s in suits for rank in range(N_RANKS)]
        elif name.partition(".")[0] in _BY_SUIT:
            places += [part.start + s for s in suits]
        else:
            places += range(part.start, part.stop)
    return places


def symmetry_of(hidden: Layout) -> Symmetry:
    """Way k makes suit k the first one and leaves the suits in their circle."""
    ways = [[(first + k) % N_SUITS for k in range(N_SUITS)] for first in range(N_SUITS)]
    observation, hidden_facts, actions = (
        np.array([_places(layout, suits) for suits in ways])
        for layout in (LAYOUT, hidden, _ACTIONS)
    )
    return Symmetry(first_suit, observation, hidden_facts, actions)
