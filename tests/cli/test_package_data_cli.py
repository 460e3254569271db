"""Configs and frozen deals are listed, and taken by name from any folder."""

import json
from pathlib import Path

import pytest

from kloepper_agents.arena.deals import find_deals
from kloepper_env import console
from kloepper_env.errors import ConfigError
from kloepper_env.package_data import packaged
from kloepper_training.cli import app
from kloepper_training.cli_train import find_config


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert console.main(app, arguments) == 0
    return capsys.readouterr().out


def test_configs_are_listed_with_their_opening_comment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = json.loads(answer(capsys, "train", "--list", "--json"))
    assert [one["config"] for one in listed] == list(packaged("configs"))
    text = answer(capsys, "train", "--list")
    for one in listed:
        assert one["config"] in text
        assert one["about"].endswith(".")
        assert "#" not in one["about"]
        assert find_config(one["config"]).is_file()


def test_deals_are_listed_with_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(answer(capsys, "deals", "--json"))
    assert {(one["game"], one["name"]): one["deals"] for one in listed} == {
        ("klammern", "dev"): 10_000,
        ("klammern", "test"): 15_000,
        ("kloepper", "dev"): 10_000,
        ("kloepper", "test"): 20_000,
    }
    assert "kloepper   test   20,000 deals" in answer(capsys, "deals").splitlines()


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_a_name_is_the_frozen_deals_of_the_game(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["arena", "random", "greedy", "--game", game, "--deals", "2", "--json"]
    named = json.loads(answer(capsys, *common, "--deal-file", "test"))
    path = str(packaged("deals")[f"{game}/test"])
    by_path = json.loads(answer(capsys, *common, "--deal-file", path))
    assert named["deal_file"] == "test"
    assert "--deal-file test" in named["command"]
    assert named["deal_file_sha256"] == by_path["deal_file_sha256"]
    assert named["matches"][0]["margin"] == by_path["matches"][0]["margin"]


def test_a_file_goes_before_a_name_and_a_folder_does_not() -> None:
    Path("test").mkdir()
    assert find_deals("test", "kloepper") == packaged("deals")["kloepper/test"]
    Path("dev").touch()
    assert find_deals("dev", "kloepper") == Path("dev")


def test_neither_file_nor_name_is_answered_with_the_names() -> None:
    with pytest.raises(ConfigError, match=r"in tst: no such file .* kloepper are dev or test"):
        find_deals("tst", "kloepper")
    with pytest.raises(ConfigError, match="kloepper/half_hour, kloepper/smoke or"):
        find_config("kloepper/smok")
