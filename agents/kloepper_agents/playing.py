"""Drivers that let `rules` play, for any game: whole hands, and hands in play to their end.

`rules_choice` is declared here and written by each game that has such a player, as the kernels of
kloepper_env.engine are; importing that player's module defines it.
"""

from typing import Any

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, kernel
from kloepper_env.engine import Records


@kernel
def rules_choice(hand: Any, words: IntArray) -> int:
    """What `rules` does for the seat that decides, by what that seat knows.

    `words` [W / 8] is room for its observation.
    """
    raise NotImplementedError  # never called: see _jit.kernel


@jit
def finish(hand: Any, words: IntArray) -> int:
    """Let `rules` play all seats to the end of a hand; returns the number of decisions."""
    decisions = 0
    while not hand.over:
        engine.apply(hand, rules_choice(hand, words))
        decisions += 1
    return decisions


@jit
def play_hands(
    hands: Records, tables: IntArray, words: IntArray, n_hands: int, totals: IntArray
) -> int:
    """Deal and play `n_hands` whole hands one after the other in hands[0], four `rules` seated.

    Adds the scores to `totals` [seat] and returns the number of decisions.
    """
    hand = hands[0]
    decisions = 0
    for _ in range(n_hands):
        engine.deal(hand, tables, -1)
        decisions += finish(hand, words)
        engine.result(hand, totals)
        hand.serial += 1
    return decisions


@jit
def play_each(hands: Records, actions: IntArray, words: IntArray, scores: IntArray) -> None:
    """Play hand i after action i modulo A to its end, and add what each seat scores to `scores`.

    `hands` [N] are in play, `actions` [A] legal in them, `scores` [N, seat].
    """
    for i in range(len(hands)):
        hand = hands[i]
        engine.apply(hand, int(actions[i % len(actions)]))
        finish(hand, words)
        engine.result(hand, scores[i])
