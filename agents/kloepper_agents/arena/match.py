"""Duplicate matches between two agents.

The score of a table is what a seat of agent A is credited with there on average, minus what a seat
of agent B is. That is what A's seats earned over the mean of the table, up to a factor.

Where the two agents are the two sides it is simply what one side scores less the other: in Kloepper
the stake, 2, 4, 6, 12, 24 or their negatives, in Klammern the points of one pair less those of the
other, in Liga mode the Augen. Where the agents' seats cross the sides of Kloepper it is 0, and
where somebody plays alone it counts how the soloist fares against all three, its fellow seat
included: a soloist who scores 6 is worth 6/2 - 0 = 3 to its agent, one who loses 4 to each opponent
(0 + 4)/2 - 4 = -2.

The score of a deal is the mean over its tables, and the margin is the mean over the deals. In a
match of whole games the score of a table is the share of the game that A's seats won less the share
of B's, from -1 to 1.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from kloepper_agents.arena.deals import Deals, open_deals
from kloepper_agents.arena.designs import BoolArray, Design, Rate, design_of
from kloepper_agents.arena.games import play_games
from kloepper_agents.arena.lockstep import Played, play_out
from kloepper_agents.arena.sequential import Answer, answer, is_telling, require_difference
from kloepper_agents.arena.statistics import Estimate, FloatArray, cluster_means
from kloepper_agents.base import Agent, IntArray, ObservationAgent, name_of, require_rules
from kloepper_agents.episode import Episode
from kloepper_agents.kinds import take_agent
from kloepper_env.errors import ConfigError, listed
from kloepper_env.games import set_up

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
    """What a match says about agent A against agent B, in the unit of the design."""

    agents: tuple[str, str]
    tables: int
    scores: FloatArray = field(repr=False)  # [deals] margin of each deal
    strata: Mapping[str, Stratum]
    rates: tuple[Mapping[str, Rate], Mapping[str, Rate]]  # of A, of B
    decisions: tuple[int, int]
    seconds: tuple[float, float]  # that A and B took for all their decisions
    until: float | None = None  # the difference that matters, of a match that may stop early

    @cached_property
    def estimate(self) -> Estimate:
        return Estimate.of(self.scores, anytime=self.until is not None)

    @property
    def answer(self) -> Answer | None:
        """Why the match stopped, what it says of A; None if it was to play all its deals."""
        if self.until is None or not is_telling(self.scores):
            return None
        return answer(self.low, self.high, self.until)

    @property
    def deals(self) -> int:
        return self.estimate.deals

    @property
    def margin(self) -> float:
        """What a seat of A is credited with less what a seat of B is."""
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


def chunk_for(agents: Iterable[Agent]) -> int:
    """How many deals such agents play side by side."""
    fast = all(isinstance(agent, ObservationAgent) for agent in agents)
    return CHUNK if fast else SLOW_CHUNK


class _Tally:
    """Adds up the chunks of a match."""

    def __init__(self, design: Design, until: float | None = None) -> None:
        self.design = design
        self.until = until
        self.tables = 0
        self.scores: list[FloatArray] = []
        self.strata: dict[str, list[FloatArray]] = {}  # NaN: no such table in this deal
        self.stratum_tables: dict[str, int] = {}
        self.rates: tuple[dict[str, Rate], dict[str, Rate]] = ({}, {})
        self.decisions = np.zeros(2, np.int64)
        self.seconds = np.zeros(2)

    def count(self, played: Played, seats: IntArray) -> None:
        """Count what was done in some hands, by those who sit at `seats` [N, S]."""
        for agent, totals in enumerate(self.rates):
            for name, rate in self.design.rates(played, seats == agent).items():
                totals[name] = totals.get(name, Rate()) + rate
        self.decisions += played.decisions
        self.seconds += played.seconds

    def add(
        self, margins: FloatArray, deals: IntArray, n_deals: int, strata: Mapping[str, BoolArray]
    ) -> None:
        """Add the scores of tables [N]; `deals` [N] is the place of their deal in the chunk."""
        self.tables += len(margins)
        self.scores.append(cluster_means(margins, deals, n_deals))
        for name, member in strata.items():
            means = cluster_means(margins[member], deals[member], n_deals)
            self.strata.setdefault(name, []).append(means)
            self.stratum_tables[name] = self.stratum_tables.get(name, 0) + int(member.sum())

    def result(self, agents: tuple[str, str]) -> MatchResult:
        strata = {}
        for name, chunks in self.strata.items():
            means = np.concatenate(chunks)
            estimate = Estimate.of(means[~np.isnan(means)], anytime=self.until is not None)
            strata[name] = Stratum(estimate, self.stratum_tables[name])
        return MatchResult(
            agents=agents,
            tables=self.tables,
            scores=np.concatenate(self.scores),
            strata=strata,
            rates=self.rates,
            decisions=(int(self.decisions[0]), int(self.decisions[1])),
            seconds=(float(self.seconds[0]), float(self.seconds[1])),
            until=self.until,
        )


def play_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    episode: str = Episode.HAND,
    deals: int = 1000,
    seed: int = 0,
    deal_file: str | Path | None = None,
    until: float | None = None,
    recorder: Recorder | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play a duplicate match: every agent plays every side of every deal.

    An agent is given by its name or as an object of a class derived from Agent. The deals are hands
    0 to `deals` - 1 of `seed`, or the first of `deal_file`, a path or the name of frozen deals such
    as `test`; `seed` also fixes the agents' luck, which is the same at all tables of a deal, so
    that two equal agents have a margin of exactly 0. With the episode "game" a deal is a whole
    game: the same hands one after the other at all its tables. `recorder` gets every hand;
    `progress` is called with the number of deals finished since its last call.

    With `until`, a difference that matters, the match stops as soon as its interval leaves out 0 or
    lies within that difference of 0, and plays `deals` deals at most. Then all its intervals are
    those of sequential.py, which hold at any time.

    Raises ConfigError or NotationError for what cannot be read, and IllegalActionError, naming the
    agent, for an answer that is no action or not a legal one.
    """
    source = open_deals(seed, deal_file, deals, game)
    until = None if until is None else require_difference(until)
    match = _Match(game, rules, [agent_a, agent_b], seed, source, until)
    if episode not in tuple(Episode):
        raise ConfigError(f"episode is {episode!r}, but must be {listed(Episode)}")
    if episode == Episode.GAME and deal_file is not None:
        raise ConfigError(f"{deal_file} holds single hands, but games are asked for")
    match.recorder = recorder
    play = match.play_hands if episode == Episode.HAND else match.play_games
    match.warm_up()
    for start in range(0, deals, match.chunk):
        stop = min(start + match.chunk, deals)
        play(start, stop)
        if progress is not None:
            progress(stop - start)
        if match.is_answered():
            break
    return match.result()


class _Match:
    """Where the tables of a match stand."""

    def __init__(
        self,
        game: str,
        rules: Mapping[str, Any] | None,
        agents: Sequence[Agent | str],
        seed: int,
        source: Deals,
        until: float | None = None,
    ) -> None:
        self.game, self.options = set_up(game, rules)
        self.agents = [take_agent(one, game) for one in agents]
        require_rules(self.agents, self.game, self.options)
        self.design = design_of(self.game)
        self.tally = _Tally(self.design, until)
        self.seed, self.source = seed, source
        self.recorder: Recorder | None = None

    @property
    def chunk(self) -> int:
        """How many deals are played side by side."""
        return chunk_for(self.agents)

    def warm_up(self) -> None:
        """Play a hand: what agents compile or load at first is no part of the time they take."""
        self._play(0, 1)

    def play_hands(self, start: int, stop: int) -> None:
        """Play all tables of some deals."""
        played, seats, of_deal = self._play(start, stop)
        first = seats == 0
        margins = table_margins(self.design.credits(played, self.options), first)
        self._count(played, seats)
        self.tally.add(margins, of_deal, stop - start, self.design.strata(played, first))

    def play_games(self, start: int, stop: int) -> None:
        """Play all tables of some games."""
        tables = np.array(self.design.game_tables, np.int64)
        of_game = np.repeat(np.arange(stop - start), len(tables))
        seats = np.tile(tables, (stop - start, 1))
        shares = play_games(
            self.game, self.options, of_game + start, seats, self.agents, self.seed, self._count
        )
        margins = (shares * np.where(seats == 0, 1, -1)).sum(axis=1)
        self.tally.add(margins, of_game, stop - start, {})

    def is_answered(self) -> bool:
        """Whether a match that may stop early has found what it was to find."""
        return self.tally.until is not None and self.result().answer is not None

    def result(self) -> MatchResult:
        """What the match says so far."""
        return self.tally.result((name_of(self.agents[0]), name_of(self.agents[1])))

    def _play(self, start: int, stop: int) -> tuple[Played, IntArray, IntArray]:
        """Play deals: the hands, who sat where [N, S], and the place [N] of each one's deal."""
        dealt = self.source.hands(self.game, self.options, start, stop)
        tables = [self.design.tables_of(hand) for hand in dealt]
        seats = np.array([table for of_deal in tables for table in of_deal], np.int64)
        of_deal = np.repeat(np.arange(len(dealt)), [len(one) for one in tables])
        hands = dealt[of_deal]
        played = play_out(
            self.game, self.options, hands, seats, self.agents, of_deal + start, self.seed
        )
        return played, seats, of_deal

    def _count(self, played: Played, seats: IntArray) -> None:
        self.tally.count(played, seats)
        if self.recorder is not None:
            for hand, table in zip(played.hands, seats, strict=True):
                self.recorder.write(hand, agents=[name_of(self.agents[agent]) for agent in table])
