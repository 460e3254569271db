"""Playing the hands of a seed into a file of records."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.arena.match import Recorder
from kloepper_agents.base import make_agent
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game

CHUNK: Final = 1024  # hands played side by side


def record_hands(
    writer: Recorder,
    names: Sequence[str],
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    hands: int,
    seed: int = 0,
    legal: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write hands 0 to `hands` - 1 of a seed, dealt by seat 0, 1, 2, ...

    `names` are the agents of the seats. With `legal` the legal actions of every decision are
    written too. `progress` is called with the number of hands written since its last call.
    """
    played_game = get_game(game)
    options = played_game.options(rules)
    if hands < 1:
        raise ConfigError(f"hands is {hands}, but must be 1 or more")
    if len(names) != played_game.n_seats:
        raise ConfigError(
            f"{len(names)} agents are given, but {game} has {played_game.n_seats} seats"
        )
    agents = [make_agent(name, game) for name in names]
    deals = SeededDeals(seed)
    for start in range(0, hands, CHUNK):
        numbers = np.arange(start, min(start + CHUNK, hands))
        dealt = deals.hands(played_game, options, start, start + len(numbers))
        seats = np.broadcast_to(np.arange(len(names)), (len(numbers), len(names)))
        played = play_out(played_game, options, dealt, seats, agents, numbers, seed)
        lengths = (played.turns >= 0).sum(axis=1)
        for row, length in enumerate(lengths):
            masks = played.legal[row, :length].tolist() if legal else None
            writer.write(dealt[row], legal_masks=masks, agents=names)
        if progress is not None:
            progress(len(numbers))
