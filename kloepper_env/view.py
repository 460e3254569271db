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
    facts: tuple[str, ...]  # public beyond the actions: in Kloepper that a knocker is alone
    over: bool
    legal: tuple[str, ...]  # empty while others decide
    observation: Int8Array = field(repr=False)  # [W], laid out as the game's layout
    action_mask: Int8Array = field(repr=False)  # [A]
    action_names: tuple[str, ...] = field(repr=False)
    fact_names: tuple[str, ...] = field(repr=False)  # all that there may be
    max_history: int = field(repr=False)

    @cached_property
    def information_state(self) -> str:
        """Everything the seat knows, as text: equal exactly when it cannot tell two apart."""
        rules = ",".join(f"{name}={value}" for name, value in sorted(self.rules.items()))
        told = " ".join([*(f"{seat}:{action}" for seat, action in self.history), *self.facts])
        deciding = "/".join(self.legal) if self.legal else ("over" if self.over else "-")
        cards = " ".join(self.dealt)
        where = f"{self.game}({rules}) seat {self.seat} dealer {self.dealer}"
        return f"{where} [{cards}] {told} | {deciding}"

    @cached_property
    def information_tensor(self) -> Int8Array:
        """The same as int8 [2 A + 3 + F + 2 T], of A actions, F facts and T events at most.

        In order: own dealt cards (ones over the actions that play them), the mask, the seat, the
        dealer, whether the hand is over, the facts, then for each event known its seat + 1 and its
        action + 1, with zeros behind the last.
        """
        number = {name: action for action, name in enumerate(self.action_names)}
        dealt = np.zeros(len(self.action_names), np.int8)
        dealt[[number[card] for card in self.dealt]] = 1
        facts = [fact in self.facts for fact in self.fact_names]
        events = np.zeros((self.max_history, 2), np.int8)
        for i, (seat, action) in enumerate(self.history):
            events[i] = seat + 1, number[action] + 1
        head = np.array([self.seat, self.dealer, self.over, *facts], np.int8)
        return np.concatenate([dealt, self.action_mask, head, events.ravel()])
