"""`greedy` for Klammern."""

from typing import Final

from kloepper_agents.base import refuse_settings
from kloepper_agents.compiled import CompiledAgent, bits_of
from kloepper_agents.games.klammern.announce import ACES, count
from kloepper_agents.games.klammern.beating import wins_now
from kloepper_agents.games.klammern.features import MASK_WORDS, Features, features_of, suit_cards
from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import DECLARE, N_CARDS, N_SUITS, PASS, POINTS, TAKE
from kloepper_env.tricks import NONE

WORTH_TAKING: Final = 10  # points of a trick, own card included, for which greedy plays to win
LONG: Final = 3  # trumps, the jack among them, with which it takes


@jit
def greedy_many(words: IntArray, mask_words: IntArray, actions: IntArray) -> None:
    """One-ply: take a trick worth having with the cheapest card that wins, else throw low.

    Chooses in every row of observations [N, W / 8] and masks [N, M / 8].
    """
    for i in range(len(actions)):
        actions[i] = greedy_action(words[i], bits_of(mask_words[i], 0, MASK_WORDS))


@jit
def greedy_action(words: IntArray, legal: int) -> int:
    """Greedy's action: lead an ace, take a trick worth taking, else throw low; knows no partner."""
    features = features_of(words, legal)
    if legal >> N_CARDS:
        return greedy_announcement(features)
    if features.winning == NONE:
        aces = legal & ACES & ~suit_cards(features.trump)
        return lowest(aces) if aces else cheapest(features, legal)
    winners = 0
    for card in range(N_CARDS):
        winners |= (int(legal >> card & 1 and wins_now(features, card))) << card
    if winners:
        card = cheapest(features, winners)
        if features.on_table + POINTS[features.trump, card] >= WORTH_TAKING:
            return card
    return cheapest(features, legal)


@jit
def greedy_announcement(features: Features) -> int:
    """Take with the jack and two more trumps, declare, and never double."""
    if features.legal >> DECLARE & 1:
        return DECLARE
    for suit in range(N_SUITS):
        if features.legal >> TAKE + suit & 1:
            own = count(features.hand | 1 << features.turned, suit)
            if own.jack and own.jack + own.nine + own.ace + own.ten + own.low >= LONG:
                return TAKE + suit
    return PASS


@jit
def cheapest(features: Features, cards: int) -> int:
    """The card with the fewest points of a non-empty mask; of equals the lowest."""
    best, fewest = NONE, 99
    while cards:
        card = lowest(cards)
        points = int(POINTS[features.trump, card])
        if points < fewest:
            best, fewest = card, points
        cards &= cards - 1
    return best


def make_greedy(settings: str) -> CompiledAgent:
    """`greedy` for Klammern. Raises ConfigError for settings: it has none."""
    refuse_settings("greedy", settings)
    return CompiledAgent(get_game("klammern"), greedy_many)
