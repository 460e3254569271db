"""Klammern as searches see it: known sides, worlds that are drawn and not counted."""

from typing import Final

import numpy as np

import kloepper_agents.klammern.heuristic  # noqa: F401  # defines what a playout plays
from kloepper_agents.klammern import worlds as sampler
from kloepper_agents.search.subjects import FloatArray, Subject
from kloepper_agents.search.worlds import Worlds
from kloepper_env.beliefs import Policy
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import N_SEATS, POINTS
from kloepper_env.view import View


class _Drawn:
    """Worlds drawn independently, each deal as likely as any other."""

    count: None = None

    def __init__(self, view: View, rng: np.random.Generator, policy: Policy | None) -> None:
        if policy is not None:
            raise ConfigError("in klammern worlds are not weighed by a policy: give none")
        self._source = sampler.WorldSource(view)
        self._rng = rng

    def draw(self, n: int) -> Worlds:
        hands = self._source.sample(n, self._rng)
        return Worlds(hands, np.full(len(hands), 1 / len(hands)), complete=False)


def _points(worlds: Records, card: int) -> int:
    return int(POINTS[int(worlds["trump"][0]), card])


def _partners(view: View, worlds: Worlds) -> FloatArray:
    partner = (view.seat + 2) % N_SEATS
    return np.array([float(seat == partner) for seat in range(N_SEATS)])


SUBJECT: Final = Subject(get_game("klammern"), _Drawn, _points, _partners)
