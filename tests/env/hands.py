"""Random options, and hands played at random, for tests of what is made of them."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from kloepper_env.games import get_game
from kloepper_env.state import State


def random_rules(game: str, rng: random.Random) -> dict[str, Any]:
    """Each option at its default or, every other time, at any allowed value."""
    allowed = get_game(game).allowed
    return {name: any_value(allowed[name], rng) for name in allowed if rng.random() < 0.5}


def any_value(allowed: Any, rng: random.Random) -> Any:
    """One of the values that an option may have; of a long range more often a small number."""
    if isinstance(allowed, Mapping):
        return {key: any_value(numbers, rng) for key, numbers in allowed.items()}
    if isinstance(allowed, range):
        return rng.choice(allowed[: 10 ** rng.randrange(1, 7)])
    value = rng.choice(allowed)
    return any_value(value, rng) if isinstance(value, range) else value


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
