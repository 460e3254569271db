"""Actions and other whole numbers as callers give them: what is read, and what is refused."""

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import IllegalActionError, shown

_TRUTHS = (bool, np.bool_)


def action_number(action: Any) -> int | None:
    """An action as an int; None for what is no whole number.

    Whole numbers are those of Python and NumPy, and integer arrays of one element in at most one
    dimension, as policies return them. A truth value is none.
    """
    if type(action) is int:  # nearly always, and then NumPy's
        return action
    if isinstance(action, np.integer):
        return int(action)
    if isinstance(action, _TRUTHS):
        return None
    if isinstance(action, np.ndarray):
        is_one = action.size == 1 and action.ndim <= 1 and action.dtype.kind in "iu"
        return int(action.item()) if is_one else None
    try:
        return index(action)
    except TypeError:
        return None


def read_action(action: Any) -> int:
    """`action_number`, with an IllegalActionError for what is no whole number."""
    number = action_number(action)
    if number is None:
        raise IllegalActionError(
            f"{shown(action)} is no action: an action is a whole number, or an integer array "
            "of shape () or (1,)"
        )
    return number


def read_actions(name: str, actions: Any, count: int | None = None) -> NDArray[np.int64]:
    """Integers [count] as int64, contiguous and writable; without a count any number of them.

    `name` says in the IllegalActionError whose or what they are.
    """
    if type(actions) is np.ndarray and actions.dtype == np.int64 and actions.shape == (count,):
        flags = actions.flags  # nearly always there is nothing to do
        if flags.c_contiguous and flags.writeable:
            return actions
    try:
        array = np.asarray(actions)
    except ValueError:
        raise IllegalActionError(_unfit(name, "a ragged sequence", count)) from None
    fits = array.ndim == 1 if count is None else array.shape == (count,)
    if array.dtype.kind not in "iu" or not fits:
        raise IllegalActionError(_unfit(name, f"{array.dtype} of shape {array.shape}", count))
    if array.dtype.kind == "u" and array.size and int(array.max()) >> 63:
        raise IllegalActionError(f"{name} hold {array.max()}, which is none of them")
    return array.astype(np.int64, order="C")


def _unfit(name: str, found: str, count: int | None) -> str:
    shape = "(N,)" if count is None else f"({count},)"
    return f"{name} must be integers of shape {shape}, not {found}"
