"""What a duplicate match needs to know of a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.lockstep import Played
from kloepper_agents.base import IntArray
from kloepper_agents.registry import players_of
from kloepper_env.games.game import Game

BoolArray = NDArray[np.bool_]
Seats = tuple[int, ...]
"""Who sits where at a table: for each seat the number of its agent, 0 or 1."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something could be done, was done, and came off."""

    offered: int = 0
    taken: int = 0
    succeeded: int = 0

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(
            self.offered + other.offered,
            self.taken + other.taken,
            self.succeeded + other.succeeded,
        )

    @property
    def share(self) -> float:
        """How much of what was offered was taken; 0 if nothing was."""
        return self.taken / self.offered if self.offered else 0.0

    @property
    def success(self) -> float:
        """How much of what was taken came off; 0 if nothing was taken."""
        return self.succeeded / self.taken if self.taken else 0.0


@dataclass(frozen=True, slots=True)
class Unit:
    """What margins are counted in."""

    name: str  # of many of them, for a heading
    planned: float  # a difference that matters: a report says how many deals would show it


@dataclass(frozen=True, slots=True)
class Design:
    """The tables of a deal, and how the hands of a game are told apart.

    - `tables_of`: record of a hand, just dealt -> the tables at which it is played. Exchanging
      the two agents must give the same tables.
    - `game_tables`: the tables at which a whole game is played, under the same condition.
    - `credits`: hands played, options -> what each seat [N, S] is credited with for its hand.
    - `unit_of`: options -> the unit of that.
    - `strata`: hands played, the seats [N, S] of the first agent -> name of a stratum -> whether
      each table [N] belongs to it.
    - `rates`: hands played, the seats [N, S] of one agent -> name -> how often that agent did it.
    """

    tables_of: Callable[[Any], Sequence[Seats]]
    game_tables: Sequence[Seats]
    credits: Callable[[Played, Any], IntArray]
    unit_of: Callable[[Any], Unit]
    strata: Callable[[Played, BoolArray], dict[str, BoolArray]]
    rates: Callable[[Played, BoolArray], dict[str, Rate]]


def splits(parties: Sequence[int]) -> tuple[Seats, ...]:
    """All ways to give half of the parties to either agent, of an odd number one more or less.

    `parties` has the party of each seat, 0, 1, ...; all different numbers for seats on their own.
    Of two parties each agent gets either, whatever their sizes. The tables stay the same when the
    agents are exchanged.
    """
    n = max(parties) + 1
    sizes = sorted({n // 2, n - n // 2})
    chosen = [set(own) for size in sizes for own in combinations(range(n), size)]
    return tuple(tuple(int(party not in own) for party in parties) for own in chosen)


def design_of(game: Game) -> Design:
    """The design that a game brings, or the plain one."""
    design = players_of(game.name).design
    return plain_design(game) if design is None else cast(Design, design())


def plain_design(game: Game) -> Design:
    """A design for any game: credits are the scores, and nothing further is counted.

    Parties that share an account, or that were drawn for the hand, are kept together and exchanged.
    Where a party is one seat, all splits of the seats are played.
    """
    planned = game.learning.unit / 100
    return Design(
        tables_of=lambda hand: splits(_parties(game, hand)),
        game_tables=splits(_numbered(game.accounts)),
        credits=lambda played, options: played.scores,
        unit_of=lambda options: Unit("points a hand", planned),
        strata=lambda played, own: {},
        rates=lambda played, own: {},
    )


def _parties(game: Game, hand: Any) -> Seats:
    teams = game.teams(hand)
    if teams is None:
        return _numbered(game.accounts)
    party = {seat: number for number, seats in enumerate(teams) for seat in seats}
    return tuple(party[seat] for seat in range(game.n_seats))


def _numbered(accounts: Sequence[int]) -> Seats:
    """The accounts by number, 0, 1, ... in the order of their first seats."""
    numbers = {account: number for number, account in enumerate(dict.fromkeys(accounts))}
    return tuple(numbers[account] for account in accounts)
