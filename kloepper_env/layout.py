"""A vector with named parts: `layout["table.2"]` is the slice where they lie."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Layout(Mapping[str, slice]):
    """Names and sizes of the parts of an int8 vector, in order."""

    def __init__(self, parts: Sequence[tuple[str, int]]) -> None:
        self.parts = tuple(parts)
        self._slices: dict[str, slice] = {}
        start = 0
        for name, size in parts:
            self._slices[name] = slice(start, start + size)
            start += size
        self.size = start

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def start(self, name: str) -> int:
        """Where a part begins."""
        return int(self._slices[name].start)

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)

    def __repr__(self) -> str:
        return f"Layout({list(self.parts)!r})"

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits that change when a name, a size or the order changes."""
        return hashlib.sha256(repr(self.parts).encode()).hexdigest()[:16]

    def decode(self, vector: NDArray[Any]) -> dict[str, NDArray[np.int8]]:
        """The parts of a vector by name (views, not copies)."""
        return {name: vector[part] for name, part in self._slices.items()}
