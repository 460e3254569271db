"""What learners need to know of Klammern: the size of its numbers, hidden facts, what to watch."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.engine import Records
from kloepper_env.games.game import Learning
from kloepper_env.games.klammern.kernels import deal_out
from kloepper_env.games.klammern.record import HAND_SIZE, N_CARDS, N_RANKS, N_SEATS
from kloepper_env.games.klammern.symmetry import symmetry_of
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
    symmetry=symmetry_of(HIDDEN),
)
