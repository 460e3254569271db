"""The deals of a match: drawn from a seed, or frozen in a file."""

import hashlib
from abc import ABC, abstractmethod
from itertools import islice
from pathlib import Path
from typing import Any

from kloepper_env import engine
from kloepper_env.actions import action_number
from kloepper_env.cards import parse_deck
from kloepper_env.engine import Records
from kloepper_env.errors import (
    ConfigError,
    KloepperError,
    NotationError,
    listed,
    shown,
    whole_number,
)
from kloepper_env.games.game import Game
from kloepper_env.package_data import packaged
from kloepper_env.reading import read_lines

MOST_DEALS = 10**9  # of a match: more would take years
_LONGEST = 1024  # bytes of a line; a deal of 32 cards has 66


class Deals(ABC):
    """Deals 0, 1, 2, ... of a source."""

    @abstractmethod
    def hands(self, game: Game, options: Any, start: int, stop: int) -> Records:
        """Records of the deals `start` to `stop` - 1, opened for their first decision."""


class SeededDeals(Deals):
    """Deal i is hand i of a seed, dealt by seat i modulo the number of seats."""

    def __init__(self, seed: int) -> None:
        self.seed = whole_number("seed", seed)

    def hands(self, game: Game, options: Any, start: int, stop: int) -> Records:
        hands = game.new_hands(stop - start, options, engine.seed_key(self.seed))
        hands["serial"] += start
        dealers = hands["serial"] % game.n_seats
        for dealer in range(game.n_seats):
            own = hands[dealers == dealer]  # a copy: the compiled code takes whole arrays
            engine.start(own, game.tables, dealer)
            hands[dealers == dealer] = own
        return hands


class FrozenDeals(Deals):
    """The lines of a file: the digit of the dealer, a blank, and the pack in dealing order.

    Of `most` lines no more are read, for a stream need not end.
    """

    def __init__(self, path: Path, most: int | None = None) -> None:
        self.path = path
        lines = islice(read_lines(path, _LONGEST), most)
        try:
            self.lines = [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines]
        except NotationError as error:
            raise NotationError(f"a line of {path} {error}") from None
        except KloepperError as error:
            raise ConfigError(str(error)) from None

    def hands(self, game: Game, options: Any, start: int, stop: int) -> Records:
        if game.set_teams is not None:
            raise ConfigError(f"{self.path} names no teams, which {game.name} draws for each hand")
        hands = game.new_hands(stop - start, options, 0)
        hands["serial"] += start
        for i, line in enumerate(self.lines[start:stop]):
            dealer, deck = self._read(game, options, start + i + 1, line)
            game.deal_deck(hands[i], deck, dealer)
        return hands

    def _read(self, game: Game, options: Any, number: int, line: str) -> tuple[int, list[str]]:
        """Dealer and deck of a line; NotationError names file, line and what is wrong."""
        digit, _, cards = line.partition(" ")
        where = f"line {number} of {self.path}"
        if digit not in map(str, range(game.n_seats)):
            raise NotationError(
                f"{where} begins with {digit[:20]!r}, but must begin with the seat of the dealer, "
                f"0 to {game.n_seats - 1}, and a blank"
            )
        try:
            codes = [cards[at : at + 2] for at in range(0, len(cards), 2)]
            return int(digit), parse_deck(codes, game.pack(options))
        except NotationError as error:
            raise NotationError(f"{where}: {error}") from None


def open_deals(
    seed: int, deal_file: str | Path | None, deals: int, game: str = "kloepper"
) -> Deals:
    """The source of `deals` deals: those that `find_deals` finds if a file is given, else the seed.

    Raises ConfigError for a number below 1, a file that cannot be read or that holds fewer.
    """
    number = action_number(deals)
    if number is None or not 1 <= number <= MOST_DEALS:
        raise ConfigError(f"deals is {shown(deals)}, but must be from 1 to {MOST_DEALS:,}")
    seeded = SeededDeals(seed)  # the seed also fixes the agents' chance, so it is checked anyway
    if deal_file is None:
        return seeded
    frozen = FrozenDeals(find_deals(deal_file, game), deals)
    if len(frozen.lines) < deals:
        raise ConfigError(f"{deal_file} holds {len(frozen.lines)} deals, but {deals} are asked for")
    return frozen


def find_deals(deal_file: str | Path, game: str) -> Path:
    """The file of some deals: a path, or else the name of frozen deals of the game, such as `test`.

    Raises ConfigError, which lists these, for what is neither.
    """
    path = Path(deal_file)
    frozen = {name: file for (of, name), file in frozen_deals().items() if of == game}
    if path.is_file():
        return path
    if str(path) in frozen:
        return frozen[str(path)]
    if not path.exists():
        raise ConfigError(
            f"cannot read the deals in {path}: no such file or directory; the frozen deals of "
            f"{game} are {listed(frozen)}"
        )
    return path


def frozen_deals() -> dict[tuple[str, str], Path]:
    """The deals that come with the package, by game and name."""
    return {(file.parent.name, file.stem): file for file in packaged("deals").values()}


def sha256_of(deal_file: str | Path, game: str) -> str:
    """The digest of some deals, which says in a report what they were."""
    return hashlib.sha256(find_deals(deal_file, game).read_bytes()).hexdigest()
