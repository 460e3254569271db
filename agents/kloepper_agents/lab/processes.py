"""Pieces of work on several processes, each a function of its own number alone."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def cores() -> int:
    """How many processes run side by side here."""
    return os.cpu_count() or 1


def each(work: Callable[[Piece], Result], pieces: Iterable[Piece], jobs: int) -> Iterator[Result]:
    """What `work` makes of each piece, in their order; `work` must be known by name if jobs > 1."""
    if jobs == 1:
        yield from map(work, pieces)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, pieces)
