"""The games, by name. A game is imported, and numba with it, when it is first asked for."""

from functools import cache
from importlib import import_module

from kloepper_env import registry
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.games.game import Game

__all__ = ["GAMES", "Game", "get_game"]

GAMES = tuple(registry.GAMES)


@cache
def get_game(name: str) -> Game:
    """The game called `name`; ConfigError lists the games there are."""
    if name not in GAMES:
        raise ConfigError(f"unknown game {shown(name)}; the games are {listed(GAMES)}")
    game: Game = import_module(registry.GAMES[name].rules).GAME
    return game
