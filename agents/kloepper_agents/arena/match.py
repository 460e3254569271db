"""Duplicate matches between two agents.

The score of a table is what a seat of agent A scores there on average, minus what a seat of agent
B does. In a hand of two against two whose sides are the agents' that is the stake: 2, 4, 6, 12, 24
or their negatives. Where the agents' seats cross the sides it is 0, and where somebody plays alone
it counts how the soloist fares against all three, his fellow seat included: a soloist who scores 6
is worth 6/2 - 0 = 3 to his agent, one who loses 4 to each opponent (0 + 4)/2 - 4 = -2. That is
what the seat earned over the mean of the table, up to a factor, in either kind of hand.

The score of a deal is the mean over its tables, and the margin is the mean over the deals.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from kloepper_agents.arena.deals import Deals, open_deals
from kloepper_agents.arena.designs import BoolArray, Design, Rate, design_of
from kloepper_agents.arena.lockstep import Played, play_out
from kloepper_agents.arena.statistics import Estimate, FloatArray, cluster_means
from kloepper_agents.base import Agent, IntArray, ObservationAgent, make_agent, require_rules
from kloepper_env.games import get_game
from kloepper_env.games.game import Game

CHUNK: Final = 1024  # deals played side by side
SLOW_CHUNK: Final = 16  # the same where an agent answers one decision at a time


class Recorder(Protocol):
    """Takes the record of every hand, as kloepper_env.records.RecordWriter does."""

    def write(
        self,
        hand: Any,
        *,
        legal_masks: Sequence[int] | None = None,
        agents: Sequence[str] | None = None,
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Stratum:
    """The tables of one kind. A deal counts once, with the mean over its tables of this kind."""

    estimate: Estimate
    tables: int


@dataclass(frozen=True, eq=False)
class MatchResult:
    """What a match says about agent A against agent B, in points per hand."""

    agents: tuple[str, str]
    tables: int
    scores: FloatArray = field(repr=False)  # [deals] margin of each deal
    strata: Mapping[str, Stratum]
    rates: tuple[Mapping[str, Rate], Mapping[str, Rate]]  # of A, of B
    decisions: tuple[int, int]
    seconds: tuple[float, float]  # that A and B took for all their decisions

    @cached_property
    def estimate(self) -> Estimate:
        return Estimate.of(self.scores)

    @property
    def deals(self) -> int:
        return self.estimate.deals

    @property
    def margin(self) -> float:
        """What a seat of A scores minus what a seat of B scores."""
        return self.estimate.mean

    @property
    def half_width(self) -> float:
        """Of the 95 % interval of the margin, clustered by deal."""
        return self.estimate.half_width

    @property
    def low(self) -> float:
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    @property
    def detectable(self) -> float:
        """The smallest margin that as many deals would show, power 80 %, level 5 %."""
        return self.estimate.detectable


def table_margins(scores: IntArray, first: BoolArray) -> FloatArray:
    """Scores of tables [N]: scores of the seats [N, S], whether agent A sits there [N, S]."""
    own = (scores * first).sum(axis=1) / first.sum(axis=1)
    others = (scores * ~first).sum(axis=1) / (~first).sum(axis=1)
    margins: FloatArray = own - others
    return margins


class _Tally:
    """Adds up the chunks of a match."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.tables = 0
        self.scores: list[FloatArray] = []
        self.strata: dict[str, list[FloatArray]] = {}  # NaN: no such table in this deal
        self.stratum_tables: dict[str, int] = {}
        self.rates: tuple[dict[str, Rate], dict[str, Rate]] = ({}, {})
        self.decisions = np.zeros(2, np.int64)
        self.seconds = np.zeros(2)

    def add(self, played: Played, seats: IntArray, deals: IntArray, n_deals: int) -> None:
        """Count tables played; `deals` [N] is the place of their deal in the chunk."""
        margins = table_margins(played.scores, seats == 0)
        self.tables += len(margins)
        self.scores.append(cluster_means(margins, deals, n_deals))
        for name, member in self.design.strata(played).items():
            means = cluster_means(margins[member], deals[member], n_deals)
            self.strata.setdefault(name, []).append(means)
            self.stratum_tables[name] = self.stratum_tables.get(name, 0) + int(member.sum())
        for agent, totals in enumerate(self.rates):
            for name, rate in self.design.rates(played, seats == agent).items():
                totals[name] = totals.get(name, Rate()) + rate
        self.decisions += played.decisions
        self.seconds += played.seconds

    def result(self, agents: tuple[str, str]) -> MatchResult:
        strata = {}
        for name, chunks in self.strata.items():
            means = np.concatenate(chunks)
            estimate = Estimate.of(means[~np.isnan(means)])
            strata[name] = Stratum(estimate, self.stratum_tables[name])
        return MatchResult(
            agents=agents,
            tables=self.tables,
            scores=np.concatenate(self.scores),
            strata=strata,
            rates=self.rates,
            decisions=(int(self.decisions[0]), int(self.decisions[1])),
            seconds=(float(self.seconds[0]), float(self.seconds[1])),
        )


def play_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    deals: int = 1000,
    seed: int = 0,
    deal_file: str | Path | None = None,
    recorder: Recorder | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play a duplicate match: every agent plays every side of every deal.

    The deals are hands 0 to `deals` - 1 of `seed`, or the first of `deal_file`; `seed` also fixes
    the agents' chance, which is the same at all tables of a deal, so that two equal agents have a
    margin of exactly 0. `recorder` gets every hand; `progress` is called with the number of deals
    finished since its last call. Raises ConfigError or NotationError for what cannot be read, and
    IllegalActionError, naming the agent, for an action that is not legal.
    """
    played_game = get_game(game)
    options = played_game.options(rules)
    source = open_deals(seed, deal_file, deals)
    pair = [
        make_agent(agent, game) if isinstance(agent, str) else agent for agent in (agent_a, agent_b)
    ]
    require_rules(pair, played_game, options)
    design = design_of(played_game)
    tally = _Tally(design)
    # What the agents compile or load at their first decision is no part of the time they take.
    _play_chunk(played_game, options, design, source, pair, (0, 1), seed)
    chunk = CHUNK if all(isinstance(agent, ObservationAgent) for agent in pair) else SLOW_CHUNK
    for start in range(0, deals, chunk):
        stop = min(start + chunk, deals)
        played, seats, of_deal = _play_chunk(
            played_game, options, design, source, pair, (start, stop), seed
        )
        tally.add(played, seats, of_deal, stop - start)
        if recorder is not None:
            for hand, table in zip(played.hands, seats, strict=True):
                recorder.write(hand, agents=[pair[agent].name for agent in table])
        if progress is not None:
            progress(stop - start)
    return tally.result((pair[0].name, pair[1].name))


def _play_chunk(
    game: Game,
    options: Any,
    design: Design,
    source: Deals,
    agents: list[Agent],
    span: tuple[int, int],
    seed: int,
) -> tuple[Played, IntArray, IntArray]:
    """Play all tables of some deals: the hands, who sat where [N, S], and the deal [N] of each."""
    dealt = source.hands(game, options, *span)
    tables = [design.tables_of(hand) for hand in dealt]
    seats = np.array([table for of_deal in tables for table in of_deal], np.int64)
    of_deal = np.repeat(np.arange(len(dealt)), [len(one) for one in tables])
    hands = dealt[of_deal]
    played = play_out(game, options, hands, seats, agents, of_deal + span[0], seed)
    return played, seats, of_deal
