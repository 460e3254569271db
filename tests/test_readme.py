"""What README.md says: its tables come from their files, its code and its commands run."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.readme import DOCUMENTS, README, ROOT, speed_table, with_tables

TEXT = README.read_text("utf-8")
COMMANDS = [
    line.partition("  #")[0].strip()
    for block in re.findall(r"```bash\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]
KLOEPPER = [command for command in COMMANDS if command.startswith("kloepper ")]
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)

# What a reader waits half an hour for, a test does with next to nothing.
SMALL_TRAINING = shlex.split(
    "--set budget.decisions=3000 --set budget.minutes=null --set lanes=16 "
    "--set evaluation.every=2 --set evaluation.deals=10 --set checkpoint_every=2"
)
TYPED = {"play": "quit\n"}


def run(command: str, folder: Path, scripts: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of README.md in a folder, with a small budget, by the script in `scripts`."""
    return subprocess.run(
        [str(scripts / "kloepper"), *small(command)],
        cwd=folder,
        input=TYPED.get(command.split()[1], ""),
        capture_output=True,
        text=True,
        check=False,
    )


def small(command: str) -> list[str]:
    """The arguments of a command, with a small budget."""
    words = shlex.split(command)
    if words[1] == "train" and "--resume" not in words:
        words += SMALL_TRAINING
    if "--deals" in words:
        words[words.index("--deals") + 1] = "12"
    return words[1:]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.parent.name)
def test_tables_come_from_their_files(document: Path) -> None:
    text = document.read_text("utf-8")
    assert with_tables(text) == text, "run python -m tests.readme --write"


def test_figures_of_a_phase_have_a_table_of_their_own() -> None:
    entry = {"value": 2.0, "unit": "us/deal", "target": ""}

    first, second = speed_table({"hands": entry, "solver_class_us.3": entry}).split("\n\n")

    assert "`hands`" in first
    assert second.splitlines() == [
        "| tricks played | `solver_class_us` |",
        "| --- | --- |",
        "| 3 | 2.00 |",
    ]


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_code_runs(code: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_kloepper_commands_run_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    assert len(KLOEPPER) > 10
    for command in KLOEPPER:
        done = run(command, tmp_path, Path(sys.executable).parent)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def test_make_targets_exist() -> None:
    targets = {command.split()[1] for command in COMMANDS if command.startswith("make ")}
    targets |= set(re.findall(r"`make ([a-z-]+)`", TEXT))
    assert {"demo", "test", "install"} <= targets
    for target in targets:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_extras_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r'pip install "?kloepper\[(\w+)\]', TEXT)
    assert named
    assert set(named) <= set(project["optional-dependencies"])


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", TEXT)
    assert links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing, f"README.md links to {missing}"
