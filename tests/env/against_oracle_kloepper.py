"""Kloepper in the second engine, as test_against_oracle.py compares it with the first."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kloepper_env import State
from tests.oracle.kloepper import Hand, checked_options, dealer_of, game_winners

MANY = 1_000_000  # hands of the slow test


class Game:
    """A game of hands: who deals the next, the totals, and who has won."""

    def __init__(self, rules: Mapping[str, Any], drawn: int) -> None:
        self.options: dict[str, Any] = checked_options(rules)
        self.history = [[0, 0, 0, 0]]  # totals of the seats, before the first hand and after each

    @property
    def dealer(self) -> int:
        return dealer_of(len(self.history) - 1, self.options["scorekeeper"])

    @property
    def carry(self) -> dict[str, int]:
        return {}

    @property
    def totals(self) -> list[int]:
        return self.history[-1]

    @property
    def winners(self) -> list[int] | None:
        return game_winners(self.history[1:], self.options["target"])

    def deal(self, deck: list[str]) -> Hand:
        return Hand(deck, self.dealer, self.options)

    def add(self, hand: Hand) -> None:
        self.add_result(hand.scores(), {})

    def add_result(self, scores: list[int], carry: dict[str, int]) -> None:
        pairs = zip(self.totals, scores, strict=True)
        self.history.append([total + score for total, score in pairs])


def check_public(state: State, hand: Hand) -> None:
    """Whose side seats are on as things are; and what is public beyond actions (K17)."""
    black = int(state.hand.black)
    assert {seat for seat in range(4) if black >> seat & 1} == hand.black_side(), state
    is_lone = hand.knocker is not None and len(hand.black_side()) == 1
    assert state.game.facts(state.hand) == (("lone",) if is_lone else ()), state


def public_history(hand: Hand, seat: int) -> list[tuple[int, str]]:
    return hand.public_history(seat)


def summary(hand: Hand) -> dict[str, Any]:
    return {"black_points": hand.black_points()}


def kinds_of(hand: Hand) -> Iterator[str]:
    """What has happened in a hand that is over."""
    n_tricks, n_black = len(hand.tricks), len(hand.black_side())
    swept = {trick.winner in hand.black_side() for trick in hand.tricks} == {True}
    yield f"pack of {hand.pack}"
    yield "one against three" if n_black == 1 else "two against two"
    if hand.called_ace is not None:
        yield "called"
    if hand.knocker is None:
        yield "every trick without a knock" if swept else "no knock"
        return
    yield "lone knock" if n_black == 1 else "knock"
    if hand.knocked_off:
        yield "knock-off"
    if n_tricks < hand.pack // 4:
        yield "over before the last trick"
    yield "knock made" if swept else f"knock lost, {hand.options['failed_knock']}"


def check_kinds(kinds: Counter[str]) -> None:
    wanted = {
        *("one against three", "two against two", "called", "no knock", "knock", "lone knock"),
        *("knock-off", "knock made", "every trick without a knock", "over before the last trick"),
        *(f"knock lost, {value}" for value in ("stake", "normal", "none")),
        *("a game won by 1", "a game won by 2", "a game broken off"),
    }
    assert min(kinds[kind] for kind in wanted) >= 2, kinds
    assert min(kinds[f"pack of {size}"] for size in (24, 12, 8)) >= 500, kinds  # of 5,000 and more
