"""What learners need to know of Klammern: the size of its numbers, hidden facts, what to watch."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.engine import Records
from kloepper_env.games.game import Learning, Symmetry
from kloepper_env.games.klammern.kernels import deal_out
from kloepper_env.games.klammern.observe import LAYOUT
from kloepper_env.games.klammern.record import (
    ACTION_NAMES,
    HAND_SIZE,
    N_CARDS,
    N_RANKS,
    N_SEATS,
    N_SUITS,
    TAKE,
)
from kloepper_env.layout import Layout
from kloepper_env.tricks import NONE

HIDDEN: Final = Layout(
    [
        *((f"cards.{k}", N_CARDS) for k in (1, 2, 3)),  # held by the seats from the left on
        *((f"coming.{k}", N_CARDS) for k in range(N_SEATS)),  # dealt to a seat if I take now (M9)
    ]
)


def hidden_facts(hands: Records) -> NDArray[np.int8]:
    """The other hands and the cards still to be dealt [N, H], laid out as HIDDEN."""
    whole = hands.copy()
    deal_out(whole)
    seats = (hands["turn"].astype(np.int64)[:, None] + np.arange(N_SEATS)) % N_SEATS
    held = np.take_along_axis(hands["hands"], seats, 1)
    coming = np.take_along_axis(whole["hands"], seats, 1) & ~held
    masks = np.concatenate([held[:, 1:], coming], 1)
    cards = masks[:, :, None] >> np.arange(N_CARDS) & 1
    return cards.reshape(len(hands), -1).astype(np.int8)


# --- all suits are alike (M1 to M3) --------------------------------------------------------------


def first_suit(observations: NDArray[np.int8]) -> NDArray[np.int64]:
    """The suit [N] to be renamed to the first: trump, or before a take that of the turned card."""
    trump = observations[:, LAYOUT["trump"]]
    turned = observations[:, LAYOUT["turned"]].reshape(-1, N_SUITS, N_RANKS).any(axis=2)
    return np.where(trump.any(axis=1), trump.argmax(axis=1), turned.argmax(axis=1))


def _places(parts: Layout, suits: Sequence[int]) -> list[int]:
    """Where the entries of a vector stood before its suits were put into an order."""
    places: list[int] = []
    for name, part in parts.items():
        if part.stop - part.start == N_CARDS:
            places += [part.start + N_RANKS * s + rank for s in suits for rank in range(N_RANKS)]
        elif name.partition(".")[0] in _BY_SUIT:
            places += [part.start + s for s in suits]
        else:
            places += range(part.start, part.stop)
    return places


_BY_SUIT: Final = ("void", "trump", "led", "take")  # parts with an entry for each suit
_ACTIONS: Final = Layout(
    [
        ("card", N_CARDS),
        ("pass", TAKE - N_CARDS),
        ("take", N_SUITS),
        ("other", len(ACTION_NAMES) - TAKE - N_SUITS),
    ]
)


def _symmetry() -> Symmetry:
    """Way k makes suit k the first one and leaves the suits in their circle."""
    ways = [[(first + k) % N_SUITS for k in range(N_SUITS)] for first in range(N_SUITS)]
    observation, hidden, actions = (
        np.array([_places(parts, suits) for suits in ways]) for parts in (LAYOUT, HIDDEN, _ACTIONS)
    )
    return Symmetry(first_suit, observation, hidden, actions)


def rates(hands: Records, scores: NDArray[np.int64]) -> dict[str, float]:
    """Takes in the first and the second choice per hand; Kontra, Re, wins of the takers and
    Durchmarsch per hand played.
    """
    taker, rows = hands["taker"], np.arange(len(hands))
    is_played = taker != NONE
    n_played = max(int(is_played.sum()), 1)
    first = is_played & (hands["trump"] == hands["turned"] // N_RANKS)
    tricks = hands["counts"][:, None] >> 8 * np.arange(N_SEATS, 2 * N_SEATS) & 255
    swept = tricks[:, :2] + tricks[:, 2:] == HAND_SIZE
    wins = is_played & (scores[rows, taker] > scores[rows, taker ^ 1])
    return {
        "take_first": float(first.mean()),
        "take_second": float((is_played & ~first).mean()),
        "kontra": int((hands["kontra"] != NONE).sum()) / n_played,
        "re": int((hands["re"] != NONE).sum()) / n_played,
        "takers_win": int(wins.sum()) / n_played,
        "durchmarsch": int(swept.any(axis=1).sum()) / n_played,
    }


LEARNING: Final = Learning(
    unit=162.0,  # all trick points of a round (M4)
    counts={"points": 162.0, "tricks": 8.0, "extra": 10.0},
    hidden=HIDDEN,
    hidden_facts=hidden_facts,
    rates=rates,
    symmetry=_symmetry(),
)
