"""Playing the hands of a seed into a file of records."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.base import Agent, name_of, require_rules
from kloepper_agents.kinds import take_agent
from kloepper_env.errors import ConfigError, KloepperError
from kloepper_env.files import claimed_file, whole_file
from kloepper_env.games import set_up
from kloepper_env.games.game import mask_of_words
from kloepper_env.records import RecordWriter

CHUNK: Final = 1024  # hands played side by side


def record_hands(
    path: Path,
    names: Sequence[Agent | str] | None = None,
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

    `names` are the agents of the seats, by name or as objects, `random` ones if None. With `legal`
    the legal actions of every decision are written too. A file that holds something is overwritten
    only with `force`. `progress` is called with the number of hands written since its last call.
    Everything is checked before the file is touched; raises ConfigError for what cannot be done.
    """
    table, options = set_up(game, rules)
    deals = SeededDeals(seed)
    names = ["random"] * table.n_seats if names is None else names
    agents = [take_agent(one, game) for one in names]
    called = list(map(name_of, agents))
    if hands < 1:
        raise ConfigError(f"hands is {hands}, but must be 1 or more")
    if len(agents) != table.n_seats:
        raise ConfigError(
            f"{len(agents)} agents are given ({', '.join(called)}), but {game} has "
            f"{table.n_seats} seats"
        )
    require_rules(agents, table, options)
    with _file_of_records(path, force) as file, RecordWriter(file, table, rules) as writer:
        for start in range(0, hands, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, hands))
            dealt = deals.hands(table, options, start, start + len(numbers))
            seats = np.broadcast_to(np.arange(len(agents)), (len(numbers), len(agents)))
            played = play_out(table, options, dealt, seats, agents, numbers, seed)
            lengths = (played.turns >= 0).sum(axis=1)
            for hand, masks, length in zip(dealt, played.legal, lengths, strict=True):
                legal_masks = [mask_of_words(words) for words in masks[:length].tolist()]
                writer.write(hand, legal_masks=legal_masks if legal else None, agents=called)
            if progress is not None:
                progress(len(numbers))


@contextmanager
def _file_of_records(path: Path, force: bool) -> Iterator[Path]:
    """A file to write to, which becomes `path` when all went well; nobody else makes it then."""
    if path.name == "-":
        raise ConfigError("records are written to a file, and '-' is none")
    if not path.parent.is_dir():
        raise KloepperError(f"cannot write {path}: there is no folder {path.parent}")
    with claimed_file(path):
        if not force and path.is_file() and path.stat().st_size:
            raise ConfigError(f"{path} exists and is not empty: give --force to overwrite it")
        with whole_file(path) as partial:
            yield partial
