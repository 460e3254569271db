"""What a seat can tell of the others' cards and sides, by different beliefs, in hands of a player.

At the start of tricks 3 and 4 one seat of each hand looks at all deals that are consistent with
what it knows. A belief weighs them, and is judged by the weight that it gives the true one: by how
many nats that beats the same weight for all. At the start of trick 3 it is also asked who is on the
seat's side, of the seats of which that is not known for certain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.arena.measured import require_count
from kloepper_agents.arena.statistics import FloatArray
from kloepper_agents.base import policy_of, require_rules
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.search import worlds as _worlds  # noqa: F401  # likelihoods
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.forecasts import BoolArray
from kloepper_agents.lab.processes import in_parts
from kloepper_agents.search.bidding import Bidding
from kloepper_env import engine
from kloepper_env.beliefs import Belief, partner_probabilities
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, shown
from kloepper_env.games.kloepper.record import BLACK_QUEENS, N_CARDS, N_SEATS
from kloepper_env.state import State

TRICKS: Final = (3, 4)  # at whose start beliefs are judged, from 1
PARTNERS: Final = 3  # the trick at whose start partners are asked for
OR: Final = " or "
UNIFORM: Final = "uniform"
ANNOUNCEMENTS: Final = "announcements"
AT_ONCE: Final = 20  # hands of one piece of work

Weigher = Callable[[Belief, Records, int], FloatArray]
"""A belief, all its worlds [N] and the seat whose it is, to weights [N] that sum to 1."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What B beliefs say at one point of a hand, of N consistent deals and three other seats."""

    deal: int
    trick: int  # from 1
    worlds: int  # consistent deals
    gains: FloatArray  # [B] log(N * weight of the true deal), in nats
    hopes: FloatArray  # [B] the mean of that over all deals by the belief's own weights
    partners: FloatArray  # [B, 3] probability that the seats from the left on are allies
    allies: BoolArray  # [3] whether they are
    open: BoolArray  # [3] whether the seat cannot know it for certain, nor all by black queens


# --- beliefs ---------------------------------------------------------------------------------


def _uniform(belief: Belief, worlds: Records, seat: int) -> FloatArray:
    return np.full(len(worlds), 1 / len(worlds))


def _by_announcements(belief: Belief, worlds: Records, seat: int) -> FloatArray:
    return Bidding(GAME, seat).weights(worlds)


def weigher_of(name: str, options: Any, *, temper: float, uniform: float) -> Weigher:
    """A belief by its name: UNIFORM, ANNOUNCEMENTS (as players that search weigh deals), or an
    agent by whose probabilities all that was done is weighed, as in `Belief.weights`; or several
    of them with OR between, of which each of the other seats may be any."""
    if name == UNIFORM:
        return _uniform
    if name == ANNOUNCEMENTS:
        return _by_announcements
    agents = [make_agent(one) for one in name.split(OR)]
    require_rules(agents, GAME, options)
    policies = [policy_of(agent) for agent in agents]
    return lambda belief, worlds, seat: belief.weights(
        worlds, policies, temper=temper, uniform=uniform
    )


# --- points of a hand ------------------------------------------------------------------------


def points_of(state: State, played: Any) -> Iterator[tuple[int, State]]:
    """The starts of TRICKS in a hand: the trick, and the state before its first card.

    `state` is where the hand `played` began; it is played on.
    """
    for code in played["log"][: played["log_length"]].tolist():
        action, plies = engine.noted_action(code), int(state.hand.plies)
        trick = 1 + plies // N_SEATS
        if action < N_CARDS and plies % N_SEATS == 0 and trick in TRICKS:
            yield trick, state.copy()
        state.push(action)


def nats_above_uniform(weights: FloatArray) -> FloatArray:
    """By how much the logarithm of each weight [N] is above that of 1 / N; 0 of those that are 0.

    Rounded, so that equal weights are just 0.
    """
    ratios = np.where(weights > 0, weights * len(weights), 1.0)
    return np.asarray(np.log(ratios).round(12) + 0.0)


def judge(state: State, seat: int, weighers: Sequence[Weigher], deal: int, trick: int) -> Judged:
    """What beliefs say for a seat of a state. Raises ConfigError where one rules the truth out."""
    view = state.view(seat)
    belief = Belief(view)
    worlds = belief.enumerate()
    (true,) = np.flatnonzero((worlds["hands"] == state.hand.hands).all(axis=1))
    weights = [weigher(belief, worlds, seat) for weigher in weighers]
    if not all(own[true] > 0 for own in weights):
        raise ConfigError(
            f"a belief rules out the true cards of hand {deal}: --uniform must be more than 0"
        )
    others = (seat + np.arange(1, N_SEATS)) % N_SEATS
    sides = int(state.hand.black) >> np.arange(N_SEATS) & 1
    flat = partner_probabilities(view, worlds, _uniform(belief, worlds, seat))[others]
    queens = int(np.bitwise_or.reduce(state.hand.played)) & BLACK_QUEENS
    return Judged(
        deal=deal,
        trick=trick,
        worlds=len(worlds),
        gains=np.array([nats_above_uniform(own)[true] for own in weights]),
        hopes=np.array([own @ nats_above_uniform(own) for own in weights]),
        partners=np.array([partner_probabilities(view, worlds, one)[others] for one in weights]),
        allies=sides[others] == sides[seat],
        open=(flat > 0) & (flat < 1 - 1e-9) & (queens != BLACK_QUEENS),
    )


# --- many hands ------------------------------------------------------------------------------


def judged_hands(
    start: int,
    *,
    policy: str,
    beliefs: Sequence[str],
    rules: Mapping[str, Any],
    hands: int,
    seed: int,
    temper: float,
    uniform: float,
) -> list[Judged]:
    """Judge beliefs in hands of four players of one policy, from number `start` on."""
    options, stop = GAME.options(rules), min(start + AT_ONCE, hands)
    dealt = GAME.new_hands(stop - start, options, engine.seed_key(seed))
    dealt["serial"] += start
    engine.start(dealt, GAME.tables, -1)
    played, numbers = dealt.copy(), np.arange(start, stop)
    seats = np.zeros((len(played), N_SEATS), np.int64)
    play_out(GAME, options, played, seats, [make_agent(policy)], numbers, seed)
    weighers = [weigher_of(one, options, temper=temper, uniform=uniform) for one in beliefs]
    return [
        judge(state, number % N_SEATS, weighers, number, trick)
        for i, number in enumerate(numbers.tolist())
        for trick, state in points_of(State(GAME, options, dealt[i : i + 1].copy()), played[i])
    ]


def judge_beliefs(
    policy: str,
    beliefs: Sequence[str],
    *,
    rules: Mapping[str, Any],
    hands: int,
    seed: int,
    temper: float = 0.7,
    uniform: float = 0.1,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Judged]:
    """Judge beliefs in `hands` hands that a player plays at all four seats.

    Each hand is seen from the seat of its number modulo four; dealers are drawn. `temper` and
    `uniform` are explained at `Belief.weights`; `progress` is called with the hands done. Raises
    ConfigError for what cannot be asked.
    """
    require_count("hands", hands)
    if not 0 < temper <= 1 or not 0 <= uniform <= 1:
        raise ConfigError(
            f"temper is {shown(temper)} and uniform {shown(uniform)}, but both must be from 0 to "
            "1, and temper more than 0"
        )
    options = GAME.options(rules)
    require_rules([make_agent(policy)], GAME, options)
    for one in beliefs:
        weigher_of(one, options, temper=temper, uniform=uniform)
    work = partial(
        judged_hands,
        policy=policy,
        beliefs=tuple(beliefs),
        rules=options.changed(),
        hands=hands,
        seed=seed,
        temper=temper,
        uniform=uniform,
    )
    return in_parts(work, hands, AT_ONCE, jobs, progress)
