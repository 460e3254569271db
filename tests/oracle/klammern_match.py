"""Games of many rounds of Klammern: dealers, totals, the carry, and who has won.

Every rule stands where it is applied and is named by its id (M8, M12, M31 to M33, M35, M36).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .klammern import Klammern
from .klammern_rules import checked_options

LIGA_TARGETS = {"tens": 51, "outcome": 5}  # M32, M33


def first_dealer(options: Mapping[str, Any], drawn: int) -> int:
    """Name the dealer of the first round, given the seat drawn at random (M36)."""
    chosen = options["first_dealer"]
    return drawn if chosen == "random" else int(chosen)


def next_dealer(dealer: int, passed_out: bool, options: Mapping[str, Any]) -> int:
    """Name the dealer of the next round (M8, M12)."""
    if passed_out and options["passout_dealer"] == "same":
        return dealer
    return (dealer + 1) % 4


def target_of(options: Mapping[str, Any]) -> int:
    """Say what a team needs to win (M31 to M33)."""
    if not options["liga"]:
        return int(options["target"])
    if options["liga_target"] is None:
        return LIGA_TARGETS[options["augen_model"]]
    return int(options["liga_target"])


def winning_team(totals: list[int], target: int) -> int | None:
    """Name the winner by the totals at the end of a round, None if the game goes on (M31)."""
    if max(totals) < target or totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1


class Game:
    """A game of Klammern between rounds: the dealer and the carry of the next, and the totals."""

    def __init__(self, rules: Mapping[str, Any] | None = None, drawn: int = 0) -> None:
        """Open a game; drawn is the seat drawn to deal first, if the rules fix none."""
        self.rules = dict(rules or {})
        self.options = checked_options(rules)
        self.dealer = first_dealer(self.options, drawn)
        self.carry = 0  # M35
        self.totals = [0, 0]  # points, or Augen in Liga mode
        self.winner: int | None = None

    def deal(self, deck: list[str]) -> Klammern:
        """Deal the next round."""
        return Klammern(self.rules, self.dealer, deck, self.carry)

    def add(self, finished: Klammern) -> None:
        """Add a finished round to the game."""
        augen = finished.augen()
        amounts = finished.scores() if augen is None else augen
        self.add_result(amounts, finished.carry_out(), finished.passed_out)

    def add_result(self, amounts: list[int], carry: int, passed_out: bool) -> None:
        """Add what a round has brought: scores, or Augen in Liga mode, and the carry it left."""
        if self.winner is not None:
            raise ValueError("the game is over")
        self.totals = [self.totals[team] + amounts[team] for team in [0, 1]]  # M31 to M33
        self.carry = carry  # M35
        self.dealer = next_dealer(self.dealer, passed_out, self.options)
        self.winner = winning_team(self.totals, target_of(self.options))


def play_game(
    rules: Mapping[str, Any] | None,
    decks: Iterable[list[str]],
    choose: Callable[[Klammern], str],
    drawn: int = 0,
) -> tuple[Game, list[Klammern]]:
    """Play rounds with these decks until somebody has won or no deck is left."""
    game = Game(rules, drawn)
    rounds = []
    for deck in decks:
        if game.winner is not None:
            break
        current = game.deal(deck)
        while not current.over:
            current.push(choose(current))
        game.add(current)
        rounds.append(current)
    return game, rounds
