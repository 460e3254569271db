"""Games small enough to be written out: what a policy is worth, what deviating gains, equilibria.

A game is a forest in which parents come before their children; its roots are what chance has dealt.
N nodes, T of them ends, I information sets, S seats, and A choices: the actions of all information
sets one after the other. A policy is a probability for each choice. Seats must remember what they
knew and did (perfect recall).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray, jit

FloatArray = NDArray[np.float64]
NOBODY: Final = -1
"""The information set of an end, the parent and the choice of a root."""


@dataclass(frozen=True, eq=False)
class Forest:
    """All ways a game can go."""

    parent: NDArray[Any]  # [N] NOBODY at a root
    choice: NDArray[Any]  # [N] the choice that leads here; NOBODY at a root
    info: NDArray[Any]  # [N] the information set of the seat that decides; NOBODY at an end
    chance: FloatArray  # [N] probability of a root, 0 elsewhere
    payoff: NDArray[Any]  # [N, S] of an end, 0 elsewhere
    owner: IntArray  # [I] the seat
    first: IntArray  # [I + 1] where the choices of an information set begin; the last is A

    @property
    def n_seats(self) -> int:
        return int(self.payoff.shape[1])

    @property
    def n_choices(self) -> int:
        return int(self.first[-1])

    @property
    def uniform(self) -> FloatArray:
        """The policy [A] that takes any action of an information set."""
        sizes = np.diff(self.first)
        return np.repeat(1.0 / sizes, sizes)

    @cached_property
    def depth(self) -> IntArray:
        """[I] how many decisions its seat has made before an information set."""
        depth = np.zeros(len(self.owner), np.int64)
        made = np.zeros((len(self.parent), self.n_seats), np.int8)
        _count_decisions(self.parent, self.info, self.owner, made, depth)
        return depth


def values(forest: Forest, policy: FloatArray) -> FloatArray:
    """What each seat [S] gets on average if all play a policy [A]."""
    reach = _reach(forest, policy, NOBODY)
    total: FloatArray = reach @ forest.payoff
    return total


def value_of(forest: Forest, policy: FloatArray, seat: int) -> float:
    """What one seat gets on average if all play a policy [A]."""
    return float(_reach(forest, policy, NOBODY) @ forest.payoff[:, seat])


def best_response(forest: Forest, policy: FloatArray, seat: int) -> tuple[float, FloatArray]:
    """The most that a seat can get while the others play a policy [A], and a policy [A] for it.

    What the policy says of the seat itself does not matter, and the choices of others are left.
    """
    reply = policy.copy()
    reach = _reach(forest, policy, seat)
    worth = np.zeros(len(forest.parent))
    sums = np.zeros(forest.n_choices)
    own = forest.owner == seat
    for depth in range(int(forest.depth[own].max(initial=-1)), -1, -1):
        _look_back(forest, reply, seat, reach, worth, sums)
        here = np.flatnonzero(own & (forest.depth == depth))
        _take_best(here, forest.first, sums, reply)
    return value_of(forest, reply, seat), reply


def gains(forest: Forest, policy: FloatArray) -> FloatArray:
    """What each seat [S] can gain by deviating alone; the sum over the seats is NashConv."""
    now = values(forest, policy)
    most = [best_response(forest, policy, seat)[0] for seat in range(forest.n_seats)]
    return np.array(most) - now


class Solver:
    """CFR+ (Tammelin 2014): regret matching that forgets negative regrets, seats taking turns.

    `average` weighs later policies more. Its gains go to 0 in games of two whose payoffs sum to 0.
    With more seats nothing is promised, but `gains` tells how near an equilibrium it is.
    """

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.policy = forest.uniform
        self.iterations = 0
        self._regrets = np.zeros(forest.n_choices)
        self._sums = np.zeros(forest.n_choices)
        self._worth = np.zeros(len(forest.parent))
        self._own_reach = np.zeros(len(forest.owner))

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        forest = self.forest
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(forest.n_seats):
                reach = _reach(forest, self.policy, seat)
                sums = np.zeros(forest.n_choices)
                _look_back(forest, self.policy, seat, reach, self._worth, sums)
                _own_reaches(forest, self.policy, seat, self._own_reach)
                _match_regrets(
                    seat,
                    forest.owner,
                    forest.first,
                    sums,
                    self._own_reach,
                    float(self.iterations),
                    self._regrets,
                    self.policy,
                    self._sums,
                )

    @property
    def average(self) -> FloatArray:
        """The policy [A] so far, later iterations counting more."""
        forest, sizes = self.forest, np.diff(self.forest.first)
        totals = np.repeat(np.add.reduceat(self._sums, forest.first[:-1]), sizes)
        mean = forest.uniform
        np.divide(self._sums, totals, out=mean, where=totals > 0)
        return mean


# --- compiled ----------------------------------------------------------------------------------


def _reach(forest: Forest, policy: FloatArray, without: int) -> FloatArray:
    """How likely each node [N] is reached if the seat `without` does all to get there."""
    reach = forest.chance.copy()
    _spread_reach(forest.parent, forest.choice, forest.info, forest.owner, policy, without, reach)
    return reach


def _look_back(
    forest: Forest,
    policy: FloatArray,
    seat: int,
    reach: FloatArray,
    worth: FloatArray,
    sums: FloatArray,
) -> None:
    """What each node is worth [N] to a seat, and each of its choices, times their reach [A]."""
    worth[:] = forest.payoff[:, seat]
    sums[:] = 0.0
    _back_up(
        forest.parent, forest.choice, forest.info, forest.owner, policy, seat, reach, worth, sums
    )


def _own_reaches(forest: Forest, policy: FloatArray, seat: int, out: FloatArray) -> None:
    """How likely a seat does its part to reach each of its information sets [I]."""
    reach = np.zeros(len(forest.parent))
    _reach_alone(forest.parent, forest.choice, forest.info, forest.owner, policy, seat, reach, out)


@jit
def _count_decisions(
    parent: IntArray, info: IntArray, owner: IntArray, made: IntArray, depth: IntArray
) -> None:
    for n in range(len(parent)):
        above = parent[n]
        if above >= 0:
            for seat in range(made.shape[1]):
                made[n, seat] = made[above, seat]
            made[n, owner[info[above]]] += 1
        if info[n] >= 0:
            depth[info[n]] = made[n, owner[info[n]]]


@jit
def _spread_reach(
    parent: IntArray,
    choice: IntArray,
    info: IntArray,
    owner: IntArray,
    policy: FloatArray,
    without: int,
    reach: FloatArray,
) -> None:
    for n in range(len(parent)):
        above = parent[n]
        if above >= 0:
            reach[n] = reach[above]
            if owner[info[above]] != without:
                reach[n] *= policy[choice[n]]


@jit
def _reach_alone(
    parent: IntArray,
    choice: IntArray,
    info: IntArray,
    owner: IntArray,
    policy: FloatArray,
    seat: int,
    reach: FloatArray,
    out: FloatArray,
) -> None:
    for n in range(len(parent)):
        above = parent[n]
        if above < 0:
            reach[n] = 1.0
        else:
            reach[n] = reach[above]
            if owner[info[above]] == seat:
                reach[n] *= policy[choice[n]]
        if info[n] >= 0 and owner[info[n]] == seat:
            out[info[n]] = reach[n]


@jit
def _back_up(
    parent: IntArray,
    choice: IntArray,
    info: IntArray,
    owner: IntArray,
    policy: FloatArray,
    seat: int,
    reach: FloatArray,
    worth: FloatArray,
    sums: FloatArray,
) -> None:
    for n in range(len(parent) - 1, -1, -1):
        above = parent[n]
        if above >= 0:
            worth[above] += policy[choice[n]] * worth[n]
            if owner[info[above]] == seat:
                sums[choice[n]] += reach[n] * worth[n]


@jit
def _take_best(here: IntArray, first: IntArray, sums: FloatArray, reply: FloatArray) -> None:
    for i in range(len(here)):
        start, stop = first[here[i]], first[here[i] + 1]
        best = start
        for a in range(start, stop):
            reply[a] = 0.0
            if sums[a] > sums[best]:
                best = a
        reply[best] = 1.0


@jit
def _match_regrets(
    seat: int,
    owner: IntArray,
    first: IntArray,
    sums: FloatArray,
    own_reach: FloatArray,
    weight: float,
    regrets: FloatArray,
    policy: FloatArray,
    totals: FloatArray,
) -> None:
    for i in range(len(owner)):
        if owner[i] != seat:
            continue
        start, stop = first[i], first[i + 1]
        mean = 0.0
        for a in range(start, stop):
            mean += policy[a] * sums[a]
        total = 0.0
        for a in range(start, stop):
            regrets[a] = max(regrets[a] + sums[a] - mean, 0.0)
            total += regrets[a]
        for a in range(start, stop):
            policy[a] = regrets[a] / total if total > 0.0 else 1.0 / (stop - start)
            totals[a] += weight * own_reach[i] * policy[a]
