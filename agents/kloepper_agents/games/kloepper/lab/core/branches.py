"""The same hand played on both ways: with an announcement and without it.

C opportunities, F columns of an outcome.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Agent, IntArray, ObservationAgent
from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.announce import best_call
from kloepper_agents.games.kloepper.features import MASK_WORDS, features_of
from kloepper_agents.games.kloepper.lab.core.opportunities import Kind
from kloepper_agents.games.kloepper.lab.core.playing import (
    CALLS,
    GAME,
    POLICY,
    Lineup,
    acted,
    quiet,
)
from kloepper_agents.search.searcher import Searcher
from kloepper_env import engine
from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.record import PASS
from kloepper_env.state import State


def announcing(
    lineup: Lineup, kind: Kind, hands: Records, seats: IntArray, numbers: IntArray
) -> IntArray:
    """Outcomes [C, F] when `seats` [C] do what the kind says in hands where they decide.

    A double holder that must call takes the ace the policy likes best.
    """
    if kind.by_silence:
        return lineup.play(hands, seats, quiet(kind.mask), numbers)
    return _announced(lineup, kind.mask, hands, seats, numbers)


def refraining(
    lineup: Lineup, kind: Kind, hands: Records, seats: IntArray, numbers: IntArray
) -> IntArray:
    """Outcomes [C, F] when `seats` [C], or their sides, do the opposite, now and later."""
    if kind.by_silence:
        return _announced(lineup, kind.mask, hands, seats, numbers)
    silent = quiet(kind.mask)
    return lineup.play(hands, seats, silent, numbers, silent if kind.by_side else POLICY)


def waiting(lineup: Lineup, hands: Records, seats: IntArray, numbers: IntArray) -> IntArray:
    """Outcomes [C, F] when `seats` [C] pass now and then play as the policy sees fit."""
    passed = acted(hands, np.full(len(hands), PASS))
    return lineup.play(passed, seats, POLICY, numbers)


def _announced(
    lineup: Lineup, mask: int, hands: Records, seats: IntArray, numbers: IntArray
) -> IntArray:
    if mask == CALLS:
        actions = best_calls(lineup.policy, lineup.options, hands)
    else:
        actions = np.full(len(hands), mask.bit_length() - 1)
    return lineup.play(acted(hands, actions), seats, POLICY, numbers)


def best_calls(policy: Agent, options: Options, hands: Records) -> IntArray:
    """The call [C] that a policy would make in hands where a call is legal, if it had to make one.

    A policy that, allowed nothing but calls, makes none (`rules`, when it wants to play alone) has
    its ace chosen by the rules of thumb; a search player takes the one it values highest.
    """
    words = np.zeros((len(hands), GAME.words), np.int64)
    mask_words = np.zeros((len(hands), GAME.mask_words), np.int64)
    engine.look(hands, words, mask_words)
    observations, masks = words.view(np.int8), mask_words.view(np.int8)[:, : GAME.n_actions].copy()
    masks[:, [action for action in range(GAME.n_actions) if not CALLS >> action & 1]] = 0
    by_rules = np.empty(len(hands), np.int64)
    _calls_by_rules(words, words_of(masks, MASK_WORDS), by_rules)
    if isinstance(policy, Searcher):
        return np.array(
            [_valued_call(policy, options, hands[i : i + 1]) for i in range(len(hands))], np.int64
        )
    if not isinstance(policy, ObservationAgent):
        return by_rules
    chosen = policy.act_many(observations, masks, np.zeros(len(hands), np.uint64))
    return np.where(CALLS >> chosen & 1, chosen, by_rules)


@jit
def _calls_by_rules(words: NDArray[Any], mask_words: NDArray[Any], out: IntArray) -> None:
    for i in range(len(out)):
        out[i] = best_call(features_of(words[i], bits_of(mask_words[i], 0, MASK_WORDS)))


def _valued_call(policy: Searcher, options: Options, hand: Records) -> int:
    state = State(GAME, options, hand)
    assert state.turn is not None
    thought = policy.explain(state.view(state.turn), 0)
    value_of = {
        GAME.action_of[action]: value
        for action, value in zip(thought.actions, thought.values, strict=True)
    }
    return max((action for action in value_of if CALLS >> action & 1), key=value_of.__getitem__)
