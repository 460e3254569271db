"""Checkpoints with a right digest and wrong contents are refused before they are used."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from numpy.typing import NDArray

from kloepper_agents.neural import POLICY_FILE
from kloepper_agents.tensorfile import read_tensors, write_tensors
from kloepper_env.errors import CheckpointError, KloepperError
from kloepper_env.games.game import Game
from kloepper_training import checkpoint
from kloepper_training.checkpoint import CHECKPOINT_FILE
from kloepper_training.config import check_config
from kloepper_training.networks import Actor, Critic, parameter_shapes
from kloepper_training.selfplay import Run
from tests.training.conftest import TINY, MakeConfig

Change = Callable[[dict[str, Any], dict[str, NDArray[Any]]], Any]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of three updates and two snapshots."""
    folder = tmp_path_factory.mktemp("sound")
    run = Run(check_config({**TINY, "pool": {"share": 0.5, "every": 1, "size": 2}}))
    for _ in range(3):
        run.advance()
    checkpoint.save(run, folder)
    return folder


def counted(**entries: Any) -> Change:
    return lambda about, arrays: about["counters"].update(entries)


def configured(**entries: Any) -> Change:
    return lambda about, arrays: about["config"].update(entries)


def other(name: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Change:
    return lambda about, arrays: arrays.update({name: change(arrays[name])})


WRONG: dict[str, tuple[Change, str]] = {
    "no config": (lambda about, arrays: about.pop("config"), "config is None, but must be"),
    "list": (lambda about, arrays: about.update(config=[]), "config is [], but must be an object"),
    "setting": (configured(lanes="x"), "setting lanes is 'x'"),
    "unknown": (configured(zzz=1), "unknown setting 'zzz'"),
    "network": (configured(network={"actor": [17]}), "does not hold the parameters"),
    "critic": (
        configured(network={"actor": [16], "critic": [16], "privileged": False}),
        "does not hold the parameters",
    ),
    "player": (configured(evaluation={"against": ["x"]}), "unknown agent 'x'"),
    "lanes": (configured(lanes=1 << 20), "counters are {"),
    "game": (configured(game="klammern"), "was made with game 'kloepper', but here it is"),
    "no counters": (lambda about, arrays: about.pop("counters"), "counters is None, but must be"),
    "one missing": (lambda about, arrays: about["counters"].pop("hands"), "counters are {"),
    "one more": (counted(x=1), "counters are {"),
    "below 0": (counted(update=-1), "update is -1"),
    "truth": (counted(update=True), "update is True"),
    "huge": (counted(decisions=1 << 60), "decisions is 1152921504606846976"),
    "text": (counted(seconds="x"), "seconds is 'x'"),
    "NaN": (counted(seconds=float("nan")), "seconds is nan"),
    "hands": (counted(hands=1), "which do not fit each other"),
    "choices": (counted(choices=1 << 40), "which do not fit each other"),
    "snapshots": (lambda about, arrays: about.update(snapshots=3), "snapshots is 3, but must"),
    "fewer": (lambda about, arrays: about.update(snapshots=1), "does not hold the parameters"),
    "none": (lambda about, arrays: about.pop("snapshots"), "snapshots is None"),
    "version": (lambda about, arrays: about.update(format="1"), "was made with format '1'"),
    "shape": (other("critic.body.0.bias", lambda a: a[:-1]), "does not hold the parameters"),
    "name": (
        lambda about, arrays: arrays.update({"adam.x.step": arrays.pop("adam.0.step")}),
        "does not hold the parameters",
    ),
    "optimiser": (lambda about, arrays: arrays.pop("adam.3.exp_avg"), "does not hold the"),
    "moments": (other("adam.1.exp_avg", lambda a: a[:1]), "does not hold the parameters"),
    "sign": (other("adam.1.exp_avg_sq", lambda a: a - 1), "a number below 0 in adam.1.exp_avg_sq"),
    "steps": (other("adam.1.step", lambda a: a * 0 - 1), "a number below 0 in adam.1.step"),
    "snapshot": (
        other("snapshot.0.body.0.bias", lambda a: a[:-1]),
        "does not hold the parameters",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_a_checkpoint_that_cannot_go_on_is_refused(
    sound: Path, tmp_path: Path, change: Change, sentence: str
) -> None:
    arrays, about = read_tensors(sound / CHECKPOINT_FILE)
    about = json.loads(json.dumps(about))
    change(about, arrays)
    write_tensors(tmp_path / CHECKPOINT_FILE, arrays, about)
    config = check_config(checkpoint.stored_config(sound))
    for read in (checkpoint.stored_config, lambda folder: checkpoint.load(folder, config)):
        with pytest.raises(CheckpointError, match=re.escape(sentence)) as caught:
            read(tmp_path)
        assert str(tmp_path) in str(caught.value)
        assert len(str(caught.value)) < 400


def test_what_is_not_finite_takes_no_sound_checkpoints_place(sound: Path, tmp_path: Path) -> None:
    run = checkpoint.load(sound, check_config(checkpoint.stored_config(sound)))
    checkpoint.save(run, tmp_path)
    before = (tmp_path / CHECKPOINT_FILE).read_bytes()
    for network in (run.critic, run.actor):
        next(network.parameters()).data[0, 0] = float("nan")
        with pytest.raises(KloepperError, match="finite"):
            checkpoint.save(run, tmp_path)
        assert (tmp_path / CHECKPOINT_FILE).read_bytes() == before


def test_equal_runs_are_equal_bytes(tmp_path: Path, tiny_config: MakeConfig) -> None:
    """But for the seconds that they took."""
    found = set()
    for number in range(6):
        run = Run(tiny_config(lanes=8))
        run.advance()
        run.counters.seconds = run.counters.cpu_seconds = 1.0
        (tmp_path / f"{number}").mkdir()
        checkpoint.save(run, tmp_path / f"{number}")
        names = (CHECKPOINT_FILE, POLICY_FILE)
        found.add(tuple((tmp_path / f"{number}" / name).read_bytes() for name in names))
    assert len(found) == 1


def test_shapes_of_parameters_are_those_of_the_networks(game: Game) -> None:
    for hidden in ([], [5], [5, 6]):
        chance = torch.Generator()
        for network, sizes in (
            (Actor(game, hidden, chance), [game.layout.size, *hidden, game.n_actions]),
            (
                Critic(game, True, hidden, chance),
                [game.layout.size + game.learning.hidden.size, *hidden, 1],
            ),
        ):
            found = {name: tuple(value.shape) for name, value in network.state_dict().items()}
            assert parameter_shapes(sizes) == found
            assert list(parameter_shapes(sizes)) == [name for name, _ in network.named_parameters()]
