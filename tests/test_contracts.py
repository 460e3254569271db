"""The import contracts fail where a game, or a folder for all games, imports what it must not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLANTED = {
    "kloepper_env/games/klammern/match.py": "kloepper_env.games.kloepper.match",
    "kloepper_env/games/kloepper/match.py": "kloepper_env.games.klammern.match",
    "kloepper_env/beliefs/klammern/knowledge.py": "kloepper_env.solver.kloepper.api",
    "kloepper_env/render/scene.py": "kloepper_env.games.kloepper.wording",
    "agents/kloepper_agents/games/klammern/greedy.py": "kloepper_agents.games.kloepper.greedy",
    "agents/kloepper_agents/games/kloepper/greedy.py": "kloepper_env.games.klammern.record",
    "agents/kloepper_agents/search/pimc.py": "kloepper_agents.games.kloepper.search.worlds",
    "agents/kloepper_agents/arena/designs.py": "kloepper_env.games.kloepper.record",
    "agents/kloepper_agents/base.py": "kloepper_agents.arena.match",
    "training/kloepper_training/evaluate.py": "kloepper_agents.games.kloepper.rules",
}
"""File -> what it is made to import."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the linter says of a copy in which all of these imports are planted."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for folder in ("kloepper_env", "agents", "training"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("*.npz"))
    for file, module in PLANTED.items():
        with (copy / file).open("a", encoding="utf-8") as source:
            source.write(f"\n\nimport {module}\n")
    linter = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    paths = [str(copy), str(copy / "agents"), str(copy / "training")]
    setup = f"import sys; sys.path[:0] = {paths!r}; "
    done = subprocess.run(
        [sys.executable, "-c", setup + linter],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout.replace("\n", " ")


@pytest.mark.parametrize(("file", "module"), PLANTED.items(), ids=lambda text: text)
def test_a_forbidden_import_breaks_a_contract(report: str, file: str, module: str) -> None:
    importer = file.removeprefix("agents/").removeprefix("training/")
    name = importer.removesuffix(".py").replace("/", ".")
    assert f"{name} -> {module}" in " ".join(report.split())
