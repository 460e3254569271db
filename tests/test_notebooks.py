"""Every notebook runs from top to bottom."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", notebook],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "a notebook that prints nothing shows nothing"


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_asserts_what_it_shows(notebook: Path) -> None:
    lines = notebook.read_text("utf-8").splitlines()
    assert any(line.lstrip().startswith("assert ") for line in lines)


def test_every_notebook_is_in_the_documentation() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2].partition("\n\n")[0]
    assert [path.name for path in NOTEBOOKS if f"notebooks/{path.name}" not in menu] == []
    assert (ROOT / "docs" / "notebooks").resolve() == ROOT / "notebooks"
