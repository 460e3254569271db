"""A game of Kloepper: hands until somebody has 30, and the tie-break (K6, K29 to K31)."""

from typing import Self

from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.record import N_SEATS


class Match:
    """The running totals of a game; `history[h]` are those after hand h + 1."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.history: list[list[int]] = []

    @property
    def totals(self) -> list[int]:
        """Points of the four seats so far."""
        return list(self.history[-1]) if self.history else [0] * N_SEATS

    def dealer(self) -> int:
        """The dealer of the next hand (K6)."""
        return (self.options.scorekeeper + 1 + len(self.history)) % N_SEATS

    def add(self, scores: list[int]) -> None:
        """Write down the scores of a hand."""
        pairs = zip(self.totals, scores, strict=True)
        self.history.append([total + score for total, score in pairs])

    def winners(self) -> list[int] | None:
        """The seats that have won, None while the game goes on (K29 to K31)."""
        candidates = [s for s, total in enumerate(self.totals) if total >= self.options.target]
        if not candidates:
            return None
        for totals in reversed(self.history[:-1]):
            most = max(totals[seat] for seat in candidates)
            candidates = [seat for seat in candidates if totals[seat] == most]
        return candidates

    def needs(self) -> list[int]:
        """What each seat still lacks to the target (K29)."""
        return [max(self.options.target - total, 0) for total in self.totals]

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self)(self.options)
        twin.history = [list(totals) for totals in self.history]
        return twin
