"""What all search players of one ply share: try every action in many worlds, take the best mean."""

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Agent, require_turn
from kloepper_agents.playing import Playout
from kloepper_agents.search.explanation import Explanation, FloatArray
from kloepper_agents.search.leaves import Leaf
from kloepper_agents.search.model import SearchModel, Source
from kloepper_agents.search.worlds import SOLVED, Worlds
from kloepper_env._jit import IntArray
from kloepper_env.beliefs.weights import Policy
from kloepper_env.view import View

SETTLED: Final = 3.0  # standard errors of the gap after which an announcement is settled
ALIKE: Final = 1e-9  # a difference of values that is none
LEAST: Final = 16  # worlds before anything counts as settled: a few may all say the same by luck
MOST: Final = 64  # worlds an announcement may take for each one of a card
BATCH: Final = 16  # worlds at a time against the clock


class Searcher(Agent):
    """A player that can say why: `explain` holds what it thinks, `act` its choice.

    Where a card is to be chosen and at most SOLVED deals are consistent, all of them are solved
    with open cards, if the game has a solver, and no card is played that another one dominates.
    Where nothing but what open cards tell matters any more, many are drawn and solved as well.
    """

    def __init__(self, model: SearchModel) -> None:
        self.model = model
        self._open_cards = None if model.open_cards is None else model.open_cards()

    def solved(self, view: View, source: Source, legal: IntArray) -> "Sample | None":
        """Worlds solved with open cards after each legal action [A], all if few and a card is due.

        None where there is no solver, or open cards do not tell what matters.
        """
        if self._open_cards is None or source.count is None:
            return None
        few = not self.model.game.heads[legal].any() and source.count <= SOLVED
        n = source.count if few else self.model.in_question(view)
        if n == 0:
            return None
        worlds = source.draw(n)
        payoffs = self._open_cards(worlds.hands, legal)
        return Sample([worlds], [payoffs], solved=worlds.complete)

    @abstractmethod
    def explain(self, view: View, random: int) -> Explanation:
        """What it thinks of its choices where the view's seat decides; same arguments as `act`."""

    def favourite(self, view: View, random: int) -> tuple[int, float] | None:
        """An action, if any, that stands unless another is better by so many standard errors."""
        return None

    def act(self, view: View, random: int) -> int:
        require_turn(view)
        if len(view.legal) == 1:
            return int(view.action_mask.argmax())
        thought = self.explain(view, random)
        return view.action_names.index(thought.actions[thought.chosen])


class OnePly(Searcher):
    """Tries every action in the same worlds, and takes the one with the best mean payoff.

    Cards are valued by `card_leaf`, announcements by playing the hand out: with open cards a knock
    looks far better than it is. Since a knock moves the score by dozens of points, an announcement
    goes on drawing worlds until its best choice is SETTLED, in LEAST of them or more, or until it
    has had MOST times as many.

    `worlds` is their number for a card; `seconds` draws as many as the time allows instead.
    """

    def __init__(
        self,
        model: SearchModel,
        card_leaf: Leaf,
        *,
        worlds: int | None = None,
        seconds: float | None = None,
        policy: Policy | None = None,
        name: str = "search",
    ) -> None:
        super().__init__(model)
        self.name = name
        self.card_leaf = card_leaf
        self.announcement_leaf: Leaf = Playout(model.game)
        self.worlds = worlds
        self.seconds = seconds
        self.policy = policy

    def explain(self, view: View, random: int) -> Explanation:
        require_turn(view)
        began = time.perf_counter()
        legal = np.flatnonzero(view.action_mask)
        source = self.model.source(view, np.random.default_rng(random), self.policy)
        favourite = self.favourite(view, random)
        solved = self.solved(view, source, legal)
        if solved is not None:
            return solved.explanation(self, view, legal, source.count, favourite)
        known = self.model.known(view)
        announcing = bool(self.model.game.heads[legal].any())
        leaf = self.announcement_leaf if announcing else self.card_leaf
        seen: list[Worlds] = []
        payoffs: list[NDArray[Any]] = []
        while True:
            seen.append(source.draw(self._next_batch(seen)))
            payoffs.append(with_known(leaf(seen[-1].hands, legal), legal, known))
            sample = Sample(seen, payoffs)
            if seen[-1].complete or self._enough(sample, announcing, began):
                break
        return sample.explanation(self, view, legal, source.count, favourite)

    def _next_batch(self, seen: list[Worlds]) -> int:
        """How many worlds to draw next: for an announcement as many as so far."""
        if self.worlds is None:
            return BATCH
        return sum(map(len, seen)) or self.worlds

    def _enough(self, sample: "Sample", announcing: bool, began: float) -> bool:
        if self.worlds is None:
            assert self.seconds is not None
            return time.perf_counter() - began >= self.seconds
        return not announcing or sample.size >= MOST * self.worlds or sample.settled


def with_known(payoffs: NDArray[Any], legal: IntArray, known: Mapping[int, float]) -> NDArray[Any]:
    """Payoffs [N, A] of legal actions [A] in worlds, those that are known the same in each."""
    if not known:
        return payoffs
    mixed = payoffs.astype(float)
    for action, value in known.items():
        mixed[:, legal == action] = value
    return mixed


def dominated(payoffs: NDArray[Any]) -> NDArray[np.bool_]:
    """Which actions [A] another one equals in each of the worlds [N] and beats in some."""
    gaps = payoffs[:, None, :] - payoffs[:, :, None]  # [N, A, A]: the last less the one before
    better = (gaps >= 0).all(axis=0) & (gaps > 0).any(axis=0)
    return np.asarray(better.any(axis=1))


class Sample:
    """Payoffs [N, A] of all actions in the worlds drawn so far, of one decision.

    `solved` says that these are all worlds there are, with open cards.
    """

    def __init__(
        self, seen: list[Worlds], payoffs: list[NDArray[Any]], *, solved: bool = False
    ) -> None:
        self.worlds = seen
        self._solved = solved
        self.payoffs = np.concatenate(payoffs)
        weights = np.concatenate([one.weights for one in seen])
        self.weights: NDArray[np.float64] = weights / weights.sum()
        self.size = len(weights)
        self.values: FloatArray = self.weights @ self.payoffs
        self.chosen = 0

    @property
    def settled(self) -> bool:
        if self.size < LEAST:
            return False
        best = int(self.values.argmax())
        gaps = self.values[best] - self.values
        rest = np.arange(len(gaps)) != best
        return bool((gaps[rest] > SETTLED * self.gap_errors(best)[rest]).all())

    def gap_errors(self, best: int) -> FloatArray:
        """Standard errors of the differences between the best action and each: paired by world."""
        return self._errors(self.payoffs[:, [best]] - self.payoffs)

    def _errors(self, payoffs: NDArray[Any]) -> FloatArray:
        """Standard errors of weighted means of payoffs [N, A]; 0 when these are all worlds."""
        if self.worlds[-1].complete or self.size == 1:
            return np.zeros(payoffs.shape[1])
        apart = payoffs - self.weights @ payoffs
        spread: FloatArray = np.square(self.weights) @ np.square(apart)
        return np.sqrt(spread * self.size / (self.size - 1))

    def explanation(
        self,
        searcher: "Searcher",
        view: View,
        legal: IntArray,
        possible: int | None,
        favourite: tuple[int, float] | None = None,
    ) -> Explanation:
        """What a searcher makes of the sample; `legal` [A] are the view's actions."""
        model = searcher.model
        ruled_out = dominated(self.payoffs) if self._solved else np.zeros(len(legal), np.bool_)
        values = np.where(ruled_out, -np.inf, self.values)
        chosen = best_of(values, self._tie_breaks(model, legal))
        if favourite is not None:
            action, sure = favourite
            own = int(np.flatnonzero(legal == action)[0])
            chance = max(float(self.gap_errors(chosen)[own]), ALIKE)
            chosen = own if values[chosen] - values[own] <= sure * chance else chosen
        partners = [model.partners(view, one) for one in self.worlds]
        return Explanation(
            agent=searcher.name,
            actions=tuple(view.action_names[action] for action in legal),
            values=self.values,
            errors=self._errors(self.payoffs),
            gap_errors=self.gap_errors(chosen),
            chosen=chosen,
            worlds=self.size,
            possible=possible,
            partners=np.mean(partners, axis=0),
            tries=np.full(len(legal), self.size),
        )

    def _tie_breaks(self, model: SearchModel, legal: IntArray) -> list[tuple[int, int]]:
        """How gladly each action is taken if all are worth the same.

        Rather a card with few points, then a weak one: against players who err, what is kept is
        worth more. Rather a pass than an announcement.
        """
        hands, heads = self.worlds[0].hands, model.game.heads
        return [(0, -a) if heads[a] else (-model.points(hands, a), a) for a in legal.tolist()]


def best_of(values: FloatArray, tie_breaks: Sequence[tuple[int, int]]) -> int:
    """Index of the highest value [A]; of equal ones the one with the most `tie_breaks` [A]."""
    ties = np.flatnonzero(values > values.max() - ALIKE)
    return max(map(int, ties), key=tie_breaks.__getitem__)
