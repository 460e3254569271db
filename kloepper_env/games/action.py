"""What an action is: a card played, something said, a card laid away or exchanged."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What an action does."""

    PLAY = "play"  # a card to the trick
    SAY = "say"  # an announcement, passes included
    LAY = "lay"  # a card aside
    EXCHANGE = "exchange"  # a card for another one


HEADS: Final = ("cards", "announcements")
"""What a policy has entropy, advantages and rates of its own for: what is at stake differs."""


@dataclass(frozen=True, slots=True)
class Action:
    """One of the things that a seat may do."""

    name: str  # as records write it
    kind: Kind
    card: str | None = None  # the code of the card that is played, laid away or given

    @property
    def head(self) -> str:
        """The one of HEADS that decides it."""
        return HEADS[self.kind is Kind.SAY]


def plays(codes: Iterable[str]) -> tuple[Action, ...]:
    """To play each of some cards, by its code."""
    return tuple(Action(code, Kind.PLAY, code) for code in codes)


def says(names: Iterable[str]) -> tuple[Action, ...]:
    """To make each of some announcements."""
    return tuple(Action(name, Kind.SAY) for name in names)
