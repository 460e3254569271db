"""The shape of the project: where files lie, how long they are, what a wheel would hold."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = (
    ROOT / "kloepper_env",
    ROOT / "agents" / "kloepper_agents",
    ROOT / "training" / "kloepper_training",
)
SOURCES = [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]
MOST_LINES = 500


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path} has no module docstring"


def test_each_package_is_typed() -> None:
    assert all((package / "py.typed").is_file() for package in PACKAGES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_on_disk_is_a_pickle(path: Path) -> None:
    """Arrays are read by safetensors and numpy, the rest is JSON: no file can run code."""
    tree = ast.parse(path.read_text("utf-8"))
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert not imported & {"pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal"}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert not [one for one in calls if ast.unparse(one.func) in ("torch.load", "torch.save")]
    allowing = [
        keyword for one in calls for keyword in one.keywords if keyword.arg == "allow_pickle"
    ]
    assert all(ast.unparse(keyword.value) == "False" for keyword in allowing)


def test_environments_import_neither_numba_nor_torch() -> None:
    code = (
        "import sys, kloepper_env\n"
        "heavy = {'numba', 'torch', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_everything_but_training_runs_without_torch() -> None:
    code = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from kloepper_agents import make_agent, play_match\n"
        "import kloepper_agents.neural\n"
        "from kloepper_env import kloepper_v0\n"
        "kloepper_v0.env().reset(seed=1)\n"
        "play_match(make_agent('rules'), make_agent('greedy'), deals=2)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_wheel_holds_the_packages_and_the_rules(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*command, str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {package.name for package in PACKAGES}
    assert all(f"{package.name}/py.typed" in names for package in PACKAGES)
    assert "kloepper_env/rules/kloepper.md" in names
