"""seeds/tests.md names a test for every rule, and every test of a rule stands there."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from kloepper_env.games import get_game

ROOT = Path(__file__).parents[1]
TABLES = (ROOT / "seeds" / "tests.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Rules:
    """The rules of a game as its document numbers them, and its part of the table."""

    game: str
    letter: str  # ids are K1 and KX1, or M1 and MX1
    rules: set[str]
    steps: str  # what the steps of the order of decisions are called in the table
    n_steps: int  # how many of them there are
    public: set[str]  # the clauses of "What is public", numbered in the table
    prefix: str  # of its files of tests; of several that fit, the longest counts

    @property
    def document(self) -> str:
        return (ROOT / "seeds" / "rules" / f"{self.game}.md").read_text(encoding="utf-8")

    @property
    def table(self) -> str:
        return TABLES.split(f"\n# {self.game.title()}\n")[1].split("\n# ")[0]

    @property
    def options(self) -> set[str]:
        return set(get_game(self.game).allowed)

    def section(self, title: str) -> str:
        """The text of a section of the rules."""
        return self.document.split(f"\n## {title}\n")[1].split("\n## ")[0]

    def rows(self) -> list[tuple[str, str]]:
        """Id (or option) and test of each row of the table."""
        return re.findall(r"^\| `?([\w]+)`? \| `([\w.:]+)` \|$", self.table, re.MULTILINE)

    def tests(self) -> set[str]:
        """Every test of this game in tests/env/rules, as `file::name`."""
        return {
            f"{path.name}::{node.name}"
            for path in (ROOT / "tests" / "env" / "rules").glob("test_*.py")
            if self.prefix == max((p for p in PREFIXES if path.name.startswith(p)), key=len)
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }


def numbered(letters: str, last: int) -> set[str]:
    return {f"{letters}{number}" for number in range(1, last + 1)}


GAMES = [
    Rules(
        "kloepper",
        letter="K",
        rules=numbered("K", 32) | numbered("KX", 23),
        steps="O",
        n_steps=6,
        public=numbered("P", 4),
        prefix="test_",
    ),
    Rules(
        "klammern",
        letter="M",
        rules=numbered("M", 36) | numbered("MX", 41) | {"M28a", "MX25a", "MX25b", "MX25c"},
        steps="MO",
        n_steps=6,
        public=numbered("MP", 4),
        prefix="test_klammern_",
    ),
]
PREFIXES = [game.prefix for game in GAMES]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)


def id_of(test: str) -> str:
    """The id that the name of a test begins with, in small letters."""
    return test.partition("::test_")[2].partition("_")[0]


@each_game
def test_every_row_of_the_table_is_read(game: Rules) -> None:
    lines = [line for line in game.table.splitlines() if line.startswith("| ") and "::" in line]
    assert len(game.rows()) == len(lines) == len(set(lines))


@each_game
def test_every_rule_has_a_test(game: Rules) -> None:
    pattern = rf"^\| ({game.letter}X?\d+[a-z]?) \|"
    rules = set(re.findall(pattern, game.document, re.MULTILINE))
    assert rules == game.rules
    numbers = re.findall(r"^\| (\d)\b", game.section("Order of decisions"), re.MULTILINE)
    steps = {f"{game.steps}{number}" for number in numbers}
    assert len(steps) == game.n_steps
    options = set(re.findall(r"^\| `(\w+)` \|", game.section("Options"), re.MULTILINE))
    assert options == game.options
    assert {ident for ident, _ in game.rows()} == rules | steps | options | game.public


@each_game
def test_every_rule_is_cited_where_it_is_decided(game: Rules) -> None:
    """In the folder of its game, and not only where it is put into words or shown to a seat."""
    told = {"wording.py", "observe.py", "learning.py", "symmetry.py", "payoff.py"}
    folder = ROOT / "kloepper_env" / "games" / game.game
    deciding = [path for path in folder.glob("*.py") if path.name not in told]
    text = "\n".join(path.read_text(encoding="utf-8") for path in deciding)
    assert deciding
    missing = {
        rule for rule in game.rules if "X" not in rule and not re.search(rf"\b{rule}\b", text)
    }
    assert missing == set()


@each_game
def test_every_test_of_a_row_exists_and_carries_its_name(game: Rules) -> None:
    for ident, test in game.rows():
        assert test in game.tests(), test
        assert ident in test if ident in game.options else ident.lower() == id_of(test), test


@each_game
def test_every_test_of_a_rule_stands_in_the_table(game: Rules) -> None:
    of_rules = {test for ident, test in game.rows() if ident not in game.options}
    assert of_rules == game.tests()


def test_no_game_is_left_out() -> None:
    assert len(GAMES) == len(re.findall(r"^# ", TABLES, re.MULTILINE)) - 1
