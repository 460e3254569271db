"""Games that exist to test what serves all games; importing this package makes them known."""

from typing import Final

from kloepper_env import registry

HOME: Final = registry.Home("tests.games.skirmish", "tests.games.skirmish")
registry.GAMES.setdefault("skirmish", HOME)
