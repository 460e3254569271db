"""A short run learns on a pack of 8 cards (K32), and its policy plays there and nowhere else."""

from pathlib import Path

import pytest

from kloepper_agents import play_match
from kloepper_env.errors import ConfigError
from kloepper_training.selfplay import Run

from .conftest import MakeConfig


@pytest.mark.parametrize("pack", [12, 8])
def test_a_policy_is_trained_and_plays(pack: int, tiny_config: MakeConfig, tmp_path: Path) -> None:
    run = Run(tiny_config(rules={"pack": pack}))
    for _ in range(8):
        run.advance()
    path = tmp_path / "policy.safetensors"
    run.policy.save(path)
    name = f"net:{path}"
    assert play_match(name, "random", rules={"pack": pack}, deals=40, seed=1).deals == 40
    with pytest.raises(ConfigError, match="was made for the rules"):
        play_match(name, "random", deals=4)
