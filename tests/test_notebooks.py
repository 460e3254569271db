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
