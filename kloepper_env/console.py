"""What the commands of all packages share: how they end, how they report, how they read options."""

import json
import math
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO

import typer

from kloepper_env.errors import (
    ConfigError,
    KloepperError,
    MissingExtraError,
    NotationError,
    shown,
)
from kloepper_env.reading import read_json
from kloepper_env.terminal import folded, prepare_streams, visible, width_of

FINE, FAILED, USAGE_ERROR = 0, 1, 2
SIGNALLED: Final = 128
"""The exit status of what a signal ends is this and its number."""
INTERRUPTED, LOST, TERMINATED = 130, 141, 143  # by SIGINT, SIGPIPE and SIGTERM
_SIGNALS: Final = {INTERRUPTED: "interrupted", TERMINATED: "terminated"}
PATIENCE: Final = 2.0
"""Seconds before a progress bar appears."""

# Modules of optional dependencies, and the extra that brings them.
_EXTRAS: Final = {
    "PIL": "render",
    "matplotlib": "plots",
    "onnx": "onnx",
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

    0 fine, 1 failed, 2 misused, 130 interrupted, 143 ended by SIGTERM; 141 when the reader of the
    output went away, without a word. Mistakes become one sentence on stderr.
    """
    prepare_streams()
    with _sigterm_unwinds():
        status = _run(app, arguments)
    if sentence := _SIGNALS.get(status):
        _complain(sentence)
    return _printed(status)


def _run(app: typer.Typer, arguments: Sequence[str] | None) -> int:
    try:
        status = app(args=arguments, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort) as abort:
        if isinstance(abort.__cause__, EOFError):  # typer takes one of any origin for Ctrl-D
            raise abort.__cause__ from None
        return INTERRUPTED
    except SystemExit as end:
        lost = isinstance(end.__context__, BrokenPipeError)  # typer and rich end so
        return LOST if lost else end.code if isinstance(end.code, int) else FAILED
    except BrokenPipeError:
        return LOST
    except (ConfigError, NotationError) as error:
        return _complain(error, USAGE_ERROR)
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
        return _complain(_usage(error), USAGE_ERROR)
    return status if isinstance(status, int) else FINE


def run_command() -> None:
    """Run the command `kloepper`, as `python -m` of a package that does not know the others."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # slow to load

    (command,) = entry_points(group="console_scripts", name="kloepper")
    command.load()()


@contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does: files stay valid, and no process is left behind."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(SIGNALLED + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _printed(status: int) -> int:
    """The exit status when all that was printed is on its way, or cannot be."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _abandon(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return LOST
        if status == FINE:
            return _complain(f"cannot print: {error.strerror}", FAILED)
    return status


def _abandon(stream: TextIO) -> None:
    """Print nowhere: otherwise the interpreter fails once more at its end."""
    from kloepper_env.display import abandon  # noqa: PLC0415  # rich takes a while to import

    abandon(stream)


def _complain(error: object, status: int = FAILED) -> int:
    if text := str(error):
        sentence = f"kloepper: {visible(text)}"
        try:
            print(folded(sentence, width_of(sys.stderr)), file=sys.stderr, flush=True)
        except OSError:
            _abandon(sys.stderr)
    return status


def _usage(error: Any) -> str:
    """What is wrong with a command line; nothing where typer has printed the help instead."""
    text = re.sub(r"\s*\n\s*", " ", error.format_message())
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
    from rich.progress import Progress  # noqa: PLC0415  # only where something is drawn

    from kloepper_env.display import Terminal  # noqa: PLC0415  # the same

    started, done, terminal = time.monotonic(), 0, Terminal()
    bar = Progress(console=terminal.console, transient=True, auto_refresh=False)
    task = bar.add_task(label, total=total)

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        with terminal.drawing():
            if not bar.live.is_started and time.monotonic() - started > PATIENCE:
                bar.start()
            if bar.live.is_started:
                bar.update(task, completed=done, refresh=True)

    try:
        yield advance
    finally:
        with terminal.drawing():
            bar.stop()


def finite(option: typer.CallbackParam, value: float | None) -> float | None:
    """The value of an option that is a number, for `callback=`; ConfigError for nan and inf."""
    if value is not None and not math.isfinite(value):
        raise ConfigError(f"{option.opts[0]} is {value}, but must be a finite number")
    return value


def read_rules(settings: Iterable[str]) -> dict[str, Any]:
    """Options of a game from NAME=VALUE; VALUE is read as JSON where it is JSON, else as text.

    Raises ConfigError for an option given twice: it is not known which one was meant.
    """
    rules: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise ConfigError(
                f"{shown(setting)} is not NAME=VALUE, for example failed_knock=normal"
            )
        if name in rules:
            raise ConfigError(f"option {shown(name)} is given twice")
        try:
            rules[name] = read_json(value)
        except NotationError:
            rules[name] = value
    return rules


def print_json(value: Any) -> None:
    """Print a value for a program to read."""
    print(json.dumps(value))
