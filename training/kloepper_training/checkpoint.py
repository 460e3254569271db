"""A run on disk: everything that a resumed run needs to go on bit for bit.

One safetensors file holds parameters, optimiser and snapshots, and as JSON the config, the
counters and what it all was made for. It takes the place of the last one whole or not at all.
Chance has no state (see `chance`), the schedules follow from the counters, and between two
updates no hand is in play.
"""

from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from kloepper_agents.neural import POLICY_FILE, identity
from kloepper_agents.tensorfile import expect, read_tensors, write_tensors
from kloepper_env.errors import CheckpointError
from kloepper_env.games import get_game
from kloepper_training.config import TrainConfig, check_config
from kloepper_training.selfplay import Counters, Run

CHECKPOINT_FILE: Final = "checkpoint.safetensors"
FORMAT: Final = 1
_PURPOSE: Final = "training"
FREE: Final = ("budget", "evaluation", "checkpoint_every", "threads")
"""Settings that may change when a run is resumed; all others would make it another run."""


def save(run: Run, folder: Path) -> None:
    """Write the checkpoint, then the policy for `net:FOLDER`."""
    about = {
        "purpose": _PURPOSE,
        "format": FORMAT,
        **identity(run.game),
        "package_version": version("kloepper"),
        "torch_version": str(torch.__version__),
        "config": run.config.model_dump(mode="json"),
        "counters": asdict(run.counters),
        "snapshots": len(run.pool.snapshots),
    }
    arrays = {name: tensor.detach().numpy() for name, tensor in _tensors(run).items()}
    write_tensors(folder / CHECKPOINT_FILE, arrays, about)
    run.policy.save(folder / POLICY_FILE)


def stored_config(folder: Path) -> dict[str, Any]:
    """The settings of the run in a folder. Raises CheckpointError."""
    config: dict[str, Any] = _read(folder)[1]["config"]
    return config


def load(folder: Path, config: TrainConfig) -> Run:
    """The run in a folder, to go on under `config`.

    Raises CheckpointError when it is damaged, was made for another game, layout or rules, or when
    `config` differs in more than the FREE settings.
    """
    tensors, about = _read(folder)
    path = folder / CHECKPOINT_FILE
    expect(path, about, identity(get_game(config.game)))
    stored = check_config(about["config"]).model_dump(exclude=set(FREE))
    expect(path, stored, config.model_dump(exclude=set(FREE)))
    run = Run(config)
    run.counters = Counters(**about["counters"])
    run.actor.load_state_dict(_below(tensors, "actor."))
    run.critic.load_state_dict(_below(tensors, "critic."))
    run.pool.snapshots = [
        _below(tensors, f"snapshot.{number}.") for number in range(about["snapshots"])
    ]
    optimizer = run.learner.optimizer
    state = optimizer.state_dict()
    moments = _below(tensors, "adam.")
    for name, tensor in moments.items():
        index, _, key = name.partition(".")
        state["state"].setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict(state)
    return run


def _tensors(run: Run) -> dict[str, Tensor]:
    moments = run.learner.optimizer.state_dict()["state"]
    groups = {
        "actor": run.actor.state_dict(),
        "critic": run.critic.state_dict(),
        **{f"snapshot.{i}": snapshot for i, snapshot in enumerate(run.pool.snapshots)},
        **{f"adam.{index}": entries for index, entries in moments.items()},
    }
    return {
        f"{group}.{key}": value for group, part in groups.items() for key, value in part.items()
    }


def _read(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    path = folder / CHECKPOINT_FILE
    if not path.is_file():
        raise CheckpointError(f"{str(folder)!r} holds no run to resume: no {CHECKPOINT_FILE} there")
    arrays, about = read_tensors(path)
    expect(path, about, {"purpose": _PURPOSE, "format": FORMAT})
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, about


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
