"""Several ways to announce, played out in the same possible deals until the answer is settled.

P options, N deals, F columns of an outcome.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.opportunities import BoolArray, FloatArray
from kloepper_agents.games.kloepper.lab.core.playing import (
    ANSWERED,
    BLACK,
    CARD_POINTS,
    KNOCKER,
    POLICY,
    SWEPT,
    UNKNOWN,
    Lineup,
    Plan,
    acted,
    is_fast,
    payoffs_of,
)
from kloepper_env.engine import Records
from kloepper_env.tricks import NONE

SETTLED: Final = 3.0  # standard errors of the gap to the next best
TIE: Final = 0.1  # payoff; nobody needs to know which of two options closer than this is better
QUIET_WITHIN: Final = 0.1  # half width of the interval of an option without a knock
KNOCK_WITHIN: Final = 0.3  # ... and of one with
LEAST: Final = 64  # deals; fewer do not know how far they may be off
FAST_BATCH, MOST_AT_ONCE, SLOW_BATCH = 1024, 16_384, 4


@dataclass(frozen=True, slots=True)
class Option:
    """One way to announce: an action now, if any, and a plan for what comes later."""

    name: str
    plan: Plan = POLICY
    first: int = NONE  # action carried out at once
    others: Plan = POLICY  # what the other seats hold to
    knocks: bool = False
    of: str | None = None  # the option of which this one tells more; such are not compared


@dataclass(frozen=True, eq=False)
class Results:
    """What came of every option in the same deals, as one seat sees it."""

    options: Sequence[Option]
    seat: int
    outcomes: IntArray = field(repr=False)  # [P, N, F]
    weights: FloatArray = field(repr=False)  # [N], summing to 1
    complete: bool  # these are all the deals there are
    seconds: float

    @property
    def deals(self) -> int:
        return len(self.weights)

    @cached_property
    def payoffs(self) -> IntArray:
        """Payoffs of the seat [P, N]."""
        return payoffs_of(self.outcomes, np.full(self.outcomes.shape[:2], self.seat))

    def index(self, name: str) -> int:
        """The number of the option with a name."""
        return [option.name for option in self.options].index(name)

    def estimate(self, values: FloatArray | IntArray | BoolArray) -> Estimate:
        """The mean of values [N] and its standard error: 0 where these are all the deals."""
        mean = float(self.weights @ values)
        if self.complete:
            return Estimate(mean, 0.0, self.deals)
        if self.deals < 2:
            return Estimate(mean, math.inf, self.deals)
        spread = np.square(self.weights) @ np.square(values - mean)
        return Estimate(mean, float(np.sqrt(spread * self.deals / (self.deals - 1))), self.deals)

    def payoff(self, i: int) -> Estimate:
        """The expected payoff of option i."""
        return self.estimate(self.payoffs[i])

    def gap(self, i: int, j: int) -> Estimate:
        """By how much option i is better than j, on the same deals."""
        return self.estimate(self.payoffs[i] - self.payoffs[j])

    @cached_property
    def compared(self) -> list[int]:
        """The options that are compared, the best first."""
        own = [i for i, option in enumerate(self.options) if option.of is None]
        return sorted(own, key=lambda i: -float(self.weights @ self.payoffs[i]))

    @cached_property
    def ranked(self) -> list[int]:
        """The same, behind what the policy does of its own where that is clearly better than all.

        It may decide by what it hears, so it can be better than any one announcement.
        """
        best = self.compared[0]
        lines = [i for i, one in enumerate(self.options) if one.of and one.plan == POLICY]
        ahead = [i for i in lines if self._is_clear(self.gap(i, best))]
        ahead.sort(key=lambda i: -float(self.weights @ self.payoffs[i]))
        return [*ahead, *self.compared]

    @staticmethod
    def _is_clear(gap: Estimate) -> bool:
        return gap.mean >= TIE and gap.mean > SETTLED * gap.standard_error

    def swept(self, i: int) -> Estimate:
        """How likely the black side takes all tricks."""
        return self.estimate(self.outcomes[i, :, SWEPT])

    def knocked(self, i: int) -> BoolArray:
        """Where the seat knocks [N]: not if somebody did before it, or an enemy has trick 1."""
        own: BoolArray = self.outcomes[i, :, KNOCKER] == self.seat
        return own

    def answered(self, i: int) -> Estimate:
        """How likely a knock is answered with a knock-off."""
        return self.estimate(self.outcomes[i, :, ANSWERED])

    def reaches(self, i: int, points: int) -> Estimate | None:
        """How likely the seat's side has so many card points; None where hands ended early."""
        taken = self.outcomes[i, :, CARD_POINTS]
        if (taken == UNKNOWN).any():
            return None
        own = np.where(self.outcomes[i, :, BLACK] >> self.seat & 1, taken, 120 - taken)
        return self.estimate((own >= points).astype(np.int64))

    @property
    def settled(self) -> bool:
        """Whether the best option is, or any rival is too close to matter."""
        best, *rest = self.compared
        gaps = [self.gap(best, i) for i in rest]
        return all(
            gap.mean > SETTLED * gap.standard_error or gap.mean + gap.half_width < TIE
            for gap in gaps
        )

    @property
    def precise(self) -> bool:
        """Whether every payoff is known well enough."""
        return all(
            self.payoff(i).half_width <= (KNOCK_WITHIN if option.knocks else QUIET_WITHIN)
            for i, option in enumerate(self.options)
            if option.of is None
        )

    def part(self, chosen: slice | BoolArray) -> "Results":
        """The same from some of the deals, one at least."""
        weights = self.weights[chosen]
        return replace(self, outcomes=self.outcomes[:, chosen], weights=weights / weights.sum())

    @property
    def is_enough(self) -> bool:
        """Whether more deals would not change the answer."""
        return self.deals >= LEAST and self.settled and self.precise


class Source(Protocol):
    """Where possible deals come from: each call gives more of them."""

    def __call__(self, start: int, stop: int) -> tuple[Records, FloatArray, bool]:
        """Deals `start` to `stop` - 1, or fewer of more weight; the weights, `stop` - `start` in
        all; whether these are all the deals there are."""


def evaluate(
    lineup: Lineup,
    options: Sequence[Option],
    source: Source,
    seat: int,
    *,
    seconds: float,
    most: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play every option out in the same deals until the best is settled and all are precise.

    It ends after about `seconds` in any case, and after `most` deals. `progress` is called with
    the whole seconds since its last call. The options are fixed before any deal is seen.
    """
    hands, _, _ = source(0, 1)  # what is compiled or loaded first costs nothing of the budget
    play_all(lineup, options, hands, seat, np.zeros(1, np.int64))
    began = last = time.perf_counter()
    batch = FAST_BATCH if is_fast(lineup.policy) else SLOW_BATCH
    outcomes: list[IntArray] = []
    weights: list[FloatArray] = []
    done = 0
    while True:
        size = min(batch, MOST_AT_ONCE if most is None else most - done)
        hands, own_weights, complete = source(done, done + size)
        if complete:  # instead of those drawn before
            outcomes, weights, done = [], [], 0
        outcomes.append(play_all(lineup, options, hands, seat, np.arange(done, done + len(hands))))
        weights.append(own_weights)
        done += size
        now = time.perf_counter()
        if progress is not None:
            progress(int(now - began) - int(last - began))
        last = now
        total = np.concatenate(weights)
        results = Results(
            options,
            seat,
            np.concatenate(outcomes, axis=1),
            total / total.sum(),
            complete,
            now - began,
        )
        if complete or done == most or results.is_enough:
            return results
        left = (seconds - results.seconds) * done / results.seconds  # deals that fit
        if left < 1:
            return results
        batch = int(min(done, MOST_AT_ONCE, left))


def play_all(
    lineup: Lineup, options: Sequence[Option], hands: Records, seat: int, numbers: IntArray
) -> IntArray:
    """Outcomes int64 [P, N, F] of every option in hands [N]."""
    seats, played = np.full(len(hands), seat), []
    for option in options:
        first = hands if option.first == NONE else acted(hands, np.full(len(hands), option.first))
        played.append(lineup.play(first, seats, option.plan, numbers, option.others))
    return np.stack(played)
