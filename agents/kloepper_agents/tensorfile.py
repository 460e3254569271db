"""Named arrays with a description, in one safetensors file: whole, or refused.

The description is JSON inside the file's metadata, so that both are replaced in one go. A digest
over both finds what the format itself does not notice: a changed byte.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from kloepper_env.errors import CheckpointError
from kloepper_env.files import whole_file

Arrays = Mapping[str, NDArray[Any]]
_ABOUT: Final = "kloepper"
_DIGEST: Final = "sha256"


def write_tensors(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Write a file in place of `path`, which is always either the old or the new one, whole."""
    text = json.dumps(about, sort_keys=True)
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    data = save(contiguous, {_ABOUT: text, _DIGEST: _digest(contiguous, text)})
    with whole_file(path) as partial:
        partial.write_bytes(data)


def read_tensors(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and the description. Raises CheckpointError for what is no whole file of ours."""
    if not path.is_file():
        raise CheckpointError(f"{str(path)!r} is not a file")
    try:
        with safe_open(path, "numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in sorted(file.keys())}
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError(f"{str(path)!r} is damaged or no safetensors file: {error}") from None
    if _ABOUT not in metadata:
        raise CheckpointError(f"{str(path)!r} was not written by kloepper")
    text = metadata[_ABOUT]
    if metadata.get(_DIGEST) != _digest(arrays, text):
        raise CheckpointError(f"{str(path)!r} is damaged: its contents do not match their digest")
    about: dict[str, Any] = json.loads(text)
    return arrays, about


def expect(path: Path, about: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise CheckpointError for the first entry of a description that is not as wanted."""
    for name, value in wanted.items():
        found = about.get(name)
        if found != value:
            raise CheckpointError(
                f"{str(path)!r} was made with {name.replace('_', ' ')} {found!r}, "
                f"but here it is {value!r}"
            )


def _digest(arrays: Arrays, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.data.cast("B") if array.size else b"")
    return digest.hexdigest()
