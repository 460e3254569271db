"""What a run leaves to be read: config.yaml, TensorBoard with its settings, curves of several."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from kloepper_env.console import FINE, USAGE_ERROR, main
from kloepper_training.cli import app
from kloepper_training.config import all_settings, check_config, read_config, to_yaml
from kloepper_training.curve import Point, band
from kloepper_training.log import Log, flattened
from kloepper_training.selfplay import Run

SMALL = {
    "lanes": 64,
    "budget": {"decisions": 4000},
    "network": {"actor": [16], "critic": [16]},
    "evaluation": {"every": 1, "deals": 2, "against": ["random"]},
}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"ppo": {"learning_rate": {"start": 1e-5, "end": 1e-30}, "target_kl": 0.02}},
        {"rules": {"failed_knock": "none", "target": 12}, "seed": (1 << 127) + 5},
        {"game": "klammern", "rules": {"outcome_table": {"eiert": 3}}, "precision": "float32"},
    ],
)
def test_config_yaml_reads_back_as_it_was(changed: dict[str, object], tmp_path: Path) -> None:
    if "outcome_table" in str(changed):
        table = {"takers": 1, "defenders": 1, "eiert": 3, "durchmarsch": 1}
        changed = changed | {"rules": {"outcome_table": table}}
    config = check_config(SMALL | changed)
    (tmp_path / "config.yaml").write_text(to_yaml(config), encoding="utf-8")
    assert read_config(tmp_path / "config.yaml") == config


def test_every_setting_is_listed_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(app, ["train", "--list-settings", "--json"]) == FINE
    listed = {one["setting"]: one for one in json.loads(capsys.readouterr().out)}
    assert all(one["about"].endswith(".") for one in listed.values())
    config = check_config({"budget": {"minutes": 1}})
    for name, one in listed.items():
        value = config
        for part in name.split("."):
            value = getattr(value, part)
        if name != "budget.minutes":
            assert json.loads(json.dumps(value)) == one["default"], name
    names = {name for name, _, _ in all_settings()}
    assert {"ppo.entropy.cards.start", "ppo.learning_rate.end", "budget.minutes"} <= names
    assert main(app, ["train", "--list-settings"]) == FINE
    assert "ppo.clip=0.2\n  How far" in capsys.readouterr().out


def test_tensorboard_has_returns_weights_and_settings_by_decisions(tmp_path: Path) -> None:
    run = Run(check_config(SMALL))
    lines = []
    with Log(tmp_path, run.counters, run.config.model_dump(mode="json")) as log:

        def write(line: dict[str, object]) -> None:
            lines.append(line)
            log.write(line)

        run.train(write, lambda: None, lambda: False)
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    for name in ("return/mean", "weight/pull", "weight/entropy_cards", "margin/random"):
        told = [(scalar.step, scalar.value) for scalar in events.Scalars(name)]
        assert told == [(line["decisions"], pytest.approx(line[name])) for line in lines]
    assert lines[0]["weight/pull"] == pytest.approx(0.1)
    assert 0 < lines[0]["return/mean"] < 30  # type: ignore[operator]  # points of a seat
    assert "decisions" not in events.Tags()["scalars"]
    settings = events.SummaryMetadata("_hparams_/session_start_info")
    assert b"ppo.clip" in settings.plugin_data.content


def test_settings_are_flat_and_of_plain_types() -> None:
    flat = dict(flattened({"a": {"b": 1, "c": [1, 2]}, "d": None, "e": 1 << 100, "f": True}))
    assert flat == {"a.b": 1, "a.c": "[1, 2]", "d": "null", "e": str(1 << 100), "f": True}


def test_a_run_folder_has_its_config(tmp_path: Path) -> None:
    config = tmp_path / "small.yaml"
    config.write_text(json.dumps(SMALL))
    assert main(app, ["train", str(config), "--out", str(tmp_path / "run")]) == FINE
    assert read_config(tmp_path / "run" / "config.yaml") == read_config(config)


def points(*pairs: tuple[float, float]) -> Sequence[Point]:
    return [(x, y, 0.5) for x, y in pairs]


def test_the_band_of_several_runs_is_their_mean_from_lowest_to_highest() -> None:
    one, two = points((1, 0.0), (3, 2.0)), points((0, 5.0), (2, 3.0), (4, 9.0))
    found = band([one, two])
    assert found.decisions == [1, 2, 3]
    assert found.margins == pytest.approx([(0 + 4) / 2, (1 + 3) / 2, (2 + 6) / 2])
    assert found.low == pytest.approx([0, 1, 2])
    assert found.high == pytest.approx([4, 3, 6])
    alone = band([one])
    assert alone.low == pytest.approx([-0.5, 1.5])


def test_several_runs_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = []
    for name, shift in (("a", 0.0), ("b", 1.0), ("c", 0.5)):
        line = {"update": 1, "decisions": 10**6, "margin/rules": shift, "margin_se/rules": 0.1}
        later = line | {"update": 2, "decisions": 3 * 10**6, "margin/rules": shift + 1}
        (tmp_path / name).mkdir()
        text = "".join(json.dumps(one) + "\n" for one in (line, later))
        (tmp_path / name / "log.jsonl").write_text(text)
        runs.append(str(tmp_path / name))
    out = tmp_path / "curve.svg"
    assert main(app, ["curve", *runs, "-o", str(out)]) == FINE
    assert "mean of 3 runs, lowest to highest" in out.read_text()
    assert main(app, ["curve", runs[0], runs[0], "-o", str(out)]) == USAGE_ERROR
    assert "given twice" in capsys.readouterr().err
