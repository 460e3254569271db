"""The examples in docstrings do what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT, ROOT / "agents", ROOT / "training")
PACKAGES = ("kloepper_env", "kloepper_agents", "kloepper_training")


def _modules() -> list[str]:
    """The modules with examples."""
    return [
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
        for folder, package in zip(FOLDERS, PACKAGES, strict=True)
        for path in sorted((folder / package).rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", _modules())
def test_examples_of_a_module(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried
    assert not failed
