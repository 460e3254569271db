"""What a person watches, as long as somebody does."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from rich.console import Console
from rich.text import Text


class _Console(Console):
    """A console that tells of a lost reader as of all else: by an exception."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704  # the error that it is called for


class Terminal:
    """stderr, to draw on and to print sentences on.

    When nobody can see it any more, because the terminal is closed or a pipe has no reader, drawing
    ends and nothing else does.
    """

    def __init__(self) -> None:
        self.console = _Console(stderr=True, highlight=False)
        self._is_lost = sys.stderr is None

    def say(self, sentence: str) -> None:
        """Print a line, above a bar if there is one."""
        with self.drawing():
            self.console.print(Text(sentence), soft_wrap=not self.console.is_terminal)

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Do something on the terminal, and no more when it turns out to be lost."""
        try:
            yield
        except OSError:
            if not self._is_lost:
                self._is_lost = True
                abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Send what is printed to a stream from now on nowhere: nobody reads it any more."""
    with suppress(OSError, ValueError):  # of a stream that is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
