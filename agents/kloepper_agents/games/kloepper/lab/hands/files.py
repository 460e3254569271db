"""Making the table of all hands in pieces that survive a stop, and reading it.

A table is one .npz file: its columns, coded as small whole numbers, and how it was made. While it
is made its pieces lie beside it in a folder; whoever gives the same command goes on from there.
"""

import csv
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.files import whole_file
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.lab.hands.table import ROW, Effort, classes, rows_of
from kloepper_agents.lab.processes import each
from kloepper_env.cards import cards_of
from kloepper_env.errors import ConfigError

SHIPPED: Final = Path(__file__).with_name("table.npz")
"""The table of the hands with a black queen that comes with the package."""
PIECE: Final = 64  # classes
SCALE: Final = 1000.0  # numbers are kept to three places
UNKNOWN: Final = np.iinfo(np.int32).min


@dataclass(frozen=True, slots=True)
class TableSetting:
    """What fixes every number of a table, with the version of the package."""

    queens_only: bool
    seed: int
    rules: Mapping[str, Any]
    effort: Effort


def make_table(
    out: Path,
    setting: TableSetting,
    *,
    jobs: int = 1,
    most_pieces: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> bool:
    """Make a table, or go on where the same call stopped; whether `out` is complete now.

    Each piece is a function of its hands and the setting, so neither stops nor `jobs` change a
    number. `most_pieces` ends early; `progress` is called with the number of hands done. Raises
    ConfigError where the pieces beside `out` are those of another table.
    """
    hands = classes(queens_only=setting.queens_only)
    folder = out.with_name(f"{out.name}.pieces")
    _open_folder(folder, setting)
    starts = list(range(0, len(hands), PIECE))
    missing = [start for start in starts if not _piece(folder, start).is_file()]
    if progress is not None:
        progress(sum(min(PIECE, len(hands) - s) for s in starts if s not in set(missing)))
    now = missing[:most_pieces]
    work = partial(_make_piece, folder=folder, setting=setting, hands=hands)
    for start in each(work, now, jobs):
        if progress is not None:
            progress(min(PIECE, len(hands) - start))
    if len(now) < len(missing):
        return False
    rows = np.concatenate([np.load(_piece(folder, start)) for start in starts])
    save_table(out, rows, setting)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    return True


def _piece(folder: Path, start: int) -> Path:
    return folder / f"{start:06}.npy"


def _make_piece(
    start: int, *, folder: Path, setting: TableSetting, hands: NDArray[np.int64]
) -> int:
    options = GAME.options(setting.rules)
    own = [int(hand) for hand in hands[start : start + PIECE]]
    rows = rows_of(own, setting.seed, setting.effort, options)
    with whole_file(_piece(folder, start)) as path, path.open("wb") as file:
        np.save(file, rows)
    return start


def _described(setting: TableSetting) -> dict[str, Any]:
    return {"kloepper": version("kloepper"), **asdict(setting)}


def _open_folder(folder: Path, setting: TableSetting) -> None:
    path, text = folder / "setting.json", json.dumps(_described(setting))
    if path.is_file():
        if path.read_text("utf-8") != text:
            raise ConfigError(
                f"{folder} holds pieces of another table: take another --out, or delete it"
            )
        return
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as partial_path:
        partial_path.write_text(text, "utf-8")


# --- the file ------------------------------------------------------------------------------------


def save_table(out: Path, rows: NDArray[Any], setting: TableSetting) -> None:
    """Write rows ROW [N]; the same rows give the same bytes."""
    columns: dict[str, Any] = {}
    for name in ROW.names or ():
        column = rows[name]
        if column.dtype.kind == "f":
            coded = np.where(np.isnan(column), UNKNOWN, np.rint(np.nan_to_num(column) * SCALE))
            column = _narrow(coded.astype(np.int32))
        columns[name] = column
    columns["setting"] = np.array(json.dumps(_described(setting)))
    with whole_file(out) as path, path.open("wb") as file:
        np.savez_compressed(file, **columns)


def _narrow(column: NDArray[np.int32]) -> NDArray[Any]:
    """The same as int16 where it fits, with its smallest number for what is unknown."""
    known = column != UNKNOWN
    small = np.iinfo(np.int16)
    if (np.abs(column[known]) > small.max).any():
        return column
    return np.where(known, column, small.min).astype(np.int16)


@dataclass(frozen=True, eq=False)
class HandTable:
    """The table of hands, as it is read: rows ROW [N], and how they were made."""

    rows: NDArray[Any]
    setting: Mapping[str, Any]


def load_table(path: Path = SHIPPED) -> HandTable:
    """Read a table. Raises ConfigError for a file that is none."""
    try:
        with np.load(path) as columns:
            rows = np.zeros(len(columns["hand"]), ROW)
            for name in ROW.names or ():
                rows[name] = _decoded(columns[name], rows.dtype[name].kind)
            return HandTable(rows, json.loads(str(columns["setting"])))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(f"cannot read the table {path}: {reason}") from None
    except (ValueError, KeyError):
        raise ConfigError(f"{path} is no table of hands") from None


def _decoded(column: NDArray[Any], kind: str) -> NDArray[Any]:
    if kind != "f":
        return column
    unknown = column == np.iinfo(column.dtype).min
    decoded: NDArray[Any] = np.where(unknown, np.nan, column / SCALE)
    return decoded


def write_table_csv(path: Path, table: HandTable) -> None:
    """The table as text: the cards first, then the fields of ROW; empty where unknown."""
    names = [name for name in ROW.names or () if name != "hand"]
    with whole_file(path) as partial_path, partial_path.open("w", newline="") as file:
        lines = csv.writer(file, lineterminator=os.linesep)
        lines.writerow(["cards", "hand", *names])
        for row in table.rows:
            cards = " ".join(cards_of(row["hand"], GAME.codes))
            values = [_text(row[name]) for name in names]
            lines.writerow([cards, int(row["hand"]), *values])


def _text(value: Any) -> str:
    if isinstance(value, np.floating):
        return "" if np.isnan(value) else f"{value:.3f}"
    return str(int(value))
