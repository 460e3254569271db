"""What can go wrong, one class a cause; every message is one sentence that names the value."""

from collections.abc import Iterable
from operator import index
from reprlib import Repr
from typing import Any, Final


class KloepperError(Exception):
    """Base of every error that a user of this package can cause."""


class ConfigError(KloepperError, ValueError):
    """A name or a setting that does not exist, or a value outside the allowed ones."""


class NotationError(KloepperError, ValueError):
    """Text that is no card, no deck or no record."""


class IllegalActionError(KloepperError, ValueError):
    """A readable action that is not legal in this position."""


class RecordMismatchError(KloepperError, ValueError):
    """A record that replays to something else than it says."""


class CheckpointError(KloepperError, ValueError):
    """A checkpoint that is damaged, or made for other rules or another observation layout."""


class MissingExtraError(KloepperError, ImportError):
    """Something that needs an optional dependency which is not installed."""

    def __init__(self, module: str | None, extra: str) -> None:
        super().__init__(
            f'this needs {module}, which is not installed: pip install "kloepper[{extra}]"'
        )


LONGEST_SHOWN: Final = 80
"""Characters of a foreign value in a message."""


def shown(value: object) -> str:
    """A value for a message, as Python writes it; a long or deep one shortened.

    Only what is shown is written out: a value from elsewhere may be of any size.
    """
    try:
        return shortened(" ".join(_SHORT.repr(value).split()))
    except ValueError:  # Python writes out no number of more than 4300 digits
        kind = "number" if isinstance(value, int) else type(value).__name__
        return f"a {kind} of thousands of digits"


def shortened(text: str) -> str:
    """The beginning of a text that is too long for a message, else the text."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def _short() -> Repr:
    short = Repr()
    short.maxlevel = 3
    short.maxdict = short.maxlist = short.maxtuple = short.maxset = short.maxfrozenset = 20
    short.maxstring = short.maxother = short.maxlong = LONGEST_SHOWN
    return short


_SHORT: Final = _short()


def _is_truth(value: object) -> bool:
    """Whether it is True or False, NumPy's included, which its older versions take for 1 and 0."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool"


def whole_number(name: str, value: Any, below: int | None = None) -> int:
    """Read a whole number from 0 on, NumPy's included; ConfigError names it otherwise."""
    try:
        number = -1 if _is_truth(value) else index(value)
    except TypeError:
        number = -1
    if number < 0 or (below is not None and number >= below):
        bound = "a whole number from 0 on" if below is None else f"0 to {below - 1}"
        raise ConfigError(f"{name} is {shown(value)}, but must be {bound}")
    return number


def listed(values: Iterable[object]) -> str:
    """Join values for the end of a sentence: `a, b or c`; `none` if there are none."""
    words = [str(value) for value in values] or ["none"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
