"""Hands played at random, for tests of what is made of them."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from kloepper_env.state import State


def positions(
    seed: int,
    rules: Mapping[str, Any] | None = None,
    boldness: float = 0.3,
    game: str = "kloepper",
) -> Iterator[State]:
    """A random hand position by position, the finished one last; the same State every time."""
    rng = random.Random(seed)
    state = State.deal(game, rules, seed=seed)
    yield state
    while not state.is_over:
        legal = state.legal()
        is_shy = "pass" in legal and rng.random() > boldness
        state.push("pass" if is_shy else rng.choice(legal))
        yield state


def finished(
    seed: int,
    rules: Mapping[str, Any] | None = None,
    boldness: float = 0.3,
    game: str = "kloepper",
) -> State:
    """The last of `positions`."""
    *_, last = positions(seed, rules, boldness, game)
    return last
