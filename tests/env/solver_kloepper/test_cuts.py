"""The page about the solver's cuts names functions that exist."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "solver.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"^\| [^|]+ \| `(\w+\.\w+)` \|", PAGE, re.MULTILINE)))


def test_every_row_names_a_place() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "| where |" not in line]
    assert len(re.findall(r"^\| [^|]+ \| `\w+\.\w+` \|", PAGE, re.MULTILINE)) == len(rows) > 10


@pytest.mark.parametrize("place", PLACES)
def test_the_place_of_a_cut_exists(place: str) -> None:
    module, function = place.split(".")
    assert callable(getattr(import_module(f"kloepper_env.solver.kloepper.{module}"), function))
