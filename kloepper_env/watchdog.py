"""Who works on what, and who is stuck there."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

PATIENCE: Final = 60.0
"""Seconds that anything may take before a word is said about it."""
USUAL: Final = 10.0
"""How many times longer than ever before it must take, too."""


@dataclass
class _Work:
    kind: str
    what: str
    began: float
    asked_after: float  # seconds after which a word is said


class Watchdog:
    """Knows what is being worked on, and how long such work took before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._works: dict[str, _Work] = {}
        self._longest: dict[str, float] = {}

    def begin(self, who: str, kind: str, what: str) -> None:
        """Somebody begins to work on something; works of one `kind` take about equally long."""
        limit = max(PATIENCE, USUAL * self._longest.get(kind, 0.0))
        self._works[who] = _Work(kind, what, self._clock(), limit)

    def end(self, who: str) -> None:
        """Somebody is done with it."""
        work = self._works.pop(who)
        longest = self._longest.get(work.kind, 0.0)
        self._longest[work.kind] = max(longest, self._clock() - work.began)

    @contextmanager
    def at(self, kind: str, what: str) -> Iterator[None]:
        """The whole process is at something."""
        self.begin("the run", kind, what)
        try:
            yield
        finally:
            self.end("the run")

    def stuck(self) -> list[str]:
        """A sentence for everyone who seems to be stuck; again when it took twice as long."""
        sentences, now = [], self._clock()
        for who, work in list(self._works.items()):
            seconds = now - work.began
            if seconds < work.asked_after:
                continue
            work.asked_after = 2 * seconds
            sentence = f"{who} is at {work.what} for {seconds:.0f} s now"
            if longest := self._longest.get(work.kind):
                sentence += f"; before it took {longest:.1f} s at most"
            sentences.append(sentence)
        return sentences


@contextmanager
def watching(watchdog: Watchdog, tell: Callable[[str], None], every: float = 1.0) -> Iterator[None]:
    """Say who is stuck as soon as it is so, from a thread of its own."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(every):
            for sentence in watchdog.stuck():
                tell(sentence)

    thread = threading.Thread(target=watch, name="watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
