"""The fields of a hand in play, written once: a class that type checkers read, and its dtype.

class Hand(Protocol):
    dealer: i1
    hands: Annotated[IntArray, "i4", N_SEATS]  # [seat] mask of the cards held

HAND = record_dtype(Hand)
"""

from typing import Annotated, Any, get_type_hints

import numpy as np

i1 = Annotated[int, "i1"]
i2 = Annotated[int, "i2"]
i4 = Annotated[int, "i4"]
i8 = Annotated[int, "i8"]


def record_dtype(fields: type) -> np.dtype[Any]:
    """The aligned record dtype of a class, whose annotations name a NumPy type and a length."""
    hints = get_type_hints(fields, include_extras=True)
    columns: list[tuple[Any, ...]] = []
    for name, hint in hints.items():
        kind, *shape = hint.__metadata__
        columns.append((name, kind, tuple(shape)) if shape else (name, kind))
    return np.dtype((np.record, np.dtype(columns, align=True)))
