"""What learners need to know of Kloepper: the size of its numbers, hidden facts, what to watch."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.engine import Records
from kloepper_env.games.game import Learning
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS
from kloepper_env.layout import Layout
from kloepper_env.tricks import NONE

HIDDEN: Final = Layout(
    [
        *((f"cards.{k}", N_CARDS) for k in (1, 2, 3)),  # held by the seats from the left on
        ("ally", N_SEATS - 1),  # those of them on the side of the seat that decides
    ]
)


def hidden_facts(hands: Records) -> NDArray[np.int8]:
    """The other hands and the true sides [N, H], laid out as HIDDEN."""
    turn = hands["turn"].astype(np.int64)
    others = (turn[:, None] + np.arange(1, N_SEATS)) % N_SEATS
    masks = np.take_along_axis(hands["hands"], others, 1).astype(np.int64)
    cards = masks[:, :, None] >> np.arange(N_CARDS) & 1
    black = hands["black"].astype(np.int64)[:, None]
    ally = (black >> others & 1) == (black >> turn[:, None] & 1)
    return np.concatenate([cards.reshape(len(hands), -1), ally], 1).astype(np.int8)


def rates(hands: Records, scores: NDArray[np.int64]) -> dict[str, float]:
    """Knocks, knock-offs and wins of the black side per hand; calls and hands played alone per
    hand in which one seat was dealt both black queens.
    """
    n_double = max(int(_is_single(hands["queens"]).sum()), 1)
    black = hands["black"][:, None] >> np.arange(N_SEATS) & 1
    return {
        "knock": float((hands["knocker"] != NONE).mean()),
        "knock_off": float((hands["knocked_off"] != NONE).mean()),
        "call": int((hands["caller"] != NONE).sum()) / n_double,
        "alone": int(_is_single(hands["black"]).sum()) / n_double,
        "black_wins": float(((scores > 0) & (black == 1)).any(axis=1).mean()),
    }


def _is_single(seats: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether masks of seats hold a single one."""
    single: NDArray[np.bool_] = seats & (seats - 1) == 0
    return single


LEARNING: Final = Learning(
    unit=6.0,  # the largest normal score of two against two (K20)
    counts={"points": 120.0, "tricks": 6.0},
    hidden=HIDDEN,
    hidden_facts=hidden_facts,
    rates=rates,
)
