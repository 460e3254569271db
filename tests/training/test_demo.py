"""`make demo`: its player was trained there, and beats the rules of thumb."""

from pathlib import Path

import pytest

from kloepper_agents.arena.match import play_match
from kloepper_agents.neural import NetAgent
from kloepper_training.cli_train import find_config
from kloepper_training.config import read_config
from kloepper_training.selfplay import Run


@pytest.mark.slow
def test_the_demo_ends_with_a_player_that_beats_rules() -> None:
    config = read_config(find_config("kloepper/demo"), ["evaluation.against=[]"])
    run = Run(config)
    run.train(lambda line: None, lambda: None, lambda: False)
    result = play_match(NetAgent(run.policy), "rules", game="kloepper", deals=2000, seed=1)
    assert result.low > 0


def test_make_demo_trains_that_config() -> None:
    makefile = Path(__file__).parents[2] / "Makefile"
    (line,) = [
        line
        for line in makefile.read_text("utf-8").splitlines()
        if "/kloepper train " in line and "@echo" not in line
    ]
    assert " kloepper/demo " in line
