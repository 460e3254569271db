"""How Skirmish is spoken of."""

from collections.abc import Sequence
from typing import Any

from kloepper_env.games.words import Who
from kloepper_env.view import View
from tests.games.skirmish.record import CODES, POINTS

SIDES = ("first", "second", "third")
SIDE_COLOURS = dict(zip(SIDES, ("#2f6b34", "#c3262e", "#d8a31a"), strict=True))


def groups(view: View, cards: Sequence[str]) -> list[list[str]]:
    suits = [[card for card in reversed(CODES) if card in cards and card[1] == s] for s in "CSHD"]
    return [suit for suit in suits if suit]


def winner(view: View, cards: Sequence[str]) -> int:
    following = [card for card in cards if card[1] == cards[0][1]]
    return list(cards).index(max(following, key=CODES.index))


def points(view: View, cards: Sequence[str]) -> int:
    return sum(int(POINTS[CODES.index(card)]) for card in cards)


def situation(view: View) -> list[str]:
    return []


def centre(view: View) -> list[str]:
    return []


def action(action: str) -> str:
    return action.replace(":", " ")


def marks(view: View) -> list[list[str]]:
    said: list[list[str]] = [[] for _ in view.counts]
    for seat, name in view.history:
        if name.startswith("bid"):
            said[seat].append(action(name))
    return said


def sides(view: View) -> list[str | None]:
    assert view.teams is not None
    party = {seat: SIDES[number] for number, team in enumerate(view.teams) for seat in team}
    return [party[seat] for seat in range(len(view.counts))]


def objection(view: View, action: str) -> str:
    return "that is not allowed now"


def lesson(view: View) -> list[str]:
    return ["play"]


def made_of(hand: Any, options: Any, who: Who) -> list[str]:
    return [f"{who(range(len(hand.hands)))} have played"]
