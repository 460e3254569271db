"""Whatever a file says, it is used or refused with a sentence: no traceback, no crash, no hang."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.__main__ import read_all
from tests.hostile.kinds import KINDS

MANY = {"policies": 4000, "checkpoints": 3000, "tables": 3000, "records": 5000, "configs": 5000}


@pytest.mark.parametrize("kind", KINDS)
def test_some_wrong_files_are_used_or_refused(kind: str, tmp_path: Path) -> None:
    count = 8 if kind in ("tables", "checkpoints") else 40
    assert read_all(KINDS[kind], tmp_path, count)["files"] == count


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_wrong_files_are_used_or_refused(kind: str) -> None:
    """10,000 with right digests and 10,000 of records and configs, and some of the other kinds."""
    command = [sys.executable, "-m", "tests.hostile", kind, str(MANY.get(kind, 1000))]
    root = Path(__file__).parents[2]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert result.returncode == 0, result.stderr[-3000:]
    found = json.loads(result.stdout)
    assert found["peak"] < 500
    assert found["slowest"] < 20  # ten times what is promised
