"""What the opportunities of a study add up to: each question one small function of its columns.

Gains are in payoff: twice what the seat scores over the mean of all seats, in a hand of two against
two the stake won or lost. Intervals are of 95 % and count a deal once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.core.opportunities import BoolArray, FloatArray
from kloepper_agents.games.kloepper.lab.study.study import Study
from kloepper_agents.lab.statistics import Calibration, calibration, share_interval, weighted

TIMES: Final = (
    "before the lead",
    "after one card",
    "after two cards",
    "after three cards",
    "after trick 1",
)
PLACES: Final = ("leads", "second", "third", "last")
FEATURES: Final[Mapping[str, str]] = {
    "trumps": "trumps held",
    "tops": "highest trumps in a row",
    "aces": "plain aces held",
    "voids": "plain suits not held",
    "position": "place in trick 1",
    "cards_played": "time",
}


def label(feature: str, value: int) -> str:
    """A value of a feature for people."""
    if feature == "cards_played":
        return TIMES[value]
    return PLACES[value] if feature == "position" else str(value)


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval."""

    share: float
    low: float
    high: float
    of: float

    @classmethod
    def counted(cls, successes: float, trials: float) -> "Share":
        share = successes / trials if trials else 0.0
        return cls(share, *share_interval(successes, trials), trials)

    @classmethod
    def of_deals(cls, estimate: Estimate) -> "Share":
        """A mean of zeros and ones; its interval is that of as many independent ones as deals."""
        return cls.counted(estimate.mean * estimate.deals, estimate.deals)


# --- how often, and what it was worth ------------------------------------------------------------


def taken_of(study: Study) -> BoolArray:
    """Whether the announcement was made, [C]."""
    taken: BoolArray = study.columns["taken"] == 1
    return taken


def mean(study: Study, values: Any, rows: BoolArray) -> Estimate:
    """The mean of values [C] over some rows."""
    columns = study.columns
    return weighted(values[rows].astype(np.float64), columns["deal"][rows], columns["weight"][rows])


def gain(study: Study, other: str = "undone") -> FloatArray:
    """What doing it brings over the opposite, [C], in payoff; `waited`: over a pass now."""
    return (study.columns["payoff_done"] - study.columns[f"payoff_{other}"]).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Rates:
    """How often something could be done, was done, and came off."""

    chances: float  # opportunities, by weight: named as in result.json
    hands: int  # deals with an opportunity
    per_chance: Share
    per_deal: Share
    success: Share  # of what was done
    success_if_made: Share  # had every opportunity been taken


def rates(study: Study) -> Rates:
    """The rates of a study."""
    columns, taken = study.columns, taken_of(study)
    chances, made = float(columns["weight"].sum()), int(taken.sum())
    return Rates(
        chances=chances,
        hands=len(np.unique(columns["deal"])),
        per_chance=Share.counted(made, chances),
        per_deal=Share.counted(len(np.unique(columns["deal"][taken])), study.hands),
        success=Share.counted(int(columns["success"][taken].sum()), made),
        success_if_made=Share.of_deals(mean(study, columns["success"], columns["weight"] > 0)),
    )


@dataclass(frozen=True, slots=True)
class Gains:
    """What the decisions of one sort won or lost, had they been taken the other way."""

    decisions: int
    payoff: Estimate
    side: Estimate  # points to each seat of the side
    won: Share  # decisions in which doing it was better, as the cards lay
    lost: Share


def gains(study: Study, rows: BoolArray, other: str = "undone") -> Gains:
    """Gains of doing it over the opposite in some rows; `waited`: over a pass now."""
    columns, difference = study.columns, gain(study, other)
    side = columns["side_done"] - columns["side_undone"]
    weights = columns["weight"][rows]
    total = float(weights.sum())
    return Gains(
        decisions=int(rows.sum()),
        payoff=mean(study, difference, rows),
        side=mean(study, side, rows),
        won=Share.counted(float(weights[difference[rows] > 0].sum()), total),
        lost=Share.counted(float(weights[difference[rows] < 0].sum()), total),
    )


# --- regret and calibration ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Regret:
    """What a seat would have won by heeding advice the first time that it differs, per hand.

    The advice is fixed by worlds that know nothing of the true deal; its worth is what then
    happened in the true one. It is as good as play-outs by the policy are.
    """

    hands: int
    bold: int  # seats that did it against advice
    timid: int  # seats that did not, against advice
    bold_cost: Estimate  # payoff per hand
    timid_cost: Estimate


def regret(study: Study) -> Regret | None:
    """Regret in the deals with advice; None if there were none."""
    n = study.setting.advice_deals
    if not n:
        return None
    columns, taken = study.columns, taken_of(study)
    advised = np.flatnonzero(~np.isnan(columns["foreseen_gain"]))
    differs = advised[(columns["foreseen_gain"][advised] > 0) != taken[advised]]
    seats = columns["deal"][differs] * 4 + columns["seat"][differs]
    first = differs[np.unique(seats, return_index=True)[1]]  # rows are in the order of time
    cost = np.where(taken[first], -1, 1) * gain(study, "waited")[first]
    costs = {
        bold: np.bincount(columns["deal"][first], cost * (taken[first] == bold), n).astype(float)
        for bold in (True, False)
    }
    return Regret(
        hands=n,
        bold=int(taken[first].sum()),
        timid=int((~taken[first]).sum()),
        bold_cost=Estimate.of(costs[True]),
        timid_cost=Estimate.of(costs[False]),
    )


def foretold(study: Study) -> Calibration | None:
    """Calibration of the foreseen probability that the announcement comes off."""
    columns = study.columns
    rows = ~np.isnan(columns["foreseen_success"])
    return calibration(
        columns["foreseen_success"][rows], columns["success"][rows] == 1, columns["weight"][rows]
    )


# --- by what the seat held -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """The opportunities with one value of a feature."""

    value: int
    chances: float  # as in `Rates`
    made: Share
    success: Share  # had all of them been taken
    gain: Estimate  # the same, over the opposite
    gain_made: Estimate  # of those that were taken


def cells(study: Study, feature: str) -> list[Cell]:
    """The opportunities of a study by the values of a feature."""
    columns, taken, difference = study.columns, taken_of(study), gain(study)
    found = []
    for value in np.unique(columns[feature]):
        rows = columns[feature] == value
        chances = float(columns["weight"][rows].sum())
        found.append(
            Cell(
                value=int(value),
                chances=chances,
                made=Share.counted(int((rows & taken).sum()), chances),
                success=Share.of_deals(mean(study, columns["success"], rows)),
                gain=mean(study, difference, rows),
                gain_made=mean(study, difference, rows & taken),
            )
        )
    return found


# --- open cards ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenCards:
    """Side points of the decisions taken, double dummy (all cards seen) and as played."""

    done: Estimate
    undone: Estimate
    played_done: Estimate
    played_undone: Estimate


def open_cards(study: Study) -> OpenCards:
    """Double dummy against what happened."""
    columns, taken = study.columns, taken_of(study)
    names = ("open_done", "open_undone", "side_done", "side_undone")
    return OpenCards(*(mean(study, columns[name], taken) for name in names))
