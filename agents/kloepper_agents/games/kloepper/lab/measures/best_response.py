"""Local best response: what one seat gains that knows how the three others play.

It weighs the deals that are consistent with what it knows by the others' own probabilities, tries
each action in the likelier ones, with the policy at all seats from there on, and takes the best
mean (Lisy and Bowling 2017). So it looks one action ahead, but does so at every choice. What it
gains over the policy in the same seat, on the same deals, is a lower bound of what the policy can
lose to a single opponent or partner that knows it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.crossplay import guest_gains
from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.arena.measured import require_count
from kloepper_agents.arena.statistics import FloatArray
from kloepper_agents.base import (
    Agent,
    IntArray,
    name_of,
    policy_of,
    require_rules,
    require_turn,
)
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.processes import in_parts
from kloepper_agents.search.worlds import Worlds, systematic
from kloepper_env import engine
from kloepper_env._jit import jit
from kloepper_env.beliefs import MOST_LISTED, Belief, effective_size
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.record import N_SEATS
from kloepper_env.payoff import payoffs
from kloepper_env.view import View

WORLDS: Final = 128  # in which actions are tried
MOST_WORLDS: Final = 4096
POOL: Final = 16  # worlds drawn and weighed for each of them, where they are not all listed
DOUBT: Final = 0.001  # share of any action that keeps a belief from ruling out everything
ROUNDING: Final = 1e-9
CAUTION: Final = 1.0  # standard errors by which an action must be better than the policy's own
AT_ONCE: Final = 10  # hands of one piece of work


class BestResponder(Agent):
    """Plays a policy, but whatever is better against three seats that play it.

    Of few consistent deals it takes all with their weights, of many WORLDS drawn by their weights.
    """

    def __init__(self, policy: Agent, worlds: int = WORLDS) -> None:
        self.name = f"best response to {name_of(policy)}"
        self.rules = policy.rules
        self.policy, self.worlds = policy, worlds
        self._probabilities = policy_of(policy)

    def act(self, view: View, random: int) -> int:
        require_turn(view)
        legal = np.flatnonzero(view.action_mask)
        own = self.policy.act(view, random)
        if len(legal) == 1:
            return own
        rng = np.random.default_rng(random)
        believed, independent = self._belief(view, rng)
        values = self._tried(view, believed.hands, legal, int(rng.integers(1 << 62)))
        gaps = values - values[:, legal == own]
        means = believed.weights @ gaps
        best = int(means.argmax())
        spread = believed.weights @ np.square(gaps[:, best] - means[best])
        doubt = CAUTION * float(np.sqrt(spread / independent))
        return int(legal[best]) if means[best] > doubt + ROUNDING else own

    def _belief(self, view: View, rng: np.random.Generator) -> tuple[Worlds, float]:
        """Consistent deals with weights given that the others play the policy, and how many
        independent draws they are worth: without end if they are all there are."""
        belief, n = Belief(view), self.worlds
        is_listed = belief.count() <= MOST_LISTED
        pool = belief.enumerate() if is_listed else belief.sample(POOL * n, rng)
        weights = belief.weights(pool, self._probabilities, temper=1.0, uniform=DOUBT)
        if len(pool) <= n:
            return Worlds(pool, weights, complete=True), np.inf
        picked = systematic(weights, n, rng.random())
        drawn = Worlds(pool[picked], np.full(n, 1 / n), complete=False)
        return drawn, n if is_listed else min(n, effective_size(weights))

    def _tried(self, view: View, worlds: Records, legal: IntArray, seed: int) -> FloatArray:
        """Payoffs [N, A] of legal actions [A] in worlds [N], with the same luck for each action."""
        seat, n = int(worlds["turn"][0]), len(worlds)
        hands = np.repeat(worlds, len(legal))
        carry_out(hands, np.tile(legal, n))
        seats = np.zeros((len(hands), N_SEATS), np.int64)
        options = GAME.options(view.rules)
        numbers = np.repeat(np.arange(n), len(legal))
        played = play_out(GAME, options, hands, seats, [self.policy], numbers, seed)
        return payoffs(played.scores)[:, seat].reshape(n, len(legal))


@jit
def carry_out(hands: Records, actions: IntArray) -> None:
    """Act in each of some hands [N]; actions [N] are legal."""
    for i in range(len(hands)):
        engine.apply(hands[i], int(actions[i]))


# --- many hands ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exploited:
    """One hand, played with and without a seat that knows the policy of the others."""

    deal: int
    seat: int
    gain: float  # payoff of the seat, best response less the policy
    differs: bool  # whether it did anything else than the policy


def exploited_hands(
    start: int, *, policy: str, rules: Mapping[str, Any], hands: int, seed: int, worlds: int
) -> list[Exploited]:
    """Play hands from number `start` on twice: with the policy at all seats, and with a responder.

    The seat of the responder is that of the hand's number modulo four; dealers are drawn.
    """
    options, stop = GAME.options(rules), min(start + AT_ONCE, hands)
    dealt = GAME.new_hands(stop - start, options, engine.seed_key(seed))
    dealt["serial"] += start
    engine.start(dealt, GAME.tables, -1)
    numbers = np.arange(start, stop)
    agent = make_agent(policy)
    gains, differ = guest_gains(
        GAME,
        options,
        dealt,
        BestResponder(agent, worlds),
        agent,
        (numbers % N_SEATS)[:, None],
        numbers,
        seed,
    )
    return [
        Exploited(number, number % N_SEATS, gain, differs)
        for number, gain, differs in zip(
            numbers.tolist(), gains[:, 0].tolist(), differ[:, 0].tolist(), strict=True
        )
    ]


def exploit(
    policy: str,
    *,
    rules: Mapping[str, Any],
    hands: int,
    seed: int,
    worlds: int = WORLDS,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Exploited]:
    """What local best responses to a policy gain in `hands` hands.

    `worlds` are tried at a choice; `progress` is called with the hands done. Raises ConfigError for
    what cannot be asked, and for a policy that does not know its probabilities.
    """
    require_count("hands", hands)
    require_count("worlds", worlds, MOST_WORLDS)
    options = GAME.options(rules)
    agent = make_agent(policy)
    require_rules([agent], GAME, options)
    policy_of(agent)
    settings = {"policy": policy, "rules": options.changed(), "hands": hands}
    work = partial(exploited_hands, **settings, seed=seed, worlds=worlds)
    return in_parts(work, hands, AT_ONCE, jobs, progress)
