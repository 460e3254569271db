"""`ismcts`: a Monte Carlo tree search over what each seat can tell apart."""

import time
from typing import Final

import numpy as np

from kloepper_agents.base import require_turn
from kloepper_agents.games.kloepper.search.tree import Tree
from kloepper_agents.games.kloepper.search.worlds import MODEL, WorldSource
from kloepper_agents.search.explanation import Explanation
from kloepper_agents.search.searcher import Sample, Searcher, with_known
from kloepper_agents.search.settings import read_budget
from kloepper_agents.search.worlds import Worlds
from kloepper_env._jit import IntArray
from kloepper_env.beliefs.weights import Policy
from kloepper_env.view import View

LIMITS: Final = {"iterations": 1_000_000, "ms": 600_000}
NODES: Final = 1 << 15  # most that a tree against the clock may have: 24 MB
SLICE: Final = 256  # iterations between two looks at the clock


class Ismcts(Searcher):
    """Grows a tree for `iterations`, or for so many `seconds`, and takes the best mean at its root.

    The actions at the root take turns in the same worlds; below it every seat leans to what was
    best for itself so far, whatever its cards (tree.py).
    """

    def __init__(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        policy: Policy | None = None,
        name: str = "ismcts",
    ) -> None:
        super().__init__(MODEL)
        self.name = name
        self.iterations = iterations
        self.seconds = seconds
        self.policy = policy
        self._tree = Tree(NODES if iterations is None else min(iterations, NODES))

    def explain(self, view: View, random: int) -> Explanation:
        require_turn(view)
        began = time.perf_counter()
        legal = np.flatnonzero(view.action_mask)
        source = WorldSource(view, np.random.default_rng(random), self.policy)
        solved = self.solved(view, source, legal)
        if solved is not None:
            return solved.explanation(self, view, legal, source.count)
        known = MODEL.known(view)
        self._tree.plant()
        seen: list[Worlds] = []
        payoffs: list[IntArray] = []
        while not seen or (self.seconds and time.perf_counter() - began < self.seconds):
            seen.append(source.draw_exactly(-(-(self.iterations or SLICE) // len(legal))))
            payoffs.append(np.zeros((len(seen[-1]), len(legal)), np.int64))
            self._tree.grow(seen[-1].hands, legal, payoffs[-1])
        valued = [with_known(one, legal, known) for one in payoffs]
        return Sample(seen, valued).explanation(self, view, legal, source.count)


def make_ismcts(settings: str) -> Ismcts:
    """`iterations=N`, or `ms=T` for as many as T milliseconds allow."""
    given = read_budget("ismcts", settings, LIMITS)
    iterations, ms = given.get("iterations"), given.get("ms")
    return Ismcts(iterations=iterations, seconds=None if ms is None else ms / 1000)
