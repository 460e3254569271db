"""View: all that a seat knows, and nothing else. The one thing that players are given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    dealt: tuple[str, ...]  # own cards at the start
    cards: tuple[str, ...]  # own cards held now
    history: tuple[tuple[int, str], ...]  # (seat, action)
    over: bool
    legal: tuple[str, ...]  # empty while others decide
    observation: Int8Array = field(repr=False)  # [W], laid out as the game's layout
    action_mask: Int8Array = field(repr=False)  # [A]
    action_names: tuple[str, ...] = field(repr=False)
    max_history: int = field(repr=False, default=0)

    @cached_property
    def information_state(self) -> str:
        """Everything the seat knows, as text: equal exactly when it cannot tell two apart."""
        rules = ",".join(
            f"{name}={value}" for name, value in sorted(self.rules.items())
        )
        told = " ".join(f"{seat}:{action}" for seat, action in self.history)
        deciding = (
            "/".join(self.legal) if self.legal else ("over" if self.over else "-")
        )
        cards = " ".join(self.dealt)
        where = f"{self.game}({rules}) seat {self.seat} dealer {self.dealer}"
        return f"{where} [{cards}] {told} | {deciding}"

    @cached_property
    def information_tensor(self) -> Int8Array:
        """The same as int8 [A + A + 2 + 2 * T]: own dealt cards (over the actions, ones where
        held), the mask, dealer relative to the seat, whether it is over, then for each event known
        its relative seat + 1 and its action + 1, zeros behind the last.
        """
        n_actions, n_seats = len(self.action_names), 8
        number = {name: action for action, name in enumerate(self.action_names)}
        tensor = np.zeros(2 * n_actions + 2 + 2 * self.max_history, np.int8)
        tensor[[number[card] for card in self.dealt]] = 1
        tensor[n_actions : 2 * n_actions] = self.action_mask
        tensor[2 * n_actions] = (self.dealer - self.seat) % n_seats
        tensor[2 * n_actions + 1] = self.over
        events = tensor[2 * n_actions + 2 :]
        for i, (seat, action) in enumerate(self.history):
            events[2 * i] = (seat - self.seat) % n_seats + 1
            events[2 * i + 1] = number[action] + 1
        return tensor
