"""`kloepper arena`, `kloepper agents` and `kloepper record`."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from kloepper_agents import recorder
from kloepper_agents.commands.app import register
from kloepper_agents.kinds import KINDS, Kind
from kloepper_env.console import main
from kloepper_env.games import get_game
from kloepper_env.records import Record, read_records, replay_file
from kloepper_env.state import State

APP = typer.Typer()
register(APP)


def run(*words: object) -> int:
    return main(APP, [str(word) for word in words])


def untimed(result: Any) -> Any:
    """A result without the seconds, which no two runs share."""
    if isinstance(result, dict):
        return {k: untimed(v) for k, v in result.items() if k != "seconds_per_decision"}
    return [untimed(one) for one in result] if isinstance(result, list) else result


# --- arena and agents --------------------------------------------------------------------------


def test_arena_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("arena", "random", "greedy", "--deals", 40) == 0
    out, err = capsys.readouterr()
    assert "Points a hand, row against column" in out
    assert "40 deals at" in out
    assert err == ""


@pytest.mark.parametrize(
    ("words", "setting"),
    [
        (["--rules", "failed_knock=none"], {"rules": {"failed_knock": "none"}}),
        (["--until", "0.05"], {"until": 0.05, "deals": 20}),
        (["--game", "klammern", "--rules", "liga=true"], {"unit": "Augen a hand"}),
        (
            ["--game", "klammern", "--episode", "game"],
            {"episode": "game", "unit": "games won less games lost, a game"},
        ),
    ],
)
def test_arena_prints_json_that_repeats_it(
    capsys: pytest.CaptureFixture[str], words: list[str], setting: dict[str, Any]
) -> None:
    assert run("arena", "random", "greedy", "--deals", 20, "--seed", 4, *words, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert {name: result[name] for name in setting} == setting
    command = result["command"].split()
    assert command[:2] == ["kloepper", "arena"]
    assert run(*command[1:], "--json") == 0
    assert untimed(json.loads(capsys.readouterr().out)) == untimed(result)


def test_arena_takes_the_deals_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deals = tmp_path / "two.txt"
    deals.write_text(
        "0 THAHKS9DACJDQDTCASQSTDJC9CJH9S9HKHADQHTSJSKDQCKC\n"
        "1 JH9HJDKCADTCTSASKDAHJC9D9CQCTDQSKHQHQDJSTH9SKSAC\n"
    )
    words = ["arena", "random", "greedy", "--deal-file", deals, "--json", "--deals"]
    assert run(*words, 2) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["deal_file"] == str(deals)
    assert len(result["deal_file_sha256"]) == 64
    assert run(*words, 3) == 2
    assert "holds 2 deals, but 3 are asked for" in capsys.readouterr().err


def test_arena_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deep" / "out"
    words = ["arena", "random", "greedy", "--deals", 30, "--out", out, "--records"]
    assert run(*words, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in out.iterdir()) == [
        "records.jsonl",
        "report.html",
        "result.json",
    ]
    assert json.loads((out / "result.json").read_text()) == printed
    report = replay_file(out / "records.jsonl")
    assert report.problems == []
    assert report.hands == printed["matches"][0]["tables"]
    first = json.loads((out / "records.jsonl").read_text().splitlines()[0])
    assert sorted(first["agents"]) == ["greedy", "greedy", "random", "random"]
    assert run(*words) == 0  # again, into the same folder


def test_a_match_that_fails_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "stubborn", Kind("one card", "tests.agents.players:make_stubborn"))
    out = tmp_path / "out"
    assert run("arena", "random", "stubborn:0", "--deals", 10, "--out", out, "--records") == 1
    assert capsys.readouterr().err.startswith("kloepper: agent stubborn:0 chose QC")
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random"], "1 agent is given, but a match needs two or more"),
        (["random", "nobody"], "unknown agent 'nobody'; the kinds are random"),
        (["random", "greedy", "--deals", "0"], "deals is 0, but must be from 1 to"),
        (["random", "greedy", "--until", "0"], "until is 0.0, but must be the difference that"),
        (["random", "greedy", "rules", "--until", "1"], "`until` is for a match of two"),
        (["random", "greedy", "--until", "nan"], "--until is nan, but must be a finite number"),
        (["random", "greedy", "--seed", "-1"], "seed is -1"),
        (["random", "greedy", "--game", "bridge"], "unknown game 'bridge'"),
        (["random", "greedy", "--rules", "knock"], "'knock' is not NAME=VALUE"),
        (["random", "greedy", "--rules", "knock=1"], "unknown option 'knock'"),
        (
            ["random", "greedy", "--deal-file", "none.txt"],
            "cannot read the deals in none.txt",
        ),
        (["random", "greedy", "--records"], "give --out DIR"),
        (["random", "greedy", "--out", __file__], "is a file and no folder"),
        (["random", "greedy", "--deals", "many"], "Invalid value for '--deals'"),
    ],
)
def test_misuse_of_arena_is_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("arena", *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("kloepper: ")
    assert message in err
    assert err.count("\n") == 1


def test_agents_lists_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("agents", "--json") == 0
    kinds = json.loads(capsys.readouterr().out)
    assert [kind["kind"] for kind in kinds] == list(KINDS)
    assert all(kind["about"] for kind in kinds)
    assert run("agents") == 0
    assert "greedy" in capsys.readouterr().out


# --- record ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_record_writes_the_hands_of_a_seed(game: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    assert run("record", "--game", game, "--hands", 9, "--seed", 5, "--legal", "-o", file) == 0
    report = replay_file(file)
    assert (report.hands, report.problems) == (9, [])
    for line, record in read_records(file):
        assert isinstance(record, Record)
        expected = State.deal(game, seed=5, serial=line - 1, dealer=(line - 1) % 4)
        state = record.state(0)
        assert [state.dealt(s) for s in range(4)] == [expected.dealt(s) for s in range(4)]
        assert state.dealer == expected.dealer
        assert len(record.data["legal"]) == len(record.data["actions"])
        assert record.data["agents"] == ["random"] * 4


def test_record_writes_the_same_bytes_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again, other, cut = (tmp_path / name for name in ("a", "b", "c", "d"))
    for file, seed in ((first, 1), (again, 1), (other, 2)):
        assert run("record", "--hands", 100, "--seed", seed, "-o", file) == 0
    monkeypatch.setattr(recorder, "CHUNK", 7)
    assert run("record", "--hands", 120, "--seed", 1, "-o", cut) == 0
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    assert cut.read_bytes().startswith(first.read_bytes())


def test_record_seats_the_agents_and_keeps_the_rules(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    words = ["--agents", "greedy,random,greedy,random", "--rules", "prompt_all=true"]
    assert run("record", "--hands", 20, *words, "-o", file) == 0
    assert replay_file(file).problems == []
    knock = get_game("kloepper").action_of["knock"]
    knockers = set()
    for _, record in read_records(file):
        assert isinstance(record, Record)
        assert record.data["rules"] == {"prompt_all": True}
        assert record.data["agents"] == ["greedy", "random", "greedy", "random"]
        knockers |= {int(seat) for seat, action in record.steps if action == knock}
    assert knockers == {1, 3}  # greedy never knocks


def test_record_overwrites_only_when_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    file.touch()
    assert run("record", "--hands", 2, "-o", file) == 0
    before = file.read_bytes()
    assert run("record", "--hands", 3, "-o", file) == 2
    assert "give --force to overwrite it" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert run("record", "--hands", 3, "-o", file, "--force") == 0
    assert replay_file(file).hands == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hands", "0"], "hands is 0, but must be 1 or more"),
        (["--hands", "1", "--seed", "-3"], "seed is -3"),
        (["--hands", "1", "--agents", "random,greedy"], "2 agents are given (random, greedy)"),
        (["--hands", "1", "--agents", "random,greedy,x,random"], "unknown agent 'x'"),
        (["--hands", "1", "--rules", "target=0"], "option target is 0"),
        (["--hands", "1", "--game", "bridge"], "unknown game 'bridge'"),
    ],
)
def test_misuse_of_record_leaves_no_file(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    assert run("record", *words, "-o", file) == 2
    err = capsys.readouterr().err
    assert err.startswith("kloepper: ")
    assert message in err
    assert not file.exists()


def test_record_into_a_folder_that_is_not_there_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("record", "--hands", 1, "-o", tmp_path / "none" / "hands.jsonl") == 1
    assert "cannot write" in capsys.readouterr().err
