"""`rules`: a player with the sense of a regular at the table, by named rules of thumb.

The rules of thumb stand in cards.py (cards), knocked.py (cards of knocked hands) and announce.py
(announcements).
"""

from kloepper_agents.base import refuse_settings
from kloepper_agents.compiled import CompiledAgent, bits_of
from kloepper_agents.games.kloepper.announce import announce
from kloepper_agents.games.kloepper.cards import best_card
from kloepper_agents.games.kloepper.endings import best_of_ending, is_counted
from kloepper_agents.games.kloepper.features import MASK_WORDS, features_of
from kloepper_agents.games.kloepper.knocked import is_lost, play_knocked
from kloepper_agents.playing import rules_choice
from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit, lowest
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import ALL_CARDS, HAND, Hand
from kloepper_env.tricks import NONE


@jit
def rules_many(words: IntArray, mask_words: IntArray, actions: IntArray) -> None:
    """Choose in every row of observations [N, W / 8] and masks [N, M / 8]."""
    for i in range(len(actions)):
        actions[i] = rules_action(words[i], bits_of(mask_words[i], 0, MASK_WORDS))


@jit
def rules_action(words: IntArray, legal: int) -> int:
    """The action for one observation [W / 8] and mask of legal actions."""
    if legal and legal & legal - 1 == 0:
        return lowest(legal)
    features = features_of(words, legal)
    if features.announcing:
        return announce(features)
    if features.knocker != NONE and not is_lost(features):
        return play_knocked(features)
    cards = legal & ALL_CARDS
    if is_counted(features):
        cards = best_of_ending(features, cards)
    return best_card(features, cards)


@jit
def _choice(hand: Hand, words: IntArray) -> int:
    """`rules_choice` for a hand of Kloepper."""
    engine.observe(hand, int(hand.turn), words)
    return rules_action(words, int(engine.legal(hand)))


define(rules_choice, HAND, _choice)


class Rules(CompiledAgent):
    """`rules` for Kloepper: `rules_action` in every decision."""

    def __init__(self) -> None:
        super().__init__(get_game("kloepper"), rules_many)


def make_rules(settings: str) -> Rules:
    """`rules` for Kloepper. Raises ConfigError for settings: it has none."""
    refuse_settings("rules", settings)
    return Rules()
