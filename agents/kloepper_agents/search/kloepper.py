"""Kloepper as searches see it: hidden sides, worlds that are counted, one value for every card."""

from typing import Final

import kloepper_agents.heuristic  # noqa: F401  # defines what a playout plays
from kloepper_agents.search.subjects import FloatArray, Subject
from kloepper_agents.search.worlds import Worlds, WorldSource
from kloepper_env.beliefs import partner_probabilities
from kloepper_env.engine import Records
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import POINTS
from kloepper_env.view import View


def _points(worlds: Records, card: int) -> int:
    return int(POINTS[card])


def _partners(view: View, worlds: Worlds) -> FloatArray:
    return partner_probabilities(view, worlds.hands, worlds.weights)


SUBJECT: Final = Subject(get_game("kloepper"), WorldSource, _points, _partners)
