"""The shape of the project: where files lie, how long they are, what a wheel would hold."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kloepper_env import console

from .lowest import PROJECT, requirements

ROOT = Path(__file__).parent.parent
PACKAGES = (
    ROOT / "kloepper_env",
    ROOT / "agents" / "kloepper_agents",
    ROOT / "training" / "kloepper_training",
)
SOURCES = [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]
MOST_LINES = 500
MODULES = {"pillow": "PIL", "pyyaml": "yaml", "resvg-py": "resvg_py"}  # names that differ


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path} has no module docstring"


def test_each_package_is_typed() -> None:
    assert all((package / "py.typed").is_file() for package in PACKAGES)


PICKLING = {
    "_jit/cache.py",  # numba pickles what it compiles; a file must be the user's own to be read
    "lab/processes.py",  # what passes between processes; no file is read or written
}


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if not path.as_posix().endswith(tuple(PICKLING))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
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


def test_environments_import_nothing_that_is_slow_to_load() -> None:
    code = (
        "import sys, kloepper_env\n"
        "slow = {'numba', 'torch', 'pandas', 'matplotlib', 'PIL', 'kloepper_env.render'}\n"
        "heavy = slow & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_playing_loads_no_rendering() -> None:
    code = (
        "import sys\n"
        "from kloepper_env import Batch, kloepper_v0\n"
        "import kloepper_env.envs.gym, kloepper_env.envs.vector\n"
        "kloepper_v0.env().reset(seed=1)\n"
        "assert 'kloepper_env.render' not in sys.modules"
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


def test_dependencies_are_few_and_have_lower_bounds_alone() -> None:
    core = [requirement.partition(">=")[0] for requirement in PROJECT["dependencies"]]
    assert core == [
        *("gymnasium", "numba", "numpy", "pettingzoo", "rich", "safetensors", "typer"),
    ]
    for requirement in requirements():
        assert re.fullmatch(r"[a-z-]+(\[\w+\])?>=[\d.]+", requirement), requirement


def test_pettingzoo_has_the_registry() -> None:
    """Older releases, which pip would take where a constraint asks for them, have none."""
    (bound,) = (one for one in PROJECT["dependencies"] if one.startswith("pettingzoo"))
    assert tuple(map(int, bound.partition(">=")[2].split("."))) >= (1, 27)


def test_each_extra_has_its_sentence() -> None:
    """A module that only an extra brings is answered with the name of the extra."""
    for extra, brought in PROJECT["optional-dependencies"].items():
        if extra in ("dev", "docs", "notebooks"):  # tools, which no command imports
            continue
        modules = {MODULES.get(one, one) for one in (b.partition(">=")[0] for b in brought)}
        assert modules == {module for module, of in console._EXTRAS.items() if of == extra}
