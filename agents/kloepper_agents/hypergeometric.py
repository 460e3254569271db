"""Drawing without replacement: what counting says of cards that are not seen."""

from math import comb

import numpy as np
from numpy.typing import NDArray


def none_table(most_unseen: int, hand_size: int) -> NDArray[np.float64]:
    """[pool, good, n]: probability that n cards drawn out of a pool hold none of its good ones.

    Pools have up to `most_unseen` cards; n goes to `hand_size`, or all cards if there are fewer.
    """
    table = np.ones((most_unseen + 1, most_unseen + 1, hand_size + 1))
    for pool in range(most_unseen + 1):
        for good in range(pool + 1):
            for n in range(hand_size + 1):
                drawn = min(n, pool)
                table[pool, good, n] = comb(pool - good, drawn) / comb(pool, drawn)
    return table
