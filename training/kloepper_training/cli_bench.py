"""`kloepper bench`: the speed of every hot path, for people or as one JSON object."""

import json
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Annotated, Any

import typer

from kloepper_env.columns import print_table
from kloepper_env.errors import ConfigError, listed


@dataclass(frozen=True)
class Benchmark:
    """One figure: where its function stands, how much it does at a time, what it is held to."""

    function: str  # module:function, taking the amount of work and returning the figure
    amount: int
    unit: str
    target: str  # what the project wants, for people
    relative_to: str | None = None  # another benchmark of the same run
    last: str | int | None = None  # last argument of the function: a game, or tricks played before

    def measure(self) -> float:
        module, _, name = self.function.partition(":")
        last = () if self.last is None else (self.last,)
        return float(getattr(import_module(module), name)(self.amount, *last))


_ENV, _ENGINE = "kloepper_env.bench.environments", "kloepper_env.bench.engine"
_STATES = "kloepper_env.bench.states"
_SOLVER = "kloepper_env.bench.solver_kloepper"
_AGENTS, _TRAINING = "kloepper_agents.bench", "kloepper_training.bench"

_OF_ANY_GAME = {  # measured for every game
    "aec_loop": Benchmark(
        f"{_ENV}:aec_loop", 5_000, "decisions/s", ">= 30,000 and >= 0.6 of empty_aec", "empty_aec"
    ),
    "aec_raw": Benchmark(f"{_ENV}:aec_raw", 20_000, "decisions/s", ">= 120,000"),
    "scalar": Benchmark(f"{_ENGINE}:scalar", 200_000, "decisions/s", ">= 700,000"),
    "batch_step": Benchmark(f"{_ENGINE}:batch_step", 4_000_000, "env-steps/s", ">= 25,000,000"),
    "batch_same": Benchmark(
        f"{_ENGINE}:batch_same", 4_000_000, "env-steps/s", "batch_step if play were predictable"
    ),
    "hands": Benchmark(f"{_ENGINE}:hands", 1_000_000, "hands/s", ">= 5,000,000"),
    "view": Benchmark(f"{_STATES}:view", 4_000, "us", "<= 40"),
    "information_key": Benchmark(f"{_STATES}:information_key", 8_000, "us", "<= 10"),
    "state_copy": Benchmark(f"{_STATES}:state_copy", 50_000, "us", "<= 2"),
    "ppo": Benchmark(f"{_TRAINING}:ppo", 200_000, "decisions/s", ">= 22,000"),
}
_TARGETS_BESIDE = {  # what another game's figure is held to, where it is not half of Kloepper's
    "hands": "for information: a hand has 35 decisions and more",
    "view": "<= 40",
    "information_key": "<= 20",
    "state_copy": "<= 2",
}


def _of_other_game(game: str) -> dict[str, Benchmark]:
    """The same figures of another game, beside which Kloepper's stand."""
    return {
        f"{game}.{name}": replace(
            one,
            last=game,
            target=_TARGETS_BESIDE.get(name, ">= 0.5 of Kloepper's"),
            relative_to=name,
        )
        for name, one in _OF_ANY_GAME.items()
    }


BENCHMARKS: dict[str, Benchmark] = {
    "empty_aec": Benchmark(f"{_ENV}:empty_aec", 5_000, "decisions/s", "the limit of the interface"),
    **{name: replace(one, last="kloepper") for name, one in _OF_ANY_GAME.items()},
    "rules_hands": Benchmark(f"{_AGENTS}:rules_hands", 20_000, "hands/s", ">= 30,000"),
    "pimc_100": Benchmark(f"{_AGENTS}:pimc_100", 20, "decisions/s", ">= 300"),
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
} | {
    f"{name}.{tricks}": Benchmark(f"{_SOLVER}:{name}", 1_000, unit, "", last=tricks)
    for name, unit in (
        ("solver_points_plays", "plays/deal"),
        ("solver_points_us", "us/deal"),
        ("solver_class_plays", "plays/deal"),
        ("solver_class_us", "us/deal"),
    )
    for tricks in range(6)
}
"""Names with a dot and a number belong to a phase of the hand: after so many tricks."""


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


def _print_tables(result: dict[str, dict[str, Any]]) -> None:
    rows = []
    for name, entry in result.items():
        if is_of_phase(name):
            continue  # below
        value, (low, high) = entry["value"], entry["spread"]
        target = str(entry["target"])
        if ratio := entry.get("ratio"):
            target += f" (is {ratio['value']:.2f})"
        spread = f"{low / value - 1:+.0%} {high / value - 1:+.0%}"
        rows.append([name, figure(value), str(entry["unit"]), spread, target])
    if rows:
        print_table(["name", "median", "unit", "spread", "target"], rows, text=(0, 2, 3, 4))
    header, *phases = phase_grid(result)
    if phases:
        print_table([heading.replace("_", " ") for heading in header], phases, text=())


def is_of_phase(name: str) -> bool:
    """Whether a benchmark belongs to a phase of the hand."""
    return name.rpartition(".")[2].isdigit()


def phase_grid(result: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Header and rows of the medians of all benchmarks of a phase, one row a phase."""
    values = {name: figure(one["value"]) for name, one in result.items() if is_of_phase(name)}
    parts = [name.rpartition(".") for name in values]
    columns = dict.fromkeys(family for family, _, _ in parts)
    rows = [
        [phase, *(values.get(f"{family}.{phase}", "") for family in columns)]
        for phase in dict.fromkeys(phase for _, _, phase in parts)
    ]
    return [["tricks played", *columns], *rows]


def figure(value: float) -> str:
    """A figure for people."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names of the benchmarks to run; all by default. `solver_class_us` is one for "
            "each phase."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; the median is reported.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure the speed of every hot path.

    Example: kloepper bench batch_step hands --json
    """
    result = run_benchmarks(_expand(names) if names else list(BENCHMARKS), repeats)
    if as_json:
        typer.echo(json.dumps(result, indent=2))
    else:
        _print_tables(result)


def _expand(names: list[str]) -> list[str]:
    """Benchmarks by name; a name without its phase stands for all phases."""
    families: dict[str, list[str]] = {}
    for name in BENCHMARKS:
        family = name.rpartition(".")[0] if is_of_phase(name) else name
        families.setdefault(family, []).append(name)
    chosen = []
    for name in names:
        if name not in families and name not in BENCHMARKS:
            raise ConfigError(f"unknown benchmark {name!r}; there are {listed(families)}")
        chosen += families.get(name, [name])
    return chosen


def register(app: typer.Typer) -> None:
    """Add `bench` to the command line."""
    app.command("bench")(bench)
