"""Files that come with the package are found by name, wherever the reader is."""

from pathlib import Path

import pytest

from kloepper_env import package_data
from kloepper_env.package_data import packaged


def test_files_are_named_by_their_path_without_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(packaged("rules")) == ["klammern", "kloepper", "kqj"]
    assert list(packaged("deals")) == [
        f"{game}/{name}" for game in ("klammern", "kloepper") for name in ("dev", "test")
    ]
    assert packaged("configs")["kloepper/smoke"].read_text("utf-8").startswith("#")


def test_what_lies_in_the_package_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package_data, "_PACKAGE", tmp_path / "package")
    beside, inside = tmp_path / "seeds" / "rules", tmp_path / "package" / "data" / "rules"
    for folder in (beside, inside):
        folder.mkdir(parents=True)
        (folder / "whist.md").touch()
        assert packaged("rules") == {"whist": folder / "whist.md"}
