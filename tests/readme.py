"""What the documents take from files: tables of results, their commands, settings of training.

python -m tests.readme          says whether the documents tell what the files say
python -m tests.readme --write  writes these parts anew

`<!-- table: results/levels -->` to `<!-- /table -->` holds a table made from these results; after
the path of bench.json come the rows, if not all are wanted. `<!-- commands: results/levels -->`
holds the commands that made them, and `<!-- settings -->` what a config of training may say.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from kloepper_training.config import Schedule, Section, TrainConfig
from tests.documents import DOCUMENTS, ROOT
from tests.result_tables import markdown, table

_PART: Final = re.compile(
    r"<!-- (table|commands|settings)(?:: (\S+))?((?: \S+)*) -->\n(.*?)<!-- /\1 -->", re.DOTALL
)


# --- the commands behind the figures ---------------------------------------------------------


def result_files(path: str) -> list[Path]:
    """The result file with this path, or all those in the folder."""
    place = ROOT / path
    return sorted(place.glob("**/result.json")) if place.is_dir() else [place]


def commands(path: str) -> str:
    """A block of the commands that make the results at this path anew, where they lie."""
    lines = [line for file in result_files(path) for line in _commands_of(file)]
    return "```bash\n{}\n```\n".format("\n".join(lines))


def _commands_of(file: Path) -> Iterator[str]:
    result = json.loads(file.read_text("utf-8"))
    place = file.relative_to(ROOT)
    if "decisions" in result:  # rules of thumb are read from the table of hands
        yield f"kloepper lab table --out table.npz --seed {result['table']['seed']}"
    command = result.get("command", "kloepper bench --json")
    to_folder = file.name == "result.json"
    yield f"{command} --out {place.parent}" if to_folder else f"{command} > {place}"


# --- the settings of training ----------------------------------------------------------------


def settings() -> str:
    """Every setting of a training config, with its default."""
    return markdown(["setting", "default", "meaning"], list(_settings(TrainConfig, "")))


def _settings(section: type[Section], prefix: str) -> Iterator[list[str]]:
    for name, field in section.model_fields.items():
        default, kind = field.default, field.annotation
        if isinstance(kind, type) and issubclass(kind, Section) and not issubclass(kind, Schedule):
            yield from _settings(kind, f"{prefix}{name}.")
        else:
            shown = "" if field.is_required() else f"`{_as_yaml(default)}`"
            yield [f"`{prefix}{name}`", shown, field.description or ""]


def _as_yaml(value: Any) -> str:
    if isinstance(value, Schedule):
        return f"{{start: {value.start:g}, end: {value.end:g}}}"
    return json.dumps(value)


# --- the documents -----------------------------------------------------------------------------


def _part(kind: str, path: str, names: Sequence[str]) -> str:
    if kind == "table":
        return table(path, names)
    return commands(path) if kind == "commands" else settings()


def with_tables(text: str) -> str:
    """A document with every part that comes from files made anew."""

    def fresh(found: re.Match[str]) -> str:
        begin, _, _ = found[0].partition("\n")
        return f"{begin}\n{_part(found[1], found[2], found[3].split())}<!-- /{found[1]} -->"

    return _PART.sub(fresh, text)


def named(kind: str, text: str) -> set[Path]:
    """The result files that the parts of a kind in a document are made from."""
    paths = (found[2] for found in _PART.finditer(text) if found[1] == kind)
    return {file for path in paths for file in result_files(path)}


def main() -> int:
    """Compare or, with --write, write; 1 when a document is behind its files."""
    behind = 0
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        fresh = with_tables(text)
        if "--write" in sys.argv:
            document.write_text(fresh, "utf-8")
        elif fresh != text:
            behind = 1
    return behind


if __name__ == "__main__":
    sys.exit(main())
