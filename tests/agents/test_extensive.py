"""Policies of games that are written out, against what has been published of Kuhn's poker."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from kloepper_agents.lab.extensive import (
    NOBODY,
    FloatArray,
    Forest,
    Solver,
    best_response,
    gains,
    values,
)


@dataclass
class Planter:
    """Writes a game out by playing it: breadth first, as all forests are."""

    seats: int
    rows: list[tuple[int, int, int, float, list[float]]] = field(default_factory=list)
    infos: dict[Any, int] = field(default_factory=dict)
    owners: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [0])

    def info(self, key: Any, owner: int, n: int) -> int:
        if key not in self.infos:
            self.infos[key] = len(self.owners)
            self.owners.append(owner)
            self.first.append(self.first[-1] + n)
        return self.infos[key]

    def node(self, parent: int, choice: int, info: int, chance: float, payoff: list[float]) -> int:
        self.rows.append((parent, choice, info, chance, payoff))
        return len(self.rows) - 1

    def forest(self) -> Forest:
        parent, choice, info, chance, payoff = zip(*self.rows, strict=True)
        return Forest(
            np.array(parent),
            np.array(choice),
            np.array(info),
            np.array(chance, float),
            np.array(payoff, float),
            np.array(self.owners),
            np.array(self.first),
        )


ENDS: dict[str, Callable[[int], float]] = {  # what seat 0 wins, by who has the better card
    "pp": lambda better: better,
    "bp": lambda better: 1,
    "bb": lambda better: 2 * better,
    "pbp": lambda better: -1,
    "pbb": lambda better: 2 * better,
}


def kuhn() -> tuple[Forest, dict[tuple[int, str], int]]:
    """Kuhn's poker: three cards, a bet of one, choices p(ass) and b(et)."""
    planter = Planter(2)

    def grow(cards: tuple[int, ...], played: str, parent: int, choice: int, chance: float) -> None:
        if played in ENDS:
            won = ENDS[played](1 if cards[0] > cards[1] else -1)
            planter.node(parent, choice, NOBODY, chance, [won, -won])
            return
        seat = len(played) % 2
        info = planter.info((cards[seat], played), seat, 2)
        node = planter.node(parent, choice, info, chance, [0, 0])
        for i, action in enumerate("pb"):
            grow(cards, played + action, node, planter.first[info] + i, 0)

    for cards in permutations(range(3), 2):
        grow(cards, "", NOBODY, NOBODY, 1 / 6)
    return planter.forest(), planter.infos


def equilibrium(forest: Forest, infos: dict[tuple[int, str], int], bluff: float) -> FloatArray:
    """One of Kuhn's equilibria: bets in each information set; `bluff` is from 0 to 1/3."""
    bets = {
        (0, ""): bluff,
        (1, ""): 0,
        (2, ""): 3 * bluff,
        (0, "pb"): 0,
        (1, "pb"): bluff + 1 / 3,
        (2, "pb"): 1,
        (0, "b"): 0,
        (1, "b"): 1 / 3,
        (2, "b"): 1,
        (0, "p"): 1 / 3,
        (1, "p"): 0,
        (2, "p"): 1,
    }
    policy = np.zeros(forest.n_choices)
    for key, info in infos.items():
        policy[forest.first[info] : forest.first[info] + 2] = 1 - bets[key], bets[key]
    return policy


@pytest.mark.parametrize("bluff", [0.0, 0.2, 1 / 3])
def test_nobody_gains_against_an_equilibrium_of_kuhn(bluff: float) -> None:
    """H. W. Kuhn (1950): the game is worth -1/18 to the first seat."""
    forest, infos = kuhn()
    policy = equilibrium(forest, infos, bluff)
    assert values(forest, policy) == pytest.approx([-1 / 18, 1 / 18])
    assert gains(forest, policy) == pytest.approx([0, 0], abs=1e-12)


def test_other_policies_of_kuhn_lose_what_is_published() -> None:
    """OpenSpiel's tests have 11/12 for the uniform one. If all pass, either wins 1 by betting."""
    forest, infos = kuhn()
    assert gains(forest, forest.uniform).sum() == pytest.approx(11 / 12)
    passing = np.tile([1.0, 0.0], len(infos))
    assert gains(forest, passing).sum() == pytest.approx(2)
    off = equilibrium(forest, infos, 0.2)
    off[forest.first[infos[2, "b"]] :][:2] = 1, 0  # folds the best card
    assert gains(forest, off)[1] > 0.1


def test_a_best_response_earns_what_it_promises() -> None:
    forest, infos = kuhn()
    most, reply = best_response(forest, forest.uniform, 0)
    assert values(forest, reply)[0] == pytest.approx(most)
    own = [infos[key] for key in infos if forest.owner[infos[key]] == 0]
    brute = max(values(forest, pure(forest, own, bets))[0] for bets in range(1 << len(own)))
    assert most == pytest.approx(brute)


def pure(forest: Forest, own: list[int], bets: int) -> FloatArray:
    """Uniform but for some information sets, which bet or pass for sure."""
    policy = forest.uniform
    for i, info in enumerate(own):
        bet = bets >> i & 1
        policy[forest.first[info] : forest.first[info] + 2] = 1 - bet, bet
    return policy


def test_cfr_finds_an_equilibrium_of_kuhn() -> None:
    forest, _ = kuhn()
    solver = Solver(forest)
    solver.run(1000)
    assert gains(forest, solver.average).sum() < 2e-3
    assert values(forest, solver.average)[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_own_decisions_are_counted_through_those_of_others() -> None:
    """A seat may stand in one information set at different depths of the forest."""
    planter = Planter(2)
    early, late, other = (
        planter.info(key, owner, 2) for key, owner in (("early", 0), ("late", 0), ("other", 1))
    )
    for asked in (False, True):  # whether seat 1 is asked, which seat 0 never learns
        root = planter.node(NOBODY, NOBODY, early, 0.5, [0, 0])
        for a in range(2):
            below, before = root, a
            ways = [(root, a)]
            if asked:
                middle = planter.node(root, a, other, 0, [0, 0])
                ways = [(middle, planter.first[other] + b) for b in range(2)]
            for below, before in ways:
                node = planter.node(below, before, late, 0, [0, 0])
                for b in range(2):
                    won = float(b == (1 if asked else 0)) + 0.1 * a
                    planter.node(node, planter.first[late] + b, NOBODY, 0, [won, -won])
    forest = planter.forest()
    assert forest.depth.tolist() == [0, 1, 0]
    most, reply = best_response(forest, forest.uniform, 0)
    assert most == pytest.approx(0.6)
    assert reply[:2].tolist() == [0, 1]
