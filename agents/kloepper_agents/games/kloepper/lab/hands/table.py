"""`kloepper lab table`: what every hand is worth, and each of its first announcements.

Clubs and spades are alike but for the trumps among them, so hands that differ by exchanging the
plain cards of the two are one class. Four `rules` play; the hand sits in every place of trick 1
equally often. P options of a hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.evaluate import SETTLED
from kloepper_agents.games.kloepper.lab.core.plans import KNOCK_OFFS
from kloepper_agents.games.kloepper.lab.core.playing import (
    CALLS,
    GAME,
    KNOCKS,
    POLICY,
    Plan,
    quiet,
)
from kloepper_agents.games.kloepper.lab.hands.tally import (
    DEALS,
    GAP,
    N_SUMS,
    PAY,
    SWEPT,
    WON_61,
    WON_91,
    tally,
    tally_open,
)
from kloepper_env import engine
from kloepper_env._jit import mix, wrapping_add
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALL,
    CALLABLE_ACES,
    FIRST_OF_SUIT,
    HAND_SUBSETS,
    HEARTS,
    KNOCK,
    KNOCK_OFF,
    N_SEATS,
)
from kloepper_env.solver.kloepper.transpositions import WORDS as TRANSPOSITION_WORDS

FIRST_CLUB, FIRST_SPADE, _ = FIRST_OF_SUIT[:3]
_PLAIN: Final = 0b1111  # four cards of each


# --- classes -------------------------------------------------------------------------------------


def exchanged(hands: NDArray[Any]) -> NDArray[Any]:
    """Masks [N] with the plain clubs and spades exchanged."""
    clubs, spades = hands >> FIRST_CLUB & _PLAIN, hands >> FIRST_SPADE & _PLAIN
    rest = hands & ~(_PLAIN << FIRST_CLUB | _PLAIN << FIRST_SPADE)
    result: NDArray[Any] = rest | spades << FIRST_CLUB | clubs << FIRST_SPADE
    return result


def classes(*, queens_only: bool) -> NDArray[np.int64]:
    """One hand (a mask) of each class, ascending: 75,304, or 34,219 with a black queen."""
    hands = GAME.tables[: HAND_SUBSETS[0]].astype(np.int64)
    first = np.sort(hands[hands <= exchanged(hands)])
    return first[first & BLACK_QUEENS != 0] if queens_only else first


def class_size(hand: int) -> int:
    """How many hands are of the class of this one: 1 or 2."""
    return 1 + int(exchanged(np.array([hand]))[0] != hand)


# --- options of a class --------------------------------------------------------------------------

QUIET: Final = "quiet"
OPTIONS: Final = ("knock_now", "knock_later", "call_C", "call_S", "call_H", "knock_off")
"""Announcements of the table; `quiet` makes none. A knock-off answers a knock that a holder of a
black queen makes before the lead whatever else it holds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An option of a hand, and the place of the one that it is compared with."""

    name: str
    plan: Plan
    against: int = 0
    others: Plan = POLICY


def entries_of(hand: int) -> list[Entry]:
    """The options of a hand (a mask); the first is silence."""
    queens = hand & BLACK_QUEENS
    if not queens:
        knocked = Plan(KNOCKS, KNOCK)
        return [
            Entry(QUIET, quiet(KNOCKS)),
            Entry("silent", quiet(KNOCK_OFFS), 1, knocked),
            Entry("knock_off", Plan(KNOCK_OFFS, KNOCK_OFF), 1, knocked),
        ]
    decides = KNOCKS | CALLS
    knocks = [
        Entry("knock_now", Plan(decides, KNOCK, 0)),
        Entry("knock_later", Plan(decides, KNOCK, N_SEATS)),
    ]
    free = CALLABLE_ACES & ~hand if queens == BLACK_QUEENS else 0
    calls = [
        Entry(f"call_{letter}", Plan(CALLS, CALL + suit))
        for suit, letter in zip(range(HEARTS + 1), "CSH", strict=True)
        if free >> FIRST_OF_SUIT[suit] & 1
    ]
    return [Entry(QUIET, quiet(decides)), *knocks, *calls]


def possible_options(hands: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the OPTIONS hands (masks [N]) have, [N, O]."""
    kinds, kind_of = np.unique(hands & (BLACK_QUEENS | CALLABLE_ACES), return_inverse=True)
    names = [{entry.name for entry in entries_of(int(kind))} for kind in kinds]
    has = np.array([[option in own for option in OPTIONS] for own in names], bool)
    return has.reshape(-1, len(OPTIONS))[kind_of]


# --- rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effort:
    """When a row is good enough."""

    quiet_error: float = 0.05  # standard error of the payoff of silence
    gap_error: float = 0.25  # of an announcement's gain, unless its sign is settled before
    least: int = 1024  # deals before anything is settled
    open_scores: int = 32  # deals solved for the payoff with open cards; 2 at least
    open_sweeps: int = 128  # ... and for all tricks
    most: int = 1 << 16  # deals


BATCH: Final = 2048  # deals between two looks

_SHARES: Final = ("all_tricks", "points_61", "points_91")
_OPTION_FIELDS: Final = ("gain", "error", "deals", "all_tricks")
ROW: Final = np.dtype(
    [
        ("hand", "i4"),
        ("size", "i1"),
        ("deals", "i4"),
        ("quiet", "f4"),
        ("quiet_error", "f4"),
        ("all_tricks", "f4"),
        ("points_61", "f4"),
        ("points_91", "f4"),
        ("open_payoff", "f4"),
        ("open_error", "f4"),
        ("open_all_tricks", "f4"),
        *(
            (f"{option}_{name}", "i4" if name == "deals" else "f4")
            for option in OPTIONS
            for name in _OPTION_FIELDS
        ),
    ]
)
"""A row of the table; what its fields mean stands in `ROW_MEANINGS`."""

ROW_MEANINGS: Final = {
    "hand": "mask of the cards, bit k for card k of the rules' order of strength",
    "size": "hands of this class: 2 where clubs and spades can be exchanged, else 1",
    "deals": "deals played with silence",
    "quiet": "payoff of never announcing anything (both queens: alone)",
    "quiet_error": "its standard error",
    "all_tricks": "share of these deals in which the black side took all tricks",
    "points_61": "share of them played to the end with 61 card points or more for the own side",
    "points_91": "the same with 91 card points or more",
    "open_payoff": "payoff of silence double dummy",
    "open_error": "its standard error",
    "open_all_tricks": "share in which the black side can take all tricks, double dummy",
    **{
        f"{option}_{name}": f"{option}: {meaning}"
        for option in OPTIONS
        for name, meaning in zip(
            _OPTION_FIELDS,
            (
                "payoff over silence on the same deals; empty where it is not possible",
                "its standard error",
                "deals played with it; 0 where it is not possible",
                "share in which the black side took all tricks",
            ),
            strict=True,
        )
    },
}


def check_rows(rows: NDArray[Any]) -> None:
    """Raise ConfigError for rows ROW [N] that no table holds, naming what is wrong."""
    hands = rows["hand"].astype(np.int64)
    if not np.isin(hands, classes(queens_only=False)).all():
        raise ConfigError("its hands are not those that stand for a class")
    if (rows["size"] != 1 + (exchanged(hands) != hands)).any():
        raise ConfigError("the sizes of its classes are wrong")
    always = np.ones(len(rows), bool)
    possible = dict(zip(OPTIONS, possible_options(hands).T, strict=True))
    for name in rows.dtype.names or ():
        values = rows[name]
        is_made = next((possible[o] for o in OPTIONS if name.startswith(o)), always)
        if values.dtype.kind == "f" and (np.isfinite(values) != is_made).any():
            raise ConfigError(f"column {name} is known where it cannot be, or not where it must")
        if name.endswith(_SHARES) and ((values < 0) | (values > 1)).any():
            raise ConfigError(f"column {name} holds a share outside 0 to 1")
        if name.endswith(("error", "deals")) and (values < 0).any():
            raise ConfigError(f"column {name} holds a number below 0")


def rows_of(hands: Sequence[int], seed: int, effort: Effort, rules: Any) -> NDArray[Any]:
    """The rows ROW [N] of some hands (masks): a function of its arguments alone."""
    rows = np.zeros(len(hands), ROW)
    played = GAME.new_hands(2, rules, 0)
    solver = np.zeros(TRANSPOSITION_WORDS, np.int64)
    for row, hand in zip(rows, hands, strict=True):
        _fill(row, int(hand), key_of(int(hand), seed), effort, played, solver)
    return rows


def key_of(hand: int, seed: int) -> int:
    """The key of the deals around a hand (a mask)."""
    return int(mix(wrapping_add(engine.seed_key(seed), mix(hand + 1))))


def _fill(row: Any, hand: int, key: int, effort: Effort, played: Records, solver: IntArray) -> None:
    entries = entries_of(hand)
    sums = _play(entries, hand, key, effort, played)
    row["hand"], row["size"], row["deals"] = hand, class_size(hand), sums[0, DEALS]
    row["quiet"], row["quiet_error"] = _mean(sums[0, PAY:], sums[0, DEALS])
    for name, column in (("all_tricks", SWEPT), ("points_61", WON_61), ("points_91", WON_91)):
        row[name] = sums[0, column] / sums[0, DEALS]
    opened = np.zeros(3, np.int64)
    scores, sweeps = effort.open_scores, effort.open_sweeps
    solver[:] = 0  # what it remembers must not make a row depend on those before
    tally_open(played, GAME.tables, hand, key, scores, sweeps, solver, opened)
    row["open_payoff"], row["open_error"] = _mean(opened, scores)
    row["open_all_tricks"] = opened[2] / sweeps
    for option in OPTIONS:
        row[f"{option}_gain"] = row[f"{option}_error"] = row[f"{option}_all_tricks"] = np.nan
    for entry, own in zip(entries, sums, strict=True):
        if entry.name in OPTIONS:
            row[f"{entry.name}_gain"], row[f"{entry.name}_error"] = _mean(own[GAP:], own[DEALS])
            row[f"{entry.name}_deals"] = own[DEALS]
            row[f"{entry.name}_all_tricks"] = own[SWEPT] / own[DEALS]


def _play(
    entries: Sequence[Entry], hand: int, key: int, effort: Effort, played: Records
) -> NDArray[np.int64]:
    """The sums [P, N_SUMS] of the options of a hand, each played until it is known well enough."""
    options = np.array(
        [[*one.plan.numbers, *one.others.numbers, one.against] for one in entries], np.int64
    )
    sums = np.zeros((len(entries), N_SUMS), np.int64)
    payoffs, words = np.zeros(len(entries), np.int64), np.zeros(WORDS, np.int64)
    open_ = set(range(len(entries)))
    done, size = 0, min(effort.least, effort.most)
    while open_ and done < effort.most:
        active = sum(1 << p for p in open_ | {entries[p].against for p in open_})
        tally(
            played, GAME.tables, hand, key, done, done + size, options, active, payoffs, words, sums
        )
        done += size
        size = min(done, BATCH, effort.most - done)
        open_ = {p for p in open_ if not _is_known(p, entries, sums[p], effort)}
    return sums


def _is_known(p: int, entries: Sequence[Entry], sums: NDArray[np.int64], effort: Effort) -> bool:
    if p == 0:
        return _mean(sums[PAY:], sums[DEALS])[1] <= effort.quiet_error
    if entries[p].against == p:  # it is there to be compared with
        return True
    gap, error = _mean(sums[GAP:], sums[DEALS])
    return abs(gap) > SETTLED * error or error <= effort.gap_error


def _mean(sums: NDArray[np.int64], n: int) -> tuple[float, float]:
    """Mean and standard error of `n` numbers by their sum and the sum of their squares."""
    mean = int(sums[0]) / n
    variance = (int(sums[1]) - n * mean * mean) / (n - 1)
    return mean, float(np.sqrt(max(variance, 0.0) / n))
