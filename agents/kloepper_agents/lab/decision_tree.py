"""Small decision trees that choose an action by what it is worth, not by how often it is right.

N cases, A actions, K features.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.statistics import FloatArray

IntTable = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Leaf:
    """Do this."""

    action: int
    weight: float  # of the cases it was fitted to
    value: float  # their mean value with this action


@dataclass(frozen=True, slots=True)
class Split:
    """If the feature is at least so much take one branch, else the other."""

    feature: int
    at_least: int
    yes: "Tree"
    no: "Tree"


Tree = Leaf | Split


def fit(
    features: IntTable, values: FloatArray, weights: FloatArray, depth: int, worth: float = 0.0
) -> Tree:
    """The tree of at most `depth` questions that greedy splitting finds.

    `features` [N, K] are whole numbers, `values` [N, A] what each action is worth in each case,
    `weights` [N] how often it comes. A split is made where it and those below add more than `worth`
    to the total value; the value of its branches counts one question further than itself, so that
    two features that matter together are found.
    """
    totals = weights @ values
    best = Leaf(int(totals.argmax()), float(weights.sum()), float(totals.max() / weights.sum()))
    if depth == 0:
        return best
    found, gained = None, float(totals.max()) + 1e-9
    for feature in range(features.shape[1]):
        for at_least in np.unique(features[:, feature])[1:]:
            yes = features[:, feature] >= at_least
            value = sum(
                _value(features[side], values[side], weights[side], min(depth - 1, 1))
                for side in (yes, ~yes)
            )
            if value > gained:
                found, gained = (feature, int(at_least), yes), value
    if found is None:
        return best
    feature, at_least, yes = found
    branches = [fit(features[s], values[s], weights[s], depth - 1, worth) for s in (yes, ~yes)]
    split = Split(feature, at_least, *branches)
    return split if _total(split) > float(totals.max()) + max(worth, 1e-9) else best


def _total(tree: Tree) -> float:
    """The value of a tree over all the cases it was fitted to."""
    if isinstance(tree, Leaf):
        return tree.weight * tree.value
    return _total(tree.yes) + _total(tree.no)


def _value(features: IntTable, values: FloatArray, weights: FloatArray, depth: int) -> float:
    """The most that a tree of `depth` 0 or 1 makes of some cases in all."""
    weighted = weights[:, None] * values
    totals = weighted.sum(axis=0)
    best = float(totals.max())
    if depth:
        for column in features.T:
            below = np.zeros((column.max() + 1, values.shape[1]))
            np.add.at(below, column, weighted)
            below = below.cumsum(axis=0)
            best = max(best, float((below.max(axis=1) + (totals - below).max(axis=1)).max()))
    return best


def choose(tree: Tree, features: IntTable) -> IntTable:
    """The action [N] that a tree chooses in each case."""
    if isinstance(tree, Leaf):
        return np.full(len(features), tree.action)
    yes = features[:, tree.feature] >= tree.at_least
    return np.where(yes, choose(tree.yes, features), choose(tree.no, features))


Bounds = Mapping[int, tuple[int, int | None]]  # feature -> at least, and less than


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that a person can follow, and the cases that it is about."""

    text: str
    action: int
    cases: tuple[Bounds, ...]

    def applies(self, features: IntTable) -> NDArray[np.bool_]:
        """Where it does [N], of features [N, K]."""
        applies = np.zeros(len(features), np.bool_)
        for bounds in self.cases:
            within = np.ones(len(features), np.bool_)
            for feature, (low, high) in bounds.items():
                within &= features[:, feature] >= low
                if high is not None:
                    within &= features[:, feature] < high
            applies |= within
        return applies


def lines(tree: Tree, features: Sequence[str], actions: Sequence[str]) -> list[Line]:
    """The tree in sentences: when to do what is rarer, then the usual."""
    leaves = list(_leaves(tree, {}))
    weights = np.bincount([leaf.action for leaf, _ in leaves], [leaf.weight for leaf, _ in leaves])
    usual = int(weights.argmax())
    cases = {
        action: _merged([bounds for leaf, bounds in leaves if leaf.action == action])
        for action in dict.fromkeys(leaf.action for leaf, _ in leaves if leaf.action != usual)
    }
    rare = [
        Line(f"{actions[action]} with {_condition(bounds, features)}", action, (bounds,))
        for action, some in cases.items()
        for bounds in some
    ]
    others = tuple(bounds for leaf, bounds in leaves if leaf.action == usual)
    return [*rare, Line(f"{'else' if rare else 'always'} {actions[usual]}", usual, others)]


def _leaves(tree: Tree, bounds: Bounds) -> Iterator[tuple[Leaf, Bounds]]:
    """Every leaf, and the bounds of the features that lead to it."""
    if isinstance(tree, Leaf):
        yield tree, bounds
        return
    low, high = bounds.get(tree.feature, (0, None))
    yield from _leaves(tree.yes, {**bounds, tree.feature: (tree.at_least, high)})
    yield from _leaves(tree.no, {**bounds, tree.feature: (low, tree.at_least)})


def _merged(cases: list[Bounds]) -> list[Bounds]:
    """The same cases with those as one that differ by neighbouring bounds of one feature."""
    for one, other in permutations(cases, 2):
        differ = [feature for feature in one if one[feature] != other.get(feature)]
        if one.keys() == other.keys() and len(differ) == 1:
            (low, middle), (next_low, high) = one[differ[0]], other[differ[0]]
            if middle == next_low:
                rest = [case for case in cases if case is not one and case is not other]
                return _merged([{**one, differ[0]: (low, high)}, *rest])
    return cases


def _condition(bounds: Bounds, names: Sequence[str]) -> str:
    return " and ".join(_words(names[feature], *bounds[feature]) for feature in bounds)


def _words(name: str, low: int, high: int | None) -> str:
    """How many of something, in words; `name` is a plural."""
    if high is None:
        return f"{low} or more {name}"
    if high == 1:
        return f"no {name}"
    if low == high - 1:
        singular = re.sub(r"s\b", "", name, count=1)
        return f"{low} {singular if low == 1 else name}"
    if low == 0:
        return f"fewer than {high} {name}"
    return f"{low} {'or' if low == high - 2 else 'to'} {high - 1} {name}"


def by_cell(
    features: IntTable, values: FloatArray, weights: FloatArray, asked: IntTable
) -> IntTable:
    """The best action for each combination of features, [M]; where it never came the best of all.

    No rule on the features can do better than this one, fitted to `features` [N, K], does in the
    cases `asked` [M, K].
    """
    weighted = weights[:, None] * values
    cells, cell = np.unique(features, axis=0, return_inverse=True)
    totals = np.zeros((len(cells), values.shape[1]))
    np.add.at(totals, cell.ravel(), weighted)
    known = {tuple(row): int(best) for row, best in zip(cells, totals.argmax(axis=1), strict=True)}
    otherwise = int(weighted.sum(axis=0).argmax())
    return np.array([known.get(tuple(row), otherwise) for row in asked], np.int64)
