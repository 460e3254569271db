"""An agent that was made for some rules plays no others."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents import play_match
from kloepper_agents.base import require_rules
from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import Policy
from kloepper_agents.recorder import record_hands
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game

GAME = get_game("kloepper")


def test_an_agent_for_any_rules_plays_all() -> None:
    require_rules([make_agent("random")], GAME, GAME.options({"prompt_all": True}))


def test_options_of_whole_games_do_not_matter() -> None:
    agent = make_agent("random")
    agent.rules = {"target": 50}
    require_rules([agent], GAME, GAME.options({"scorekeeper": 2}))


def test_other_rules_are_refused_by_the_arena() -> None:
    agent = make_agent("random")
    agent.rules = {}
    with pytest.raises(ConfigError, match=r"random was made for the rules \{\}, not for"):
        play_match(agent, "random", rules={"announce": "own_turn"}, deals=2)


def test_a_network_knows_its_rules_and_the_recorder_refuses_others(tmp_path: Path) -> None:
    width, n_actions = GAME.layout.size, GAME.n_actions
    weights = (np.zeros((width, n_actions), np.float32),)
    policy = Policy("kloepper", {"prompt_all": True}, 0, weights, (np.zeros(n_actions, "f4"),))
    policy.save(tmp_path / "policy.safetensors")
    names = [f"net:{tmp_path}", "random", "random", "random"]

    with pytest.raises(ConfigError, match=r"was made for the rules \{'prompt_all': True\}"):
        record_hands(tmp_path / "a.jsonl", names, hands=1)

    record_hands(tmp_path / "b.jsonl", names, hands=1, rules={"prompt_all": True})
