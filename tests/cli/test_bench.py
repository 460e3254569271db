"""`kloepper bench`: what it lists and how it answers."""

import json
from dataclasses import replace

import pytest

from kloepper_env.console import FINE, USAGE_ERROR, main
from kloepper_training.cli import app
from kloepper_training.cli_bench import BENCHMARKS, phase_grid

FIXED = (  # names that other programs read
    "empty_aec aec_loop aec_raw scalar batch_step hands ppo import_s cold_s warm_s "
    "solver_points solver_class solver_moves all_tricks pimc_100"
)


def test_the_fixed_names_are_there() -> None:
    assert set(FIXED.split()) <= set(BENCHMARKS)
    assert {"klammern.batch_step", "klammern.hands", "klammern.aec_loop"} <= set(BENCHMARKS)


def test_json_has_value_unit_and_spread(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = iter([5.0, 1.0, 7.0, 2.0, 6.0, 4.0])
    monkeypatch.setattr("kloepper_training.cli_bench.Benchmark.measure", lambda _: next(figures))

    status = main(app, ["bench", "aec_loop", "empty_aec", "--repeats", "3", "--json"])

    assert status == FINE
    result = json.loads(capsys.readouterr().out)
    assert result["aec_loop"]["value"] == 6.0
    assert result["aec_loop"]["spread"] == [5.0, 7.0]
    assert result["aec_loop"]["unit"] == "decisions/s"
    assert result["aec_loop"]["ratio"] == {"to": "empty_aec", "value": 3.5}
    assert "ratio" not in result["empty_aec"]


@pytest.mark.parametrize(
    "name",
    [
        "hands",
        "batch_step",
        "scalar",
        "import_s",
        "klammern.hands",
        "klammern.aec_loop",
        "pimc_100",
    ],
)
def test_a_benchmark_measures_something(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kloepper_env.bench.engine.LANES", 64)
    small = replace(BENCHMARKS[name], amount=20)

    assert small.function.startswith("kloepper_")
    assert small.measure() > 0


def test_a_search_costs_less_the_more_tricks_have_been_played() -> None:
    plays = [BENCHMARKS[f"solver_points_plays.{tricks}"] for tricks in range(6)]
    figures = [replace(one, amount=20).measure() for one in plays]

    assert figures == sorted(figures, reverse=True)
    assert figures[0] > 100 > figures[3] > figures[4] == 0  # endings of two cards are not searched


@pytest.mark.parametrize("name", ["solver_class_us.2", "solver_class_plays.2"])
def test_a_benchmark_of_a_phase_measures_something(name: str) -> None:
    assert replace(BENCHMARKS[name], amount=20).measure() > 0


def test_a_name_without_its_phase_stands_for_all_phases(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kloepper_training.cli_bench.Benchmark.measure", lambda _: 1.0)

    assert main(app, ["bench", "solver_class_us", "hands", "--json"]) == FINE

    result = json.loads(capsys.readouterr().out)
    assert list(result) == [*(f"solver_class_us.{tricks}" for tricks in range(6)), "hands"]


def test_phases_have_a_table_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kloepper_training.cli_bench.Benchmark.measure", lambda _: 1234.5)
    names = ["solver_class_us.0", "solver_class_us.2", "solver_class_plays.2"]

    assert main(app, ["bench", "hands", *names]) == FINE

    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["0", "1,234"] in rows
    assert ["2", "1,234", "1,234"] in rows
    assert [row[0] for row in rows if "+0%" in row] == ["hands"]


def test_the_table_of_phases_leaves_open_what_was_not_measured() -> None:
    measured = ["hands", "solver_class_us.2", "solver_class_us.0", "solver_class_plays.2"]

    assert phase_grid({name: {"value": 2.0} for name in measured}) == [
        ["tricks played", "solver_class_us", "solver_class_plays"],
        ["2", "2.00", "2.00"],
        ["0", "2.00", ""],
    ]


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(app, ["bench", "hnads"]) == USAGE_ERROR
    assert "unknown benchmark 'hnads'; there are empty_aec" in capsys.readouterr().err
