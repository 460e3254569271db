"""`net:pretrained`: the policy that comes with the package, and how it is named."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents.arena.match import play_match
from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.package_data import packaged

GAME = get_game("kloepper")


def test_it_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agent = make_agent("net:pretrained")
    assert isinstance(agent, NetAgent)
    assert agent.name == "net:pretrained"
    assert agent.rules == {}
    sampling = make_agent("net:pretrained,sample")
    assert isinstance(sampling, NetAgent)
    assert sampling.draws
    assert make_agent("net+search:pretrained,worlds=2").name == "net+search:pretrained,worlds=2"


def test_a_run_of_that_name_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pretrained").mkdir()
    weights = np.zeros((GAME.layout.size, GAME.n_actions), np.float32)
    policy = Policy("kloepper", {}, 3, (weights,), (np.zeros(GAME.n_actions, np.float32),))
    policy.save(tmp_path / "pretrained" / "policy.safetensors")
    mine, packages = make_agent("net:./pretrained"), make_agent("net:pretrained")
    assert isinstance(mine, NetAgent)
    assert isinstance(packages, NetAgent)
    assert mine.policy.decisions == 3 != packages.policy.decisions


def test_a_game_without_one_is_answered_with_those_that_have_one() -> None:
    with pytest.raises(ConfigError, match="no policy of klammern comes with the package, only of"):
        make_agent("net:pretrained", "klammern")


def test_it_is_small_and_beats_rules() -> None:
    assert packaged("policies")["kloepper"].stat().st_size < 5_000_000
    result = play_match("net:pretrained", "rules", game="kloepper", deals=1500, seed=77)
    assert result.low > 0
