"""The wheel, installed in clean environments outside the repository, bare and with each extra."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kloepper_env.package_data import packaged

from .documents import README, ROOT, blocks, commands, run
from .test_architecture import PACKAGES

pytestmark = pytest.mark.slow

DATA = {
    "configs": "configs",
    "deals": "seeds/deals",
    "policies": "policies",
    "rules": "seeds/rules",
}
EXTRAS = ["", "train", "plots", "render", "train,plots,render"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_the_packages_and_their_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {package.name for package in PACKAGES}
    assert all(f"{package.name}/py.typed" in names for package in PACKAGES)
    expected = {
        f"kloepper_env/data/{kind}/{path.relative_to(ROOT / folder).as_posix()}"
        for kind, folder in DATA.items()
        for path in packaged(kind).values()
    }
    assert {name for name in names if name.startswith("kloepper_env/data/")} == expected


@pytest.mark.parametrize("extras", EXTRAS, ids=lambda extras: extras or "bare")
def test_what_the_readme_says_runs(
    wheel: Path, extras: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What needs an extra that is not there says so; everything else works."""
    scripts = installed(wheel, extras, tmp_path / "venv")
    for name in ("PYTHONPATH", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "elsewhere"
    (folder / "results").mkdir(parents=True)
    for code in blocks(README, "python"):
        subprocess.run([str(scripts / "python"), "-W", "error", "-c", code], cwd=folder, check=True)
    for command in commands(README):
        if "runs/" in command.partition("--out")[0] and "train" not in extras:
            continue  # there is no run to look at
        done = run(command, folder, scripts)
        extra = extra_for(command)
        if extra in ("", *extras.split(",")):
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        else:
            assert (done.returncode, done.stdout) == (1, "")
            assert f'pip install "kloepper[{extra}]"' in done.stderr


def installed(wheel: Path, extras: str, venv: Path) -> Path:
    """The folder of scripts of a new environment that holds the wheel with some extras."""
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    scripts = venv / ("Scripts" if os.name == "nt" else "bin")
    what = f"kloepper[{extras}] @ {wheel.as_uri()}" if extras else str(wheel)
    constraints = str(ROOT / "constraints.txt")
    command = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "-c", constraints, what]
    subprocess.run(command, check=True)
    return scripts


def extra_for(command: str) -> str:
    """The extra that a command of README.md needs, if any."""
    if command.endswith("--list"):
        return ""
    return {"train": "train", "curve": "plots"}.get(command.split()[1], "")
