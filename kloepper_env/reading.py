"""Text from elsewhere, read with bounds: no line without end, and no name that stands twice."""

import json
from collections.abc import Iterator
from os import PathLike
from typing import Any, Final

from kloepper_env.errors import KloepperError, NotationError, shortened, shown

LONGEST_LINE: Final = 1 << 20
"""Bytes of a line that is still read; a record with all that was legal has some ten thousand."""


class NotJsonError(NotationError):
    """Text that is no JSON at all."""


def read_json(text: str | bytes) -> Any:
    """Read JSON, in which an object must not name anything twice.

    Raises NotationError with the end of a sentence whose beginning is what was read, a
    NotJsonError for what is no JSON.
    """
    try:
        return _JSON.decode(text if isinstance(text, str) else text.decode("utf-8-sig"))
    except NotationError:
        raise
    except RecursionError:
        raise NotJsonError("is not JSON (it is nested too deeply)") from None
    except ValueError as error:
        raise NotJsonError(f"is not JSON ({shortened(str(error))})") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise NotationError(f"names {shown(name)} twice in one object")
            names.add(name)
    return found


_JSON: Final = json.JSONDecoder(object_pairs_hook=_once)


def read_lines(path: str | PathLike[str], longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file, with their ends.

    Raises KloepperError when it cannot be opened, and NotationError, with the end of a sentence,
    at a line of more than `longest` bytes: what follows may have no end.
    """
    try:
        file = open(path, "rb")  # noqa: SIM115  # the with statement is below the except
    except OSError as error:
        raise KloepperError(f"cannot read {path}: {error.strerror}") from None
    with file:
        while line := file.readline(longest + 1):
            if len(line) > longest:
                raise NotationError(
                    f"is longer than {longest:,} bytes; the file is read no further"
                )
            yield line
