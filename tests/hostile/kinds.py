"""Each kind of file that is read back: a sound one, wrong ones, and what is done with them."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from safetensors.numpy import save

from kloepper_agents import tensorfile
from kloepper_agents.arena.deals import open_deals
from kloepper_agents.games.kloepper.lab.hands import check, distil, distil_report
from kloepper_agents.games.kloepper.lab.hands import files as table_files
from kloepper_agents.neural import NetAgent, Policy
from kloepper_agents.recorder import record_hands
from kloepper_env.batch import Batch
from kloepper_env.games import get_game
from kloepper_env.records import Record, read_records, replay_file
from kloepper_env.render import render_text
from kloepper_training import checkpoint
from kloepper_training.config import check_config, read_config
from kloepper_training.curve import read_margins
from kloepper_training.selfplay import Run
from tests.hostile.mutate import changed, changed_arrays, changed_bytes
from tests.training.conftest import TINY

Chance = np.random.Generator
GAME = get_game("kloepper")


@dataclass(frozen=True)
class Kind:
    """Files of one kind."""

    make: Callable[[Path, Chance], None]  # writes a wrong one to the path
    use: Callable[[Path], None]  # does with it what commands do


def _described(contents: tuple[dict[str, Any], dict[str, Any]], path: Path, rng: Chance) -> None:
    """Write arrays and a description, changed, with the digest that belongs to them."""
    arrays, about = contents
    if rng.random() < 0.6:
        about = changed(about, rng)
    if rng.random() < 0.6:
        arrays = changed_arrays(arrays, rng)
    text = json.dumps(about)
    if rng.random() < 0.02:
        text = changed_bytes(text.encode(), rng).decode("utf-8", "replace")
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = text.replace("\\ud800", "?")  # the library writes no half characters
    metadata = {"kloepper": text, "sha256": tensorfile._digest(arrays, text)}
    data = save(arrays, metadata)
    path.write_bytes(changed_bytes(data, rng) if rng.random() < 0.05 else data)


@cache
def _run(folder: Path) -> Path:
    run = Run(check_config({**TINY, "pool": {"share": 0.5, "every": 1, "size": 2}}))
    for _ in range(2):
        run.advance()
    folder.mkdir(exist_ok=True)
    checkpoint.save(run, folder)
    return folder


@cache
def _stored(folder: Path, file: str) -> tuple[dict[str, Any], dict[str, Any]]:
    arrays, about = tensorfile.read_tensors(_run(folder) / file)
    return dict(arrays), about


def make_policy(path: Path, rng: Chance) -> None:
    _described(_stored(path.parent / "run", "policy.safetensors"), path, rng)


@cache
def _batch() -> Batch:
    return Batch(n=16, seed=1)


def play_policy(path: Path) -> None:
    """Load a policy and ask it for actions, which have to be legal."""
    policy, batch = Policy.load(path, GAME), _batch()
    words = np.arange(batch.n, dtype=np.uint64) << np.uint64(58)
    for draws in (False, True):
        agent = NetAgent(policy, draws=draws)
        actions = agent.act_many(batch.observation, batch.action_mask, words)
        assert batch.action_mask[np.arange(batch.n), actions].all(), "an illegal action"


def make_checkpoint(path: Path, rng: Chance) -> None:
    _described(_stored(path.parent / "run", "checkpoint.safetensors"), path, rng)


def resume_checkpoint(path: Path) -> None:
    """Load a run from a folder that holds the file, and train on."""
    folder = path.parent / "resumed"
    folder.mkdir(exist_ok=True)
    path.replace(folder / checkpoint.CHECKPOINT_FILE)
    run = checkpoint.load(folder, check_config(checkpoint.stored_config(folder)))
    assert run.policy.sizes[0] == run.game.layout.size
    lines: list[dict[str, Any]] = []
    run.train(lines.append, lambda: None, lambda: bool(lines))


@cache
def _columns() -> dict[str, Any]:
    with np.load(table_files.SHIPPED) as columns:
        return {
            name: columns[name] if name == "setting" else columns[name][::500] for name in columns
        }


def make_table(path: Path, rng: Chance) -> None:
    columns = dict(_columns())
    setting = json.loads(str(columns.pop("setting")))
    if rng.random() < 0.5:
        setting = changed(setting, rng)
    if rng.random() < 0.7:
        columns = changed_arrays(columns, rng)
    text = json.dumps(setting)
    if rng.random() < 0.05:
        text = changed_bytes(text.encode(), rng).decode("utf-8", "replace").replace("\x00", "")
    with path.open("wb") as file:
        np.savez_compressed(file, setting=np.array(text), **columns)
    if rng.random() < 0.2:
        path.write_bytes(changed_bytes(path.read_bytes(), rng))


def use_table(path: Path) -> None:
    """What `lab rules`, `lab check` and `lab table --csv` do with a table."""
    table = table_files.load_table(path)
    found, aces = distil.distil(table.rows), distil.ace_gains(table.rows)
    distil_report.report(found, aces)
    json.dumps(distil_report.data_of(found, aces, table.setting, ""))
    check.drawn(table.rows, 8, 1)
    table_files.write_table_csv(path.with_suffix(".csv"), table)


@cache
def _lines(folder: Path) -> list[bytes]:
    path = folder / "sound.jsonl"
    lines: list[bytes] = []
    for pack in (24, 12, 8):
        rules = {} if pack == 24 else {"pack": pack}
        record_hands(path, ["random"] * 4, rules=rules, hands=2, seed=1, legal=True, force=True)
        lines += path.read_bytes().splitlines(keepends=True)
    return lines


def make_records(path: Path, rng: Chance) -> None:
    lines = list(_lines(path.parent))
    for at in range(0, len(lines), 2):
        data = json.loads(lines[at])
        for _ in range(rng.integers(1, 3)):
            data = changed(data, rng)
        lines[at] = json.dumps(data).encode() + b"\n"
    data = b"".join(lines)
    path.write_bytes(changed_bytes(data, rng) if rng.random() < 0.4 else data)


def use_records(path: Path) -> None:
    """What `replay --show` does with a file."""
    replay_file(path)
    for _, record in read_records(path):
        if isinstance(record, Record):
            render_text(record.state())


def make_config(path: Path, rng: Chance) -> None:
    whole = check_config(TINY).model_dump(mode="json")
    for _ in range(rng.integers(1, 3)):
        whole = changed(whole, rng)
    text = json.dumps(whole, indent=int(rng.integers(3)))  # that is YAML, too
    if rng.random() < 0.5:
        with suppress(RecursionError):
            text = yaml.dump(whole, allow_unicode=True)
    data = text.encode("utf-8", "replace")
    for _ in range(rng.integers(3)):
        data = changed_bytes(data, rng)
    path.write_bytes(data)


def use_config(path: Path) -> None:
    read_config(path)


def make_deals(path: Path, rng: Chance) -> None:
    line = b"2 9HKSKDQHQDKCASAC9CTSJDJSQCJHQSTC9DKHADJC9SAHTDTH\n"
    path.write_bytes(changed_bytes(line * 3, rng))


def use_deals(path: Path) -> None:
    open_deals(1, path, 3).hands(GAME, GAME.options(None), 0, 3)


def make_log(path: Path, rng: Chance) -> None:
    line = {"update": 1, "decisions": 5, "margin/rules": 0.5, "margin_se/rules": 0.1}
    data = b"".join(json.dumps(changed(line, rng)).encode() + b"\n" for _ in range(2))
    path.write_bytes(changed_bytes(data, rng) if rng.random() < 0.5 else data)


def use_log(path: Path) -> None:
    read_margins(path)


KINDS = {
    "policies": Kind(make_policy, play_policy),
    "checkpoints": Kind(make_checkpoint, resume_checkpoint),
    "tables": Kind(make_table, use_table),
    "records": Kind(make_records, use_records),
    "configs": Kind(make_config, use_config),
    "deals": Kind(make_deals, use_deals),
    "logs": Kind(make_log, use_log),
}
