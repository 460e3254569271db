"""`rules` for Klammern: a player with the sense of a club player, by named rules of thumb.

The rules of thumb stand in cards.py (cards) and announce.py (taking, Kontra, Re, melds).
"""

from kloepper_agents.base import refuse_settings
from kloepper_agents.compiled import CompiledAgent, bits_of
from kloepper_agents.games.klammern.announce import announce
from kloepper_agents.games.klammern.cards import play_card
from kloepper_agents.games.klammern.features import MASK_WORDS, features_of
from kloepper_agents.playing import rules_choice
from kloepper_env import engine
from kloepper_env._jit import IntArray, define, jit
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import HAND, N_CARDS, Hand


@jit
def rules_action(words: IntArray, legal: int) -> int:
    """The action for one observation [W / 8] and mask of legal actions."""
    features = features_of(words, legal)
    return announce(features) if legal >> N_CARDS else play_card(features)


@jit
def rules_many(words: IntArray, mask_words: IntArray, actions: IntArray) -> None:
    """Choose in every row of observations [N, W / 8] and masks [N, M / 8]."""
    for i in range(len(actions)):
        actions[i] = rules_action(words[i], bits_of(mask_words[i], 0, MASK_WORDS))


@jit
def _choice(hand: Hand, words: IntArray) -> int:
    """`rules_choice` for a hand of Klammern."""
    engine.observe(hand, int(hand.turn), words)
    return rules_action(words, int(engine.legal(hand)))


define(rules_choice, HAND, _choice)


def make_rules(settings: str) -> CompiledAgent:
    """`rules` for Klammern. Raises ConfigError for settings: it has none."""
    refuse_settings("rules", settings)
    return CompiledAgent(get_game("klammern"), rules_many)
