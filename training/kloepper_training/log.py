"""The log of a run: a JSON line per update, the same as TensorBoard scalars, and a line for people.

The JSON lines are the record: on resume those that the checkpoint does not cover are dropped, and
training writes them again.
"""

import json
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from torch.utils.tensorboard import SummaryWriter
from torch.utils.tensorboard.summary import hparams

from kloepper_env.display import Terminal
from kloepper_env.files import whole_file
from kloepper_env.terminal import visible
from kloepper_training.selfplay import Counters

LOG_FILE: Final = "log.jsonl"
TENSORBOARD: Final = "tensorboard"


def truncate(path: Path, update: int) -> None:
    """Drop the lines behind an update, a last line that was not written whole and damaged ones.

    Damage in the log never keeps a run with a sound checkpoint from going on.
    """
    if not path.exists():
        return
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if line.endswith(b"\n") and _update(line) <= update]
    with whole_file(path) as partial:
        partial.write_bytes(b"".join(kept))


def _update(line: bytes) -> float:
    """The update that a line is about; infinite, later than all, for a damaged line."""
    try:
        update = json.loads(line)["update"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return math.inf
    return update if isinstance(update, int) else math.inf


class Log:
    """Takes the line of every update; use it as a context.

    The steps of TensorBoard are decisions, which compare runs of other windows; the settings of the
    run stand there as hyperparameters, beside its margins.
    """

    def __init__(
        self, folder: Path, counters: Counters, settings: Mapping[str, Any] | None = None
    ) -> None:
        truncate(folder / LOG_FILE, counters.update)
        self._file = (folder / LOG_FILE).open("a", encoding="utf-8")
        self._scalars: Any = SummaryWriter(  # half of its methods have no types
            str(folder / TENSORBOARD), purge_step=counters.decisions + 1
        )
        self._settings = dict(flattened(settings or {}))
        self._has_metrics = False

    def write(self, line: dict[str, Any]) -> None:
        """Write the figures of an update everywhere."""
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        for name, value in line.items():
            if name != "decisions":
                tag = name if "/" in name else f"progress/{name}"  # counters as one group
                self._scalars.add_scalar(visible(tag), value, line["decisions"])
        self._write_settings([name for name in line if name.startswith("margin/")])
        self._scalars.flush()

    def _write_settings(self, margins: list[str]) -> None:
        """The hyperparameters, once, with the names of the margins as what they are judged by."""
        if self._has_metrics or not margins or not self._settings:
            return
        self._has_metrics = True
        write: Any = hparams
        for part in write(self._settings, {visible(name): 0.0 for name in margins}):
            self._scalars.file_writer.add_summary(part)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._scalars.close()


def flattened(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Settings by their whole names, in the types that TensorBoard takes."""
    for name, value in settings.items():
        path = prefix + name
        if isinstance(value, Mapping):
            yield from flattened(value, f"{path}.")
        elif isinstance(value, bool | int | float | str):
            yield path, value if not isinstance(value, int) or abs(value) < 1 << 53 else str(value)
        else:
            yield path, json.dumps(value)


class Display:
    """What a person watches on stderr: a bar on a terminal, elsewhere a line per evaluation.

    A run goes on when nobody can see it any more; see Terminal.
    """

    def __init__(self) -> None:
        self._terminal = Terminal()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[speed]}"),
            console=self._terminal.console,
            disable=sys.stderr is None or not sys.stderr.isatty(),
            auto_refresh=False,  # not from a thread, whose errors nobody catches
        )
        self._task = self._bar.add_task("training", total=1.0, speed="")

    def show(self, line: dict[str, Any], progress: float) -> None:
        """Move the bar, and print what an evaluation found."""
        speed = f"{line['speed/decisions']:,.0f} decisions/s"
        with self._terminal.drawing():
            self._bar.update(self._task, completed=progress, speed=speed, refresh=True)
        found = [
            f"{visible(name.partition('/')[2])} {value:+.2f} ± {1.96 * line[_error(name)]:.2f}"
            for name, value in line.items()
            if name.startswith("margin/")
        ]
        if found:
            self._terminal.say(
                f"update {line['update']:>5}  {line['hands']:>11,} hands  "
                f"{line['seconds'] / 60:5.1f} min  {speed}  "
                f"points per hand (95 %) against {', '.join(found)}"
            )

    def say(self, sentence: str) -> None:
        """Print a line above the bar."""
        self._terminal.say(sentence)

    def __enter__(self) -> Self:
        with self._terminal.drawing():
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._terminal.drawing():
            self._bar.stop()


def _error(name: str) -> str:
    return name.replace("margin/", "margin_se/")
