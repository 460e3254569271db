"""Playing the hands of a seed into a file of records."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.lockstep import Played, Watch, play_out
from kloepper_agents.base import Agent, IntArray, name_of, require_rules
from kloepper_agents.kinds import take_agent
from kloepper_env.errors import ConfigError, KloepperError
from kloepper_env.files import claimed_file, whole_file
from kloepper_env.games import set_up
from kloepper_env.games.game import mask_of_words
from kloepper_env.records import RecordWriter

CHUNK: Final = 1024  # hands played side by side


class Table:
    """Who plays which hands: what is to be recorded, checked before a file is touched."""

    def __init__(
        self,
        names: Sequence[Agent | str] | None,
        *,
        game: str,
        rules: Mapping[str, Any] | None,
        hands: int,
        seed: int,
    ) -> None:
        """`names` are the agents of the seats, by name or as objects, `random` ones if None."""
        self.game, self.options = set_up(game, rules)
        self.deals, self.n_hands, self.seed = SeededDeals(seed), hands, seed
        names = ["random"] * self.game.n_seats if names is None else names
        self.agents = [take_agent(one, game) for one in names]
        self.called = list(map(name_of, self.agents))
        if hands < 1:
            raise ConfigError(f"hands is {hands}, but must be 1 or more")
        if len(self.agents) != self.game.n_seats:
            raise ConfigError(
                f"{len(self.agents)} agents are given ({', '.join(self.called)}), but {game} has "
                f"{self.game.n_seats} seats"
            )
        require_rules(self.agents, self.game, self.options)

    def play(self, watch: Watch | None = None) -> Iterator[tuple[IntArray, Played]]:
        """The hands in chunks: their numbers [n], and how they were played."""
        n_seats = len(self.agents)
        for start in range(0, self.n_hands, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, self.n_hands))
            dealt = self.deals.hands(self.game, self.options, start, start + len(numbers))
            seats = np.broadcast_to(np.arange(n_seats), (len(numbers), n_seats))
            yield (
                numbers,
                play_out(
                    self.game, self.options, dealt, seats, self.agents, numbers, self.seed, watch
                ),
            )


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
    table = Table(names, game=game, rules=rules, hands=hands, seed=seed)
    with claimed(path, force) as file, RecordWriter(file, table.game, rules) as writer:
        for numbers, played in table.play():
            lengths = (played.turns >= 0).sum(axis=1)
            for hand, masks, length in zip(played.hands, played.legal, lengths, strict=True):
                legal_masks = [mask_of_words(words) for words in masks[:length].tolist()]
                writer.write(hand, legal_masks=legal_masks if legal else None, agents=table.called)
            if progress is not None:
                progress(len(numbers))


@contextmanager
def claimed(path: Path, force: bool) -> Iterator[Path]:
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
