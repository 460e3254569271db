"""`kloepper bench`: the speed of every hot path, as one table or one JSON object."""

import json
import statistics
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Annotated, Any

import typer

from kloepper_env.errors import ConfigError, listed


@dataclass(frozen=True)
class Benchmark:
    """One figure: where its function stands, how much it does at a time, what it is held to."""

    function: str  # module:function, taking the amount of work and returning the figure
    amount: int
    unit: str
    target: str  # what the project wants, for people
    relative_to: str | None = None  # another benchmark of the same run
    game: str | None = None  # handed to the function, if it measures any game

    def measure(self) -> float:
        module, _, name = self.function.partition(":")
        function = getattr(import_module(module), name)
        return float(function(self.amount, self.game) if self.game else function(self.amount))


_ENV, _ENGINE = "kloepper_env.bench", "kloepper_env.bench_engine"
_SOLVER = "kloepper_env.bench_solver"
_AGENTS, _TRAINING = "kloepper_agents.bench", "kloepper_training.bench"

_OF_ANY_GAME = {  # measured for every game
    "aec_loop": Benchmark(
        f"{_ENV}:aec_loop", 5_000, "decisions/s", ">= 30,000 and >= 0.6 of empty_aec", "empty_aec"
    ),
    "aec_raw": Benchmark(f"{_ENV}:aec_raw", 20_000, "decisions/s", ">= 120,000"),
    "scalar": Benchmark(f"{_ENGINE}:scalar", 200_000, "decisions/s", ">= 700,000"),
    "batch_step": Benchmark(f"{_ENGINE}:batch_step", 4_000_000, "env-steps/s", ">= 25,000,000"),
    "batch_same": Benchmark(
        f"{_ENGINE}:batch_same", 4_000_000, "env-steps/s", "batch_step if play were foreseeable"
    ),
    "hands": Benchmark(f"{_ENGINE}:hands", 1_000_000, "hands/s", ">= 5,000,000"),
}
_HALF = ">= 0.5 of Kloepper's"


def _of_other_game(game: str) -> dict[str, Benchmark]:
    """The same figures of another game, beside which Kloepper's stand."""
    return {
        f"{game}.{name}": replace(one, game=game, target=_HALF, relative_to=name)
        for name, one in _OF_ANY_GAME.items()
    }


BENCHMARKS: dict[str, Benchmark] = {
    "empty_aec": Benchmark(f"{_ENV}:empty_aec", 5_000, "decisions/s", "the limit of the interface"),
    **{name: replace(one, game="kloepper") for name, one in _OF_ANY_GAME.items()},
    "rules_hands": Benchmark(f"{_AGENTS}:rules_hands", 20_000, "hands/s", ">= 30,000"),
    "ppo": Benchmark(f"{_TRAINING}:ppo", 200_000, "decisions/s", ">= 22,000"),
    "solver_points": Benchmark(f"{_SOLVER}:solver_points", 1_000, "deals/s", ">= 4,000"),
    "solver_class": Benchmark(f"{_SOLVER}:solver_class", 2_000, "deals/s", ">= 10,000"),
    "solver_moves": Benchmark(f"{_SOLVER}:solver_moves", 500, "deals/s", ">= 1,800"),
    "all_tricks": Benchmark(f"{_SOLVER}:all_tricks", 20_000, "deals/s", ">= 120,000"),
    "import_s": Benchmark(f"{_ENGINE}:import_s", 1, "s", "<= 0.3"),
    "cold_s": Benchmark(f"{_ENGINE}:cold_s", 1, "s", "<= 8"),
    "warm_s": Benchmark(f"{_ENGINE}:warm_s", 1, "s", "<= 1"),
    "memory_env": Benchmark(f"{_ENGINE}:memory_env", 1, "MB", "<= 220"),
    "memory_ppo": Benchmark(f"{_TRAINING}:memory_ppo", 1, "MB", "<= 550"),
    **_of_other_game("klammern"),
}


def run_benchmarks(names: list[str], repeats: int) -> dict[str, dict[str, Any]]:
    """Measure in rounds, so that a busy minute of the machine falls on all alike."""
    figures: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(repeats):
        for name in names:
            figures[name].append(BENCHMARKS[name].measure())
    result: dict[str, dict[str, Any]] = {}
    for name, values in figures.items():
        benchmark = BENCHMARKS[name]
        entry: dict[str, Any] = {
            "value": statistics.median(values),
            "unit": benchmark.unit,
            "spread": [min(values), max(values)],
            "target": benchmark.target,
        }
        peer = benchmark.relative_to
        if peer in figures:
            ratios = [a / b for a, b in zip(values, figures[peer], strict=True)]
            entry["ratio"] = {"to": peer, "value": statistics.median(ratios)}
        result[name] = entry
    return result


def _print_table(result: dict[str, dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  # keeps `kloepper --help` quick
    from rich.console import Console  # noqa: PLC0415  # the same
    from rich.table import Table  # noqa: PLC0415  # the same

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("name", "median", "unit", "spread"):
        table.add_column(heading, justify="right" if heading == "median" else "left", no_wrap=True)
    table.add_column("target")
    for name, entry in result.items():
        value, (low, high) = entry["value"], entry["spread"]
        target = str(entry["target"])
        if ratio := entry.get("ratio"):
            target += f" (is {ratio['value']:.2f})"
        spread = f"{low / value - 1:+.0%} {high / value - 1:+.0%}"
        table.add_row(name, _figure(value), str(entry["unit"]), spread, target)
    Console().print(table)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Which to run; all if none.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; the median is reported.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure the speed of every hot path.

    Example: kloepper bench batch_step hands --json
    """
    for name in names or ():
        if name not in BENCHMARKS:
            raise ConfigError(f"unknown benchmark {name!r}; there are {listed(BENCHMARKS)}")
    result = run_benchmarks(list(names or BENCHMARKS), repeats)
    if as_json:
        typer.echo(json.dumps(result, indent=2))
    else:
        _print_table(result)


def register(app: typer.Typer) -> None:
    """Add `bench` to the command line."""
    app.command("bench")(bench)
