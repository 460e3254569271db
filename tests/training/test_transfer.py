"""Runs that begin with the network of a policy."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents.neural import POLICY_FILE, make_net
from kloepper_env.batch import Batch
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_training import checkpoint
from kloepper_training.config import check_config
from kloepper_training.selfplay import Run
from kloepper_training.transfer import begin_from, settings_from

from .test_cli_train import kloepper

GAME = get_game("kloepper")
SMALL = {"budget": {"decisions": 100}, "lanes": 8, "evaluation": {"deals": 2, "against": ["rules"]}}


def observations() -> np.ndarray:
    batch = Batch(GAME, 300, seed=4)
    for _ in range(7):
        batch.step(batch.sample())
    return batch.observation


def test_the_actor_begins_as_the_policy() -> None:
    run = Run(settings_from(check_config(SMALL), "net:pretrained"))
    seen, policy = observations(), make_net("kloepper", "pretrained").policy
    assert np.abs(run.policy.logits(seen) - policy.logits(seen)).max() > 1
    begin_from(run, "net:pretrained")
    assert run.policy.logits(seen) == pytest.approx(policy.logits(seen), abs=1e-3)
    assert run.config.start.policy == "net:pretrained"


def test_a_network_of_other_sizes_is_refused() -> None:
    run = Run(check_config({**SMALL, "network": {"actor": [8]}}))
    with pytest.raises(ConfigError, match=r"but the run has \[8\] and 0; --from sets them"):
        begin_from(run, "pretrained")


def test_a_policy_for_other_rules_is_refused() -> None:
    config = settings_from(check_config({**SMALL, "rules": {"prompt_all": True}}), "pretrained")
    with pytest.raises(ConfigError, match=r"was trained with the rules \{\}, but the run has"):
        begin_from(Run(config), "pretrained")


def test_from_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    small = ["--set", "budget.decisions=1", "--set", "lanes=8", "--set", "evaluation.against=[]"]
    smoke = ["kloepper/smoke", *small]
    assert kloepper(*smoke, "--from", "net:pretrained", "--out", first) == 0
    assert kloepper(*smoke, "--from", first, "--out", second) == 0
    (first / POLICY_FILE).unlink()  # a run that goes on needs it no more
    assert kloepper("--resume", second, "--set", "budget.decisions=600") == 0
    assert checkpoint.stored_config(second)["start"]["policy"] == str(first)
    capsys.readouterr()
    assert kloepper("--resume", second, "--from", "net:pretrained") == 2
    assert "--from and --resume exclude each other" in capsys.readouterr().err
    assert kloepper(*smoke, "--from", "no/such", "--out", tmp_path / "x") != 0
    assert "no/such" in capsys.readouterr().err
