"""The games, by name. A game is imported, and numba with it, when it is first asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from kloepper_env import registry
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.games.game import Game

__all__ = ["GAMES", "Game", "get_game", "set_up"]

GAMES = tuple(registry.GAMES)


def get_game(game: str | Game) -> Game:
    """The game of this name, or the one that is given; ConfigError lists the games there are."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str) or game not in registry.GAMES:
        raise ConfigError(f"unknown game {shown(game)}; the games are {listed(GAMES)}")
    return _load(game)


@cache
def _load(name: str) -> Game:
    game: Game = import_module(registry.GAMES[name].rules).GAME
    return game


def set_up(game: str | Game, rules: Mapping[str, Any] | None) -> tuple[Game, Any]:
    """A game as some options make it, and these options. Raises ConfigError."""
    named = get_game(game)
    options = named.options(rules)
    return named.setup(options), options
