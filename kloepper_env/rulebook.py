"""The numbered rules, read from the documents that come with the package."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.package_data import packaged

_ROW: Final = re.compile(r"\|\s*[A-Z]+\d+[a-z]?\s*\|")
_CELL_END: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Rule:
    """A row of a rules document: a rule (`K12`) or a worked example (`KX7`)."""

    id: str
    text: str
    notes: dict[str, str]  # heading of a further column -> what stands there

    def __str__(self) -> str:
        notes = "; ".join(f"{heading}: {note}" for heading, note in self.notes.items())
        return f"{self.id}  {self.text}" + (f" [{notes}]" if notes else "")


@cache
def rules_of(game: str) -> dict[str, Rule]:
    """The rules of a game by id, in the order of its document."""
    documents = packaged("rules")
    if game not in documents:
        known = listed(documents) if documents else "none here"
        raise ConfigError(f"there are no rules of {shown(game)}; the documents are {known}")
    return {rule.id: rule for rule in _rows(documents[game].read_text(encoding="utf-8"))}


def find_rules(game: str, ids: list[str]) -> list[Rule]:
    """Some rules of a game by id, all of them without ids. Raises ConfigError naming the ids."""
    rules = rules_of(game)
    by_any_case = {one.lower(): rule for one, rule in rules.items()}
    for one in ids:
        if one.lower() not in by_any_case:
            raise ConfigError(
                f"{game} has no rule {shown(one)}; the ids are {listed(_ranges(rules))}"
                f"{_hint(game, one)}"
            )
    return [by_any_case[one.lower()] for one in ids] if ids else list(rules.values())


def _hint(game: str, one: str) -> str:
    """Where a rule is, for those who ask the wrong game."""
    for other in packaged("rules"):
        if other != game and one.upper() in rules_of(other):
            return f", and --game {other} has {one.upper()}"
    return ""


SECTIONS: Final = {"introduction": "For beginners", "terms": "Terms"}
"""What of a document stands outside its rules, by the word that asks for it: its heading."""


def find_section(game: str, word: str) -> str | None:
    """A part of a rules document as plain text, a line a paragraph; None if it has none."""
    heading = SECTIONS.get(word.lower())
    if heading is None:
        return None
    rules_of(game)  # refuses a game without a document
    document = packaged("rules")[game].read_text(encoding="utf-8")
    found = re.search(rf"^## {heading}\n(.*?)(?=^#|\Z)", document, re.MULTILINE | re.DOTALL)
    return _plain(f"{heading}\n\n{found[1].strip()}") if found else None


def _plain(markdown: str) -> str:
    """Paragraphs and items of lists on a line each, without marks."""
    joined = re.sub(r"(?<=\S)\n(?=[^\n-]) *", " ", markdown)
    return re.sub(r"[*`]", "", joined)


def _rows(document: str) -> Iterator[Rule]:
    headings: list[str] = []
    for line in document.splitlines():
        if not line.startswith("|"):
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(line)[1:-1]]
        if _ROW.match(line):
            notes = dict(zip(headings[2:], cells[2:], strict=False))
            filled = {heading: note for heading, note in notes.items() if note}
            yield Rule(cells[0], cells[1].replace("**", ""), filled)
        elif not set(line) <= set("|-: "):
            headings = cells


def _ranges(rules: dict[str, Rule]) -> list[str]:
    """The ids as ranges: `K1 to K32`, `KX1 to KX23`."""
    numbers: dict[str, list[int]] = {}
    for one in rules:
        letters, digits = re.findall(r"\D+|\d+", one)[:2]
        numbers.setdefault(letters, []).append(int(digits))
    return [f"{letters}{min(all_)} to {letters}{max(all_)}" for letters, all_ in numbers.items()]
