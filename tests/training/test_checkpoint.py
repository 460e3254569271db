"""A stopped run goes on bit for bit; a damaged or foreign file is refused with one sentence."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import POLICY_FILE, Policy
from kloepper_agents.tensorfile import read_tensors, write_tensors
from kloepper_env import console
from kloepper_env.errors import CheckpointError
from kloepper_env.games import Game
from kloepper_training import checkpoint
from kloepper_training.checkpoint import CHECKPOINT_FILE
from kloepper_training.config import TrainConfig
from kloepper_training.log import LOG_FILE, Log, truncate
from kloepper_training.selfplay import Counters, Run

MakeConfig = Callable[..., TrainConfig]
POOL = {"share": 0.5, "every": 2, "size": 2}


def train(run: Run, folder: Path, updates: int | None = None) -> None:
    """Train to the end, or for some updates and then as if killed: nothing saved at that point."""
    saves = [0]

    def save() -> None:
        if updates is None or not stopped():
            checkpoint.save(run, folder)
            saves[0] += 1

    def stopped() -> bool:
        return updates is not None and run.counters.update >= updates

    with Log(folder, run.counters) as log:
        run.train(log.write, save, stopped)


def weights(folder: Path) -> dict[str, np.ndarray]:
    return read_tensors(folder / CHECKPOINT_FILE)[0]


def log_lines(folder: Path) -> list[dict[str, Any]]:
    """The log without what depends on the clock."""
    lines = [json.loads(line) for line in (folder / LOG_FILE).read_text().splitlines()]
    return [
        {
            k: v
            for k, v in line.items()
            if k not in ("seconds", "cpu_seconds") and not k.startswith("speed/")
        }
        for line in lines
    ]


def assert_same_run(game: Game, one: Path, other: Path) -> None:
    first, second = weights(one), weights(other)
    assert list(first) == list(second)
    for name, array in first.items():
        assert np.array_equal(array, second[name]), name
    assert log_lines(one) == log_lines(other)
    updates = [line["update"] for line in log_lines(one)]
    assert updates == list(range(1, len(updates) + 1))
    one_policy, other_policy = (Policy.load(f / POLICY_FILE, game) for f in (one, other))
    assert all(
        np.array_equal(a, b) for a, b in zip(one_policy.weights, other_policy.weights, strict=True)
    )


@pytest.mark.parametrize("taught", [0, 2500])
def test_a_stopped_run_goes_on_bit_for_bit(
    tiny_config: MakeConfig, game: Game, taught: int, tmp_path: Path
) -> None:
    """Stopped after updates 3 and 5 while the checkpoints are of 2 and 4, with a pool.

    Where it is taught, the first stop is in that stage, and the second one behind it.
    """
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    config = tiny_config(game=game.name, pool=POOL, start={"decisions": taught})
    for folder in (straight, broken):
        folder.mkdir()
    train(Run(config), straight)
    train(Run(config), broken, updates=3)
    assert log_lines(broken)[-1]["update"] == 3
    resumed = checkpoint.load(broken, config)
    assert resumed.counters.update == 2
    train(resumed, broken, updates=5)
    train(checkpoint.load(broken, config), broken)
    lines = log_lines(broken)
    assert len(lines) >= 7
    lessons = ["loss/regret" in line for line in lines]
    assert lessons == [line["decisions"] < taught for line in [{"decisions": 0}, *lines[:-1]]]
    assert lessons[2] == bool(taught)
    assert not lessons[-1]
    assert any(name.startswith("snapshot.1.") for name in weights(broken))
    assert_same_run(game, straight, broken)


COMMAND = """
import sys, typer
from kloepper_env import console
from kloepper_training import cli_train
app = typer.Typer()
cli_train.register(app)
app.callback()(lambda: None)
sys.exit(console.main(app))
"""


def start(*arguments: str) -> "subprocess.Popen[str]":
    """`kloepper train` in its own process."""
    command = [sys.executable, "-c", COMMAND, "train", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(folder: Path, number: int, process: "subprocess.Popen[str]") -> None:
    path = folder / LOG_FILE
    while process.poll() is None:
        if path.exists() and path.read_bytes().count(b"\n") >= number:
            return
        time.sleep(0.002)


@pytest.mark.slow
def test_killed_at_random_moments(tiny_config: MakeConfig, game: Game, tmp_path: Path) -> None:
    config = tiny_config(game=game.name, pool=POOL, budget={"decisions": 20_000})
    file = tmp_path / "config.yaml"
    file.write_text(yaml.safe_dump(config.model_dump(mode="json")))
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    straight.mkdir()
    train(Run(config), straight)
    random = np.random.default_rng(8)
    arguments = [str(file), "--out", str(broken)]
    target = 0
    for _ in range(4):
        process = start(*arguments)
        target += int(random.integers(2, 6))
        wait_for_lines(broken, target, process)
        time.sleep(float(random.uniform(0, 0.05)))
        process.kill()
        process.communicate()
        arguments = ["--resume", str(broken)]
    process = start(*arguments)
    _, complaint = process.communicate()
    assert process.returncode == 0, complaint
    assert_same_run(game, straight, broken)


def test_ctrl_c_saves_and_ends_as_interrupted(tiny_config: MakeConfig, tmp_path: Path) -> None:
    config = tiny_config(budget={"decisions": 10**9}, checkpoint_every=10**6)
    file, folder = tmp_path / "config.yaml", tmp_path / "run"
    file.write_text(yaml.safe_dump(config.model_dump(mode="json")))
    process = start(str(file), "--out", str(folder))
    wait_for_lines(folder, 2, process)
    os.kill(process.pid, signal.SIGINT)
    output, complaint = process.communicate()
    assert process.returncode == console.INTERRUPTED, complaint
    assert "--resume" in output
    saved = checkpoint.load(folder, config).counters.update
    assert saved == log_lines(folder)[-1]["update"] >= 2
    assert not list(folder.glob(".*"))


# --- refusals ------------------------------------------------------------------------------------


@pytest.fixture
def saved(tiny_config: MakeConfig, tmp_path: Path) -> Path:
    run = Run(tiny_config())
    run.advance()
    checkpoint.save(run, tmp_path)
    return tmp_path


def load(folder: Path, file: str, config: TrainConfig) -> None:
    """Load one of the two files of a run, as its user would."""
    if file == CHECKPOINT_FILE:
        checkpoint.load(folder, config)
    else:
        make_agent(f"net:{folder}")


@pytest.mark.parametrize("file", [CHECKPOINT_FILE, POLICY_FILE])
@pytest.mark.parametrize("damage", ["byte", "short", "empty", "text", "missing"])
def test_a_damaged_file_is_refused(
    saved: Path, tiny_config: MakeConfig, file: str, damage: str
) -> None:
    path = saved / file
    data = bytearray(path.read_bytes())
    if damage == "byte":
        data[-100] ^= 1
    cut = {"short": bytes(data[: len(data) // 2]), "empty": b"", "text": b"no tensors"}
    path.write_bytes(cut.get(damage, bytes(data)))
    if damage == "missing":
        path.unlink()
    with pytest.raises(CheckpointError) as caught:
        load(saved, file, tiny_config())
    assert str(saved) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"game": "klammern"}, "game"),
        ({"rules": {"failed_knock": "none"}}, "rules"),
        ({"seed": 6}, "seed"),
        ({"network": {"actor": [8], "critic": [16]}}, "network"),
    ],
)
def test_another_run_is_refused(
    saved: Path, tiny_config: MakeConfig, settings: dict[str, Any], named: str
) -> None:
    with pytest.raises(CheckpointError, match=f"was made with {named} .*, but here it is"):
        checkpoint.load(saved, tiny_config(**settings))


def test_budget_and_evaluation_may_change(saved: Path, tiny_config: MakeConfig) -> None:
    config = tiny_config(budget={"decisions": 9}, checkpoint_every=3)
    assert checkpoint.load(saved, config).config.budget.decisions == 9


@pytest.mark.parametrize(
    "entry", ["observation_layout", "action_names", "ways_to_rename", "game_version", "format"]
)
@pytest.mark.parametrize("file", [CHECKPOINT_FILE, POLICY_FILE])
def test_another_layout_is_refused(
    saved: Path, tiny_config: MakeConfig, file: str, entry: str
) -> None:
    arrays, about = read_tensors(saved / file)
    write_tensors(saved / file, arrays, {**about, entry: "other"})
    with pytest.raises(CheckpointError, match=r"was made with .* 'other', but here it is"):
        load(saved, file, tiny_config())


def test_a_policy_and_a_checkpoint_are_not_confused(saved: Path) -> None:
    with pytest.raises(CheckpointError, match="purpose 'training', but here it is 'policy'"):
        make_agent(f"net:{saved / CHECKPOINT_FILE}")


def test_a_policy_without_its_layers_is_refused(saved: Path) -> None:
    arrays, about = read_tensors(saved / POLICY_FILE)
    del arrays["bias.1"]
    write_tensors(saved / POLICY_FILE, arrays, about)
    with pytest.raises(CheckpointError, match="does not hold the layers"):
        make_agent(f"net:{saved}")


def test_an_interrupted_write_leaves_the_old_file(
    saved: Path, tiny_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (saved / CHECKPOINT_FILE).read_bytes()
    run = checkpoint.load(saved, tiny_config())
    run.advance()

    def fail(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        checkpoint.save(run, saved)
    assert (saved / CHECKPOINT_FILE).read_bytes() == before


def test_a_torn_last_line_and_later_ones_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / LOG_FILE
    path.write_text('{"update": 1}\n{"update": 2}\n{"update": 3}\n{"upd')
    truncate(path, 2)
    assert path.read_text() == '{"update": 1}\n{"update": 2}\n'


def test_damaged_lines_keep_no_run_from_going_on(tmp_path: Path) -> None:
    path = tmp_path / LOG_FILE
    whole = b'{"update": 1}\n{"update": 2}\n'
    damage = [b"\xff\n", b"[1]\n", b"3\n", b"\x00\x00\n", b"{}\n", b'{"update": "1"}\n', b"\n"]
    path.write_bytes(damage[0] + whole + b"".join(damage) + b"[" * 100_000 + b"\n")
    truncate(path, 5)
    assert path.read_bytes() == whole


def test_the_scalars_are_the_lines_of_the_log(tmp_path: Path) -> None:
    events_module = importlib.import_module(
        "tensorboard.backend.event_processing.event_accumulator"
    )
    with Log(tmp_path, Counters()) as log:
        log.write({"update": 1, "decisions": 100, "loss/kl": 0.5})
        log.write({"update": 2, "decisions": 200, "loss/kl": 0.25})
    events = events_module.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [(e.step, e.value) for e in events.Scalars("loss/kl")] == [(100, 0.5), (200, 0.25)]
