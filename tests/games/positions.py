"""Hands of Skirmish in play, and the options that make its variants."""

import random
from typing import Any, Final

from kloepper_env.state import State

VARIANTS: Final[tuple[dict[str, Any], ...]] = ({}, {"teams": 3}, {"players": 3})
"""Six seats in two parties, in three, and three seats."""


def name_of(rules: dict[str, Any]) -> str:
    """A name for the variant, for tests."""
    return f"{rules.get('players', 6)} seats, {rules.get('teams', 2)} parties"


def played(rules: dict[str, Any], seed: int, actions: int | None = None) -> State:
    """A hand after some random actions, or after its last one."""
    state, rng = State.deal("skirmish", rules, seed=seed), random.Random(seed)
    while not state.is_over and len(state.history) != actions:
        state.push(rng.choice(state.legal()))
    return state
