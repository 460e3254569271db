"""Making the table of all hands in pieces that survive a stop, and reading it.

A table is one .npz file: its columns, coded as small whole numbers, and how it was made. While it
is made its pieces lie beside it in a folder; whoever gives the same command goes on from there.
"""

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.lab.core.playing import GAME, require_full_pack
from kloepper_agents.games.kloepper.lab.hands.table import (
    ROW,
    Effort,
    check_rows,
    classes,
    rows_of,
)
from kloepper_agents.lab.npz import DamagedError, array_of, read_arrays
from kloepper_agents.lab.pieces import Pieces, pieces_in, remove_pieces
from kloepper_agents.lab.processes import each
from kloepper_env.cards import cards_of
from kloepper_env.errors import ConfigError, NotationError, shown, whole_number
from kloepper_env.files import claimed_file, whole_file
from kloepper_env.reading import read_json

SHIPPED: Final = Path(__file__).with_name("table.npz")
"""The table of the hands with a black queen that comes with the package."""
PIECE: Final = 64  # classes
SCALE: Final = 1000.0  # numbers are kept to three places
UNKNOWN: Final = np.iinfo(np.int32).min
_LARGEST: Final = 1 << 19  # bytes of a column: 75,304 numbers of four bytes, and its header


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
    ConfigError where the pieces beside `out` are those of another table, and KloepperError while
    another process makes it.
    """
    require_full_pack(GAME.options(setting.rules))
    out.parent.mkdir(parents=True, exist_ok=True)
    with claimed_file(out):
        return _made(out, setting, jobs, most_pieces, progress)


def _made(
    out: Path,
    setting: TableSetting,
    jobs: int,
    most_pieces: int | None,
    progress: Callable[[int], None] | None,
) -> bool:
    hands = classes(queens_only=setting.queens_only)
    folder = out.with_name(f"{out.name}.pieces")
    pieces = pieces_in(folder, "table", asdict(setting))
    starts = list(range(0, len(hands), PIECE))
    missing = [start for start in starts if not _has_piece(pieces, start, hands)]
    if progress is not None:
        progress(sum(min(PIECE, len(hands) - s) for s in starts if s not in set(missing)))
    now = missing[:most_pieces]
    work = partial(_make_piece, pieces=pieces, setting=setting, hands=hands)
    for start in each(work, now, jobs):
        if progress is not None:
            progress(min(PIECE, len(hands) - start))
    if len(now) < len(missing):
        return False
    rows = np.concatenate([_read_piece(pieces, start, hands) for start in starts])
    save_table(out, rows, setting)
    remove_pieces(folder)
    return True


def _piece(pieces: Pieces, start: int) -> Path:
    return pieces.path(f"{start:06}.npy")


def _read_piece(pieces: Pieces, start: int, hands: NDArray[np.int64]) -> NDArray[Any]:
    """The rows of a piece. Raises ConfigError for one that is missing or damaged."""
    path = _piece(pieces, start)
    try:
        rows = array_of(path.read_bytes())
    except (OSError, DamagedError):
        raise ConfigError(f"{path} is damaged; give the command again") from None
    if rows.dtype != ROW or not np.array_equal(rows["hand"], hands[start : start + PIECE]):
        raise ConfigError(f"{path} holds other hands; give the command again")
    return rows


def _has_piece(pieces: Pieces, start: int, hands: NDArray[np.int64]) -> bool:
    try:
        _read_piece(pieces, start, hands)
    except ConfigError:
        return False
    return True


def _make_piece(
    start: int, *, pieces: Pieces, setting: TableSetting, hands: NDArray[np.int64]
) -> int:
    options = GAME.options(setting.rules)
    own = [int(hand) for hand in hands[start : start + PIECE]]
    rows = rows_of(own, setting.seed, setting.effort, options)
    with whole_file(_piece(pieces, start)) as path, path.open("wb") as file:
        np.save(file, rows)
    return start


def _described(setting: TableSetting) -> dict[str, Any]:
    return {"kloepper": version("kloepper"), **asdict(setting)}


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
    """Read a table. Raises ConfigError for a file that is none, or whose contents cannot be.

    A table may come from anywhere, so all of it is checked before anybody reckons with it.
    """
    try:
        columns = read_arrays(path, (*(ROW.names or ()), "setting"), _LARGEST)
        rows = _rows_of_columns(columns)
        check_rows(rows)
        return HandTable(rows, _checked_setting(columns["setting"]))
    except OSError as error:
        raise ConfigError(f"cannot read the table {path}: {error.strerror or error}") from None
    except DamagedError:
        raise ConfigError(f"{path} is no table of hands, or damaged") from None
    except (ConfigError, NotationError) as error:
        raise ConfigError(f"{path} is no table of hands: {error}") from None


def _rows_of_columns(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    shape = columns["hand"].shape
    for name in ROW.names or ():
        column = columns[name]
        if column.dtype.kind != "i" or column.ndim != 1 or column.shape != shape:
            raise ConfigError(f"column {name} is no list of whole numbers, one for each hand")
    rows = np.zeros(shape, ROW)
    for name in ROW.names or ():
        rows[name] = _decoded(columns[name], rows.dtype[name].kind)
    return rows


def _decoded(column: NDArray[Any], kind: str) -> NDArray[Any]:
    if kind != "f":
        return column
    unknown = column == np.iinfo(column.dtype).min
    decoded: NDArray[Any] = np.where(unknown, np.nan, column / SCALE)
    return decoded


def _checked_setting(text: NDArray[Any]) -> dict[str, Any]:
    """How a table was made. Raises ConfigError or NotationError for what no table is made with."""
    setting = read_json(str(text))
    _check_names("setting", setting, ["kloepper", *(field.name for field in fields(TableSetting))])
    rules, effort = setting["rules"], setting["effort"]
    _check_names("effort", effort, [field.name for field in fields(Effort)])
    if not isinstance(rules, dict):
        raise ConfigError(f"the rules are {shown(rules)}, but must be an object")
    require_full_pack(GAME.options(rules))
    whole_number("seed", setting["seed"])
    for name, value in effort.items():
        if type(value) not in (int, float) or not 0 < value < np.inf:
            raise ConfigError(f"effort {name} is {shown(value)}, but must be a number above 0")
    if not isinstance(setting["queens_only"], bool) or not isinstance(setting["kloepper"], str):
        raise ConfigError(f"its setting is {shown(setting)}, which no table is made with")
    return dict(setting)


def _check_names(what: str, value: Any, names: Sequence[str]) -> None:
    if not isinstance(value, dict) or set(value) != set(names):
        raise ConfigError(f"its {what} is {shown(value)}, but must hold {', '.join(names)}")


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
