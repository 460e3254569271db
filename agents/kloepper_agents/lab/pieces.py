"""The pieces of a long calculation, in a folder beside what it makes.

A calculation that was stopped, in whatever way, is finished by the same call: it makes the pieces
that are missing. Each piece is a function of the setting alone, so a stop changes no number.
"""

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError
from kloepper_env.files import whole_file

SETTING: Final = "setting.json"


@dataclass(frozen=True, slots=True)
class Pieces:
    """Where pieces are kept, and the setting that they are made by, as text.

    Without a folder none are kept.
    """

    folder: Path | None = None
    setting: str = ""

    def path(self, name: str) -> Path:
        """The file of a piece, in a folder that is there and says how the piece is made."""
        assert self.folder is not None
        path = self.folder / SETTING
        if not path.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as partial:
                partial.write_text(self.setting, "utf-8")
        return self.folder / name

    def read(self, name: str) -> dict[str, NDArray[Any]] | None:
        """The arrays of a piece, or None where it is missing or damaged."""
        if self.folder is None:
            return None
        try:
            data = BytesIO((self.folder / f"{name}.npz").read_bytes())
            with np.load(data, allow_pickle=False) as arrays:
                return {key: arrays[key] for key in arrays.files}
        except Exception:  # zipfile, zlib and numpy raise a dozen kinds for what is no archive
            return None

    def write(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the arrays of a piece, if that can be done: without it nothing is lost but time."""
        if self.folder is None:
            return
        data = BytesIO()
        np.savez(data, **dict[str, Any](arrays))
        try:
            with whole_file(self.path(f"{name}.npz")) as path:
                path.write_bytes(data.getvalue())
        except OSError:
            with suppress(OSError):  # of a folder that holds other pieces
                self.folder.rmdir()


def pieces_in(folder: Path | None, what: str, setting: Mapping[str, Any]) -> Pieces:
    """The pieces in a folder, of a `what` made by a setting; none are kept without a folder.

    Raises ConfigError where pieces made by another setting are.
    """
    if folder is None:
        return Pieces()
    path, text = folder / SETTING, json.dumps({"kloepper": version("kloepper"), **setting})
    if path.is_file() and path.read_bytes() != text.encode():
        raise ConfigError(
            f"{folder} holds pieces of another {what}: take another --out, or delete it"
        )
    if folder.is_dir() and not path.is_file():
        remove_pieces(folder)  # what a process has left that died in doing so
    return Pieces(folder, text)


def remove_pieces(folder: Path) -> None:
    """Remove the pieces in a folder, if there is one, and the folder."""
    if folder.is_dir():
        (folder / SETTING).unlink(missing_ok=True)  # what is left then is no longer trusted
        shutil.rmtree(folder)
