"""Announcements in the middle of a hand: what those open to a seat are worth, and a whole review.

A seat's possible deals are those its View leaves, weighed by what the policy would have done.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.base import require_rules
from kloepper_agents.games.kloepper.lab.core.advice import believed_policy
from kloepper_agents.games.kloepper.lab.core.evaluate import Option, Results, Source, evaluate
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.games.kloepper.lab.core.plans import (
    ALONE,
    ALWAYS_ANSWERED,
    NEVER_ANSWERED,
    SILENT,
)
from kloepper_agents.games.kloepper.lab.core.playing import (
    CALLS,
    GAME,
    POLICY,
    Lineup,
    is_fast,
    quiet,
)
from kloepper_agents.games.kloepper.search.worlds import WorldSource
from kloepper_agents.kinds import make_agent
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, listed
from kloepper_env.games.kloepper.record import KNOCK, N_CARDS, PASS
from kloepper_env.records import Record
from kloepper_env.state import State
from kloepper_env.view import View

PASS_NOW: Final = "pass now, then as the policy does"
REVIEW_DEALS: Final = 2048  # possible deals for each decision of a review


def options_at(view: View, *, replies: bool) -> list[Option]:
    """What a seat that is asked may do: silence for good, a pass for now, each announcement."""
    legal = [GAME.action_of[action] for action in view.legal]
    open_now = sum(1 << action for action in legal if action != PASS)
    silence = ALONE if open_now & CALLS else SILENT
    options = [Option(silence, quiet(open_now), first=PASS), Option(PASS_NOW, first=PASS)]
    for action in legal:
        if action == PASS:
            continue
        name = GAME.action_names[action]
        knocks = not CALLS >> action & 1
        options.append(Option(name, first=action, knocks=knocks))
        if action == KNOCK and replies:
            options += [
                Option(f"{name}, {word} answered", POLICY, KNOCK, others, of=name)
                for word, others in (("never", NEVER_ANSWERED), ("always", ALWAYS_ANSWERED))
            ]
    return options


def worlds_of(lineup: Lineup, view: View, seed: int) -> Source:
    """The possible deals of a View, for `evaluate`.

    A deal that was picked several times out of its pool is one observation of that weight:
    intervals that took it for several would be too narrow.
    """
    source = WorldSource(view, np.random.default_rng(seed), believed_policy(lineup.policy))

    def draw(start: int, stop: int) -> tuple[Records, FloatArray, bool]:
        worlds = source.draw(stop - start)
        masks = worlds.hands["hands"]
        firsts = np.flatnonzero(np.append(True, (masks[1:] != masks[:-1]).any(axis=1)))
        weights = np.add.reduceat(worlds.weights, firsts) * len(worlds)
        return worlds.hands[firsts], weights, worlds.complete

    return draw


def weigh(
    state: State,
    *,
    policy: str = "rules",
    seconds: float = 20.0,
    most: int | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Compare what the seat that is asked in `state` may announce. The true cards play no part.

    Raises ConfigError where no announcement is open.
    """
    seat, agent = state.turn, make_agent(policy)
    require_rules([agent], GAME, state.options)
    if seat is None or state.legal_actions()[-1] < N_CARDS:
        raise ConfigError(
            f"seat {seat} plays a card here, so there is nothing to announce"
            if seat is not None
            else "the hand is over, so there is nothing to announce"
        )
    lineup, view = Lineup(agent, state.options, seed), state.view(seat)
    return evaluate(
        lineup,
        options_at(view, replies=is_fast(agent)),
        worlds_of(lineup, view, seed),
        seat,
        seconds=seconds,
        most=most,
        progress=progress,
    )


def asked_at(record: Record) -> list[int]:
    """After how many actions of a record somebody is asked for an announcement."""
    return [n for n, (_, action) in enumerate(record.steps) if action >= N_CARDS]


def position(record: Record, after: int) -> State:
    """The hand after so many actions. Raises ConfigError where nobody is asked there."""
    state = record.state(after)
    if after not in asked_at(record):
        where = listed(asked_at(record))
        raise ConfigError(
            f"after {after} actions nobody is asked to announce; after {where} one is"
        )
    return state


# --- a whole hand --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Verdict:
    """What one decision of a hand cost, as its seat could see it."""

    after: int
    seat: int
    cards: tuple[str, ...]
    did: str
    best: str
    cost: Estimate  # payoff of the best over what was done; the best is chosen in other deals
    success: Estimate | None  # probability of all tricks after a knock, where one was open


def review(
    record: Record,
    *,
    policy: str = "rules",
    deals: int = REVIEW_DEALS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Verdict]:
    """Every announcement and every silence of a recorded hand, weighed in `deals` possible deals.

    Half of the deals choose the best option and the other half say what it would have brought, so
    that luck in choosing is not counted as skill. `progress` is called after each decision.
    """
    verdicts = []
    for after in asked_at(record):
        results = weigh(
            record.state(after), policy=policy, seconds=float("inf"), most=deals, seed=seed + after
        )
        verdicts.append(_verdict(record, after, results))
        if progress is not None:
            progress(1)
    return verdicts


def _verdict(record: Record, after: int, results: Results) -> Verdict:
    seat, action = (int(number) for number in record.steps[after])
    names = [option.name for option in results.options]
    done = names.index(PASS_NOW if action == PASS else GAME.action_names[action])
    chooses, tells = _halves(results)
    best = _best(chooses, done)
    knock = names.index("knock") if "knock" in names else None
    return Verdict(
        after=after,
        seat=seat,
        cards=tuple(record.state(after).cards(seat)),
        did=GAME.action_names[action],
        best=GAME.action_names[action] if best == done else names[best],
        cost=tells.gap(best, done),
        success=None if knock is None else results.swept(knock),
    )


def _halves(results: Results) -> Sequence[Results]:
    """Deals to choose by and deals to tell by: all of them where these are all there are."""
    if results.complete or results.deals < 2:
        return results, results
    return results.part(slice(0, None, 2)), results.part(slice(1, None, 2))


def _best(results: Results, done: int) -> int:
    """The best option; of equal ones what was done."""
    best = results.compared[0]
    return done if results.gap(best, done).mean <= 0 else best
