"""The games, by name. A game is imported, and numba with it, when it is first asked for."""

from functools import cache
from importlib import import_module

from kloepper_env import registry
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.games.game import Game

__all__ = ["GAMES", "Game", "get_game"]

GAMES = tuple(registry.GAMES)


def get_game(game: str | Game) -> Game:
    """The game of this name, or the one that is given; ConfigError lists the games there are."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str) or game not in GAMES:
        raise ConfigError(f"unknown game {shown(game)}; the games are {listed(GAMES)}")
    return _load(game)


@cache
def _load(name: str) -> Game:
    game: Game = import_module(registry.GAMES[name].rules).GAME
    return game
