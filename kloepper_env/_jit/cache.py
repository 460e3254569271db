"""Compiled functions on disk: a file for each, named by what it was made from.

The cache never stops the program: whatever is wrong with it, the function is compiled as if there
were none. A file is written whole or not at all and carries the digest of its contents, for numba
unpickles what it reads. It must belong to the user (or to root, who prepares caches for others).
"""

import atexit
import os
import pickle
import re
import secrets
import stat
import sys
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import llvmlite
import numba
import numpy as np
from numba.core import config, serialize
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult

from kloepper_env._jit.origin import digest_of

_DAY: Final = 86_400.0
_KEPT: Final = 30 * _DAY
"""Seconds for which a kernel is kept that nobody uses."""
_OURS: Final = re.compile(r"[0-9a-f]{64}\.(nbc|[0-9a-f]{16}\.partial)")
# Until 0.1 the cache held a directory for each version of the sources, written by numba itself.
_OLD_VERSION: Final = re.compile(r"[0-9a-f]{16}")
_OLD_FILE: Final = re.compile(r".+\.nb[ic](\.tmp\.[0-9a-f]+)?")
# What changes the code that numba makes, besides the target and the options of a function.
_SWITCHES: Final = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
# Of numba's inner parts the cache needs these; tests/env/test_jit_cache.py fails without them.
_numba_result: Final[Any] = CompileResult
_numba_pickle: Final[Any] = serialize


class KernelCache(NullCache):
    """The cache of one function, in the form that numba's dispatcher asks for."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._files: dict[Any, Path] = {}  # by signature; found before the function is compiled

    @property
    def cache_path(self) -> str | None:
        home = cache_home()
        return str(home) if home else None

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled function from disk, or None: then numba compiles it."""
        with suppress(Exception):
            if home := cache_home():
                target_context.refresh()
                build = (*_build(), repr(target_context.codegen().magic_tuple()))
                path = home / f"{digest_of(self._function, signature, build)}.nbc"
                self._files[signature] = path
                parts = pickle.loads(_read(path))
                return _numba_result._rebuild(target_context, *parts)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a function that numba has compiled, if that can be done."""
        with suppress(Exception):
            if signature in self._files and not compiled.library.has_dynamic_globals:
                _write(self._files[signature], _numba_pickle.dumps(compiled._reduce()))


@cache
def cache_home() -> Path | None:
    """Where kernels are kept; None where the user has no place for them.

    A directory of our own in NUMBA_CACHE_DIR, else in the user's caches.
    """
    with suppress(OSError, RuntimeError):  # no working directory, no home
        home = _user_home()
        atexit.register(_clean, home)
        return home
    return None


def _user_home() -> Path:
    if directory := config.CACHE_DIR:  # type: ignore[attr-defined]  # numba sets it at run time
        return Path(directory).absolute() / "kloepper"
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # then the standard says to ignore it
        caches = Path.home().absolute() / ".cache"
    return caches / "kloepper" / "numba"


@cache
def _build() -> tuple[str, ...]:
    switches = [f"{name}={getattr(config, name, None)}" for name in _SWITCHES]
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return (python, numba.__version__, llvmlite.__version__, np.__version__, *switches)


# --- files -------------------------------------------------------------------------------------


def _read(path: Path) -> bytes:
    """The contents of a file that is ours and whole; ValueError or OSError if it is not."""
    if not path.is_file():
        raise ValueError(path)  # opening a pipe would wait for ever
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        digest, contents = file.read(sha256().digest_size), file.read()
    if not _is_safe(about) or sha256(contents).digest() != digest:
        raise ValueError(path)
    if time.time() - about.st_mtime > _DAY:
        with suppress(OSError):  # a cache that may only be read
            os.utime(path)
    return contents


def _is_safe(about: os.stat_result) -> bool:
    """Whether nobody but the user and root can have written a file."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: a user's caches lie in a profile closed to others
    return about.st_uid in {0, os.geteuid()} and not about.st_mode & stat.S_IWOTH


def _write(path: Path, contents: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{secrets.token_hex(8)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(partial, flags, 0o644), "wb") as file:
            file.write(sha256(contents).digest())
            file.write(contents)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _clean(home: Path) -> None:
    """Remove what nothing has used for a long time; what is not ours stays.

    At the end of a process, when all that it uses is marked as used.
    """
    oldest = time.time() - _KEPT
    with suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            with suppress(OSError):
                if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    if entry.stat().st_mtime < oldest:
                        os.unlink(entry)
                elif _OLD_VERSION.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                    _clean_old_version(Path(entry), oldest)


def _clean_old_version(directory: Path, oldest: float) -> None:
    """Remove numba's own files if none was written or read since; directories when empty."""
    files = [path for path in directory.glob("*/*") if _OLD_FILE.fullmatch(path.name)]
    used = [max(about.st_mtime, about.st_atime) for about in map(os.lstat, files)]
    if max(used, default=directory.lstat().st_mtime) >= oldest:
        return
    for path in files:
        path.unlink()
    for folder in [*directory.iterdir(), directory]:
        with suppress(OSError):  # it holds something else
            folder.rmdir()
