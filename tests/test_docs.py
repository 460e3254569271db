"""The pages below docs/: they are built without a warning, and their code and commands run."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer.main
import yaml

from kloepper_training.cli import app
from tests.documents import (
    DOCS,
    DOCUMENTS,
    PAGES,
    ROOT,
    arguments,
    blocks,
    commands,
    name_of,
    run_in_order,
    write_files,
)

ENDLESS = ("lab table --out", "bench --json")  # they cannot be made small
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WITH_CODE = [page for page in PAGES if blocks(page, "python")]
WITH_COMMANDS = [page for page in DOCUMENTS[1:] if commands(page)]


def test_the_site_is_built_without_a_warning_and_fetches_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    pages = {path: path.read_text("utf-8") for path in tmp_path.glob("**/*.html")}
    assert "make_agent" in pages[tmp_path / "api" / "players.html"]
    assert "K32" in pages[tmp_path / "rules" / "kloepper.html"]
    fetched = re.compile(r"<(?:script|img|link[^>]+stylesheet)[^>]+(?:src|href)=\"?(?:https?:)?//")
    assert not [path for path, text in pages.items() if fetched.search(text)]


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2].partition("\n\n")[0]
    assert set(re.findall(r"\S+\.md", menu)) == {str(page.relative_to(DOCS)) for page in PAGES}


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, code in enumerate(blocks(page, "python"), 1):
        exec(compile(code, f"{page.name}, block {number}", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_commands_of_a_page_can_be_understood(page: Path) -> None:
    for line in commands(page):
        command, words = typer.main.get_command(app), arguments(line)
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        command.make_context(command.name, words)  # raises for what it does not know


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_commands_of_a_page_run_in_their_order(page: Path, tmp_path: Path) -> None:
    lines = [line for line in commands(page) if not any(words in line for words in ENDLESS)]
    write_files(page, tmp_path)
    (tmp_path / "seeds").symlink_to(ROOT / "seeds")  # results name the deals by their path there
    run_in_order(lines, tmp_path)
    for picture in tmp_path.glob("docs/pictures/hand.svg"):
        assert picture.read_bytes() == (DOCS / "pictures" / "hand.svg").read_bytes()


def test_files_that_a_new_game_needs_are_those_of_klammern() -> None:
    text = (DOCS / "adding-a-game.md").read_text("utf-8").replace("NAME", "klammern")
    paths = re.findall(r"`((?:kloepper_env|agents|configs|seeds|tests)/[^`]*)`", text)
    assert len(paths) > 15
    assert not [path for path in paths if not list(ROOT.glob(path))]


def test_places_that_contributors_are_sent_to_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| .*$", text.partition("## Where to find")[2].partition("\n## ")[0], re.M)
    assert len(rows) > 10
    for row in rows:
        paths = [ROOT / path for path in re.findall(r"`([\w./-]+/[\w./-]+)`", row)]
        assert all(path.exists() for path in paths), row
        code = "".join(path.read_text("utf-8") for path in paths if path.suffix == ".py")
        for name in re.findall(r"`([\w.]+)` (?:and|in|of)\b", row):
            last = name.rpartition(".")[2]
            assert re.search(rf"(?:def |class |^){last}\b", code, re.M), f"{name}: {row}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_files_of_deals_hold_what_the_documents_say(document: Path) -> None:
    rows = re.findall(r"\| `(?:deals/)?(\w+/\w+\.txt)` \| ([\d,]+)", document.read_text("utf-8"))
    for path, number in rows:
        deals = (ROOT / "seeds" / "deals" / path).read_text("utf-8").splitlines()
        assert len(deals) == int(number.replace(",", "")), path
    assert rows or document not in {DOCS / "reporting.md", ROOT / "seeds" / "README.md"}


def test_developers_can_build_the_pages() -> None:
    extras = PROJECT["optional-dependencies"]
    assert any(re.fullmatch(r"kloepper\[.*\bdocs\b.*\]", one) for one in extras["dev"])
    assert all(re.search(r">=\d", one) for one in extras["docs"])


def test_the_citation_is_that_of_this_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"]
    assert citation["title"] == PROJECT["name"]
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert [one["name"] for one in citation["authors"]] == [
        one["name"] for one in PROJECT["authors"]
    ]
