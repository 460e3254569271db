"""Kloepper as searches see it: hidden sides, and worlds that are counted and weighed."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.announce import count, enemy_has_trick, knock_odds
from kloepper_agents.games.kloepper.features import features_of
from kloepper_agents.games.kloepper.rules import rules_action
from kloepper_agents.games.kloepper.search.double_dummy import OpenCards
from kloepper_agents.search.bidding import Bidding, likelihood, reopen
from kloepper_agents.search.model import FloatArray, SearchModel
from kloepper_agents.search.worlds import POOL, Worlds, systematic
from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit
from kloepper_env.beliefs import (
    Belief,
    count_lone_sweeps,
    leads_alone,
    partner_probabilities,
)
from kloepper_env.beliefs.weights import Policy
from kloepper_env.engine import Records
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.kernels import STAKE_LONE_KNOCK, begin
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import ACTION_NAMES, HAND, KNOCK, N_SEATS, POINTS, Hand
from kloepper_env.view import View

LISTED: Final = 8  # all worlds are taken when there are at most so many times the number asked for
SWEPT_WORLDS: Final = 512  # drawn in a knocked hand
# The probability of a knock is logistic in `knock_odds`; fitted to 50 knocks that pimc:worlds=16
# made at 13,719 opportunities, before the lead or later
BOLD: Final = 0.9  # with the surest hand: some never knock before they have seen a card
STEEP: Final = 1.5
SHY: Final = 1.0
HOPELESS: Final = 1e-4  # when an enemy has a trick, so all six are gone
UNLIKE: Final = 0.3  # weight of another announcement that `rules` would not have made

_GAME: Final = get_game("kloepper")
KNOCK_NAME: Final = ACTION_NAMES[KNOCK]


class WorldSource:
    """Draws worlds of one View, by what was announced in them or by a policy's likelihood.

    Where few are left they are all taken, weighed exactly. Drawn ones are picked from a pool of
    POOL times as many in proportion to their weights (sampling, importance resampling).
    """

    def __init__(self, view: View, rng: np.random.Generator, policy: Policy | None = None) -> None:
        self.belief = Belief(view)
        self.count = self.belief.count()
        self._bidding = Bidding(_GAME, view.seat)
        self._rng = rng
        self._policy = policy

    def draw(self, n: int) -> Worlds:
        """About `n` worlds: `n` drawn anew at each call, or all if there are few."""
        if self.count <= LISTED * n:
            hands = self.belief.enumerate()
            return Worlds(hands, self._weights(hands), complete=True)
        pool = self.belief.sample(POOL * n, self._rng)
        picked = systematic(self._weights(pool), n, self._rng.random())
        return Worlds(pool[picked], np.full(n, 1 / n), complete=False)

    def draw_exactly(self, n: int) -> Worlds:
        """`n` worlds in random order, also where there are fewer: then they come again."""
        worlds = self.draw(n)
        if not worlds.complete:
            return worlds
        picked = systematic(worlds.weights, n, self._rng.random())
        self._rng.shuffle(picked)
        return Worlds(worlds.hands[picked], np.full(n, 1 / n), complete=False)

    def _weights(self, hands: Records) -> NDArray[np.float64]:
        if self._policy is None:
            return self._bidding.weights(hands)
        return self.belief.weights(hands, self._policy)


@jit
def _reopen(hand: Hand, world: Hand) -> None:
    hand.option_flags = world.option_flags
    for seat in range(N_SEATS):
        hand.hands[seat] = world.hands[seat] | world.played[seat]
    begin(hand, int(world.dealer))


define(reopen, HAND, _reopen)


@jit
def _likelihood(hand: Hand, words: IntArray, action: int) -> float:
    legal = int(engine.legal(hand))
    engine.observe(hand, int(hand.turn), words)
    knocks = 0.0
    if legal >> KNOCK & 1:
        features = features_of(words, legal)
        knocks = HOPELESS
        if not enemy_has_trick(features):
            knocks = BOLD / (1.0 + np.exp(SHY - STEEP * knock_odds(count(features))))
    if action == KNOCK:
        return knocks
    chosen = rules_action(words, legal & ~(1 << KNOCK))
    return (1.0 - knocks) * (1.0 if chosen == action else UNLIKE)


define(likelihood, HAND, _likelihood)


def _points(worlds: Records, card: int) -> int:
    return int(POINTS[card])


def _partners(view: View, worlds: Worlds) -> FloatArray:
    return partner_probabilities(view, worlds.hands, worlds.weights)


def _in_question(view: View) -> int:
    """In a knocked hand only the sweep counts, which the solver answers in microseconds."""
    return SWEPT_WORLDS if any(action == KNOCK_NAME for _, action in view.history) else 0


def _known(view: View) -> dict[int, float]:
    """What a lone knock is worth to a seat that leads: the share that sweeps is counted."""
    if KNOCK_NAME not in view.legal or not leads_alone(view):
        return {}
    stake = payoff(STAKE_LONE_KNOCK, 1 << view.seat, view.seat)
    share = count_lone_sweeps(view).share
    return {KNOCK: stake * (2 * share - 1)}


MODEL: Final = SearchModel(_GAME, WorldSource, _points, _partners, OpenCards, _in_question, _known)
