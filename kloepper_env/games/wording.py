"""How a game is spoken of and shown; each game brings a module of its own that fits."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from kloepper_env.games.words import Who
from kloepper_env.view import View


class Wording(Protocol):
    """What pictures, texts and people at a terminal need of a game: names, order, and reasons."""

    SIDE_COLOURS: Mapping[str, str]
    """The names that `sides` gives, and how they are painted."""

    def groups(self, view: View, cards: Sequence[str]) -> list[list[str]]:
        """Cards by suit, trumps first, the strongest first."""

    def winner(self, view: View, cards: Sequence[str]) -> int:
        """Place, from 0, of the card that takes a trick of these cards in playing order."""

    def points(self, view: View, cards: Sequence[str]) -> int:
        """Card points of some cards."""

    def situation(self, view: View) -> list[str]:
        """What matters to everybody at the moment, beyond the number of the trick."""

    def centre(self, view: View) -> list[str]:
        """Cards that lie open in the middle before the first trick."""

    def action(self, action: str) -> str:
        """An announcement as somebody at the table would name it."""

    def marks(self, view: View) -> list[list[str]]:
        """For each seat what everybody knows that it has announced."""

    def sides(self, view: View) -> list[str | None]:
        """For each seat its side, where the observer knows it."""

    def objection(self, view: View, action: str) -> str:
        """Why an action is not legal for the observer, who is to decide, and the rule's id."""

    def lesson(self, view: View) -> list[str]:
        """What the rules leave the observer, who is to decide, and why, with rule ids."""

    def made_of(self, hand: Any, options: Any, who: Who) -> list[str]:
        """What the score of a record that is over is made of, sentence by sentence, with rule ids.

        It speaks of the cards and sides of all seats, so it is for the end of a hand.
        """
