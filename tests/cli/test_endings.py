"""Commands whose reader goes away, whose disk is full, or that a signal ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import typer

from kloepper_agents.commands.app import register
from kloepper_env.commands import app as env_cli
from kloepper_env.console import FAILED, INTERRUPTED, LOST, TERMINATED, main

APP = typer.Typer()
register(APP)
env_cli.register(APP)
START = [
    sys.executable,
    "-c",
    "import signal\n"  # what starts in the background of a script ignores Ctrl-C
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from kloepper_training.start import main\n"
    "main()",
]
ARENA = ["arena", "random", "greedy", "--deals", "8"]
CHECK = ["lab", "check", "--policy", "greedy", "--hands", "2", "--deals", "8", "--jobs", "1"]
STUDY = ["lab", "study", "knock", "--policy", "greedy", "--deals", "8", "--advice", "0"]
RESULTS = {"arena": ARENA, "check": CHECK, "study": STUDY}


def run(*words: object) -> int:
    return main(APP, [str(word) for word in words])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def lost_reader() -> Iterator[IO[str]]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as file:
        yield file


# --- a reader who goes away, and full disks ------------------------------------------------------


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("style", ["tables", "json"])
def test_a_reader_who_goes_away_leaves_the_files(
    name: str,
    style: str,
    lost_reader: IO[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdout", lost_reader)
    words = [*RESULTS[name], "--out", tmp_path / "d", *(["--json"] if style == "json" else [])]
    assert run(*words) == LOST
    assert json.loads((tmp_path / "d" / "result.json").read_text())
    assert not list((tmp_path / "d").glob(".*"))
    assert capfd.readouterr().err == ""


def test_neither_a_traceback_nor_a_word_follows_a_lost_reader(lost_reader: IO[str]) -> None:
    for words in (["rules"], ["agents"], ["rules", "--json"]):
        done = subprocess.run(
            [*START, *words], stdout=lost_reader, stderr=subprocess.PIPE, check=False
        )
        assert (done.returncode, done.stderr) == (LOST, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize("words", [["rules", "K1"], ["agents", "--json"]])
def test_a_full_disk_behind_the_output_is_a_sentence(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*START, *words], stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == FAILED
        assert done.stderr.count(b"\n") == 1
        assert b"No space left on device" in done.stderr
        assert subprocess.run([*START, "nothing"], stderr=full, check=False).returncode == 2


@pytest.mark.parametrize("name", RESULTS)
def test_a_full_disk_costs_nobody_the_figures(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"
    assert run(*RESULTS[name], "--seed", 5, "--out", out) == 0
    before = {path: path.read_bytes() for path in out.iterdir()}
    printed = capsys.readouterr().out

    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert run(*RESULTS[name], "--seed", 5, "--out", out) == FAILED
    output, complaint = capsys.readouterr()
    assert len(output.splitlines()) == len(printed.splitlines())
    assert complaint == f"kloepper: {out}: No space left on device\n"
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_records_that_cannot_be_written_do_not_end_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object, **names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kloepper_env.records.RecordWriter.write", fail)
    assert run(*ARENA, "--records", "--out", tmp_path / "d") == FAILED
    output, complaint = capsys.readouterr()
    assert "8 deals at" in output
    assert "No space left" in complaint
    assert not (tmp_path / "d").exists()


# --- an earlier result, and another process ------------------------------------------------------


def test_an_earlier_result_is_replaced_as_a_whole(tmp_path: Path) -> None:
    out = tmp_path / "d"
    assert run(*ARENA, "--records", "--out", out) == 0
    (out / "notes.txt").touch()
    assert run(*ARENA, "--out", out) == 0
    assert names(out) == ["notes.txt", "report.html", "result.json"]
    assert run(*STUDY, "--sensitivity", "--out", tmp_path / "s") == 0
    assert run(*STUDY, "--out", tmp_path / "s") == 0
    assert "rules.svg" not in names(tmp_path / "s")


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("chances.csv of `kloepper lab study`", ARENA),
        ("checkpoint.safetensors of `kloepper train`", ARENA),
        ("records.jsonl of `kloepper arena`", STUDY),
        ("report.html of `kloepper arena`", CHECK),
    ],
)
def test_a_result_of_another_kind_is_never_mixed_in(
    held: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / held.partition(" ")[0]).touch()
    assert run(*words, "--out", tmp_path) == 2
    output, complaint = capsys.readouterr()
    assert output == ""
    assert f"{str(tmp_path)!r} holds {held}: choose another --out" in complaint
    assert len(names(tmp_path)) == 1


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        ("d/.lock", [*ARENA, "--out", "d"]),
        ("d/.lock", [*STUDY, "--out", "d"]),
        ("d/.lock", [*CHECK, "--out", "d"]),
        (".d.lock", ["record", "--hands", "1", "-o", "d"]),
        (".d.lock", ["lab", "table", "--out", "d"]),
    ],
)
def test_a_second_writer_is_refused(
    lock: str,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.chdir(tmp_path)
    Path(lock).parent.mkdir(exist_ok=True)
    with open(lock, "w+") as file:
        file.write("4711")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        assert run(*words) == FAILED
    assert "'d' is being written by process 4711" in capsys.readouterr().err


# --- signals -------------------------------------------------------------------------------------


def after(delay: float, number: int, words: list[str], folder: Path) -> tuple[int, str]:
    """Status and stderr of a command whose processes all get a signal, and then are gone."""
    process = subprocess.Popen(
        [*START, *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(delay)
    os.killpg(process.pid, number)
    try:
        _, complaint = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:  # the group is there while one of its processes is
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return process.returncode, complaint
        time.sleep(0.01)
    raise AssertionError("a process is left")


def many(first: float, last: float) -> list[object]:
    """Moments that only `make test-all` tries."""
    steps = [first + (last - first) * i / 19 for i in range(20)]
    return [pytest.param(delay, marks=pytest.mark.slow) for delay in steps]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("delay", [0.9, 3.5, *many(0.5, 5.0)])
def test_ctrl_c_ends_all_processes_with_one_line(delay: float, tmp_path: Path) -> None:
    words = ["lab", "table", "--out", "t.npz", "--jobs", "2"]
    assert after(delay, signal.SIGINT, words, tmp_path) == (INTERRUPTED, "kloepper: interrupted\n")
    assert not (tmp_path / "t.npz").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_sigterm_leaves_neither_processes_nor_halves_of_files(tmp_path: Path) -> None:
    words = ["arena", "random", "greedy", "--deals", "1000000", "--out", "d", "--records"]
    assert after(4.0, signal.SIGTERM, words, tmp_path) == (TERMINATED, "kloepper: terminated\n")
    assert not names(tmp_path)
