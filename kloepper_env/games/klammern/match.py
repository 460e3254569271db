"""A game of Klammern: rounds until a team has the target, in points or in Augen (M31 to M36)."""

from kloepper_env.games.game import Outcome
from kloepper_env.games.klammern.options import RANDOM, Options
from kloepper_env.games.klammern.record import N_SEATS

DRAWN = -1  # a dealer that the seed draws


class Match:
    """The running totals of a game, its next dealer and what is carried over."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._teams = [0, 0]
        self._litige = 0
        first = options.first_dealer
        self._dealer = DRAWN if first == RANDOM else int(first)

    @property
    def totals(self) -> list[int]:
        """Points, or Augen in Liga mode, of the team of each seat so far."""
        return [self._teams[seat & 1] for seat in range(N_SEATS)]

    def dealer(self) -> int:
        """The dealer of the next round; DRAWN if the seed draws the first one (M36)."""
        return self._dealer

    def carry(self) -> dict[str, int]:
        """The suspended points that the next round is played for as well (M35)."""
        return {"litige": self._litige}

    def add(self, outcome: Outcome) -> None:
        """Write down a round."""
        for team in (0, 1):
            self._teams[team] += outcome.gains[team]
        self._litige = outcome.carry["litige"]
        same = not outcome.played and self.options.passout_dealer == "same"  # M8, M12
        self._dealer = (outcome.dealer + (0 if same else 1)) % N_SEATS

    def winners(self) -> list[int] | None:
        """The seats of the team that has won, None while the game goes on (M31)."""
        first, second = self._teams
        if max(self._teams) < self.options.goal or first == second:
            return None
        team = int(second > first)
        return [team, team + 2]

    def needs(self) -> list[int]:
        """What the team of each seat still lacks: Augen in Liga mode, else tens of points."""
        unit = 1 if self.options.liga else 10
        return [max(-(-(self.options.goal - total) // unit), 0) for total in self.totals]
