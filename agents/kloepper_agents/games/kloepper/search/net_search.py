"""`net+search:PATH`: a trained network that thinks ahead, in deals weighed by what was played.

One ply of search on top of a policy (Lerer et al. 2020, SPARTA), with the three parts that Kloepper
makes cheap. *Deals* are drawn, or listed where few are left, in proportion to how likely the
network itself would have played what the other seats have played in them, silence included. *Each
card* is then tried in each deal: the network plays all four hands on, each by what it knows, so
nobody acts on what nobody can know. *The last tricks* are solved, where open cards tell nearly all.

The network's own choice stands unless another card is better by more than chance explains: what it
has learned comes from more deals than a search sees. Announcements stay with it, too.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import require_turn
from kloepper_agents.games.kloepper.search.worlds import MODEL
from kloepper_agents.neural import NetAgent, make_net
from kloepper_agents.search.searcher import OnePly, Sample
from kloepper_agents.search.settings import read_budget
from kloepper_env import engine
from kloepper_env._jit import IntArray
from kloepper_env.engine import Records
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.payoff import payoffs_to
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS
from kloepper_env.payoff import payoffs
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS as TABLE_WORDS
from kloepper_env.view import View

SURE: Final = 1.0  # standard errors by which a card must beat the network's own choice
SOLVED: Final = 3
"""Cards a hand from which on a playout is solved."""
DEFAULT: Final = "worlds=64"
LIMITS: Final = {"worlds": 100_000, "ms": 600_000}

_GAME: Final = get_game("kloepper")


class NetPlayout:
    """What actions are worth when a network plays all seats on, and the last tricks are solved."""

    def __init__(self, net: NetAgent) -> None:
        self._net = net
        self._table = np.zeros(TABLE_WORDS, np.int64)

    def __call__(self, worlds: Records, actions: IntArray) -> NDArray[np.float64]:
        """Payoffs [N, A] of legal actions [A] in worlds [N], in all of which one seat decides."""
        seat, hands = int(worlds["turn"][0]), np.repeat(worlds, len(actions))
        self._play_on(hands, np.tile(actions, len(worlds)))
        return self._worth(hands, seat).reshape(len(worlds), len(actions))

    def _play_on(self, hands: Records, actions: IntArray) -> None:
        """Act, and go on until every hand is over or short enough to be solved."""
        words = np.zeros((len(hands), _GAME.words), np.int64)
        mask_words = np.zeros((len(hands), _GAME.mask_words), np.int64)
        observations = words.view(np.int8)
        masks = mask_words.view(np.int8)[:, : _GAME.n_actions]
        rows = np.arange(len(hands))
        while len(rows):
            engine.advance(hands, rows, actions, words, mask_words)
            rows = rows[(hands["over"][rows] == 0) & (_held(hands[rows]) > SOLVED)]
            legal = masks[rows]
            actions = legal.argmax(axis=1)  # right where forced
            choices = np.flatnonzero(legal.sum(axis=1) > 1)
            if len(choices):
                logits = self._net.policy.logits(observations[rows[choices]])
                actions[choices] = np.where(legal[choices] != 0, logits, -np.inf).argmax(axis=1)

    def _worth(self, hands: Records, seat: int) -> NDArray[np.float64]:
        """Payoff of a seat in hands [N] that are over, or are solved from where they stand."""
        worth = np.empty(len(hands))
        over = hands["over"] != 0
        for part, value in ((over, _ended), (~over, self._solved)):
            if part.any():
                worth[part] = value(hands[part], seat)
        return worth

    def _solved(self, hands: Records, seat: int) -> NDArray[Any]:
        points = np.empty(len(hands), np.int64)
        queries.scores_of_hands(self._table, hands, points)
        return payoffs_to(points, hands["black"].astype(np.int64), seat)


def _held(hands: Records) -> NDArray[Any]:
    """Most cards that a seat holds in each hand [N]: those of the seat that plays next."""
    held: NDArray[Any] = np.bitwise_count(hands["hands"]).max(axis=1)
    return held


def _ended(hands: Records, seat: int) -> NDArray[Any]:
    scores = np.zeros((len(hands), N_SEATS), np.int64)
    engine.results(hands, scores)
    return payoffs(scores)[:, seat]


class NetSearch(OnePly):
    """One ply of search over the playouts of a network, which announces by itself."""

    def __init__(
        self, net: NetAgent, *, worlds: int | None, seconds: float | None, name: str = "net+search"
    ) -> None:
        super().__init__(
            MODEL,
            NetPlayout(net),
            worlds=worlds,
            seconds=seconds,
            policy=NetAgent(net.policy, draws=True).probabilities,
            name=name,
        )
        self.announcement_leaf = self.card_leaf
        self.net = net
        self.rules = net.rules

    def act(self, view: View, random: int) -> int:
        require_turn(view)
        if _announces(view):
            return self.net.act(view, random)  # what `explain` comes to, and more slowly
        return super().act(view, random)

    def favourite(self, view: View, random: int) -> tuple[int, float]:
        return self.net.act(view, random), np.inf if _announces(view) else SURE

    def _enough(self, sample: Sample, announcing: bool, began: float) -> bool:
        return super()._enough(sample, False, began)


def _announces(view: View) -> bool:
    return bool(view.action_mask[N_CARDS:].any())


def make_net_search(settings: str) -> NetSearch:
    """`PATH`, `PATH,worlds=N` or `PATH,ms=T`. Raises ConfigError for anything else."""
    path, comma, budget = settings.rpartition(",")
    if not comma or not budget.startswith(tuple(f"{name}=" for name in LIMITS)):
        path, budget = settings, DEFAULT
    given = read_budget("net+search", budget, LIMITS)
    ms = given.get("ms")
    return NetSearch(
        make_net("kloepper", path),
        worlds=given.get("worlds"),
        seconds=None if ms is None else ms / 1000,
    )
