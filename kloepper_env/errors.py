"""What can go wrong, one class a cause; every message is one sentence that names the value."""

from collections.abc import Iterable


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


def listed(values: Iterable[object]) -> str:
    """Join values for the end of a sentence: `a, b or c`."""
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
