"""What one seat gains at most against a policy, exactly, on short packs (K32).

All that can happen is written out for one seat and one of its hands at a time, whatever the others
hold: a best response to the policy of the three others is then found for all its decisions at
once. The gains of the four seats add up to NashConv (Lanctot et al. 2017) for single seats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kloepper_agents.arena.measured import require_count
from kloepper_agents.arena.statistics import Estimate, FloatArray
from kloepper_agents.base import policy_of, require_rules
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.lab.measures.forests import (
    all_deals,
    deals_around,
    own_hands,
    require_short_pack,
    write_out,
)
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.extensive import Solver, best_response, gains, value_of, values
from kloepper_agents.lab.processes import each
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import N_SEATS, PACK_HANDS

Asked = tuple[int, int]
"""A seat, and the hand it is dealt as a mask."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat that holds a hand has against a policy."""

    seat: int  # from the left of the dealer
    held: int
    value: float  # payoff with the policy itself
    gain: float  # of a best response over that
    nodes: int  # that were written out


def answered(asked: Asked, *, policy: str, rules: Mapping[str, Any]) -> Answer:
    """What a best response of one seat with one hand gains."""
    seat, held = asked
    options = GAME.options(rules)
    deals = deals_around(options, seat, held)
    written = write_out(options, deals, policy_of(make_agent(policy)), seat)
    value = value_of(written.forest, written.policy, seat)
    most, _ = best_response(written.forest, written.policy, seat)
    return Answer(seat, held, value, most - value, len(written.forest.parent))


def questions(options: Any, hands: int | None, seed: int) -> list[Asked]:
    """The seats and hands to ask about: all, or `hands` of each seat drawn without repetition."""
    every = own_hands(options)
    if hands is None or hands >= len(every):
        return [(seat, held) for seat in range(N_SEATS) for held in every]
    generator = np.random.default_rng(seed)
    return [
        (seat, every[i])
        for seat in range(N_SEATS)
        for i in generator.choice(len(every), hands, replace=False).tolist()
    ]


def exploit_exactly(
    policy: str,
    *,
    rules: Mapping[str, Any],
    hands: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Answer]:
    """What best responses of each seat gain against a policy on a short pack.

    For all hands that a seat can have, or for `hands` of them. `progress` is called with the
    hands done. Raises ConfigError for the full pack, and for a policy that does not know its
    probabilities.
    """
    if hands is not None:
        require_count("hands", hands)
    options = GAME.options(rules)
    require_short_pack(options)
    agent = make_agent(policy)
    require_rules([agent], GAME, options)
    policy_of(agent)
    asked = questions(options, hands, seed)
    work = partial(answered, policy=policy, rules=options.changed())
    found = []
    for answer in each(work, asked, jobs):
        found.append(answer)
        if progress is not None:
            progress(1)
    return found


def gain_of_seat(found: list[Answer], seat: int, options: Any) -> Estimate:
    """The mean gain of a seat over its hands, which has no error if all were asked about."""
    own = Estimate.of(np.array([one.gain for one in found if one.seat == seat]))
    is_exact = own.deals == len(own_hands(options))
    return Estimate(own.mean, 0.0, own.deals) if is_exact else own


# --- the tabular reference -------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reference:
    """A policy that was found by playing against itself, and how near an equilibrium it is."""

    iterations: int
    values: FloatArray  # [seat] payoff, from the left of the dealer
    gains: FloatArray  # [seat] of a best response
    nodes: int
    information_sets: int


def find_reference(
    *,
    rules: Mapping[str, Any],
    iterations: int,
    progress: Callable[[int], None] | None = None,
) -> Reference:
    """Solve the whole game of the pack of 8 by CFR+. Raises ConfigError for a larger pack."""
    options = GAME.options(rules)
    if PACK_HANDS[-1] * N_SEATS != options.pack:
        raise ConfigError(
            f"option pack is {options.pack}, but only hands of 8 cards can be solved as a whole"
        )
    require_count("iterations", iterations)
    forest = write_out(options, all_deals(options)).forest
    solver = Solver(forest)
    for _ in range(iterations):
        solver.run(1)
        if progress is not None:
            progress(1)
    average = solver.average
    return Reference(
        iterations,
        values(forest, average),
        gains(forest, average),
        len(forest.parent),
        len(forest.owner),
    )
