"""What a seat's cards are worth in each deal that its View leaves possible, with open cards.

N deals, C classes of cards.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver.kloepper.position import blockers_of, follow, run_from
from kloepper_env.solver.kloepper.queries import position_of


@jit
def _classes(hands: Records, out: IntArray) -> int:
    """Write the classes of hands[0] as masks into `out` [C]; returns their number."""
    position = position_of(hands[0])
    moves, blockers = follow(position.h0, position.led), blockers_of(position)
    n = 0
    while moves:
        run = run_from(moves & -moves, moves, blockers)
        moves ^= run
        out[n] = run
        n += 1
    return n


def classes_of(hands: Records) -> IntArray:
    """The legal cards of the seat that plays next in hands[0], by classes: masks [C].

    Cards of one class have no card between them that another seat holds or that wins the trick in
    play, so they take the same tricks in every deal that the seat must think possible.
    """
    out = np.zeros(N_CARDS, np.int64)
    return out[: _classes(hands, out)]


@dataclass(frozen=True, eq=False)
class Choice:
    """The classes of a choice with their values in all deals, or in some drawn ones."""

    classes: IntArray  # [C] masks
    values: NDArray[Any]  # [N, C] payoff of the seat after the best card of the class


def judged(worlds: Records, leaf: DoubleDummy) -> Choice:
    """The choice of the seat that plays next in worlds [N], which are deals of one View."""
    classes = classes_of(worlds)
    cards = [[card for card in range(N_CARDS) if mask >> card & 1] for mask in classes.tolist()]
    values = leaf(worlds, np.array([card for own in cards for card in own], np.int64))
    starts = np.cumsum([0, *map(len, cards[:-1])])
    return Choice(classes, np.maximum.reduceat(values, starts, axis=1))
