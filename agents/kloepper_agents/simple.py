"""`random`, for any game."""

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import (
    Int8Array,
    ObservationAgent,
    WordArray,
    refuse_settings,
    require_rows,
)
from kloepper_agents.compiled import bits_of, words_of
from kloepper_env._jit import IntArray, deposit, high_half, jit, lowest, popcount


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


@jit
def random_many(mask_words: IntArray, random: IntArray, actions: IntArray) -> None:
    """Choose in every row of masks [N, M / 8] with a random word each."""
    for i in range(len(actions)):
        legal = bits_of(mask_words[i], 0, mask_words.shape[1])
        choice = high_half(int(random[i])) * popcount(legal) >> 32
        actions[i] = lowest(deposit(1 << choice, legal))


def make_random(game: str, settings: str) -> Random:
    """`random`. Raises ConfigError for settings: it has none."""
    refuse_settings("random", settings)
    return Random()
