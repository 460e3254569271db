"""Files are whole or not there, and one process at a time writes to a place."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kloepper_env.errors import ConfigError, KloepperError
from kloepper_env.files import LOCK, claimed_file, claimed_folder, is_leftover, whole_file

HOLD = """
import sys, time
from pathlib import Path
from kloepper_env import files
with getattr(files, sys.argv[1])(Path(sys.argv[2])) as partial:
    if partial:
        partial.write_text("half")
    print("ready", flush=True)
    time.sleep(60)
"""


def holder(function: str, path: Path) -> "subprocess.Popen[str]":
    """Another process in the middle of a block."""
    command = [sys.executable, "-c", HOLD, function, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    with whole_file(path) as partial:
        partial.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    with pytest.raises(ZeroDivisionError), whole_file(path) as partial:
        partial.write_text(str(1 // 0))
    assert path.read_text() == "new"
    assert names(tmp_path) == [path.name]


def test_of_two_writers_the_last_stays_and_none_fails(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with whole_file(path) as outer:
        outer.write_text("outer")
        with whole_file(path) as inner:
            inner.write_text("inner")
        assert path.read_text() == "inner"
    assert path.read_text() == "outer"
    assert names(tmp_path) == ["a"]


def test_what_a_dead_writer_left_is_removed(tmp_path: Path) -> None:
    path, old = tmp_path / "a", tmp_path / ".a.partial"
    old.touch()  # as versions before named it
    (tmp_path / ".ab.partial").touch()  # of another file
    with holder("whole_file", path) as process:
        assert len(list(tmp_path.glob(".a.*.partial"))) == 1
        process.kill()
    assert all(map(is_leftover, tmp_path.iterdir()))
    with whole_file(path) as partial:
        partial.touch()
    assert names(tmp_path) == [".ab.partial", "a"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there" / "file")
    with whole_file(link) as partial:
        partial.write_text("new")
    assert link.is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "new"
    null = Path(os.devnull)
    with claimed_file(null), whole_file(null) as direct:
        assert direct == null


def test_a_failed_write_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    path = tmp_path / "a"
    with pytest.raises(OSError, match="No space") as caught, whole_file(path) as partial:
        partial.write_text("new")
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as missing, whole_file(tmp_path / "no" / "a"):
        pass
    assert missing.value.filename == str(tmp_path / "no" / "a")


@pytest.mark.parametrize("claim", ["claimed_folder", "claimed_file"])
def test_a_second_process_is_refused_until_the_first_is_dead(claim: str, tmp_path: Path) -> None:
    path, link = tmp_path / "run", tmp_path / "link"
    link.symlink_to(path)
    claimed = claimed_folder if claim == "claimed_folder" else claimed_file
    with holder(claim, path) as process:
        for name in (path, link):
            with (
                pytest.raises(KloepperError, match=f"written by process {process.pid}: "),
                claimed(name),
            ):
                pass
        process.send_signal(signal.SIGKILL)
        process.wait()
        with claimed(link):
            pass
    assert names(tmp_path) == (["link", "run"] if claim == "claimed_folder" else ["link"])
    assert not path.exists() or not names(path)


def test_a_folder_that_stays_empty_goes_again(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    with claimed_folder(deep):
        assert names(deep) == [LOCK]
    assert not names(tmp_path)
    with claimed_folder(deep):
        (deep / "result").touch()
    assert names(deep) == ["result"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(ConfigError, match="is a file and no folder"),
        claimed_folder(tmp_path / "file" / "deep"),
    ):
        pass
