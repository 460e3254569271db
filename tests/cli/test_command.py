"""The command `kloepper` itself: its version, and `python -m` of whatever looks like it."""

import subprocess
import sys
from pathlib import Path

import pytest

import kloepper_env

MODULES = ["kloepper_env", "kloepper_agents", "kloepper_training", "kloepper_training.cli"]


@pytest.mark.parametrize("module", MODULES)
def test_python_m_is_the_command(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", module, "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"kloepper {kloepper_env.__version__}\n"


def test_python_m_passes_arguments_and_status_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kloepper_env", "rules", "K99"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("kloepper: kloepper has no rule 'K99'")
