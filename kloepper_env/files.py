"""Files that appear whole or not at all, and places that one process at a time writes to.

A lock is one of the operating system, so it dies with its process, however that ends. The library
`filelock` does the same, but leaves its files behind and cannot say who holds a lock.
"""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from kloepper_env.errors import ConfigError, KloepperError

LOCK: Final = ".lock"
"""The file in a folder that is locked while a process writes to the folder."""
_PARTIAL: Final = ".partial"

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        """Lock an open file, or raise BlockingIOError."""
        place = file.tell()
        file.seek(1 << 30)  # behind the contents, which others may read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from None
        finally:
            file.seek(place)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        """Lock an open file, or raise BlockingIOError."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_leftover(path: Path) -> bool:
    """Whether a file is what a writer that died may leave: it counts as nothing."""
    return path.name == LOCK or (path.name.startswith(".") and path.name.endswith(_PARTIAL))


# --- one writer at a time ------------------------------------------------------------------------


def check_folder(folder: Path) -> None:
    """Raise ConfigError where no folder can be."""
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise ConfigError(f"{folder} cannot be a folder: {path} is a file and no folder")


@contextmanager
def claimed_folder(folder: Path) -> Iterator[None]:
    """Be the only process that writes to a folder; it is made, and goes again if it stays empty.

    Raises KloepperError while another process has it, and ConfigError where no folder can be.
    """
    check_folder(folder)
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _locked(folder / LOCK, folder):
            yield
    finally:
        with suppress(OSError):  # of the first that holds something
            for path in made:
                path.rmdir()


@contextmanager
def claimed_file(path: Path) -> Iterator[None]:
    """Be the only process that makes a file. Raises KloepperError while another one does."""
    if _is_device(path):
        yield
        return
    target = path.resolve()
    with _locked(target.with_name(f".{target.name}{LOCK}"), path):
        yield


@contextmanager
def _locked(lock: Path, claimed: Path) -> Iterator[None]:
    with naming(claimed, lock):
        file = _acquired(lock, claimed)
    try:
        yield
    finally:
        if sys.platform == "win32":  # no file that is open can be removed there
            file.close()
        with suppress(OSError):
            lock.unlink()
        file.close()


def _acquired(lock: Path, claimed: Path) -> IO[bytes]:
    while True:
        file = open(os.open(lock, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)  # noqa: SIM115  # closed by _locked
        try:
            _lock(file)
        except BlockingIOError:
            with file:
                raise KloepperError(_refusal(claimed, file.read(20))) from None
        except OSError:
            pass  # a file system without locks: go on as if alone rather than not at all
        if _is_at(file, lock):
            with suppress(OSError):  # on a full disk the process stays unnamed
                file.truncate(0)
                file.write(str(os.getpid()).encode())
            return file
        file.close()  # the holder before has removed it in between


def _refusal(claimed: Path, holder: bytes) -> str:
    by = f"process {int(holder)}" if holder.isdigit() else "another process"
    return f"{str(claimed)!r} is being written by {by}: wait until it ends, or write elsewhere"


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


# --- whole files ---------------------------------------------------------------------------------


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes `path` when all went well and vanishes otherwise.

    Any number of processes may do so at once: each file is whole and the last one stays. What a
    process that died has left is removed by the next one that writes `path`. A link stays a link,
    and into a device or a pipe it is written directly.
    """
    if _is_device(path):
        yield path
        return
    target = path.resolve()
    hidden = target.with_name(f".{target.name}.")
    with naming(path, hidden), _guarded(hidden) as guard:
        partial = Path(guard.name)
        try:
            _remove_abandoned(hidden)
            yield partial
            os.fsync(guard.fileno())
            if sys.platform == "win32":  # no file that is open can be moved there
                guard.close()
            os.replace(partial, target)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def _is_device(path: Path) -> bool:
    """Whether there is something that no file can take the place of: a device, a pipe, a folder."""
    return path.exists() and not path.is_file()


def _guarded(prefix: Path) -> IO[bytes]:
    """A new file, locked for as long as its writer lives."""
    while True:
        path = prefix.with_name(f"{prefix.name}{secrets.token_hex(4)}{_PARTIAL}")
        guard = path.open("xb")
        try:
            _lock(guard)
        except BlockingIOError:  # by one who takes it for abandoned, and removes it
            guard.close()
            continue
        except OSError:
            return guard  # a file system without locks: nobody removes anything there
        if _is_at(guard, path):
            return guard
        guard.close()


def _remove_abandoned(prefix: Path) -> None:
    """Remove the partial files whose writers are dead, so that nobody locks them."""
    for path in prefix.parent.iterdir():
        if path.name.startswith(prefix.name) and path.name.endswith(_PARTIAL):
            with suppress(OSError), path.open("r+b") as file:
                _lock(file)
                path.unlink()


@contextmanager
def naming(path: Path, hidden: Path) -> Iterator[None]:
    """An OSError about a file that begins with `hidden` names the one that the user knows."""
    try:
        yield
    except OSError as error:
        named = "" if error.filename is None else str(error.filename)
        if isinstance(error, BrokenPipeError) or (named and not named.startswith(str(hidden))):
            raise
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
