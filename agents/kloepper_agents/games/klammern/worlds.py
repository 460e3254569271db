"""Klammern as searches see it: known sides, worlds that are drawn and weighed by the bidding."""

from typing import Final

import numpy as np

import kloepper_agents.games.klammern.rules  # noqa: F401  # defines what rules_choice chooses
from kloepper_agents.playing import rules_choice
from kloepper_agents.search.bidding import Bidding, likelihood, reopen
from kloepper_agents.search.model import FloatArray, SearchModel
from kloepper_agents.search.worlds import POOL, Worlds, systematic
from kloepper_env._jit import IntArray, define, jit
from kloepper_env.beliefs.klammern.worlds import WorldSource
from kloepper_env.beliefs.weights import Policy
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.klammern.kernels import begin
from kloepper_env.games.klammern.record import HAND, N_CARDS, N_SEATS, POINTS, Hand
from kloepper_env.view import View

UNLIKE: Final = 0.1  # weight of an announcement that `rules` would not have made
_GAME: Final = get_game("klammern")


class BidSource:
    """Worlds drawn with every deal equally likely, then picked by what the others announced."""

    count: None = None

    def __init__(self, view: View, rng: np.random.Generator, policy: Policy | None = None) -> None:
        if policy is not None:
            raise ConfigError("worlds of klammern are weighed by `rules` alone: give no policy")
        self._source = WorldSource(view)
        self._bidding = Bidding(_GAME, view.seat)
        self._rng = rng

    def draw(self, n: int) -> Worlds:
        """`n` worlds, some more than once where the bidding was rare."""
        pool = self._source.sample(POOL * n, self._rng)
        picked = systematic(self._bidding.weights(pool), n, self._rng.random())
        self._rng.shuffle(picked)
        return Worlds(pool[picked], np.full(n, 1 / n), complete=False)


@jit
def _reopen(hand: Hand, world: Hand) -> None:
    hand.option_flags = world.option_flags
    hand.litige = world.litige
    for place in range(N_CARDS):
        hand.deck[place] = world.deck[place]
    begin(hand, int(world.dealer))


define(reopen, HAND, _reopen)


@jit
def _likelihood(hand: Hand, words: IntArray, action: int) -> float:
    return 1.0 if rules_choice(hand, words) == action else UNLIKE


define(likelihood, HAND, _likelihood)


def _points(worlds: Records, card: int) -> int:
    return int(POINTS[int(worlds["trump"][0]), card])


def _partners(view: View, worlds: Worlds) -> FloatArray:
    partner = (view.seat + 2) % N_SEATS
    return np.array([float(seat == partner) for seat in range(N_SEATS)])


MODEL: Final = SearchModel(_GAME, BidSource, _points, _partners)
