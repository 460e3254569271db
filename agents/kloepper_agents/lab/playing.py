"""Moved to kloepper_agents.games.kloepper.lab.core.playing."""

from kloepper_agents.moved import moved

__getattr__ = moved(
    __name__, "kloepper_agents.games.kloepper.lab.core.playing", {"Table": "Lineup"}
)
