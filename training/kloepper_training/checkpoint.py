"""A run on disk: everything that a resumed run needs to go on bit for bit.

One safetensors file holds parameters, optimiser and snapshots, and as JSON the config, the
counters and what it all was made for. It takes the place of the last one whole or not at all.
Chance has no state (see `streams`), the schedules follow from the counters, and between two
updates no hand is in play.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Self

import torch
from torch import Tensor

from kloepper_agents.inputs import inputs_of
from kloepper_agents.neural import POLICY_FILE, identity
from kloepper_agents.tensorfile import Shapes, expect, read_tensors, write_tensors
from kloepper_env.errors import CheckpointError, ConfigError, shown, whole_number
from kloepper_env.games import set_up
from kloepper_training.config import TrainConfig, check_config
from kloepper_training.networks import parameter_shapes
from kloepper_training.selfplay import Counters, Run

CHECKPOINT_FILE: Final = "checkpoint.safetensors"
FORMAT: Final = 1
_PURPOSE: Final = "training"
_MOST: Final = 1 << 53  # of a counter
FREE: Final = ("budget", "evaluation", "checkpoint_every", "threads")
"""Settings that may change when a run is resumed; all others would make it another run."""


def save(run: Run, folder: Path) -> None:
    """Write the checkpoint, then the policy for `net:FOLDER`."""
    policy = run.policy  # it is refused, before anything is written, when it is not finite
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
    policy.save(folder / POLICY_FILE)


def stored_config(folder: Path) -> dict[str, Any]:
    """The settings of the run in a folder. Raises CheckpointError."""
    return _read(folder)[1].config.model_dump(mode="json")


def load(folder: Path, config: TrainConfig) -> Run:
    """The run in a folder, to go on under `config`.

    Raises CheckpointError when it is damaged, was made for another game, layout or rules, or when
    `config` differs in more than the FREE settings.
    """
    tensors, stored = _read(folder)
    wanted = config.model_dump(exclude=set(FREE))
    expect(folder / CHECKPOINT_FILE, stored.config.model_dump(exclude=set(FREE)), wanted)
    run = Run(config)
    run.counters = stored.counters
    run.actor.load_state_dict(_below(tensors, "actor."))
    run.critic.load_state_dict(_below(tensors, "critic."))
    run.pool.snapshots = [
        _below(tensors, f"snapshot.{number}.") for number in range(stored.snapshots)
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


@dataclass(frozen=True)
class _Stored:
    """The description in a checkpoint, held against the game and against itself."""

    config: TrainConfig
    counters: Counters
    snapshots: int

    @classmethod
    def of(cls, path: Path, about: Mapping[str, Any]) -> Self:
        """Read a description. Raises CheckpointError."""
        expect(path, about, {"purpose": _PURPOSE, "format": FORMAT})
        try:
            config = check_config(_object(about, "config"), own=False)
            counters = _counters(_object(about, "counters"), config.lanes)
            most = min(config.pool.size, counters.update // config.pool.every)
            snapshots = whole_number("snapshots", about.get("snapshots"), most + 1)
        except ConfigError as error:
            raise CheckpointError(f"{str(path)!r} is no run that can go on: {error}") from None
        expect(path, about, identity(set_up(config.game, config.rules)[0]))
        return cls(config, counters, snapshots)

    def check_shapes(self, path: Path, shapes: Shapes) -> None:
        """Raise CheckpointError for other arrays than those of such a run."""
        networks = _network_shapes(self.config)
        wanted = {f"{name}.{key}": shape for name, part in networks.items() for key, shape in part}
        for number in range(self.snapshots):
            wanted |= {f"snapshot.{number}.{key}": shape for key, shape in networks["actor"]}
        if any(name.startswith("adam.") for name in shapes):  # it has none before its first step
            parameters = [shape for part in networks.values() for _, shape in part]
            for index, shape in enumerate(parameters):
                wanted |= {f"adam.{index}.{key}": shape for key in ("exp_avg", "exp_avg_sq")}
                wanted[f"adam.{index}.step"] = (1,)
        if wanted != shapes:
            raise CheckpointError(f"{str(path)!r} does not hold the parameters of its config")


def _read(folder: Path) -> tuple[dict[str, Tensor], _Stored]:
    path = folder / CHECKPOINT_FILE
    if not path.is_file():
        raise CheckpointError(f"{str(folder)!r} holds no run to resume: no {CHECKPOINT_FILE} there")

    def check(about: dict[str, Any], shapes: Shapes) -> None:
        _Stored.of(path, about).check_shapes(path, shapes)

    arrays, about = read_tensors(path, check)
    for name, array in arrays.items():
        if name.endswith((".exp_avg_sq", ".step")) and (array < 0).any():
            raise CheckpointError(f"{str(path)!r} holds a number below 0 in {name}")
    tensors = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    return tensors, _Stored.of(path, about)


def _network_shapes(config: TrainConfig) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
    """Names and shapes of the parameters of actor and critic, in the order of the optimiser."""
    game, network = set_up(config.game, config.rules)[0], config.network
    width = inputs_of(game, network.inputs).size
    seen = width + game.learning.hidden.size * network.privileged
    sizes = {"actor": (width, *network.actor, game.n_actions), "critic": (seen, *network.critic, 1)}
    return {name: list(parameter_shapes(layers).items()) for name, layers in sizes.items()}


def _counters(data: dict[str, Any], lanes: int) -> Counters:
    """Counters that a run can have. Raises ConfigError."""
    names = [field.name for field in fields(Counters)]
    data = {"cpu_seconds": 0.0} | data  # runs of before did not count it
    if sorted(data) != sorted(names):
        raise ConfigError(f"counters are {shown(data)}, but must be {', '.join(names)}")
    times = ("seconds", "cpu_seconds")
    for name in names:
        if name not in times:
            whole_number(name, data[name], _MOST)
    for name in times:
        if type(data[name]) is not float or not 0 <= data[name] < _MOST:
            raise ConfigError(f"{name} is {shown(data[name])}, but must be a number from 0 on")
    counters = Counters(**data)
    if counters.hands != counters.update * lanes or counters.choices > counters.decisions:
        raise ConfigError(f"counters are {shown(data)}, which do not fit each other")
    return counters


def _object(about: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = about.get(name)
    if not isinstance(value, dict):
        raise ConfigError(f"{name} is {shown(value)}, but must be an object")
    return value


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
