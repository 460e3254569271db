"""Clubs and spades of Kloepper exchanged: all their plain cards, and no trump (K2, K3)."""

from typing import Final

import numpy as np

from kloepper_agents.base import IntArray
from kloepper_agents.inputs import Twin
from kloepper_env.games.kloepper.learning import HIDDEN
from kloepper_env.games.kloepper.record import CALL, CLUBS, FOLLOW, N_ACTIONS, N_CARDS, SPADES
from kloepper_env.layout import Layout

_BY_SUIT: Final = ("void", "called", "led", "may_hold", "out")  # parts with an entry for each suit
_ACTIONS: Final = Layout(
    [("card", N_CARDS), ("said", CALL - N_CARDS), ("called", N_ACTIONS - CALL)]
)


def twin_of(inputs: Layout) -> Twin:
    """How decisions are exchanged whose inputs have this layout."""
    return Twin(_places(inputs), _places(_ACTIONS), _places(HIDDEN))


def _places(layout: Layout) -> IntArray:
    """Where the entries of a vector stand when clubs and spades are exchanged."""
    places = np.arange(layout.size)
    for name, part in layout.items():
        own = places[part]  # a view
        if len(own) == N_CARDS:
            clubs, spades = (_cards(suit) for suit in (CLUBS, SPADES))
            own[[*clubs, *spades]] = own[[*spades, *clubs]]
        elif name.partition(".")[0] in _BY_SUIT:
            own[[CLUBS, SPADES]] = own[[SPADES, CLUBS]]
    return places


def _cards(suit: int) -> list[int]:
    return [card for card in range(N_CARDS) if int(FOLLOW[suit]) >> card & 1]
