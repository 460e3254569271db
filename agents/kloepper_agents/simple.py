"""`random` and `passive`, for any game."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import (
    FloatArray,
    Int8Array,
    ObservationAgent,
    WordArray,
    refuse_settings,
    require_rows,
)
from kloepper_agents.compiled import words_of
from kloepper_env._jit import IntArray, deposit, high_half, jit, lowest, popcount
from kloepper_env.games import Game, get_game


class Random(ObservationAgent):
    """Any legal action, each equally likely."""

    def act_many(
        self, observations: Int8Array, masks: Int8Array, random: WordArray
    ) -> NDArray[np.int64]:
        require_rows(observations, masks, random)
        actions = np.empty(len(masks), np.int64)
        random = np.ascontiguousarray(random)
        random_many(words_of(masks, -(-masks.shape[1] // 8)), random.view(np.int64), actions)
        return actions

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        shares: FloatArray = masks.astype(np.float64)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


class Passive(ObservationAgent):
    """Announces nothing where it need not, and plays any legal card, each equally likely.

    A fairer baseline than `random`, which ruins itself by what it announces.
    """

    def __init__(self, game: Game) -> None:
        self._pass = game.action_of.get(PASS)
        self._is_card = game.heads == 0
        self._random = Random()

    def act_many(
        self, observations: Int8Array, masks: Int8Array, random: WordArray
    ) -> NDArray[np.int64]:
        require_rows(observations, masks, random, n_actions=len(self._is_card))
        return self._random.act_many(observations, self._wanted(masks), random)

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        return self._random.probabilities(observations, self._wanted(masks))

    def _wanted(self, masks: Int8Array) -> Int8Array:
        """Of masks [N, A] what it draws from: passing where it may, else cards, else anything."""
        cards = masks * self._is_card
        wanted = np.where(cards.any(axis=1, keepdims=True), cards, masks)
        if self._pass is not None:
            only_pass = np.arange(masks.shape[1]) == self._pass
            wanted = np.where(masks[:, [self._pass]] != 0, only_pass, wanted)
        return wanted.astype(np.int8)


PASS: Final = "pass"
_FLAGS: Final = 0x0101010101010101  # the bit of each byte of a word that says yes or no


@jit
def random_many(mask_words: IntArray, random: IntArray, actions: IntArray) -> None:
    """Choose in every row of masks, int8 in words [N, A / 8], with a random word each."""
    for i in range(len(actions)):
        legal = 0
        for word in range(mask_words.shape[1]):
            legal += popcount(mask_words[i, word] & _FLAGS)
        choice = high_half(int(random[i])) * legal >> 32
        word, flags = 0, mask_words[i, 0] & _FLAGS
        while choice >= popcount(flags):
            choice -= popcount(flags)
            word += 1
            flags = mask_words[i, word] & _FLAGS
        actions[i] = 8 * word + (lowest(deposit(1 << choice, flags)) >> 3)


def make_passive(game: str, settings: str) -> Passive:
    """`passive`. Raises ConfigError for settings: it has none."""
    refuse_settings("passive", settings)
    return Passive(get_game(game))


def make_random(game: str, settings: str) -> Random:
    """`random`. Raises ConfigError for settings: it has none."""
    refuse_settings("random", settings)
    return Random()
