"""View: all that a seat knows, and nothing else. The one thing that players are given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError, shown

Int8Array = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class View:
    """One seat's knowledge of a hand in play. There is no way from here to the hidden cards.

    `history` holds what this seat knows of: its own actions and the public ones of others.
    """

    game: str
    rules: Mapping[str, Any]  # options that differ from their default
    seat: int
    dealer: int
    carry: Mapping[str, int]  # what is left of earlier hands of a game, by name
    dealt: tuple[str, ...]  # own cards, those before the first action first
    late: tuple[str, ...]  # those of them that came after it
    cards: tuple[str, ...]  # own cards held now
    history: tuple[tuple[int, str], ...]  # (seat, action)
    facts: tuple[str, ...]  # public beyond the actions: that a knocker is alone, melds announced
    over: bool
    turn: int | None  # the seat that decides, where this seat knows it
    legal: tuple[str, ...]  # empty while others decide
    observation: Int8Array = field(repr=False)  # [W], laid out as the game's layout
    action_mask: Int8Array = field(repr=False)  # [A]
    action_names: tuple[str, ...] = field(repr=False)
    fact_names: tuple[str, ...] = field(repr=False)  # all that there may be
    max_history: int = field(repr=False)
    counts: tuple[int, ...] = ()  # cards that each seat holds now
    teams: tuple[tuple[int, ...], ...] | None = None  # the parties, where each hand draws its own
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Cards that this seat alone knows beyond its own, by what they are: laid away, seen."""

    @cached_property
    def information_state(self) -> str:
        """Everything the seat knows, as text: equal exactly when it cannot tell two apart."""
        rules = ",".join(f"{name}={value}" for name, value in sorted(self.rules.items()))
        told = " ".join([*(f"{seat}:{action}" for seat, action in self.history), *self.facts])
        deciding = "/".join(self.legal) if self.legal else ("over" if self.over else "-")
        early = len(self.dealt) - len(self.late)
        cards = " ".join([*self.dealt[:early], *(["+"] if self.late else []), *self.late])
        where = f"{self.game}({rules}) seat {self.seat} dealer {self.dealer}"
        where += "".join(f" {name} {left}" for name, left in self.carry.items() if left)
        if self.teams is not None:
            where += f" teams {'/'.join(' '.join(map(str, seats)) for seats in self.teams)}"
        where += "".join(f" {what} ({' '.join(seen)})" for what, seen in self.known.items())
        return f"{where} [{cards}] {told} | {deciding}"

    @cached_property
    def information_tensor(self) -> Int8Array:
        """The same as int8, for A actions, C numbers carried over, F facts and T events at most.

        In order: own dealt cards (over the actions that play them, 2 for those that came late, else
        1), the mask, the seat, the dealer, whether the hand is over, the carry in digits to the
        base of 128, the facts, then for each event known its seat + 1 and its action + 1, with
        zeros behind the last: 2 A + 3 + 3 C + F + 2 T values. The action + 1 has two digits where A
        is above 126. Where hands draw teams, the number of each seat's follows. Cards that a seat
        knows beyond its own are not in it, for how many there can be is not known: the game's
        observation has them.
        """
        number = {name: action for action, name in enumerate(self.action_names)}
        dealt = np.zeros(len(self.action_names), np.int8)
        for card in self.dealt:
            dealt[number[card]] = 2 if card in self.late else 1
        carry = [left >> shift & 127 for left in self.carry.values() for shift in (0, 7, 14)]
        facts = [fact in self.facts for fact in self.fact_names]
        digits = 1 if len(number) < _BASE - 1 else 2
        events = np.zeros((self.max_history, 1 + digits), np.int8)
        for i, (seat, action) in enumerate(self.history):
            events[i] = seat + 1, *_digits(number[action] + 1, digits)
        head = np.array([self.seat, self.dealer, self.over, *carry, *facts], np.int8)
        teams = np.array(self._team_of_each_seat(), np.int8)
        return np.concatenate([dealt, self.action_mask, head, events.ravel(), teams])

    def _team_of_each_seat(self) -> list[int]:
        team = {seat: t for t, seats in enumerate(self.teams or ()) for seat in seats}
        return [team[seat] for seat in sorted(team)]


_BASE: Final = 128  # of the digits that an int8 holds


def _digits(value: int, n: int) -> list[int]:
    return [value // _BASE**place % _BASE for place in range(n)]


def require_view(view: object) -> None:
    """Raise ConfigError for what is no View: a State, say, which shows the cards of all."""
    if not isinstance(view, View):
        raise ConfigError(f"{shown(view)} is no View: it must be one, such as state.view(seat)")
