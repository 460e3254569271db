"""seeds/tests.md names a test for every rule, and every test of a rule stands there."""

import ast
import re
from pathlib import Path

from kloepper_env.games import get_game

ROOT = Path(__file__).parents[1]
RULES = (ROOT / "seeds" / "rules" / "kloepper.md").read_text(encoding="utf-8")
TABLE = (ROOT / "seeds" / "tests.md").read_text(encoding="utf-8")
PUBLIC = {"P1", "P2", "P3", "P4"}  # the clauses of "What is public", numbered in the table
OPTIONS = set(get_game("kloepper").allowed)


def section(title: str) -> str:
    """The text of a section of the rules."""
    return RULES.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows() -> list[tuple[str, str]]:
    """Id (or option) and test of each row of the table."""
    return re.findall(r"^\| `?([\w]+)`? \| `([\w.:]+)` \|$", TABLE, re.MULTILINE)


def rule_tests() -> set[str]:
    """Every test in tests/env/rules, as `file::name`."""
    return {
        f"{path.name}::{node.name}"
        for path in (ROOT / "tests" / "env" / "rules").glob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def id_of(test: str) -> str:
    """The id that the name of a test begins with."""
    return test.partition("::test_")[2].partition("_")[0].upper()


def test_every_row_of_the_table_is_read() -> None:
    lines = [line for line in TABLE.splitlines() if line.startswith("| ") and "::" in line]
    assert len(rows()) == len(lines) == len(set(lines))


def test_every_rule_has_a_test() -> None:
    rules = set(re.findall(r"^\| (KX?\d+) \|", RULES, re.MULTILINE))
    assert {f"K{n}" for n in range(1, 32)} | {f"KX{n}" for n in range(1, 23)} == rules
    steps = {
        f"O{n}" for n in re.findall(r"^\| (\d) \|", section("Order of decisions"), re.MULTILINE)
    }
    assert len(steps) == 6
    options = set(re.findall(r"^\| `(\w+)` \|", section("Options"), re.MULTILINE))
    assert options == OPTIONS
    assert {ident for ident, _ in rows()} == rules | steps | options | PUBLIC


def test_every_test_of_a_row_exists_and_carries_its_name() -> None:
    for ident, test in rows():
        assert test in rule_tests(), test
        assert ident in test if ident in OPTIONS else ident == id_of(test), test


def test_every_test_of_a_rule_stands_in_the_table() -> None:
    assert {test for ident, test in rows() if ident not in OPTIONS} == rule_tests()
