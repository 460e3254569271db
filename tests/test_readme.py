"""What README.md says: its code and its commands run. Of every document: tables and links."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kloepper_agents import make_agent
from kloepper_env import State
from tests.documents import (
    DOCUMENTS,
    FIGURES,
    QUICKSTART,
    README,
    ROOT,
    blocks,
    commands,
    name_of,
    run_in_order,
    write_files,
)
from tests.readme import named, with_tables
from tests.result_tables import speed_table

TEXT = README.read_text("utf-8")
PYTHON = blocks(README, "python")
each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)


@each_document
def test_tables_come_from_their_files(document: Path) -> None:
    text = document.read_text("utf-8")
    assert with_tables(text) == text, "run python -m tests.readme --write"


@each_document
def test_the_command_behind_every_table_is_given(document: Path) -> None:
    files = named("table", document.read_text("utf-8"))
    assert files <= named("commands", FIGURES.read_text("utf-8"))


def test_a_table_that_is_behind_its_file_is_found() -> None:
    assert "| `hands` |" in TEXT
    behind = re.sub(r"\| `hands` \| [\d,]+", "| `hands` | 1", TEXT)
    assert with_tables(behind) == with_tables(TEXT) != behind


def test_figures_of_a_phase_have_a_table_of_their_own() -> None:
    entry = {"value": 2.0, "unit": "us/deal", "target": ""}

    first, second = speed_table({"hands": entry, "solver_class_us.3": entry}).split("\n\n")

    assert "`hands`" in first
    assert second.splitlines() == [
        "| tricks played | `solver_class_us` |",
        "| --- | --- |",
        "| 3 | 2.00 |",
    ]


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_code_runs(code: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_kloepper_commands_run_in_their_order(tmp_path: Path) -> None:
    lines = dict.fromkeys([*commands(README), *commands(QUICKSTART)])
    assert {line.split()[1] for line in lines} >= {"train", "arena", "play", "lab", "replay"}
    write_files(README, tmp_path)
    run_in_order(list(lines), tmp_path)


def test_a_player_of_ones_own_is_seated_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(README, tmp_path)
    monkeypatch.chdir(tmp_path)
    (name,) = re.findall(r"make_agent\(\"([^\"]+)\"\)", TEXT)
    assert f"kloepper arena {name} random --deals 20" in commands(README)

    state = State.deal("kloepper", seed=3)
    assert state.turn is not None
    view = state.view(state.turn)

    assert make_agent(name).act(view, 0) == view.action_mask.argmax()
    (code,) = (block for block in PYTHON if block.startswith("# my_players.py"))
    assert len(code.splitlines()) <= 12


def test_first_screen_says_what_it_is_with_a_picture_and_two_commands() -> None:
    lines = TEXT.splitlines()
    assert len(lines) <= 250
    screen = "\n".join(lines[:24])
    assert "![A hand of Kloepper]" in screen
    assert re.findall(r"^make (\w+)", screen, re.MULTILINE) == ["demo", "test"]


def test_make_targets_exist() -> None:
    targets = {command.split()[1] for command in commands(README, "make")}
    targets |= set(re.findall(r"`make ([a-z-]+)`", TEXT))
    assert {"demo", "test", "install", "docs"} <= targets
    for target in targets:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


@each_document
def test_extras_exist(document: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    installed = commands(document, "pip")
    named = re.findall(r"\[([\w,]+)\]", " ".join(installed))
    extras = {extra for names in named for extra in names.split(",")}
    assert extras <= set(project["optional-dependencies"])
    if document == README:
        assert extras


@each_document
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)(?:#[^)]*)?\)", document.read_text("utf-8"))
    assert links or document != README
    missing = [link for link in links if not (document.parent / link).exists()]
    assert not missing, f"{document} links to {missing}"
