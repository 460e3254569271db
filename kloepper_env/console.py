"""What the commands of all rooms share: how they end, how they report, how they read options."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, Final

import typer

from kloepper_env.errors import ConfigError, KloepperError, MissingExtraError, NotationError

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
PATIENCE: Final = 2.0
"""Seconds before a progress bar appears."""

# Modules of optional dependencies, and the extra that brings them.
_EXTRAS: Final = {
    "PIL": "render",
    "matplotlib": "plots",
    "pydantic": "train",
    "resvg_py": "render",
    "tensorboard": "train",
    "torch": "train",
    "yaml": "train",
}

# The base of typer's complaints about a command line; typer gives it no public name.
_UsageError: Final = typer.BadParameter.__mro__[1]


def main(app: typer.Typer, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status; never a traceback for a user's mistake.

    0 fine, 1 failed, 2 misused, 130 interrupted. Mistakes become one sentence on stderr.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without suit symbols shows "?"
    try:
        status = app(args=arguments, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except (ConfigError, NotationError) as error:
        return _complain(error, MISUSED)
    except KloepperError as error:
        return _complain(error, FAILED)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        return _complain(f"{named}{error.strerror or error}", FAILED)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        return _complain(MissingExtraError(error.name, _EXTRAS[error.name]), FAILED)
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        return _complain(_usage(error), MISUSED)
    if status == INTERRUPTED:  # newer versions of typer catch Ctrl-C themselves
        return _complain("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else FINE


def run_command() -> None:
    """Run the command `kloepper`, as `python -m` of a room that does not know the others."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # slow to load

    (command,) = entry_points(group="console_scripts", name="kloepper")
    command.load()()


def _complain(error: object, status: int) -> int:
    if text := str(error):
        print(f"kloepper: {text}", file=sys.stderr)
    return status


def _usage(error: Any) -> str:
    """What is wrong with a command line; nothing where typer has printed the help instead."""
    text: str = error.format_message()
    if error.ctx is None or "NoArgs" in type(error).__name__:
        return text
    return f"{text.rstrip('.')} (see `{error.ctx.command_path} --help`)"


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal for work that takes longer than PATIENCE; elsewhere nothing.

    Yields a function to call with the number of steps done since the last call; `total` is None
    where it cannot be known.

    >>> with progress("hands", 100) as advance:
    ...     for _ in range(100):
    ...         advance(1)
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda steps: None
        return
    from rich.console import Console  # noqa: PLC0415  # only where something is drawn
    from rich.progress import Progress  # noqa: PLC0415

    started, done = time.monotonic(), 0
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=total)

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        if not bar.live.is_started and time.monotonic() - started > PATIENCE:
            bar.start()
        if bar.live.is_started:
            bar.update(task, completed=done)

    try:
        yield advance
    finally:
        bar.stop()


def read_rules(settings: Iterable[str]) -> dict[str, Any]:
    """Options of a game from NAME=VALUE; VALUE is read as JSON where it is JSON, else as text."""
    rules: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise ConfigError(f"{setting!r} is not NAME=VALUE, for example failed_knock=normal")
        try:
            rules[name] = json.loads(value)
        except (ValueError, RecursionError):
            rules[name] = value
    return rules


def print_json(value: Any) -> None:
    """Print a value for a program to read."""
    print(json.dumps(value))
