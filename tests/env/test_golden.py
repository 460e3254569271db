"""What an environment gives stays what it was, as long as its version stays."""

from pathlib import Path

import pytest

from kloepper_env.records import replay_file
from tests.env import play_golden
from tests.env.cases import Case
from tests.env.play_golden import difference, golden_file

ROOT = Path(__file__).parents[2]


def test_the_same_version_plays_the_same_hands(case: Case) -> None:
    """Deals, legal actions, observations, scores; one by one, in the batch and for learners."""
    found = difference(case)
    assert not found, (
        f"{case.name}_v{case.game.version} plays otherwise than {golden_file(case).name}: {found}. "
        "If that is meant: raise the version of the environment, name the rule in CHANGELOG.md, "
        "and make the file of the new version with `python -m tests.env.play_golden`."
    )


def test_the_hands_are_records(case: Case) -> None:
    """The lines behind them are digests alone."""
    report = replay_file(golden_file(case))
    assert report.hands == play_golden.HANDS
    assert all("the record has no" in problem.message for problem in report.problems)


def test_a_file_that_does_not_hold_any_more_is_named_and_never_written_over(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = golden_file(case).read_bytes()
    monkeypatch.setattr(play_golden, "CASES", [case])
    monkeypatch.setattr(play_golden, "SEED", 2)
    assert play_golden.main() == 1
    assert f"{golden_file(case).name} stays as it is, but line 1: " in capsys.readouterr().out
    assert golden_file(case).read_bytes() == before


def test_the_changelog_names_the_version(case: Case) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"`{case.name}_v{case.game.version}`" in changelog
    assert f"`kloepper/{case.name.title()}-v{case.game.version}`" in changelog
