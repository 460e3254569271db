"""The folder of a report: result.json, report.html, and records.jsonl on request."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kloepper_agents.arena.html import page
from kloepper_agents.arena.league import League
from kloepper_agents.arena.report import to_json
from kloepper_env.errors import ConfigError
from kloepper_env.records import RecordWriter


def check_folder(folder: Path) -> None:
    """Raise ConfigError where no folder can be."""
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise ConfigError(f"--out is {folder}, but {path} is a file and no folder")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes `path` when all went well and vanishes otherwise."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def records_in(folder: Path, game: str, rules: Mapping[str, Any] | None) -> Iterator[RecordWriter]:
    """A writer of `folder`/records.jsonl; the file appears when all hands are in it."""
    created = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with (
            whole_file(folder / "records.jsonl") as partial,
            RecordWriter(partial, game, rules) as writer,
        ):
            yield writer
    except BaseException:
        if created:
            folder.rmdir()
        raise


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
