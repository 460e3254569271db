"""Several agents, each pair of them on the same deals, and what that says of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from kloepper_agents.arena.designs import Rate, Unit, design_of
from kloepper_agents.arena.match import MatchResult, Recorder, play_match
from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.base import Agent, name_of
from kloepper_agents.episode import Episode
from kloepper_agents.kinds import take_agent
from kloepper_env.errors import ConfigError
from kloepper_env.games import set_up

GAMES: Final = Unit("games won less games lost, a game", 0.05)


@dataclass(frozen=True)
class Setting:
    """What fixes the deals of a league and the agents' chance."""

    game: str
    rules: Mapping[str, Any]  # the options that differ from their default
    deals: int
    seed: int
    deal_file: str | None
    episode: str = Episode.HAND
    until: float | None = None  # difference for which a match stops; `deals` are the most then

    @property
    def unit(self) -> Unit:
        """What the margins are counted in."""
        if self.episode == Episode.GAME:
            return GAMES
        game, options = set_up(self.game, self.rules)
        return design_of(game).unit_of(options)


@dataclass(frozen=True, eq=False)
class League:
    """All matches between some agents; `matches[i, j]`, i < j, is that of agent i against j."""

    setting: Setting
    agents: tuple[str, ...]
    matches: Mapping[tuple[int, int], MatchResult]

    def margin(self, i: int, j: int) -> Estimate:
        """The margin of agent i against agent j."""
        if i < j:
            return self.matches[i, j].estimate
        return -self.matches[j, i].estimate

    def rating(self, i: int) -> Estimate:
        """Massey's least-squares rating of agent i, in the unit of margins; they all sum to 0.

        Where all pairs have met on as many deals it is the mean margin against all, oneself
        included with 0 (K. Massey 1997). All matches are on the same deals, so the interval comes
        from the mean over the matches of each deal.
        """
        signed = [
            match.scores if i == first else -match.scores
            for (first, second), match in self.matches.items()
            if i in (first, second)
        ]
        total = sum(signed[1:], signed[0]) / len(self.agents)
        return Estimate.of(total, anytime=self.setting.until is not None)

    def rates(self, i: int) -> dict[str, Rate]:
        """What agent i announced in all its matches."""
        totals: dict[str, Rate] = {}
        for pair, match in self.matches.items():
            if i in pair:
                for name, rate in match.rates[pair.index(i)].items():
                    totals[name] = totals.get(name, Rate()) + rate
        return totals

    def seconds_per_decision(self, i: int) -> float:
        """What agent i took for a decision, on average."""
        own = [(match, pair.index(i)) for pair, match in self.matches.items() if i in pair]
        decisions = sum(match.decisions[side] for match, side in own)
        return sum(match.seconds[side] for match, side in own) / max(decisions, 1)


def play_league(
    names: Sequence[Agent | str],
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
) -> League:
    """Play a match between each pair of some agents, all on the same deals.

    They are given by name or as objects, as in `play_match`, whose arguments these are. Raises
    ConfigError for fewer than two agents, and for more of them in a match that may stop early:
    ratings need the same deals of all.
    """
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ConfigError(f"the agents are {names!r:.80}, but must be a list of two or more")
    if len(names) < 2:
        raise ConfigError(f"{len(names)} agent is given, but a match needs two or more")
    if until is not None and len(names) > 2:
        raise ConfigError(
            f"{len(names)} agents are given, but `until` is for a match of two: ratings need the "
            "same deals of all"
        )
    seated = [take_agent(one, game) for one in names]
    matches = {
        (i, j): play_match(
            seated[i],
            seated[j],
            game=game,
            rules=rules,
            episode=episode,
            deals=deals,
            seed=seed,
            deal_file=deal_file,
            until=until,
            recorder=recorder,
            progress=progress,
        )
        for i, j in combinations(range(len(seated)), 2)
    }
    setting = Setting(
        game=game,
        rules=set_up(game, rules)[1].changed(),
        deals=deals,
        seed=seed,
        deal_file=None if deal_file is None else str(deal_file),
        episode=str(episode),
        until=until,
    )
    return League(setting, tuple(map(name_of, seated)), matches)
