"""`kloepper train` as a user meets it: files, refusals and exit statuses."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
import typer
import yaml

from kloepper_agents.kinds import make_agent
from kloepper_env import console, watchdog
from kloepper_env.files import claimed_folder
from kloepper_env.games import Game
from kloepper_training import checkpoint, cli_train, selfplay
from kloepper_training.config import TrainConfig
from kloepper_training.log import Display, Log
from kloepper_training.selfplay import Counters, Run

from .conftest import MakeConfig


def kloepper(*arguments: object) -> int:
    app = typer.Typer(pretty_exceptions_enable=False)
    cli_train.register(app)
    app.callback()(lambda: None)
    return console.main(app, ["train", *map(str, arguments)])


@pytest.fixture
def config_file(tiny_config: MakeConfig, tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    config: TrainConfig = tiny_config(budget={"decisions": 1500})
    path.write_text(yaml.safe_dump(config.model_dump(mode="json")))
    return path


def test_a_run_leaves_a_player_a_log_and_a_checkpoint(
    config_file: Path, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, settings = tmp_path / "run", ["--set", "seed=9", "--set", f"game={game.name}"]
    assert kloepper(config_file, "--out", out, *settings, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["policy"] == f"net:{out}"
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["update"] == answer["update"] == len(lines)
    assert lines[-1]["decisions"] >= 1500
    assert any(name.startswith("greedy_rate/") for name in lines[-1])
    assert make_agent(answer["policy"], game.name).name == answer["policy"]
    assert list((out / "tensorboard").iterdir())

    assert kloepper(config_file, "--out", out) == 2
    assert "is not empty" in capsys.readouterr().err

    assert kloepper("--resume", out, "--set", "budget.decisions=3000") == 0
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [line["update"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["decisions"] >= 3000


def test_runs_is_where_a_run_goes_without_out(
    config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kloepper(config_file) == 0
    assert (tmp_path / "runs" / "tiny" / "policy.safetensors").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ([], 2, "train needs a CONFIG"),
        (["kloepper/smok"], 2, "there is no config 'kloepper/smok'"),
        (["kloepper/smoke", "--set", "lanes=0"], 2, "setting lanes is 0"),
        (["kloepper/smoke", "--set", "ppo.learning_rate.start=.inf"], 2, "is inf, but should be"),
        (["--resume", "nowhere"], 1, "'nowhere' holds no run to resume"),
        (["--resume", "nowhere", "--out", "there"], 2, "--out and --resume exclude each other"),
    ],
)
def test_refusals(
    arguments: list[str],
    status: int,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kloepper(*arguments) == status
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


class Killed(Exception):
    """Stands for the end of the process."""


def kill(*arguments: object) -> None:
    raise Killed


def test_a_run_killed_before_its_first_update_can_go_on(
    config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(Run, "advance", kill)
        with pytest.raises(Killed):
            kloepper(config_file, "--out", out)
    assert kloepper("--resume", out) == 0
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [line["update"] for line in lines] == list(range(1, len(lines) + 1))


def test_a_run_killed_in_its_first_write_can_be_started_again(
    config_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    out.mkdir()
    for left in (".lock", ".checkpoint.safetensors.1a2b3c4d.partial"):
        (out / left).touch()
    assert kloepper(config_file, "--out", out) == 0
    assert not list(out.glob(".*"))


def test_a_second_process_is_refused(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert kloepper(config_file, "--out", out) == 0
    before = {path: path.read_bytes() for path in out.iterdir() if path.is_file()}
    for folder, words in ((out, ["--resume", out]), (tmp_path / "new", [config_file, "--out"])):
        with claimed_folder(folder):
            assert kloepper(*words, *([folder] if folder != out else [])) == 1
        refusal = f"{str(folder)!r} is being written by process {os.getpid()}"
        assert refusal in capsys.readouterr().err
    assert {path: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    assert not (tmp_path / "new").exists()


def test_a_checkpoint_imports_nobody_s_code(
    config_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A player of one's own is named in the config or on the command line, or it is not made."""
    monkeypatch.chdir(tmp_path)
    Path("players_of_this_run.py").write_text(
        "from kloepper_agents.simple import Random\n\n\nclass Mine(Random):\n    pass\n"
    )
    again = ["--set", "evaluation.against=['players_of_this_run:Mine']"]
    assert kloepper(config_file, "--out", "run", *again) == 0
    assert "players_of_this_run:Mine" in capsys.readouterr().err
    monkeypatch.delitem(sys.modules, "players_of_this_run")
    assert kloepper("--resume", "run") == 2
    assert "the run meets 'players_of_this_run:Mine', which imports code" in capsys.readouterr().err
    assert "players_of_this_run" not in sys.modules
    assert kloepper("--resume", "run", *again) == 0


def test_ctrl_c_while_starting_leaves_no_folder(
    config_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "__init__", interrupt)
    out = tmp_path / "run"
    assert kloepper(config_file, "--out", out) == console.INTERRUPTED
    assert capsys.readouterr().err == "kloepper: interrupted\n"
    assert not out.exists()


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, console.INTERRUPTED), (signal.SIGTERM, console.TERMINATED)],
)
def test_a_signal_during_the_first_save_stops_before_the_first_update(
    number: int,
    status: int,
    config_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    signalled_in_the_first_save(number, monkeypatch)
    out = tmp_path / "run"
    assert kloepper(config_file, "--out", out) == status
    assert "stopped after update 0; go on with --resume" in capsys.readouterr().out
    assert kloepper("--resume", out) == 0


def signalled_in_the_first_save(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    original = checkpoint.save

    def save(run: Run, folder: Path) -> None:
        original(run, folder)
        if not (folder / "log.jsonl").exists():
            signal.raise_signal(number)

    monkeypatch.setattr(checkpoint, "save", save)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no terminals that hang up")
def test_a_run_goes_on_when_its_terminal_is_closed(
    config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signalled_in_the_first_save(signal.SIGHUP, monkeypatch)
    assert kloepper(config_file, "--out", tmp_path / "run") == 0


@pytest.mark.parametrize("terminal", [False, True])
def test_a_run_goes_on_without_its_display(
    terminal: bool, config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = os.openpty() if terminal else os.pipe()
    os.close(reader)
    with monkeypatch.context() as patch, os.fdopen(writer, "w") as nowhere:
        patch.setattr(sys, "stderr", nowhere)
        evaluation = ["--set", "evaluation.against=[random]", "--set", "evaluation.deals=8"]
        assert kloepper(config_file, *evaluation, "--out", tmp_path / "run") == 0
    assert '"margin/' in (tmp_path / "run" / "log.jsonl").read_text()


def test_a_run_that_is_stuck_says_where(
    config_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 1.0)
    heard = ""

    def stuck(*arguments: object) -> None:
        nonlocal heard
        deadline = time.monotonic() + 30
        while not heard and time.monotonic() < deadline:
            time.sleep(0.05)
            heard = capsys.readouterr().err
        raise Killed

    monkeypatch.setattr(selfplay, "prepare", stuck)
    with pytest.raises(Killed):
        kloepper(config_file, "--out", tmp_path / "run")
    assert "the run is at the learning of update 1 for" in heard


def test_net_settings_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("net:", "net:somewhere,draw"):
        with pytest.raises(ValueError, match="takes PATH or PATH,sample"):
            make_agent(name)


@pytest.mark.parametrize("name", ["net:r[/x]y", "net:[red]", "net::smile:", "net:\x1b[31m\udcff"])
def test_names_of_opponents_are_no_markup(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"update": 1, "hands": 10, "decisions": 40, "seconds": 1.0, "speed/decisions": 5.0}
    line |= {f"margin/{name}": 1.0, f"margin_se/{name}": 0.5}
    with Log(tmp_path, Counters()) as log, Display() as display:
        log.write(line)
        display.show(line, 0.5)
    told = name.replace("\x1b", "\\x1b").replace("\udcff", "\\udcff")
    assert f"points per hand (95 %) against {told} +1.00 ± 0.98" in capsys.readouterr().err
