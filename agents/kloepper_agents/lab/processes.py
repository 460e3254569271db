"""Pieces of work on several processes, each a function of its own number alone.

Ctrl-C is for the first process alone: it ends the others. When it is gone, however it ended, they
end of themselves.
"""

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from kloepper_env.display import Terminal
from kloepper_env.errors import KloepperError
from kloepper_env.watchdog import Watchdog, watching

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_SPAWN = get_context("spawn")


def cores() -> int:
    """How many processes run side by side here."""
    return os.cpu_count() or 1


def each(work: Callable[[Piece], Result], pieces: Iterable[Piece], jobs: int) -> Iterator[Result]:
    """What `work` makes of each piece, in their order; `work` must be known by name if jobs > 1.

    What it raises is raised here; KloepperError when a process dies. A process that is stuck at a
    piece is named on stderr.
    """
    todo = list(pieces)
    jobs = min(jobs, len(todo))
    if jobs <= 1:
        yield from map(work, todo)
        return
    watchdog, results, given = Watchdog(), dict[int, Result](), 0
    with watching(watchdog, Terminal().say), _crew(work, jobs) as crew:
        for number in range(len(todo)):
            while number not in results:
                for worker in (one for one in crew if one.number is None and given < len(todo)):
                    worker.give(given, todo[given], watchdog)
                    given += 1
                results |= dict(worker.take(watchdog) for worker in _ready(crew))
            yield results.pop(number)


def in_parts(
    work: Callable[[int], Sequence[Result]],
    n: int,
    size: int,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> list[Result]:
    """What `work` makes of `n` things, `size` at a time, which it is told by where they start.

    `progress` is called with how many are done of each part. Raises what `each` does.
    """
    found: list[Result] = []
    starts = range(0, n, size)
    for start, some in zip(starts, each(work, starts, jobs), strict=True):
        found += some
        if progress is not None:
            progress(min(size, n - start))
    return found


# --- the first process ---------------------------------------------------------------------------


class _Worker:
    """A process that works on one piece at a time."""

    def __init__(self) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.number: int | None = None  # of the piece that it is at
        self.process = _SPAWN.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # so that the end of the process is the end of what can be read

    def give(self, number: int, piece: Any, watchdog: Watchdog) -> None:
        """Have it work on a piece."""
        self.number = number
        watchdog.begin(self._name, "piece", f"piece {number + 1}")
        self.send((number, piece))

    def send(self, message: Any) -> None:
        """Send it something; KloepperError when it has died."""
        try:
            self.connection.send(message)
        except OSError:
            raise self._death() from None

    def take(self, watchdog: Watchdog) -> tuple[int, Any]:
        """The number of its piece and the result. Raises what the work raised."""
        try:
            number, result, failure = self.connection.recv()
        except (EOFError, OSError):
            raise self._death() from None
        watchdog.end(self._name)
        self.number = None
        if failure is not None:
            raise failure
        return number, result

    @property
    def _name(self) -> str:
        return f"process {self.process.pid}"

    def _death(self) -> KloepperError:
        self.process.join(10)  # it is ending, or has ended
        number = "" if self.number is None else f" at piece {self.number + 1}"
        return KloepperError(f"{self._name} ended{number} (status {self.process.exitcode})")


@contextmanager
def _crew(work: Callable[[Any], Any], jobs: int) -> Iterator[list[_Worker]]:
    """Some workers, which are gone behind the block."""
    crew: list[_Worker] = []
    try:
        with _signals_later():
            crew.extend(_Worker() for _ in range(jobs))
        for worker in crew:
            worker.send(work)  # not at the start, which would last until it is read
        yield crew
    finally:
        for worker in crew:
            worker.process.kill()
        for worker in crew:
            worker.process.join()


@contextmanager
def _signals_later() -> Iterator[None]:
    """Keep Ctrl-C and SIGTERM until behind the block.

    Processes that are started in it keep Ctrl-C from themselves from their first moment on, and
    none of them is started without being known.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {one: signal.signal(one, lambda number, frame: came.append(number)) for one in numbers}
    resource_tracker.ensure_running()  # its start would unblock signals again
    mask = getattr(signal, "pthread_sigmask", None)
    blocked = None if mask is None else mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            mask(signal.SIG_SETMASK, blocked)
        for one, handler in before.items():
            signal.signal(one, handler)
        for number in came:
            signal.raise_signal(number)


def _ready(crew: list[_Worker]) -> list[_Worker]:
    """The workers at a piece that have something to say; waits for the first."""
    busy = {worker.connection: worker for worker in crew if worker.number is not None}
    return [busy[connection] for connection in wait(list(busy)) if connection in busy]


# --- the others ----------------------------------------------------------------------------------


def _serve(connection: "Connection[Any, Any]") -> None:
    """Work on pieces for as long as the first process lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the first process is gone
        work = connection.recv()
        while True:
            number, piece = connection.recv()
            result, failure = None, None
            try:
                result = work(piece)
            except Exception as error:
                failure = _sendable(error)
            connection.send((number, result, failure))


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _sendable(error: Exception) -> Exception:
    """An error that can be sent, with the place where it happened as a note."""
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
