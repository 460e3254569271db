"""Klammern as searches see it: known sides, worlds that are drawn and weighed by the bidding."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

import kloepper_agents.klammern.heuristic  # noqa: F401  # defines what rules_choice chooses
from kloepper_agents.klammern.worlds import WorldSource
from kloepper_agents.playing import rules_choice
from kloepper_agents.search.subjects import FloatArray, Subject
from kloepper_agents.search.worlds import Worlds, systematic
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.beliefs import Policy
from kloepper_env.engine import Records, noted_action, noted_seat
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.klammern.kernels import begin
from kloepper_env.games.klammern.record import HAND, N_CARDS, N_SEATS, POINTS
from kloepper_env.view import View

POOL: Final = 8  # worlds drawn for each one that the bidding then picks
UNLIKE: Final = (
    0.1  # how likely an announcement is that `rules` would not have made, to one it would
)
_GAME: Final = get_game("klammern")


class BidSource:
    """Worlds drawn with every deal equally likely, then picked by what the others announced.

    Who takes has trumps, and who passes has not: with uniform worlds a defender believes the taker
    to hold what anybody holds, and says Kontra far too often. A world counts UNLIKE times as much
    for each announcement of another seat, passes included, that `rules` would not have made there.
    """

    count: None = None

    def __init__(self, view: View, rng: np.random.Generator, policy: Policy | None = None) -> None:
        if policy is not None:
            raise ConfigError("worlds of klammern are weighed by `rules` alone: give no policy")
        self._source = WorldSource(view)
        self._seat = view.seat
        self._rng = rng

    def draw(self, n: int) -> Worlds:
        """`n` worlds, some more than once where the bidding was rare."""
        pool = self._source.sample(POOL * n, self._rng)
        picked = systematic(self._weights(pool), n, self._rng.random())
        self._rng.shuffle(picked)
        return Worlds(pool[picked], np.full(n, 1 / n), complete=False)

    def _weights(self, hands: Records) -> NDArray[np.float64]:
        unlike = np.zeros(len(hands), np.int64)
        count_unlike(hands, np.zeros(1, HAND), np.zeros(_GAME.words, np.int64), self._seat, unlike)
        weights: NDArray[np.float64] = UNLIKE ** (unlike - unlike.min())
        return weights


@jit
def count_unlike(
    worlds: Records, scratch: Records, words: IntArray, seat: int, unlike: IntArray
) -> None:
    """Write how many announcements of seats other than `seat`, made before the first card of each
    world [N], are not those that `rules` makes. `scratch` [1] and `words` [W / 8] are room."""
    hand = scratch[0]
    for i in range(len(worlds)):
        world = worlds[i]
        hand.option_flags = world.option_flags
        hand.litige = world.litige
        for place in range(N_CARDS):
            hand.deck[place] = world.deck[place]
        begin(hand, int(world.dealer))
        for t in range(world.log_length):
            code = int(world.log[t])
            action = noted_action(code)
            if action < N_CARDS:
                break
            if noted_seat(code) != seat:
                unlike[i] += int(rules_choice(hand, words) != action)
            engine.apply(hand, action)


def _points(worlds: Records, card: int) -> int:
    return int(POINTS[int(worlds["trump"][0]), card])


def _partners(view: View, worlds: Worlds) -> FloatArray:
    partner = (view.seat + 2) % N_SEATS
    return np.array([float(seat == partner) for seat in range(N_SEATS)])


SUBJECT: Final = Subject(_GAME, BidSource, _points, _partners)
