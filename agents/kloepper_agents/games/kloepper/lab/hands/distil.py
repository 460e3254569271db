"""`kloepper lab rules`: rules of thumb distilled from the table of hands, and what they cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.announce import JACKS, worth_of_call
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray, tops_of
from kloepper_agents.games.kloepper.lab.hands.table import OPTIONS
from kloepper_agents.lab import decision_tree
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALLABLE_ACES,
    CLUBS,
    FOLLOW,
    HEARTS,
    SPADES,
    TRUMPS,
)

DEPTHS: Final = (1, 2, 3)
WORTH: Final = 0.005  # payoff per hand of the sort; a question that adds less is not worth a line
KNOCK_TIMES: Final = {"knock": "knock_now", "knock if trick 1 is won": "knock_later"}
LETTERS: Final = {"C": CLUBS, "S": SPADES, "H": HEARTS}


def features_of(hands: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """What a person sees in hands (masks [N]): names for people -> whole numbers [N]."""
    plain = [hands & int(FOLLOW[suit]) for suit in (CLUBS, SPADES, HEARTS)]
    single = np.bitwise_count(hands & BLACK_QUEENS) == 1
    counted = {
        "trumps": hands & int(FOLLOW[TRUMPS]),
        "jacks": hands & JACKS,
        "plain aces": hands & CALLABLE_ACES,
        "losers": hands & ~int(FOLLOW[TRUMPS]) & ~CALLABLE_ACES,
    }
    return {
        **{name: np.bitwise_count(mask).astype(np.int64) for name, mask in counted.items()},
        "top trumps in a row": tops_of(hands, np.where(single, BLACK_QUEENS, 0)),
        "plain suits not held": sum((suit == 0).astype(np.int64) for suit in plain),
    }


@dataclass(frozen=True, eq=False)
class Problem:
    """Hands of one sort and what each of their actions is worth, N hands, A actions."""

    name: str
    hands: NDArray[np.int64]  # [N] masks
    weights: FloatArray  # [N] hands of each class
    actions: tuple[str, ...]
    values: FloatArray  # [N, A] payoff


def problems_of(rows: NDArray[Any]) -> list[Problem]:
    """The first decisions of a table: with one black queen, with both, and against a knock."""
    queens = np.bitwise_count(rows["hand"].astype(np.int64) & BLACK_QUEENS)
    found = []
    for name, chosen, quiet, options in (
        ("one black queen", queens == 1, "stay silent", KNOCK_TIMES),
        ("both black queens", queens == 2, "play alone", {"call": "call", **KNOCK_TIMES}),
        (
            "no black queen, after a blind knock",
            queens == 0,
            "stay silent",
            {"knock off": "knock_off"},
        ),
    ):
        some = rows[chosen]
        if len(some):
            gains = [
                call_gain(some) if o == "call" else some[f"{o}_gain"] for o in options.values()
            ]
            known = np.all([np.isfinite(gain) for gain in gains], axis=0)
            # What a knock-off gains is told over letting the knock stand, not over silence.
            answers = "knock_off" in options.values()
            silence = np.zeros(len(some)) if answers else some["quiet"].astype(float)
            values = np.stack([silence, *(silence + gain for gain in gains)], axis=1)
            found.append(
                Problem(
                    name,
                    some["hand"][known].astype(np.int64),
                    some["size"][known].astype(np.float64),
                    (quiet, *options),
                    values[known],
                )
            )
    return found


def call_gain(rows: NDArray[Any]) -> FloatArray:
    """What calling gains over playing alone, [N], the ace chosen by `ace_to_call`; NaN if none."""
    gains = np.stack([rows[f"call_{letter}_gain"] for letter in LETTERS], axis=1).astype(float)
    chosen = ace_to_call(rows["hand"].astype(np.int64), np.isfinite(gains))
    return np.where(chosen < 0, np.nan, gains[np.arange(len(rows)), np.maximum(chosen, 0)])


def ace_to_call(hands: NDArray[np.int64], possible: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The suit [N] whose ace `rules` would call, -1 where none of `possible` [N, 3] is."""
    worth = np.array([[worth_of_call(hand, suit) for suit in LETTERS.values()] for hand in hands])
    chosen = np.where(possible, worth, -np.inf).argmax(axis=1)
    return np.where(possible.any(axis=1), chosen, -1)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A sentence of a rule, judged by the hands to which it was not fitted."""

    text: str
    share: float  # of the hands of this sort
    gain: float  # payoff over silence, of the hands that it is about


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule of so many questions, fitted to one half of the hands and judged by the other."""

    depth: int
    lines: tuple[RuleLine, ...]
    payoff: float  # per hand of this sort
    loss: float  # against the best action of every hand
    agreement: float  # share of the hands in which it chooses that


@dataclass(frozen=True, eq=False)
class Distilled:
    """Rules for one decision, and what could be reached at all."""

    problem: str
    hands: int  # classes
    share: float  # of all hands of the table
    best: float  # payoff of the best action of every hand
    ceiling: float  # payoff of the best rule on the features that the rules may use
    always: Mapping[str, float]  # action -> payoff of always taking it
    rules: tuple[Rule, ...]


def distil(rows: NDArray[Any]) -> list[Distilled]:
    """Rules of thumb for every decision of a table's rows. Raises ConfigError if there are none."""
    total = float(rows["size"].sum())
    found = [_distil(problem, total) for problem in problems_of(rows) if len(problem.hands) > 1]
    if not found:
        raise ConfigError("the table holds no hands to take rules from")
    return found


def _distil(problem: Problem, total: float) -> Distilled:
    named = features_of(problem.hands)
    features = np.stack(list(named.values()), axis=1)
    values, weights = problem.values, problem.weights
    fitted = np.arange(len(values)) % 2 == 0
    judged = ~fitted
    best = float(np.average(values[judged].max(axis=1), weights=weights[judged]))
    rules = []
    for depth in DEPTHS:
        worth = WORTH * float(weights[fitted].sum())
        grown = decision_tree.fit(features[fitted], values[fitted], weights[fitted], depth, worth)
        payoff, agreement = _judge(
            decision_tree.choose(grown, features[judged]), values[judged], weights[judged]
        )
        lines = [
            _line(line, features[judged], values[judged], weights[judged])
            for line in decision_tree.lines(grown, list(named), problem.actions)
        ]
        rules.append(Rule(depth, tuple(lines), payoff, best - payoff, agreement))
    cells = decision_tree.by_cell(
        features[fitted], values[fitted], weights[fitted], features[judged]
    )
    means = np.average(values[judged], axis=0, weights=weights[judged])
    return Distilled(
        problem=problem.name,
        hands=len(values),
        share=float(weights.sum()) / total,
        best=best,
        ceiling=_judge(cells, values[judged], weights[judged])[0],
        always=dict(zip(problem.actions, map(float, means), strict=True)),
        rules=tuple(rules),
    )


def _line(
    line: decision_tree.Line, features: NDArray[np.int64], values: FloatArray, weights: FloatArray
) -> RuleLine:
    own = line.applies(features)
    weight = float(weights[own].sum())
    gained = float(weights[own] @ (values[own, line.action] - values[own, 0]))
    return RuleLine(line.text, weight / float(weights.sum()), gained / weight if weight else 0.0)


def _judge(
    chosen: NDArray[np.int64], values: FloatArray, weights: FloatArray
) -> tuple[float, float]:
    """Payoff per hand of actions [N], and how often they are the best."""
    got = values[np.arange(len(values)), chosen]
    right = got >= values.max(axis=1) - 1e-9
    return float(np.average(got, weights=weights)), float(np.average(right, weights=weights))


# --- which ace -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AceGain:
    """What calling an ace is worth against the other aces of the same hand."""

    suit: str  # `hearts`, or `clubs or spades`
    held: int  # cards of the suit in the hand
    hands: float
    gain: float  # payoff over the mean of the aces that could be called


def ace_gains(rows: NDArray[Any]) -> list[AceGain]:
    """By length of the suit, over the hands that can call two aces or more."""
    gains = np.stack([rows[f"call_{letter}_gain"] for letter in LETTERS], axis=1).astype(float)
    can = np.isfinite(gains)
    several = can.sum(axis=1) > 1
    gains, can, some = gains[several], can[several], rows[several]
    over = gains - np.nanmean(gains, axis=1, keepdims=True) if len(some) else gains
    hands, weights = some["hand"].astype(np.int64), some["size"].astype(np.float64)
    found = []
    for name, suits in (("hearts", (HEARTS,)), ("clubs or spades", (CLUBS, SPADES))):
        lengths = [np.bitwise_count(hands & int(FOLLOW[suit])) for suit in suits]
        for held in range(5):
            masks = [(length == held) & can[:, s] for length, s in zip(lengths, suits, strict=True)]
            weight = float(sum(weights[mask].sum() for mask in masks))
            if weight:
                total = sum(
                    float((weights * over[:, s])[mask].sum())
                    for mask, s in zip(masks, suits, strict=True)
                )
                found.append(AceGain(name, held, weight, total / weight))
    return found


assert all(f"call_{letter}" in OPTIONS for letter in LETTERS), "the table has a column for each"
