"""`kloepper lab regret` and `lab sweeps`: what they print, write and refuse."""

import json
from pathlib import Path

import pytest

from tests.cli.test_agents_cli import run
from tests.cli.test_env_cli import Captured


def test_regret_for_people(capsys: Captured) -> None:
    assert run("lab", "regret", "--policy", "greedy", "--hands", "20", "--jobs", "1") == 0
    out = capsys.readouterr().out
    assert "Dominated choices of `greedy`" in out
    assert "The dearest of them" in out
    assert "trick 5" in out
    assert "20 hands; choices from trick 3 on with at most 400 consistent deals" in out


def test_regret_writes_what_it_prints_and_can_be_made_again(
    tmp_path: Path, capsys: Captured
) -> None:
    words = ["lab", "regret", "--policy", "greedy", "--hands", "20", "--seed", "3", "--json"]
    folder = tmp_path / "regret"
    assert run(*words, "--rules", "announce=own_turn", "--out", str(folder)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((folder / "result.json").read_text())
    assert printed["all"]["dominated"] == sum(
        cell["dominated"] for cell in printed["by"]["kind"].values()
    )
    assert printed["rules"] == {"announce": "own_turn"}
    again = printed["command"].split()[1:]
    assert run(*again, "--json") == 0
    assert json.loads(capsys.readouterr().out) == printed


def test_sweeps_for_people_and_programs(tmp_path: Path, capsys: Captured) -> None:
    words = ["lab", "sweeps", "--policy", "greedy", "--positions", "12"]
    assert run(*words) == 0
    out = capsys.readouterr().out
    assert "What `greedy` plays" in out
    assert "partners, red" in out
    folder = tmp_path / "sweeps"
    assert run(*words, "--json", "--out", str(folder)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((folder / "result.json").read_text())
    assert {kind: cell["asked"] for kind, cell in printed["by"].items()} == dict.fromkeys(
        ["lone, black", "partners, black", "lone, red", "partners, red"], 3
    )
    assert len(printed["wrong"]) == pytest.approx(12 * (1 - printed["right"]), abs=0.01)
    for one in printed["wrong"]:
        assert one["played"] not in one["right"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["regret", "--hands", "0"], "0 hands are asked for: 1 is the least"),
        (["sweeps", "--positions", "-1"], "-1 positions are asked for: 1 is the least"),
        (["regret", "--policy", "nobody"], "nobody"),
        (["sweeps", "--policy", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: list[str], message: str, capsys: Captured) -> None:
    assert run("lab", *words) == 2
    assert message in capsys.readouterr().err
