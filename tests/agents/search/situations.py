"""Hands in play for the tests of the search players."""

from collections.abc import Iterator

import numpy as np

from kloepper_agents.kinds import make_agent
from kloepper_env.beliefs import Belief
from kloepper_env.games import get_game
from kloepper_env.state import State

GAME = get_game("kloepper")


def decisions(hands: int, seed: int = 3) -> Iterator[State]:
    """Every decision with a choice in some hands that four `rules` play; a copy each."""
    rules = make_agent("rules")
    for serial in range(hands):
        state = State.deal(seed=seed, serial=serial)
        while (seat := state.turn) is not None:
            if len(state.legal()) > 1:
                yield state.copy()
            state.push(rules.act(state.view(seat), 0))


def dealt_anew(state: State, seed: int) -> State:
    """The same for the seat that decides, with other hidden cards."""
    assert state.turn is not None
    worlds = Belief(state.view(state.turn)).sample(2, np.random.default_rng(seed))
    other = next((i for i in range(len(worlds)) if not _same(state, worlds[i])), 0)
    return State(state.game, state.options, worlds[other : other + 1].copy())


def _same(state: State, world: np.void) -> bool:
    return bool((state.hand["hands"] == world["hands"]).all())
