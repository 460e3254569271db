"""Moved to kloepper_agents.games.kloepper.lab.hands.distil."""

from kloepper_agents.moved import moved

__getattr__ = moved(__name__, "kloepper_agents.games.kloepper.lab.hands.distil")
