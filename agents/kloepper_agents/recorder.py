"""Playing the hands of a seed into a file of records."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.base import require_rules
from kloepper_agents.kinds import make_agent
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.records import RecordWriter

CHUNK: Final = 1024  # hands played side by side


def record_hands(
    path: Path,
    names: Sequence[str] | None = None,
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    hands: int,
    seed: int = 0,
    legal: bool = False,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write hands 0 to `hands` - 1 of a seed, dealt by seat 0, 1, 2, ..., into a file.

    `names` are the agents of the seats, `random` ones if None. With `legal` the legal actions of
    every decision are written too. A file that holds something is overwritten only with `force`.
    `progress` is called with the number of hands written since its last call. Everything is
    checked before the file is touched; raises ConfigError for what cannot be done.
    """
    table = get_game(game)
    options = table.options(rules)
    deals = SeededDeals(seed)
    names = ["random"] * table.n_seats if names is None else list(names)
    if hands < 1:
        raise ConfigError(f"hands is {hands}, but must be 1 or more")
    if len(names) != table.n_seats:
        raise ConfigError(
            f"{len(names)} agents are given ({', '.join(names)}), but {game} has "
            f"{table.n_seats} seats"
        )
    agents = [make_agent(name, game) for name in names]
    require_rules(agents, table, options)
    if not force and path.is_file() and path.stat().st_size:
        raise ConfigError(f"{path} exists and is not empty: give --force to overwrite it")
    with RecordWriter(path, table, rules) as writer:
        for start in range(0, hands, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, hands))
            dealt = deals.hands(table, options, start, start + len(numbers))
            seats = np.broadcast_to(np.arange(len(names)), (len(numbers), len(names)))
            played = play_out(table, options, dealt, seats, agents, numbers, seed)
            lengths = (played.turns >= 0).sum(axis=1)
            for hand, masks, length in zip(dealt, played.legal, lengths, strict=True):
                legal_masks = masks[:length].tolist() if legal else None
                writer.write(hand, legal_masks=legal_masks, agents=names)
            if progress is not None:
                progress(len(numbers))
