"""What a terminal can show: its characters, its width, and no orders hidden in names.

Everything that commands and environments print goes to a stream through here or, in a command,
through streams that `prepare_streams` has readied.
"""

import codecs
import re
import shutil
import sys
import textwrap
from contextlib import suppress
from io import TextIOWrapper, UnsupportedOperation
from typing import Final, TextIO

NARROWEST: Final = 40  # columns; a window that is narrower folds lines itself
SPELLED: Final = "kloepper.spelled"
"""Name of the error handler of codecs that spells out what an encoding does not have."""

_SUITS: Final = {"♣": "C", "♠": "S", "♥": "H", "♦": "D"}
_SPELLINGS: Final = {
    **_SUITS,
    "±": "+-",
    "–": "-",
    "·": "-",
    "×": "x",
    "µ": "u",
    "─": "-",
    "━": "-",
    "╸": "-",
    "╺": "-",
}
_LABEL: Final = re.compile(r" *\S+(?: \S+)? {2,}")  # what stands before the text of a line
_WIDEST_LABEL: Final = 16


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Readable ASCII for what cannot be encoded: letters of suits, else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_SPELLINGS.get(one) or escaped(one) for one in missing), error.end


codecs.register_error(SPELLED, _spell)


def escaped(character: str) -> str:
    """A character in ASCII, as it might stand in a program: `\\x1b`."""
    return character.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """Text from outside, such as a name, on one line and without orders to a terminal.

    Control characters, line breaks and marks that turn the direction of writing stand as escapes.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else escaped(one) for one in text)


def spelled(text: str, stream: TextIO) -> str:
    """Text with what a stream cannot show spelled out: `JC` for `J♣`, `+-` for `±`."""
    encoding = _encoding_of(stream)
    symbols = "".join(_SUITS)
    if symbols.encode(encoding, "replace").decode(encoding) != symbols:  # all suits or none
        text = re.sub(f"[{symbols}]", lambda found: _SUITS[found[0]], text)
    return text.encode(encoding, SPELLED).decode(encoding)


def _encoding_of(stream: TextIO) -> str:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        return codecs.lookup(encoding).name
    except LookupError:  # the stream of some other program; ASCII can be shown anywhere
        return "ascii"


def prepare_streams() -> None:
    """Let no character stop a command, neither one that is printed nor one that is read."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=SPELLED)
    if isinstance(sys.stdin, TextIOWrapper):
        with suppress(UnsupportedOperation):  # something has been read from it before
            sys.stdin.reconfigure(errors="backslashreplace")


def width_of(stream: TextIO) -> int | None:
    """The columns of a terminal; None for a file or a pipe, where a line may be of any length."""
    if not hasattr(stream, "isatty") or not stream.isatty():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def folded(text: str, width: int | None) -> str:
    """Lines folded between words, never within one; what labels a line keeps its column."""
    if width is None:
        return text
    return "\n".join(_fold(line, width) for line in text.split("\n"))


def _fold(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    label = _LABEL.match(line)
    indent = len(line) - len(line.lstrip(" "))
    if label and len(label[0]) <= _WIDEST_LABEL:
        indent = len(label[0])
    return textwrap.fill(
        line,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def fitting(text: str, stream: TextIO | None) -> str:
    """Lines in characters that a stream has, folded to its width where it is a terminal."""
    return text if stream is None else folded(spelled(text, stream), width_of(stream))


def say(text: str = "") -> None:
    """Print lines to stdout, as they fit there; nothing where it is closed from the start."""
    if sys.stdout is not None:
        print(fitting(text, sys.stdout))
