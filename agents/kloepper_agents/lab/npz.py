"""Arrays of numbers from files of NumPy that anybody may have written."""

import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MOST_BYTES: Final = 8 << 20  # of a file: zipfile keeps an object for every name in it
_KINDS: Final = "iUV"  # whole numbers, text, and rows of numbers; above all no objects


class DamagedError(Exception):
    """Bytes that are no array, or no archive of the arrays asked for."""


def read_arrays(path: Path, names: Iterable[str], largest: int) -> dict[str, NDArray[Any]]:
    """Some arrays of an .npz file, of at most `largest` bytes each.

    Raises OSError where it cannot be read, and DamagedError for anything else that is wrong.
    """
    if path.stat().st_size > _MOST_BYTES or not path.is_file():
        raise DamagedError
    with path.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return {name: array_of(_read(archive, f"{name}.npy", largest)) for name in names}
        except Exception:  # zipfile and zlib raise a dozen kinds for bytes that are no archive
            raise DamagedError from None


def _read(archive: zipfile.ZipFile, name: str, largest: int) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DamagedError  # for the others zipfile has no limit
    with archive.open(info) as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise DamagedError
    return data


def array_of(data: bytes) -> NDArray[Any]:
    """The array in the bytes of an .npy file. Raises DamagedError."""
    file = BytesIO(data)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise DamagedError
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        if dtype.kind not in _KINDS or dtype.hasobject:
            raise DamagedError
        return np.frombuffer(file.read(), dtype).reshape(shape)
    except Exception:  # the header is a Python expression, which can be wrong in any way
        raise DamagedError from None
