"""The tables of README.md, made from the result files they name.

python -m tests.readme          says whether README.md tells what the files say
python -m tests.readme --write  writes the tables anew
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from kloepper_training.cli_bench import figure, is_of_phase, phase_grid

ROOT: Final = Path(__file__).parent.parent
README: Final = ROOT / "README.md"
_TABLE: Final = re.compile(r"<!-- table: (\S+) -->\n(.*?)<!-- /table -->", re.DOTALL)


def _markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _match_table(result: dict[str, Any]) -> str:
    """Margins of the first agent against each of the others."""
    first = result["agents"][0]["name"].partition(":")[0]
    rows = [
        [match["agents"][1], f"{match['margin']:+.2f} ± {match['half_width']:.2f}"]
        for match in result["matches"]
        if match["agents"][0] == result["agents"][0]["name"]
    ]
    table = _markdown([f"trained player (`{first}`) against", "points per hand"], rows)
    return f"{table}\n{result['deals']:,} duplicate deals: `{result['command']}`\n"


def speed_table(figures: dict[str, Any]) -> str:
    """Every figure with its target, then those of the phases of the hand."""
    rows = [
        [f"`{name}`", figure(one["value"]), one["unit"], one["target"]]
        for name, one in figures.items()
        if not is_of_phase(name)
    ]
    table = _markdown(["what", "median", "unit", "target"], rows)
    header, *phases = phase_grid(figures)
    names = [f"`{name}`" for name in header[1:]]
    return f"{table}\n{_markdown([header[0], *names], phases)}" if phases else table


def table(path: str) -> str:
    """The Markdown table for a result file, given relative to the checkout."""
    content = json.loads((ROOT / path).read_text("utf-8"))
    return _match_table(content) if "matches" in content else speed_table(content)


def with_tables(text: str) -> str:
    """A README with every table made anew from its file."""
    return _TABLE.sub(
        lambda found: f"<!-- table: {found[1]} -->\n{table(found[1])}<!-- /table -->", text
    )


def main() -> int:
    """Compare or, with --write, write; 1 when the README is behind its files."""
    text = README.read_text("utf-8")
    fresh = with_tables(text)
    if "--write" in sys.argv:
        README.write_text(fresh, "utf-8")
        return 0
    return int(fresh != text)


if __name__ == "__main__":
    sys.exit(main())
