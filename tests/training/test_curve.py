"""`kloepper curve`: the picture of a run."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kloepper_env.console import FINE, MISUSED, main
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
    assert main(app, ["curve", *(text.format(run=run) for text in arguments)]) == MISUSED
    assert sentence in capsys.readouterr().err


def test_a_run_without_evaluation_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.jsonl").write_text('{"update": 1, "decisions": 10}\n')
    assert main(app, ["curve", str(tmp_path), "-o", str(tmp_path / "a.svg")]) == MISUSED
    assert "holds no evaluation yet" in capsys.readouterr().err
