"""Trick-taking card games with hidden partners as reinforcement-learning environments.

Importing this package registers the environments with PettingZoo and Gymnasium. Everything else
is loaded when it is first asked for, so that the import stays short and needs no compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from kloepper_env.registry import GAMES

if TYPE_CHECKING:
    from kloepper_env import klammern_v0, kloepper_v0
    from kloepper_env.batch import Batch
    from kloepper_env.games import get_game
    from kloepper_env.games.game import Game
    from kloepper_env.layout import Layout
    from kloepper_env.state import State
    from kloepper_env.view import View

__all__ = [
    "Batch",
    "Game",
    "Layout",
    "State",
    "View",
    "__version__",
    "get_game",
    "klammern_v0",
    "kloepper_v0",
]

_MODULES = {  # name -> where it is defined
    "Batch": "kloepper_env.batch",
    "Game": "kloepper_env.games.game",
    "Layout": "kloepper_env.layout",
    "State": "kloepper_env.state",
    "View": "kloepper_env.view",
    "get_game": "kloepper_env.games",
}

_ENVIRONMENTS = {home.environment.rpartition(".")[2]: home.environment for home in GAMES.values()}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    if name in _ENVIRONMENTS:
        return import_module(_ENVIRONMENTS[name])
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  # slow to load

        return version("kloepper")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


for _game, _home in GAMES.items():
    _version = _home.environment.rpartition("_")[2]
    pettingzoo.register("aec", f"kloepper/{_game}-{_version}", f"{_home.environment}:env")
    gymnasium.register(
        f"kloepper/{_game.capitalize()}-{_version}",
        entry_point="kloepper_env.envs.gym:SeatEnv",
        vector_entry_point="kloepper_env.envs.vector:SeatVectorEnv",
        kwargs={"game": _game},
    )
