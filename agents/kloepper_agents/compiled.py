"""Observations and masks as compiled players read them: bytes in int64 words, eight to a word."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import (
    FloatArray,
    Int8Array,
    ObservationAgent,
    WordArray,
    certain,
    require_rows,
)
from kloepper_env._jit import IntArray, jit
from kloepper_env.games.game import Game


def words_of(vectors: Int8Array, n_words: int) -> IntArray:
    """Copy int8 rows [N, M] of any memory layout into int64 words [N, n_words], zeros behind."""
    words = np.zeros((len(vectors), n_words), np.int64)
    words.view(np.int8)[:, : vectors.shape[1]] = vectors
    return words


@jit
def bits_of(words: IntArray, start: int, n: int) -> int:
    """The zeros and ones in `n` words as the bits of a mask.

    The eight bytes of a word are folded to pairs, fours and eight bits. (One multiplication would
    do, but it overflows, which is undefined for the signed words of compiled code.)
    """
    mask = 0
    for i in range(n):
        word = int(words[start + i])
        word |= word >> 7
        word |= word >> 14
        mask |= ((word | word >> 28) & 255) << 8 * i
    return mask


ChooseMany = Callable[[IntArray, IntArray, IntArray], None]
"""Observations [N, W / 8] and masks [N, M / 8], in words, and where the actions [N] go."""


class CompiledAgent(ObservationAgent):
    """A player that is one compiled function of observations and masks; it uses no randomness."""

    def __init__(self, game: Game, choose_many: ChooseMany) -> None:
        self._words = game.words
        self._n_actions = game.n_actions
        self._mask_words = -(-game.n_actions // 8)
        self._choose_many = choose_many

    def act_many(
        self, observations: Int8Array, masks: Int8Array, random: WordArray
    ) -> NDArray[np.int64]:
        require_rows(observations, masks, random, 8 * self._words, self._n_actions)
        actions = np.empty(len(masks), np.int64)
        self._choose_many(
            words_of(observations, self._words), words_of(masks, self._mask_words), actions
        )
        return actions

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        unused = np.zeros(len(masks), np.uint64)
        return certain(self.act_many(observations, masks, unused), self._n_actions)
