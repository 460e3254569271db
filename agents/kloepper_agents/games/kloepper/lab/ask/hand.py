"""`kloepper lab hand`: what a hand should announce, before anything has happened."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.base import IntArray, require_rules
from kloepper_agents.games.kloepper.lab.core.deals import deals_around, read_hand
from kloepper_agents.games.kloepper.lab.core.equity import Equity, scores_of
from kloepper_agents.games.kloepper.lab.core.evaluate import (
    Option,
    Results,
    Source,
    evaluate,
    play_all,
)
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.games.kloepper.lab.core.plans import KNOCK_OFFS, SILENT, options_of
from kloepper_agents.games.kloepper.lab.core.playing import (
    GAME,
    KNOCKS,
    Lineup,
    Plan,
    is_fast,
    quiet,
    require_full_pack,
)
from kloepper_agents.kinds import make_agent
from kloepper_env import engine
from kloepper_env.cards import cards_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import BLACK_QUEENS, KNOCK, KNOCK_OFF, N_SEATS

PLACES: Final = ("lead", "2", "3", "4")
ASKED: Final = (
    Option(SILENT, quiet(KNOCK_OFFS)),
    Option("knock off", first=KNOCK_OFF, knocks=True),
)
"""What a red hand can do when the other side has knocked."""

_BLIND: Final = Plan(KNOCKS, KNOCK)
KNOCKED_BLINDLY: Final = (
    Option(SILENT, quiet(KNOCK_OFFS), others=_BLIND),
    Option("knock off", Plan(KNOCK_OFFS, KNOCK_OFF), others=_BLIND, knocks=True),
)
"""The same when a holder of a black queen knocks before the lead, whatever else it holds."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a hand."""

    cards: tuple[str, ...]
    place: str
    policy: str
    rules: Mapping[str, Any]
    scores: tuple[int, ...] | None  # of the seats in the order of play, the one that leads first
    seconds: float
    seed: int


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found: the options compared, and for a red hand those when the others knock."""

    question: Question
    results: Results
    blind: Results | None  # a red hand after a knock before the lead with any hand
    asked: Results | None  # None also when nobody knocked
    looked_through: int  # deals in which a red hand waited for a knock
    wins: Sequence[Estimate] | None  # probability to win the game after each option


def ask(
    hand: str,
    *,
    place: str = "lead",
    policy: str = "rules",
    rules: Mapping[str, Any] | None = None,
    scores: Sequence[int] | None = None,
    seconds: float = 20.0,
    most: int | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Answer:
    """Compare all that a hand may announce at its place in trick 1 (`lead`, `2`, `3`, `4`).

    Four `policy` play deals around the hand until the answer is settled, for about `seconds`, and
    `most` deals at most. `scores` of the seats in the order of play turn points into probabilities
    to win the game. A hand without a black queen can only answer a knock: for it deals are dealt
    until others have knocked. Raises ConfigError or NotationError for what cannot be read.
    """
    options = GAME.options(rules)
    require_full_pack(options)
    own, agent = read_hand(hand), make_agent(policy)
    require_rules([agent], GAME, options)
    if place not in PLACES:
        raise ConfigError(f"the seat is {place!r}, but must be lead, 2, 3 or 4")
    if seconds <= 0:
        raise ConfigError(f"the budget is {seconds} seconds, but must be more than 0")
    totals = None if scores is None else _checked(scores, options.target)
    position, key, lineup = PLACES.index(place), engine.seed_key(seed), Lineup(agent, options, seed)

    def deal(start: int, stop: int) -> tuple[Records, FloatArray, bool]:
        hands = deals_around(own, position, options, key, start, stop)
        return hands, np.ones(len(hands)), False

    def compare(options: Sequence[Option], share: float) -> Results:
        return evaluate(
            lineup, options, deal, position, seconds=seconds * share, most=most, progress=progress
        )

    red = own & BLACK_QUEENS == 0
    compared = options_of(own, position, options, policy, replies=is_fast(agent))
    results = compare(compared, 0.25 if red else 1.0)
    blind, asked, looked_through = None, None, 0
    if red:
        blind = compare(KNOCKED_BLINDLY, 0.25)
        left = seconds - results.seconds - blind.seconds
        asked, looked_through = _when_asked(lineup, deal, position, left, most, progress)
    wins = None
    if totals is not None:
        equity = Equity(options, seed)
        wins = [
            results.estimate(equity.probabilities(totals, scores_of(outcomes))[:, position])
            for outcomes in results.outcomes
        ]
    question = Question(
        cards=tuple(cards_of(own, GAME.codes)),
        place=place,
        policy=policy,
        rules=options.changed(),
        scores=None if totals is None else tuple(int(one) for one in totals),
        seconds=seconds,
        seed=seed,
    )
    return Answer(question, results, blind, asked, looked_through, wins)


def _when_asked(
    lineup: Lineup,
    deal: Source,
    position: int,
    seconds: float,
    most: int | None,
    progress: Callable[[int], None] | None,
) -> tuple[Results | None, int]:
    """What a knock-off brings where the policy has knocked; and how many deals that took to find.

    None if nobody knocked in all of them.
    """
    began = last = time.perf_counter()
    outcomes: list[IntArray] = []
    size, looked = (4096 if is_fast(lineup.policy) else 16), 0
    while True:
        stop = looked + size if most is None else min(looked + size, most)
        hands, _, _ = deal(looked, stop)
        numbers = np.arange(looked, stop)
        asked, where = lineup.until_asked(hands, np.full(len(hands), position), KNOCK_OFFS, numbers)
        outcomes.append(play_all(lineup, ASKED, asked, position, numbers[where]))
        looked, now = stop, time.perf_counter()
        if progress is not None:
            progress(int(now - began) - int(last - began))
        last, played = now, np.concatenate(outcomes, axis=1)
        n = played.shape[1]
        results = None
        if n:
            results = Results(ASKED, position, played, np.full(n, 1 / n), False, now - began)
        if looked == most or now - began > seconds or (results and results.is_enough):
            return results, looked


def _checked(scores: Sequence[int], target: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    if len(scores) != N_SEATS or not all(0 <= score < target for score in scores):
        raise ConfigError(
            f"the scores are {', '.join(map(str, scores))}, but must be {N_SEATS} numbers from 0 "
            f"to {target - 1}"
        )
    return np.array(scores, np.int64)
