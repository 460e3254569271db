"""tests/reliability.md names tests that exist; and what users ask first is answered in writing."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.env.cases import Case
from tests.env.conftest import case as case  # noqa: PLC0414  # the fixture, for this folder too

TESTS = Path(__file__).parent
TABLES = (TESTS / "reliability.md").read_text("utf-8")
ROWS = [line for line in TABLES.splitlines() if line.startswith("| ") and "::" in line]
THREADS = set(re.findall(r"[\w/-]+(?:#\d+|@[0-9a-f]{8})", "\n".join(ROWS)))
DOCS = TESTS.parent / "docs"


@cache
def names_in(file: str) -> set[str]:
    """The names of the tests of a file below this folder."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_row_has_a_thread_a_fault_a_rule_and_a_test() -> None:
    thread, test = r"[\w/-]+(#\d+|@[0-9a-f]{8})", r"`[\w/.:]+`"
    form = rf"\| {thread}(, {thread})* \| [^|]+ \| [^|]+ \| {test}(, {test})* \|"
    assert len(ROWS) > 60
    assert [row for row in ROWS if not re.fullmatch(form, row)] == []


def test_every_test_that_is_named_exists() -> None:
    for row in ROWS:
        for file, test in re.findall(r"`([\w/.]+)::(\w+)`", row):
            assert test in names_in(file), row


def test_every_repository_that_is_named_is_introduced() -> None:
    introduced = TABLES.split("\n## ")[0]
    for thread in THREADS:
        name = re.split("[#@]", thread)[0]
        assert re.search(rf"[`/(]{name}[`)]", introduced), thread


def test_the_page_of_an_environment_answers_what_users_ask(case: Case) -> None:
    """Order of decisions with a picture, rewards, seeds, illegal actions: all in its docstring."""
    page = case.module.__doc__
    assert page is not None
    headings = set(re.findall(r"^\*\*([^*]+?)\.?\*\*", page, re.MULTILINE))
    assert headings >= {
        "Who decides when",
        "Observation",
        "Actions",
        "Rewards",
        "Episodes",
        "Seeds",
        "Options of reset",
        "Illegal actions",
        "Snapshots",
        "Versions",
    }
    assert "->" in page  # the picture
    assert "Spaces have generators of their own" in " ".join(page.split())
    assert f"v{case.game.version}" in page.rpartition("**Versions")[2]


@pytest.mark.parametrize(
    "word", ["decision", "observation", "information state", "margin", "duplicate deals"]
)
def test_the_glossary_explains_its_words(word: str) -> None:
    words = (DOCS / "glossary.md").read_text("utf-8")
    assert re.search(rf"^\| {word} \| .{{30}}", words, re.MULTILINE)


def test_the_pages_say_which_libraries_do_not_fit() -> None:
    page = (DOCS / "environments.md").read_text("utf-8")
    assert re.search(r"RLlib .*not supported", " ".join(page.split()))
