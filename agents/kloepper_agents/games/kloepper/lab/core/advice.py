"""What a seat can foresee at an opportunity: both ways, played out in consistent deals.

The worlds come from the View alone, so advice is fixed before anything is known of the true deal.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Agent, Int8Array, IntArray, ObservationAgent
from kloepper_agents.games.kloepper.lab.core.branches import announcing, refraining, waiting
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray, Kind
from kloepper_agents.games.kloepper.lab.core.playing import GAME, Lineup, is_fast, payoffs_of
from kloepper_agents.games.kloepper.search.worlds import WorldSource
from kloepper_agents.kinds import make_agent
from kloepper_agents.search.searcher import Searcher
from kloepper_env.beliefs.weights import Policy
from kloepper_env.engine import Records
from kloepper_env.state import State

AT_ONCE: Final = 32  # opportunities whose worlds are played together


@dataclass(frozen=True, eq=False)
class Foresight:
    """What was foreseen at each opportunity [C]."""

    success: FloatArray  # probability that the announcement comes off
    gain: FloatArray  # of announcing over passing now and playing on, in payoff
    valued: FloatArray  # the same as the policy's own explanation has it; NaN if it gives none


def believed_policy(policy: Agent) -> Policy | None:
    """The policy as a likelihood of what others did; None for one that answers Views only.

    It is asked without randomness, so it counts as doing for certain what it does most easily.
    """
    if not isinstance(policy, ObservationAgent):
        return None

    def likelihood(observations: Int8Array, masks: Int8Array) -> NDArray[Any]:
        actions = policy.act_many(observations, masks, np.zeros(len(masks), np.uint64))
        probabilities: NDArray[Any] = np.eye(masks.shape[1])[actions]
        return probabilities

    return likelihood


def foresee(
    lineup: Lineup, kind: Kind, hands: Records, seats: IntArray, worlds: int, seed: int
) -> Foresight:
    """Play both ways out in `worlds` possible deals of each hand [C], in which its seat decides.

    The players of the lineup play them out, or four `rules` where its policy answers Views only.
    """
    fast = lineup if is_fast(lineup.policy) else replace(lineup, policy=make_agent("rules"))
    parts = [
        _foresee_some(
            fast, kind, hands[at : at + AT_ONCE], seats[at : at + AT_ONCE], worlds, seed + at
        )
        for at in range(0, len(hands), AT_ONCE)
    ]
    success = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0)
    gain = np.concatenate([part[1] for part in parts]) if parts else np.zeros(0)
    return Foresight(success, gain, _valued(lineup, kind, hands))


def _foresee_some(
    lineup: Lineup, kind: Kind, hands: Records, seats: IntArray, worlds: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    likelihood = believed_policy(lineup.policy)
    drawn = []
    for i, seat in enumerate(seats):
        view = State(GAME, lineup.options, hands[i : i + 1]).view(int(seat))
        rng = np.random.default_rng((seed, i))
        drawn.append(WorldSource(view, rng, likelihood).draw(worlds))
    owner = np.repeat(np.arange(len(drawn)), [len(one) for one in drawn])
    records = np.concatenate([one.hands for one in drawn])
    weights = np.concatenate([one.weights for one in drawn])
    who, numbers = seats[owner], np.arange(len(records))
    done = announcing(lineup, kind, records, who, numbers)
    if kind.by_silence:
        undone = refraining(lineup, kind, records, who, numbers)
    else:
        undone = waiting(lineup, records, who, numbers)
    gains = payoffs_of(done, who) - payoffs_of(undone, who)
    return (
        np.bincount(owner, weights * kind.succeeded(done), len(drawn)).astype(np.float64),
        np.bincount(owner, weights * gains, len(drawn)).astype(np.float64),
    )


def _valued(lineup: Lineup, kind: Kind, hands: Records) -> FloatArray:
    """What a search player's own explanation gives announcing over passing, [C]."""
    valued = np.full(len(hands), np.nan)
    if isinstance(lineup.policy, Searcher):
        for i in range(len(hands)):
            state = State(GAME, lineup.options, hands[i : i + 1])
            assert state.turn is not None
            thought = lineup.policy.explain(state.view(state.turn), lineup.seed)
            numbers = [GAME.action_of[action] for action in thought.actions]
            best = max(thought.values[j] for j, n in enumerate(numbers) if kind.mask >> n & 1)
            passed = thought.values[thought.actions.index("pass")]
            valued[i] = passed - best if kind.by_silence else best - passed
    return valued
