"""All chance of a training run: named streams of one root seed.

A stream is asked for by name and number of the update, never advanced. So there is no generator
state to save or to forget: update 700 draws the same whether the run was stopped before it or not.
"""

from typing import Final

import numpy as np
import torch

STREAMS: Final = ("deals", "weights", "actions", "minibatches", "pool", "evaluation")


def word(seed: int, stream: str, update: int = 0) -> int:
    """64 random bits for one stream and update."""
    sequence = np.random.SeedSequence(seed, spawn_key=(STREAMS.index(stream), update))
    return int(sequence.generate_state(1, np.uint64)[0])


def generator(seed: int, stream: str, update: int = 0) -> torch.Generator:
    """A generator of torch for one stream and update."""
    return torch.Generator().manual_seed(word(seed, stream, update))
