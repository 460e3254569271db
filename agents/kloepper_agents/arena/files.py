"""The folder of a report: result.json, report.html, and records.jsonl on request."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kloepper_agents.arena.html import page
from kloepper_agents.arena.league import League
from kloepper_agents.arena.report import to_json
from kloepper_env.errors import ConfigError
from kloepper_env.files import check_folder, claimed_folder, naming, whole_file
from kloepper_env.records import RecordWriter

__all__ = ["check_folder", "records_in", "reporting", "whole_file", "write_report"]

# What results of one kind consist of, by what they are the result of.
_PLOTS: Final = ("gain", "calibration", "spread", "rules")
_FILES: Final = {
    "arena": {"result.json", "report.html", "records.jsonl"},
    "lab study": {
        *("result.json", "report.html", "chances.csv", "dictionary.json"),
        *(f"{plot}.{suffix}" for plot in _PLOTS for suffix in ("svg", "png")),
    },
    "lab check": {"result.json"},
    "lab regret": {"result.json"},
    "lab sweeps": {"result.json"},
    "lab belief": {"result.json"},
    "lab exploit": {"result.json"},
    "lab equilibrium": {"result.json"},
    "lab crossplay": {"result.json"},
    "exploiter": {"result.json", "policy.safetensors"},
    "train": {"checkpoint.safetensors", "policy.safetensors", "log.jsonl"},
}
_DRAFT: Final = ".result.partial"
PIECES: Final = ".pieces"
"""Beginning of the name of a folder in which a command keeps its pieces until its result stands."""


@dataclass
class Reporting:
    """What a command does with its result: the folder to write files to, and how to print it."""

    folder: Path | None = None
    show: Callable[[], None] | None = None


@contextmanager
def reporting(out: Path | None, command: str) -> Iterator[Reporting]:
    """Write a result to the folder `out` and print it, so that neither costs the other.

    First the files are written, which a reader who goes away cannot keep from happening, and then
    `show` prints, even if they could not be written.
    """
    report = Reporting()
    try:
        with nullcontext() if out is None else _result_folder(out, command) as report.folder:
            yield report
    finally:
        if report.show is not None:
            report.show()


@contextmanager
def _result_folder(folder: Path, command: str) -> Iterator[Path]:
    """A folder to write the files of a result to, which then stand in `folder`.

    There they take the place of all files of an earlier result of the same command, and of the
    pieces that they were made of; without them nothing changes. Raises ConfigError where files of
    another command are.
    """
    with claimed_folder(folder):
        own = _FILES[command]
        for other, names in _FILES.items():
            for name in sorted(names - own):
                if (folder / name).exists():
                    raise ConfigError(
                        f"{str(folder)!r} holds {name} of `kloepper {other}`: choose another --out"
                    )
        draft = folder / _DRAFT
        shutil.rmtree(draft, ignore_errors=True)  # of a process that died
        draft.mkdir()
        try:
            with naming(folder, draft):
                yield draft
            for name in own:
                (folder / name).unlink(missing_ok=True)
            for path in draft.iterdir():
                os.replace(path, folder / path.name)
            for path in folder.glob(f"{PIECES}.*"):
                shutil.rmtree(path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


class _Recording:
    """Writes hands as long as that goes well: a full disk does not end a match."""

    def __init__(self, writer: RecordWriter) -> None:
        self._writer = writer
        self.failure: OSError | None = None

    def write(
        self,
        hand: Any,
        *,
        legal_masks: Sequence[int] | None = None,
        agents: Sequence[str] | None = None,
    ) -> None:
        """Append an ended hand, unless one before it could not be written."""
        if self.failure is None:
            try:
                self._writer.write(hand, legal_masks=legal_masks, agents=agents)
            except OSError as error:
                self.failure = error


@contextmanager
def records_in(folder: Path, game: str, rules: Mapping[str, Any] | None) -> Iterator[_Recording]:
    """A writer of `folder`/records.jsonl; the file appears when all hands are in it.

    What keeps it from being written is raised at the end.
    """
    with whole_file(folder / "records.jsonl") as partial:
        with RecordWriter(partial, game, rules) as writer:
            recording = _Recording(writer)
            yield recording
        if recording.failure is not None:
            raise recording.failure


def write_report(folder: Path, league: League, command: str) -> None:
    """Write result.json and report.html; `command` is what makes them again."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "result.json": json.dumps(to_json(league, command), indent=2) + "\n",
        "report.html": page(league, command),
    }
    for name, text in texts.items():
        with whole_file(folder / name) as partial:
            partial.write_text(text, encoding="utf-8")
