"""`kloepper curve`: the picture of a run."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kloepper_env.console import FAILED, FINE, USAGE_ERROR, main
from kloepper_env.errors import ConfigError
from kloepper_training.cli import app
from kloepper_training.curve import read_margins


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lines = [
        {"update": 1, "decisions": 1_000_000, "margin/rules": -1.0, "margin_se/rules": 0.5},
        {"update": 2, "decisions": 2_000_000},
        {"update": 3, "decisions": 3_000_000, "margin/rules": 0.5, "margin_se/rules": 0.25},
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_margins_are_read_with_their_intervals(run: Path) -> None:
    assert read_margins(run) == {"rules": [(1.0, -1.0, 0.98), (3.0, 0.5, 0.49)]}


@pytest.mark.parametrize("name", ["curve.svg", "curve.png"])
def test_the_same_log_gives_the_same_picture(run: Path, name: str) -> None:
    pictures = []
    for _ in range(2):
        assert main(app, ["curve", str(run), "-o", str(run / name)]) == FINE
        pictures.append((run / name).read_bytes())
    assert pictures[0] == pictures[1]
    if name.endswith("svg"):
        ElementTree.fromstring(pictures[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere", "-o", "a.svg"], "'nowhere' is no run"),
        (["{run}", "-o", "a.pdf"], "'a.pdf' must end in .svg or .png"),
    ],
)
def test_misuse(
    run: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(app, ["curve", *(text.format(run=run) for text in arguments)]) == USAGE_ERROR
    assert sentence in capsys.readouterr().err


def test_a_run_without_evaluation_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.jsonl").write_text('{"update": 1, "decisions": 10}\n')
    assert main(app, ["curve", str(tmp_path), "-o", str(tmp_path / "a.svg")]) == USAGE_ERROR
    assert "holds no evaluation yet" in capsys.readouterr().err


def test_a_line_that_is_being_written_is_left_out(run: Path) -> None:
    before = read_margins(run)
    with (run / "log.jsonl").open("a") as log:
        log.write('{"update": 3, "ha')
    assert read_margins(run) == before


@pytest.mark.parametrize(
    "line",
    [
        b'{"update": 3, "ha',
        b"[1]",
        b"\xff",
        b"",
        b'{"margin/x": 1}',
        b'{"margin/x": "high", "margin_se/x": 1, "decisions": 1}',
        b'{"margin/x": NaN, "margin_se/x": 1, "decisions": 1}',
        b'{"margin/x": 1, "margin_se/x": 1, "decisions": 1' + b"0" * 400 + b"}",
        pytest.param(b"[" * 100_000, id="nested"),
    ],
)
def test_a_damaged_line_is_named(
    run: Path, line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with (run / "log.jsonl").open("ab") as log:
        log.write(line + b"\n")
    assert main(app, ["curve", str(run), "-o", str(run / "a.svg")]) == USAGE_ERROR
    complaint = capsys.readouterr().err
    assert complaint == f"kloepper: line 4 of {str(run / 'log.jsonl')!r} is no line of a log\n"


@pytest.mark.parametrize("name", ["folder.svg", "nowhere/a.svg", "log.jsonl/a.svg"])
def test_what_cannot_be_written_is_named_and_leaves_nothing(
    run: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "folder.svg").mkdir()
    before = sorted(run.iterdir())
    assert main(app, ["curve", str(run), "-o", str(run / name)]) == FAILED
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"kloepper: {run / name}: ")
    assert "partial" not in complaint
    assert sorted(run.iterdir()) == before


def test_every_opponent_has_its_own_panel(run: Path) -> None:
    opponents = [f"bot{number}" for number in range(6)]
    line: dict[str, float] = {"decisions": 1_000_000}
    for opponent in opponents:
        line |= {f"margin/{opponent}": 1.0, f"margin_se/{opponent}": 0.1}
    (run / "log.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line) + "\n")
    assert main(app, ["curve", str(run), "-o", str(run / "a.svg")]) == FINE
    picture = (run / "a.svg").read_text()
    assert all(f"against {opponent}" in picture for opponent in opponents)


@pytest.mark.parametrize("name", ["$\\nonsense{$", '<b>&"--', "\x1b[31m", "\udcff"])
def test_a_name_is_no_formula(tmp_path: Path, name: str) -> None:
    line = {"update": 1, "decisions": 10, f"margin/{name}": 1.0, f"margin_se/{name}": 0.5}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    out = tmp_path / "curve.svg"
    assert main(app, ["curve", str(tmp_path), "-o", str(out)]) == FINE
    ElementTree.fromstring(out.read_bytes())


def test_a_log_of_thousands_of_opponents_is_refused(run: Path) -> None:
    line = {"decisions": 1}
    line |= {f"{key}/{i}": 1 for i in range(51) for key in ("margin", "margin_se")}
    (run / "log.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(ConfigError, match="names 51 opponents, but a picture shows 50"):
        read_margins(run)
