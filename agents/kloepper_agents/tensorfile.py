"""Named float32 arrays with a description, in one safetensors file: whole, or refused.

The description is JSON inside the file's metadata, so that both are replaced in one go. A digest
over both finds what the format itself does not notice: a changed byte. It does not make a file
trustworthy: whoever reads one holds all of it against what it is to be used for.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from kloepper_env.errors import CheckpointError, NotationError, shortened, shown
from kloepper_env.files import whole_file
from kloepper_env.reading import read_json

Arrays = Mapping[str, NDArray[np.float32]]
Shapes = Mapping[str, tuple[int, ...]]
Check = Callable[[dict[str, Any], Shapes], None]
"""Raises CheckpointError where a description and the shapes of the arrays do not fit."""
_ABOUT: Final = "kloepper"
_DIGEST: Final = "sha256"
_LENGTH_BYTES: Final = 8  # in front of the header: how long it is
_LONGEST_HEADER: Final = 4 << 20  # bytes; a large run with a hundred snapshots has some 200,000


def write_tensors(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Write a file in place of `path`, which is always either the old or the new one, whole.

    The same contents give the same bytes. Raises CheckpointError, with nothing written, for a
    number that is not finite.
    """
    text = json.dumps(about, sort_keys=True)
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    for name, array in contiguous.items():
        _check_finite(path, name, array)
    data = _ordered(save(contiguous, {_ABOUT: text, _DIGEST: _digest(contiguous, text)}))
    with whole_file(path) as partial:
        partial.write_bytes(data)


def read_tensors(
    path: Path, check: Check | None = None
) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
    """The arrays and the description. Raises CheckpointError for what is no whole file of ours.

    `check` sees the description and the shapes before any array is loaded.
    """
    try:
        _check_header(path)
        with safe_open(path, "numpy") as file:
            text = (file.metadata() or {}).get(_ABOUT)
            names = sorted(file.keys())
            slices = {name: file.get_slice(name) for name in names}
            about = _description(path, text)
            foreign = {kind for one in slices.values() if (kind := one.get_dtype()) != "F32"}
            if foreign:
                raise CheckpointError(
                    f"{str(path)!r} holds numbers of type {min(foreign)}, not F32"
                )
            if check is not None:
                check(about, {name: tuple(one.get_shape()) for name, one in slices.items()})
            arrays = {name: file.get_tensor(name) for name in names}
            digest = (file.metadata() or {}).get(_DIGEST)
    except (SafetensorError, OSError) as error:
        reason = shortened(str(error))
        raise CheckpointError(
            f"{str(path)!r} is damaged or no safetensors file: {reason}"
        ) from None
    if digest != _digest(arrays, str(text)):
        raise CheckpointError(f"{str(path)!r} is damaged: its contents do not match their digest")
    for name, array in arrays.items():
        _check_finite(path, name, array)
    return arrays, about


def expect(path: Path, about: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise CheckpointError for the first entry of a description that is not as wanted."""
    for name, value in wanted.items():
        found = about.get(name)
        if type(found) is not type(value) or found != value:
            raise CheckpointError(
                f"{str(path)!r} was made with {shortened(name.replace('_', ' '))} {shown(found)}, "
                f"but here it is {shown(value)}"
            )


def _check_header(path: Path) -> None:
    """Refuse what the library would read whole before it found out."""
    if not os.path.isfile(path):
        raise CheckpointError(f"{str(path)!r} is not a file")
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
    if length > _LONGEST_HEADER:
        raise CheckpointError(f"{str(path)!r} is damaged or no safetensors file: header too long")


def _description(path: Path, text: str | None) -> dict[str, Any]:
    if text is None:
        raise CheckpointError(f"{str(path)!r} was not written by kloepper")
    try:
        about = read_json(text)
    except NotationError as error:
        raise CheckpointError(f"the description in {str(path)!r} {error}") from None
    if not isinstance(about, dict):
        raise CheckpointError(f"the description in {str(path)!r} is {shown(about)}, not an object")
    return about


def _check_finite(path: Path, name: str, array: NDArray[np.float32]) -> None:
    if not np.isfinite(array).all():
        raise CheckpointError(
            f"{str(path)!r} cannot hold {shown(name)}: a number in it is not finite"
        )


def _ordered(data: bytes) -> bytes:
    """The same file with its header sorted: the library writes metadata in any order."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header = json.loads(data[_LENGTH_BYTES:start])
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # the arrays stay aligned
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + data[start:]


def _digest(arrays: Arrays, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.data.cast("B") if array.size else b"")
    return digest.hexdigest()
