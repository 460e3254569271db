"""In which order cards are tried. Only speed depends on it.

The rank of a card is a sum of weights that were tuned on the number of plays per deal. They differ
by what is known of the trick with this card in it (`certain`, `expected` in search.py).
"""

from typing import Final

import numpy as np

from kloepper_env._jit import jit

FAVOURITE: Final = 127  # rank of the card that did best here before

# Rows: a lead, then a card to a trick; each in four cases, in the order of `_case`.
# Columns: base, per card point, if it is a trump, if it takes the trick for now.
WEIGHTS: Final = np.array(
    [
        [[40, -1, 10, 0], [54, 1, 14, 0], [40, -1, 10, 0], [55, 2, -2, 0]],
        [[34, -1, 3, 2], [49, 3, 4, -4], [33, -1, -9, 0], [57, 4, -11, -14]],
    ],
    np.int64,
)


@jit
def order(
    coming: int, certain: bool, expected: bool, takes: bool, card: int, points: int
) -> int:
    """Rank of a card (a bit), 1 to 126; the highest is tried first.

    `expected` is whether the side that plays it takes the trick if everybody plays his best card,
    `certain` whether that cannot change any more.
    """
    weights = WEIGHTS[int(coming < 3), 2 * int(certain) + int(expected)]
    rank = weights[0] + weights[1] * points + weights[2] * (card < 1 << 11) + weights[3] * takes
    return min(max(int(rank), 1), FAVOURITE - 1)
