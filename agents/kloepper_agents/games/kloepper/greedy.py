"""`greedy` for Kloepper."""

from typing import Final

from kloepper_agents.base import refuse_settings
from kloepper_agents.compiled import CompiledAgent, bits_of
from kloepper_agents.games.kloepper.beating import wins_now
from kloepper_agents.games.kloepper.features import MASK_WORDS, Features, features_of
from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import ALL_CARDS, CALL, CALLABLE_ACES, N_CARDS, PASS, POINTS
from kloepper_env.tricks import NONE

WORTH_TAKING: Final = 10  # points of a trick, own card included, for which greedy plays to win


@jit
def greedy_many(words: IntArray, mask_words: IntArray, actions: IntArray) -> None:
    """One-ply: take a trick worth having with the cheapest card that wins, else throw low.

    Chooses in every row of observations [N, W / 8] and masks [N, M / 8].
    """
    for i in range(len(actions)):
        actions[i] = greedy_action(words[i], bits_of(mask_words[i], 0, MASK_WORDS))


@jit
def greedy_action(words: IntArray, legal: int) -> int:
    """Greedy's action: lead an ace, take a trick worth taking, else throw low; only ever call."""
    features = features_of(words, legal)
    if features.announcing:
        calls = legal >> CALL
        return CALL + lowest(calls) if calls else PASS
    legal &= ALL_CARDS  # a mask made up may mix cards and announcements, which have no points
    if features.winning == NONE:
        aces = legal & CALLABLE_ACES
        return lowest(aces) if aces else cheapest(legal)
    winners = winning_cards(features)
    if winners:
        card = cheapest(winners)
        if features.on_table + POINTS[card] >= WORTH_TAKING:
            return card
    return cheapest(legal)


@jit
def winning_cards(features: Features) -> int:
    """The legal cards that take the lead in the trick in play."""
    winners = 0
    for card in range(N_CARDS):
        if features.legal >> card & 1 and wins_now(features, card):
            winners |= 1 << card
    return winners


@jit
def cheapest(cards: int) -> int:
    """The card with the fewest points of a non-empty mask; of equals the weakest."""
    best, fewest = NONE, 99
    while cards:
        card = lowest(cards)
        if POINTS[card] <= fewest:
            best, fewest = card, int(POINTS[card])
        cards &= cards - 1
    return best


def make_greedy(settings: str) -> CompiledAgent:
    """`greedy` for Kloepper. Raises ConfigError for settings: it has none."""
    refuse_settings("greedy", settings)
    return CompiledAgent(get_game("kloepper"), greedy_many)
