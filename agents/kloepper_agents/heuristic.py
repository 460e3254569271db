"""`rules`: a player with the sense of a regular at the table, by named rules of thumb.

The rules of thumb stand in heuristic_cards.py (cards) and heuristic_announce.py (announcements).
"""

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Int8Array, ObservationAgent, WordArray
from kloepper_agents.features import MASK_WORDS, bits_of, sight_of, words_of
from kloepper_agents.heuristic_announce import announce
from kloepper_agents.heuristic_cards import play_card
from kloepper_agents.simple import refuse_settings, require_kloepper
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.games.kloepper.observe import WORDS


class Rules(ObservationAgent):
    """The hand-written player that others are compared with; it uses no chance."""

    def act_many(
        self, observations: Int8Array, masks: Int8Array, random: WordArray
    ) -> NDArray[np.int64]:
        actions = np.empty(len(masks), np.int64)
        rules_many(words_of(observations, WORDS), words_of(masks, MASK_WORDS), actions)
        return actions


@jit
def rules_many(words: IntArray, mask_words: IntArray, actions: IntArray) -> None:
    """Choose in every row of observations [N, W / 8] and masks [N, M / 8]."""
    for i in range(len(actions)):
        actions[i] = rules_action(words[i], bits_of(mask_words[i], 0, MASK_WORDS))


@jit
def rules_action(words: IntArray, legal: int) -> int:
    """The action for one observation [W / 8] and mask of legal actions."""
    sight = sight_of(words, legal)
    return announce(sight) if sight.announcing else play_card(sight)


@jit
def play_hands(
    hands: engine.Records, tables: IntArray, words: IntArray, n_hands: int, totals: IntArray
) -> int:
    """Deal and play `n_hands` whole hands one after the other in hands[0], four `rules` seated.

    `words` [W / 8] is room for the observation. Adds the scores to `totals` [seat] and returns the
    number of decisions.
    """
    hand = hands[0]
    decisions = 0
    for _ in range(n_hands):
        engine.deal(hand, tables, -1)
        while not hand.over:
            engine.observe(hand, int(hand.turn), words)
            engine.apply(hand, rules_action(words, engine.legal(hand)))
            decisions += 1
        engine.result(hand, totals)
        hand.serial += 1
    return decisions


def make_rules(game: str, settings: str) -> Rules:
    """`rules`. Raises ConfigError for settings, and for a game it does not play."""
    refuse_settings("rules", settings)
    require_kloepper("rules", game)
    return Rules()
