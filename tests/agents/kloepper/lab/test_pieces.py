"""Studies, checks and tables that are stopped and started again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kloepper_agents.games.kloepper.lab.hands import check
from kloepper_agents.games.kloepper.lab.hands.files import load_table
from kloepper_agents.games.kloepper.lab.study import study
from kloepper_agents.games.kloepper.lab.study.study import Study, run_study
from kloepper_agents.lab.pieces import pieces_in, remove_pieces
from kloepper_env.errors import ConfigError
from tests.cli.test_agents_cli import run

START = [sys.executable, "-c", "from kloepper_training.start import main; main()", "lab"]
STUDY = ["study", "knock-off", "--deals", "3000", "--advice", "20", "--worlds", "8"]
CHECK = ["check", "--policy", "rules", "--hands", "12", "--deals", "256", "--jobs", "2"]
HANDS = 40
SHORT = ["lab", "check", "--policy", "rules", "--hands", str(HANDS), "--deals", "64", "--jobs", "1"]
LONGEST = 600  # seconds for what takes one


class StoppedError(Exception):
    """Ends a calculation as a kill would."""


def stop_after(calls: int) -> Callable[[int], None]:
    """A progress that ends the calculation when it is called so often."""
    left = [calls]

    def progress(done: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise StoppedError

    return progress


# --- pieces --------------------------------------------------------------------------------------


def test_a_piece_is_read_as_it_was_written(tmp_path: Path) -> None:
    pieces = pieces_in(tmp_path / "p", "study", {"seed": 1})
    assert pieces.read("a") is None
    arrays = {"x": np.array([0.1, np.nan, np.inf]), "name": np.array(["a", "bcd"])}
    pieces.write("a", arrays)
    read = pieces_in(tmp_path / "p", "study", {"seed": 1}).read("a")
    assert read is not None
    for name, column in arrays.items():
        np.testing.assert_array_equal(read[name], column)
        assert read[name].dtype == column.dtype
    remove_pieces(tmp_path / "p")
    assert not list(tmp_path.iterdir())


def test_pieces_by_another_setting_are_refused(tmp_path: Path) -> None:
    pieces_in(tmp_path, "study", {"seed": 1}).write("a", {"x": np.arange(3)})
    with pytest.raises(ConfigError, match="holds pieces of another study: take another --out"):
        pieces_in(tmp_path, "study", {"seed": 2})


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_a_damaged_piece_counts_as_missing(damage: bytes | None, tmp_path: Path) -> None:
    pieces = pieces_in(tmp_path, "study", {})
    pieces.write("a", {"x": np.arange(300)})
    path = tmp_path / "a.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-30] if damage is None else damage)
    assert pieces.read("a") is None


def test_pieces_without_their_setting_are_not_trusted(tmp_path: Path) -> None:
    """What is left by a process that died while it removed them."""
    folder = tmp_path / "p"
    pieces_in(folder, "study", {}).write("a", {"x": np.arange(3)})
    (folder / "setting.json").unlink()
    assert pieces_in(folder, "study", {}).read("a") is None


def test_a_piece_that_cannot_be_kept_ends_nothing(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    pieces_in(place / "p", "study", {}).write("a", {"x": np.arange(3)})


def test_a_full_disk_leaves_no_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    pieces_in(tmp_path / "p", "study", {}).write("a", {"x": np.arange(3)})
    assert not list(tmp_path.iterdir())


# --- studies and checks --------------------------------------------------------------------------


def test_a_study_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "CHUNK", 50)

    def made(**more: Any) -> Study:
        return run_study("call", deals=180, seed=3, advice_deals=60, worlds=4, **more)

    whole, keep = made(), tmp_path / "pieces"
    with pytest.raises(StoppedError):
        made(keep=keep, progress=stop_after(2))
    assert {path.name for path in keep.iterdir()} == {
        *("setting.json", "00000000.npz", "00000050.npz")
    }
    (keep / "00000050.npz").write_bytes(b"")
    done: list[int] = []
    again = made(keep=keep, progress=done.append)
    assert done == [50, 50, 50, 30]
    assert again.setting == whole.setting
    for name, column in whole.columns.items():
        np.testing.assert_array_equal(again.columns[name], column)
    with monkeypatch.context() as patched:
        patched.setattr(study, "_chunk", {}.pop)  # everything is there
        made(keep=keep)
    with pytest.raises(ConfigError, match="holds pieces of another study"):
        run_study("call", deals=180, seed=4, keep=keep)


def test_a_check_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, keep = load_table().rows[::40], tmp_path / "pieces"

    def made(**more: Any) -> list[check.Checked]:
        return check.check(rows, "greedy", rules={}, hands=5, deals=16, **{"seed": 2, **more})

    whole = made()
    with pytest.raises(StoppedError):
        made(keep=keep, progress=stop_after(3))  # the first call says what was there
    done: list[int] = []
    assert made(keep=keep, progress=done.append) == whole
    assert done == [2, 1, 1, 1]
    with monkeypatch.context() as patched:
        patched.setattr(check, "play_asked", {}.pop)  # everything is there
        assert made(keep=keep) == whole
    with pytest.raises(ConfigError, match="holds pieces of another check"):
        made(seed=3, keep=keep)


# --- kills ---------------------------------------------------------------------------------------


def files_of(folder: Path) -> dict[str, bytes]:
    """The files in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def begun(words: list[str], out: Path) -> "subprocess.Popen[bytes]":
    """A command of the lab in a process group of its own."""
    command = [*START, *words, "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)


def finished(words: list[str], out: Path) -> dict[str, bytes]:
    """What a command writes that is let to its end."""
    assert begun(words, out).wait(LONGEST) == 0
    return files_of(out)


def pieces_of(out: Path) -> int:
    """How many pieces lie in a folder."""
    return len(list(out.glob(".pieces.*/*.npz")))


def some_time_after(pieces: int, out: Path, seconds: float) -> Callable[[], bool]:
    """Says when there have been so many pieces for so long."""
    since: list[float] = []

    def is_time() -> bool:
        if not since and pieces_of(out) >= pieces:
            since.append(time.monotonic())
        return bool(since) and time.monotonic() >= since[0] + seconds

    return is_time


def killed(words: list[str], out: Path, is_time: Callable[[], bool]) -> bool:
    """Whether a command was killed before its end, which it is at a certain time."""
    process = begun(words, out)
    while process.poll() is None and not is_time():
        time.sleep(0.002)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait(LONGEST) != 0


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_a_check_that_was_killed_ends_with_the_same_files(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert run(*SHORT, "--out", str(whole)) == 0
    assert killed(SHORT[1:], out, lambda: pieces_of(out) > 0)
    left = pieces_of(out)
    assert run(*SHORT, "--out", str(out)) == 0
    assert 0 < left < HANDS
    assert files_of(out) == files_of(whole)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
@pytest.mark.parametrize("words", [STUDY, CHECK], ids=["study", "check"])
def test_commands_killed_at_random_moments_end_with_the_same_files(
    words: list[str], tmp_path: Path
) -> None:
    whole, rng, kills, most = finished(words, tmp_path / "whole"), random.Random(5), 0, 0
    for number in range(3):
        out = tmp_path / f"out{number}"
        for pieces in (0, 1, 2):
            if not killed(words, out, some_time_after(pieces, out, rng.uniform(0.0, 1.0))):
                break
            kills, most = kills + 1, max(most, pieces_of(out))
        assert finished(words, out) == whole
    assert kills >= 3
    assert most > 0
