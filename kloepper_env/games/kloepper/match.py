"""A game of Kloepper: hands until somebody has 30, and the tie-break (K6, K29 to K31)."""

from kloepper_env.games.game import Outcome
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.record import N_SEATS


class Match:
    """The running totals of a game; `history[h]` are those after hand h + 1."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.history: list[list[int]] = []
        self._dealer = (options.scorekeeper + 1) % N_SEATS  # K6

    @property
    def totals(self) -> list[int]:
        """Points of the four seats so far."""
        return list(self.history[-1]) if self.history else [0] * N_SEATS

    def dealer(self) -> int:
        """The dealer of the next hand (K6)."""
        return self._dealer

    def carry(self) -> dict[str, int]:
        """Nothing passes from a hand to the next."""
        return {}

    def add(self, outcome: Outcome) -> None:
        """Write down a hand."""
        pairs = zip(self.totals, outcome.gains, strict=True)
        self.history.append([total + gain for total, gain in pairs])
        self._dealer = (outcome.dealer + 1) % N_SEATS

    def winners(self) -> list[int] | None:
        """The seats that have won, None while the game goes on (K29 to K31)."""
        candidates = [s for s, total in enumerate(self.totals) if total >= self.options.target]
        if not candidates:  # K29
            return None
        for totals in reversed(self.history[:-1]):  # K30; who is level all the way back shares: K31
            most = max(totals[seat] for seat in candidates)
            candidates = [seat for seat in candidates if totals[seat] == most]
        return candidates

    def needs(self) -> list[int]:
        """What each seat still lacks to the target (K29)."""
        return [max(self.options.target - total, 0) for total in self.totals]
