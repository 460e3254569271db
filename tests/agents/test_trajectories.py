"""Trajectories: what each seat saw, did and got, credited to the right seat."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.games  # noqa: F401  # makes Skirmish known
from kloepper_agents.kinds import make_agent
from kloepper_agents.recorder import CHUNK, record_hands
from kloepper_agents.trajectories import record_trajectories, record_type
from kloepper_env.console import main
from kloepper_env.errors import ConfigError
from kloepper_env.games import set_up
from kloepper_env.records import read_records
from kloepper_training.cli import app

MIXED = ["rules", "greedy", "passive", "random"]


def written(tmp_path: Path, names: list[str] | None, **settings: Any) -> tuple[Any, Any, Any]:
    """The array, the notes beside it, and the records of the same hands."""
    array, records = tmp_path / "hands.npy", tmp_path / "hands.jsonl"
    record_trajectories(array, names, **settings)
    record_hands(records, names, **settings)
    notes = json.loads(array.with_suffix(".json").read_text())
    return np.load(array, mmap_mode="r"), notes, [record for _, record in read_records(records)]


@pytest.mark.parametrize(
    ("game", "names", "rules"),
    [
        ("kloepper", MIXED, {}),
        ("kloepper", MIXED, {"prompt_all": True}),
        ("klammern", MIXED, {}),
        ("skirmish", None, {"players": 3}),
        ("skirmish", None, {}),
    ],
)
def test_every_decision_of_every_seat_with_its_own_score(
    game: str, names: list[str] | None, rules: dict[str, Any], tmp_path: Path
) -> None:
    """Told against the records of the same hands, seat by seat."""
    array, notes, records = written(tmp_path, names, game=game, rules=rules, hands=40, seed=5)
    kind = set_up(game, rules)[0]
    assert array.dtype == record_type(kind)
    assert notes["rules"] == rules
    assert notes["action_names"] == list(kind.action_names)
    assert len(array) == sum(len(record.steps) for record in records)
    rows = iter(array)
    for hand, record in enumerate(records):
        scores = record.state().scores()
        for seat in range(kind.n_seats):
            own = [i for i, (who, _) in enumerate(record.steps.tolist()) if who == seat]
            for decision, step in enumerate(own):
                row, before = next(rows), record.state(step)
                place = (int(row["hand"]), int(row["seat"]), int(row["decision"]))
                assert place == (hand, seat, decision)
                assert row["action"] == record.steps[step, 1]
                assert (row["observation"] == before.observation(seat)).all()
                assert (row["mask"] == before.action_mask(seat)).all()
                assert row["score"] == scores[seat]
                assert row["reward"] == pytest.approx(scores[seat] - np.mean(scores))


def test_a_player_is_found_again_in_its_trajectories(tmp_path: Path) -> None:
    """An imitator of seat 0 learns from rows of seat 0 what `rules` does: exactly."""
    array, *_ = written(tmp_path, MIXED, hands=200, seed=1)
    own = array[array["seat"] == 0]
    agent: Any = make_agent("rules")
    words = np.zeros(len(own), np.uint64)
    assert (agent.act_many(own["observation"], own["mask"], words) == own["action"]).all()


def test_many_hands_go_out_in_parts_and_equal_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / "a.npy", tmp_path / "b.npy"]
    told: list[int] = []
    for path in paths:
        record_trajectories(path, hands=CHUNK + 3, seed=2, progress=told.append)
    assert told == [CHUNK, 3] * 2
    assert paths[0].read_bytes() == paths[1].read_bytes()
    array = np.load(paths[0], mmap_mode="r")
    hands = array["hand"]
    assert (np.diff(hands) >= 0).all()
    assert hands[-1] == CHUNK + 2
    short = tmp_path / "c.npy"
    record_trajectories(short, hands=CHUNK, seed=2)
    assert (np.load(short) == array[hands < CHUNK]).all()


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "t.npy"
    words = ["record", "--trajectories", "--hands", "5", "-o"]
    assert main(app, [*words, str(out)]) == 0
    assert len(np.load(out)) > 60
    assert main(app, [*words, str(out)]) == 2
    assert "give --force" in capsys.readouterr().err
    assert main(app, [*words, str(out), "--force"]) == 0
    assert main(app, [*words, str(tmp_path / "t.jsonl")]) == 2
    assert "ends in .npy, not to t.jsonl" in capsys.readouterr().err
    assert main(app, [*words, str(tmp_path / "u.npy"), "--legal"]) == 2
    assert "trajectories hold the legal actions anyway" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.json", "t.npy"]


def test_a_wrong_table_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="3 agents are given"):
        record_trajectories(tmp_path / "a.npy", MIXED[:3], hands=5)
    with pytest.raises(ConfigError, match="hands is 0"):
        record_trajectories(tmp_path / "a.npy", hands=0)
    assert not list(tmp_path.iterdir())
