"""The measures of play on the command line: what they print, write and refuse."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.test_agents_cli import run
from tests.cli.test_env_cli import Captured

BELIEF = ["lab", "belief", "--hands", "12", "--jobs", "1", "--belief", "uniform"]


def test_beliefs_for_people(capsys: Captured) -> None:
    assert run(*BELIEF, "--belief", "rules or greedy") == 0
    out = capsys.readouterr().out
    assert "Nats above uniform for the true deal, hands of `rules`" in out
    assert "uniform          +0.00±0.00" in out
    assert "Who is on the seat's side, start of trick 3" in out
    assert "12 hands, one seat each" in out


def test_beliefs_write_what_they_print_and_can_be_judged_again(
    tmp_path: Path, capsys: Captured
) -> None:
    words = [*BELIEF, "--belief", "rules or greedy", "--seed", "3", "--json", "--temper", "0.5"]
    folder = tmp_path / "belief"
    assert run(*words, "--rules", "announce=own_turn", "--out", str(folder)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((folder / "result.json").read_text())
    assert printed["beliefs"] == ["uniform", "rules or greedy"]
    assert printed["judged"]["uniform"]["nats"]["3"]["mean"] == 0
    again = shlex.split(printed["command"])[1:]
    assert run(*again, "--json") == 0
    assert json.loads(capsys.readouterr().out) == printed


def test_a_short_pack_has_no_fourth_trick(capsys: Captured) -> None:
    assert run(*BELIEF, "--rules", "pack=12") == 0
    assert capsys.readouterr().out.count("-") > 1
    assert run(*BELIEF, "--rules", "pack=8", "--json") == 0
    nats = json.loads(capsys.readouterr().out)["judged"]["uniform"]["nats"]
    assert nats["3"] == {"mean": 0.0, "half_width": None, "deals": 0}


def test_exploiting_with_the_full_pack_and_with_short_ones(capsys: Captured) -> None:
    assert run("lab", "exploit", "greedy", "--hands", "4", "--worlds", "16", "--jobs", "1") == 0
    assert "What a local best response gains" in capsys.readouterr().out
    assert run("lab", "exploit", "greedy", "--rules", "pack=8", "--jobs", "1") == 0
    out = capsys.readouterr().out
    assert "What a best response gains against three `greedy`" in out
    assert re.search(r"NashConv +112 +14\.524\n", out)


@pytest.mark.parametrize(
    "words",
    [
        ["exploit", "greedy", "--hands", "3", "--worlds", "16", "--jobs", "1"],
        ["exploit", "greedy", "--hands", "3", "--jobs", "1", "--rules", "pack=8", "--seed", "2"],
        ["crossplay", "greedy", "passive", "--deals", "20", "--seed", "3"],
        ["crossplay", "rules", "passive", "--deals", "9", "--game", "klammern", "--no-teams"],
        ["crossplay", "greedy", "passive", "--deals", "20", "--deal-file", "dev"],
    ],
)
def test_measures_write_what_they_print_and_can_be_done_again(
    words: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert run("lab", *words, "--json", "--out", str(tmp_path)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "result.json").read_text())
    assert run(*shlex.split(printed["command"])[1:], "--json") == 0
    assert json.loads(capsys.readouterr().out) == printed


def test_the_equilibrium_is_come_near(tmp_path: Path, capsys: Captured) -> None:
    assert run("lab", "equilibrium", "--iterations", "3", "--out", str(tmp_path)) == 0
    assert "1,388,004 nodes and 208,588 information sets" in capsys.readouterr().out
    found = json.loads((tmp_path / "result.json").read_text())
    assert sum(found["values"]) == pytest.approx(0, abs=1e-5)
    assert min(found["gains"]) > 0
    assert found["nash_conv"] == pytest.approx(sum(found["gains"]), abs=1e-5)
    assert found["nash_conv"] < 6  # of the uniform policy 11.3
    assert found["command"] == "kloepper lab equilibrium --iterations 3"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["exploit", "greedy", "--hands", "0"],
            "0 hands are asked for: 1 to 10,000,000",
        ),
        (["crossplay", "rules"], "1 agent is given, but cross-play needs two or more"),
        (["crossplay", "rules", "nobody"], "unknown agent 'nobody'"),
        (["exploit", "greedy", "--worlds", "5000"], "5000 worlds are asked for: 1 to 4,096 are"),
        (["exploit", "greedy", "--rules", "pack=8", "--worlds", "9"], "--worlds is for the full"),
        (["exploit", "greedy", "--hands", str(10**30)], "hands are asked for: 1 to 10,000,000"),
        (["belief", "--hands", str(10**15)], "hands are asked for: 1 to 10,000,000 are accepted"),
        (["exploit", "level:4"], "level:4 cannot tell how probable its actions are"),
        (["exploit", "greedy", "--rules", "pack=8", "--hands", "0"], "0 hands are asked for"),
        (["equilibrium", "--rules", "pack=12"], "only hands of 8 cards can be solved as a whole"),
        (["belief", "--hands", "0"], "0 hands are asked for: 1 to 10,000,000"),
        (["belief", "--belief", "level:4"], "level:4 cannot tell how probable its actions are"),
        (["belief", "--policy", "nobody"], "nobody"),
        (["belief", "--temper", "nan"], "--temper is nan, but must be a finite number"),
        (["belief", "--belief", "net:pretrained", "--rules", "pack=12"], "was made for the rules"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: list[str], message: str, capsys: Captured) -> None:
    assert run("lab", *words) == 2
    assert message in capsys.readouterr().err
