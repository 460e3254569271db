"""`kloepper lab`: what its commands print, write and refuse."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot

from kloepper_agents.games.kloepper.lab.hands import files as table_files
from kloepper_agents.games.kloepper.lab.hands.table import classes
from kloepper_agents.games.kloepper.lab.study import files, plots
from kloepper_agents.games.kloepper.lab.study.columns import COLUMNS
from kloepper_agents.games.kloepper.lab.study.study import run_study
from kloepper_env.terminal import visible
from tests.cli.test_agents_cli import run
from tests.cli.test_env_cli import Captured

HAND = "QC JC JS AD AS 9H"


@pytest.fixture
def hands(tmp_path: Path) -> str:
    path = tmp_path / "hands.jsonl"
    seats = "rules,rules,rules,rules"
    assert run("record", "--hands", "2", "--seed", "1", "--agents", seats, "-o", str(path)) == 0
    return str(path)


# --- study ---------------------------------------------------------------------------------------


def test_a_study_for_people(capsys: Captured) -> None:
    assert run("lab", "study", "call", "--deals", "60", "--advice", "10", "--worlds", "8") == 0
    out = capsys.readouterr().out
    assert "Call: how often" in out
    assert "Call: what it won or lost" in out
    assert "Foretold and happened: Brier" in out
    assert "60 deals, four rules; seed 0; default rules." in out


@pytest.mark.parametrize("what", ["knock", "knock-off", "call", "alone"])
def test_a_study_writes_its_files(what: str, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "study"
    command = ["lab", "study", what, "--deals", "40", "--advice", "4", "--worlds", "4", "--json"]
    assert run(*command, "--seed", "1", "--out", str(out)) == 0

    printed = json.loads(capsys.readouterr().out)
    written = json.loads((out / "result.json").read_text())
    assert printed == written
    assert written["command"].startswith(f"kloepper lab study {what} --policy rules --deals 40")
    with (out / "chances.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert (
        tuple(rows[0]) == tuple(COLUMNS) == tuple(json.loads((out / "dictionary.json").read_text()))
    )
    assert sum(float(row["weight"]) for row in rows) == written["rates"]["chances"]
    page = (out / "report.html").read_text()
    assert page.count("<svg") >= 1
    assert {"gain.svg", "gain.png"} <= {path.name for path in out.iterdir()}


def test_the_name_of_a_policy_is_no_formula_no_markup_and_never_too_long() -> None:
    found = run_study("knock", "rules", deals=20, advice_deals=0)
    for name in ("$\\nonsense{$ <b>", "net:" + "runs/" * 30, "\x1b\udcff"):
        named = replace(found, setting=replace(found.setting, policy=name))
        for figure in (plots.draw_gains(named), plots.draw_rules(dict.fromkeys("<abc>", named))):
            figure.canvas.draw()  # a formula would fail here
            titles = [*figure.texts, *(axes.title for axes in figure.axes)]
            widest = max(title.get_window_extent().width for title in titles)
            assert widest <= figure.bbox.width
            pyplot.close(figure)
            text = "".join(title.get_text().replace("\n", "") for title in titles)
            assert visible(name).replace(" ", "") in text.replace(" ", "")
        page = files.page(named, {"<b>": named}, {}, f"kloepper lab study --policy {name}")
        assert "<b>" not in page
        assert page.encode()


def test_other_rules_stand_beside_it(capsys: Captured) -> None:
    command = ["lab", "study", "knock", "--deals", "20", "--advice", "0", "--sensitivity", "--json"]
    assert run(*command) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["other_rules"]) == {
        "announce=own_turn",
        "prompt_all=true",
        "called_partner_may_knock=true",
        "failed_knock=normal",
        "failed_knock=none",
    }
    assert found["regret"] is None


def test_the_same_command_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        command = ["lab", "study", "call", "--deals", "30", "--advice", "4", "--worlds", "4"]
        assert run(*command, "--out", str(tmp_path / name)) == 0
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


# --- hand, position, review ----------------------------------------------------------------------


def test_a_hand_for_people(capsys: Captured) -> None:
    assert run("lab", "hand", HAND, "--seat", "2", "--scores", "26,28,20,4", "--budget", "0.1") == 0
    out = capsys.readouterr().out
    assert "Q♣ J♣ J♠ A♦ A♠ 9♥ plays second; four `rules` play" in out
    assert "wins game %" in out
    assert "Knocks, where they are made: how likely all tricks are, and must be" in out


def test_a_hand_for_a_program(capsys: Captured) -> None:
    assert run("lab", "hand", HAND, "--budget", "0.1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["best"] == "stay silent"
    assert found["seat"] == "lead"
    assert found["gap"]["mean"] > 0


def test_a_position_and_a_review(hands: str, capsys: Captured) -> None:
    assert run("lab", "position", hands, "--after", "0", "--budget", "0.1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["seat"] == 3
    assert {one["name"] for one in found["options"]} >= {"alone, silent", "call:S", "knock"}

    assert run("lab", "position", hands, "--after", "0", "--budget", "0.1") == 0
    assert "Seat 3 holds" in capsys.readouterr().out
    assert run("lab", "review", hands, "--hand", "2", "--deals", "8") == 0
    assert "Announcements and silences" in capsys.readouterr().out
    assert run("lab", "review", hands, "--deals", "8", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["after"] == 0


# --- table and rules -----------------------------------------------------------------------------


@pytest.fixture
def small_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    hands = classes(queens_only=True)[::2000]
    monkeypatch.setattr(table_files, "classes", lambda *, queens_only: np.array(hands))
    path = str(tmp_path / "table.npz")
    quick = ["--quiet-error", "2", "--gap-error", "5", "--jobs", "1"]
    assert run("lab", "table", "--out", path, "--seed", "1", *quick) == 0
    return path


def test_a_table_and_its_rules(small_table: str, tmp_path: Path, capsys: Captured) -> None:
    assert run("lab", "rules", "--table", small_table) == 0
    assert "one black queen" in capsys.readouterr().out
    assert run("lab", "rules", "--table", small_table, "--json") == 0
    assert json.loads(capsys.readouterr().out)["decisions"][0]["problem"] == "one black queen"


def test_a_check_of_the_table(small_table: str, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "check"
    quick = ["--policy", "greedy", "--hands", "4", "--deals", "16", "--jobs", "1"]
    assert run("lab", "check", "--table", small_table, *quick, "--out", str(out)) == 0
    assert "says, and four `greedy`" in capsys.readouterr().out
    found = json.loads((out / "result.json").read_text())
    assert found["command"].startswith("kloepper lab check --policy greedy --deals 16")
    assert sum(one["hands"] for one in found["sorts"]) == len(found["hands"]) <= 4
    assert found["table"]["seed"] == 1


# --- misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("study bid", "'bid' is not one of 'knock', 'knock-off', 'call', 'alone'"),
        ("study knock --deals 0", "deals is 0"),
        ("study knock --policy nobody", "unknown agent 'nobody'"),
        ("study knock --deal-file nowhere.txt", "cannot read the deals in nowhere.txt"),
        ("study knock --deals 4 --out {file}", "is a file and no folder"),
        ("hand QC", "has 1 cards, but must have 6"),
        ("hand QC,JC,JS,AD,AS,9H --seat 7", "the seat is '7', but must be lead, 2, 3 or 4"),
        ("hand QC,JC,JS,AD,AS,9H --scores x", "the scores are 'x'"),
        ("hand QC,JC,JS,AD,AS,9H --budget 0", "the budget is 0.0 seconds"),
        ("position {file} --after 20", "nobody is asked to announce"),
        ("position {file} --after 0 --hand 9", "has no hand in line 9"),
        ("review {file} --policy nobody", "unknown agent 'nobody'"),
        ("table", "give --out FILE to make a table, or --csv FILE"),
        ("table --out x.npz --gap-error 0", "must be above 0"),
        ("rules --table {file}", "is no table of hands"),
        ("check --table {file}", "is no table of hands"),
        ("check --out {file}", "is a file and no folder"),
    ],
)
def test_misuse_is_one_sentence(
    arguments: str, message: str, hands: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(hands).parent)
    capsys.readouterr()
    words = [word.format(file=hands) for word in arguments.split()]

    assert run("lab", *words) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert not Path("x.npz").exists()


def test_help_has_examples(capsys: Captured) -> None:
    for command in ("study", "hand", "position", "review", "table", "rules", "check"):
        assert run("lab", command, "--help") == 0
        assert f"Example: kloepper lab {command}" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "words",
    [
        ["hand", "QC JC JS AD AS 9H", "--budget"],
        ["table", "--out", "t.npz", "--quiet-error"],
        ["table", "--out", "t.npz", "--gap-error"],
    ],
)
def test_numbers_are_finite(
    words: list[str],
    value: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("lab", *words, value) == 2
    assert f"{words[-1]} is {value}, but must be a finite number" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
