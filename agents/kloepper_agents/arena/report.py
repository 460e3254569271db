"""What a league says, as grids for people and as JSON for programs."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.deals import sha256_of
from kloepper_agents.arena.designs import Rate
from kloepper_agents.arena.league import League, Setting
from kloepper_agents.arena.match import MatchResult
from kloepper_agents.arena.sequential import TELLING, Answer, is_telling
from kloepper_agents.arena.statistics import Estimate, bootstrap_interval
from kloepper_agents.episode import Episode

FORMAT: Final = 1  # of result.json
WIDE: Final = 10.0  # half-width from which a second decimal says nothing
_PLURAL: Final[dict[str, str]] = {Episode.HAND: "deals", Episode.GAME: "games"}


# --- grids -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Text in rows and columns: the first column names the row, the others are numbers or text."""

    title: str
    header: list[str]
    rows: list[list[str]]
    text: Collection[int] = (0,)  # columns that hold text


def with_interval(estimate: Estimate) -> str:
    """`+0.52±0.11`, wide ones `+365.0±14.7`; of too few deals for an interval the mean alone."""
    half = estimate.half_width
    if not estimate.is_shown:
        return f"{estimate.mean:+.2f}" if estimate.deals else "-"
    places = 2 if half < WIDE else 1
    return f"{estimate.mean:+.{places}f}±{half:.{places}f}"


def grids(league: League) -> list[Grid]:
    """The grids of a report."""
    by_kind = [_strata(league)] if any(match.strata for match in league.matches.values()) else []
    return [_margins(league), *by_kind, _announcements(league)]


def notes(league: League) -> list[str]:
    """Sentences that belong under the grids."""
    setting, matches = league.setting, league.matches.values()
    source = f"seed {setting.seed}"
    if setting.deal_file is not None:
        source = f"{setting.deal_file}, {source}"
    rules = ", ".join(f"{name}={value}" for name, value in setting.rules.items()) or "default rules"
    tables = max(match.tables for match in matches)
    played = _PLURAL[setting.episode]
    deals = max(match.deals for match in matches)
    lines = [f"{deals:,} {played} at {tables:,} tables a match; {source}; {rules}."]
    if setting.until is not None:
        lines += [_outcome(league, match) for match in matches]
    return lines + _power(league)


def _outcome(league: League, match: MatchResult) -> str:
    """Why a match that may stop early has stopped, and what its interval is worth."""
    setting, (first, second) = league.setting, match.agents
    holds = "The intervals hold whenever one looks"
    if match.answer is None:
        few = "" if is_telling(match.scores) else f", for fewer than {TELLING} tell them apart"
        return f"{match.deals:,} {_PLURAL[setting.episode]} settle nothing{few}. {holds}."
    stopped = f"Stopped after {match.deals:,} of at most {setting.deals:,}"
    if match.answer is Answer.LEVEL:
        near = f"{first} and {second} are within {setting.until:g} {setting.unit.name}"
        return f"{stopped}: {near} of each other. {holds}."
    if match.answer is Answer.WORSE:
        first, second = second, first
    return (
        f"{stopped}: {first} is better than {second}. {holds}, but the margin of a match that "
        "stopped because it was large is too large on average."
    )


def _power(league: League) -> list[str]:
    """What differences the deals of the matches can show; empty where that is not known."""
    unit, played = league.setting.unit, _PLURAL[league.setting.episode]
    found = sorted(
        (
            match.estimate.detectable,
            match.estimate.deals_needed(unit.planned),
            label_of(league, pair),
        )
        for pair, match in league.matches.items()
        if math.isfinite(match.estimate.detectable) and match.estimate.standard_error > 0
    )
    if not found:
        return []
    (least, fewest, quietest), (most, many, noisiest) = found[0], found[-1]
    if len(found) == 1:
        return [
            f"These {played} show a difference of {most:.2f} {unit.name} with a power of 80 %; one "
            f"of {unit.planned} takes {many:,} {played}."
        ]
    return [
        f"With a power of 80 % these {played} show a difference of {least:.2f} {unit.name} in "
        f"{quietest} and of {most:.2f} in {noisiest}; one of {unit.planned} takes {fewest:,} to "
        f"{many:,} {played}."
    ]


def _heading(league: League) -> str:
    name = league.setting.unit.name
    return name[0].upper() + name[1:]


def _margins(league: League) -> Grid:
    """Every agent against every other; with three or more also the rating.

    Columns are headed by the numbers of agents: names are long, and there may be many.
    """
    everyone = range(len(league.agents))
    rated = len(league.agents) > 2
    header = ["agent", *(["rating"] if rated else []), *(str(i + 1) for i in everyone)]
    rows = []
    for i in everyone:
        row = [f"{i + 1} {league.agents[i]}"]
        if rated:
            row.append(with_interval(league.rating(i)))
        row += ["" if i == j else with_interval(league.margin(i, j)) for j in everyone]
        rows.append(row)
    title = f"{_heading(league)}, row against column (95 % interval)"
    return Grid(title, header, rows)


def label_of(league: League, agents: Iterable[int]) -> str:
    """Some agents by name; by number too where two have the same name."""
    names = league.agents
    return " – ".join(
        f"{i + 1} {names[i]}" if names.count(names[i]) > 1 else names[i] for i in agents
    )


def _strata(league: League) -> Grid:
    """The margin of every match by kind of hand."""
    rows = [
        [
            label_of(league, pair),
            *(with_interval(stratum.estimate) for stratum in match.strata.values()),
        ]
        for pair, match in league.matches.items()
    ]
    first = next(iter(league.matches.values()))
    header = ["match", *(name.replace("_", " ") for name in first.strata)]
    return Grid(f"{_heading(league)}, by kind of hand", header, rows)


def _announcements(league: League) -> Grid:
    """How often each agent did what it could, and how often that came off."""
    rates = [league.rates(i) for i in range(len(league.agents))]
    rows = [
        [
            label_of(league, [i]),
            *map(_rate_text, own.values()),
            f"{1e6 * league.seconds_per_decision(i):.1f}",
        ]
        for i, own in enumerate(rates)
    ]
    header = ["agent", *(kind.replace("_", "-") for kind in rates[0]), "µs"]
    return Grid("Done, of the times it could be (came off); µs a decision", header, rows)


def _rate_text(rate: Rate) -> str:
    share = f"{rate.share:.0%}" if rate.share >= 0.1 else f"{rate.share:.1%}"
    return f"{share} ({rate.success:.0%})" if rate.taken else share


# --- JSON --------------------------------------------------------------------------------------


def to_json(league: League, command: str) -> dict[str, Any]:
    """Everything a report says, for json.dumps; numbers that are not known are None."""
    setting = {k: v for k, v in asdict(league.setting).items() if (k, v) != ("until", None)}
    if league.setting.deal_file is not None:
        setting["deal_file_sha256"] = sha256_of(league.setting.deal_file, league.setting.game)
    return {
        "format": FORMAT,
        "kloepper": version("kloepper"),
        "command": command,
        **setting,
        "agents": [
            {
                "name": name,
                "rating": _estimate(league.rating(i)),
                "rates": _rates(league.rates(i)),
                "seconds_per_decision": league.seconds_per_decision(i),
            }
            for i, name in enumerate(league.agents)
        ],
        "unit": league.setting.unit.name,
        "matches": [_match(match, league.setting) for match in league.matches.values()],
    }


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "margin": estimate.mean,
        "half_width": _known(estimate.half_width),
        "low": _known(estimate.low),
        "high": _known(estimate.high),
        "detectable": _known(estimate.detectable),
        "deals": estimate.deals,
    }


def _rates(rates: Mapping[str, Rate]) -> dict[str, Any]:
    return {
        name: {**asdict(rate), "share": rate.share, "success": rate.success}
        for name, rate in rates.items()
    }


def _match(match: MatchResult, setting: Setting) -> dict[str, Any]:
    planned, generator = setting.unit.planned, np.random.default_rng(setting.seed)
    is_fixed = match.until is None  # a bootstrap is made for a number of deals fixed beforehand
    return {
        "agents": list(match.agents),
        **_estimate(match.estimate),
        **({} if is_fixed else {"answer": match.answer}),
        "bootstrap": list(bootstrap_interval(match.scores, generator)) if is_fixed else None,
        "deals_needed": {str(planned): match.estimate.deals_needed(planned)},
        "tables": match.tables,
        "strata": {
            name: {**_estimate(stratum.estimate), "tables": stratum.tables}
            for name, stratum in match.strata.items()
        },
        "rates": [_rates(own) for own in match.rates],
        "seconds_per_decision": [
            seconds / max(decisions, 1)
            for seconds, decisions in zip(match.seconds, match.decisions, strict=True)
        ],
    }
