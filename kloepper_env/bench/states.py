"""Benchmarks of `State`: what players and searches that work on single hands ask for most."""

import time
from collections.abc import Callable
from typing import Any

from kloepper_env.state import State


def view(n: int, game: str) -> float:
    """Microseconds to make the View of the seat that decides, the average of a hand."""
    return _microseconds(n, game, lambda state, seat: state.view(seat))


def information_key(n: int, game: str) -> float:
    """Microseconds of `State.information_key` for the seat that decides."""
    return _microseconds(n, game, lambda state, seat: state.information_key(seat))


def state_copy(n: int, game: str) -> float:
    """Microseconds of `State.copy`."""
    return _microseconds(n, game, lambda state, seat: state.copy())


def _microseconds(n: int, game: str, call: Callable[[State, int], Any]) -> float:
    """CPU time of one of `n` calls at least, in all positions of a few hands."""
    positions = []
    for serial in range(4):
        state = State.deal(game, seed=1, serial=serial)
        while (seat := state.turn) is not None:
            positions.append((state.copy(), seat))
            legal = state.legal_actions()
            state.push(legal[len(positions) % len(legal)])
    for state, seat in positions:  # compile and fill caches before the clock starts
        call(state, seat)
    rounds = -(-n // len(positions))
    begin = time.process_time()
    for _ in range(rounds):
        for state, seat in positions:
            call(state, seat)
    return (time.process_time() - begin) / (rounds * len(positions)) * 1e6
