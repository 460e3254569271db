"""The games there are, one line each; nothing here imports them, or numba with them."""

from typing import Final, NamedTuple


class Home(NamedTuple):
    """Where a game is found in this package."""

    rules: str  # the module whose GAME it is
    environment: str  # the module of its newest environment


GAMES: Final = {
    "kloepper": Home("kloepper_env.games.kloepper", "kloepper_env.kloepper_v0"),
    "klammern": Home("kloepper_env.games.klammern", "kloepper_env.klammern_v0"),
}
