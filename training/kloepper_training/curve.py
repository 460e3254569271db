"""`kloepper curve`: how runs got stronger, drawn from their logs."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from kloepper_env.columns import fold
from kloepper_env.errors import ConfigError, listed
from kloepper_env.files import whole_file
from kloepper_env.terminal import visible

Point = tuple[float, float, float]
"""Decisions in millions, margin, half the 95 % interval."""
COLOUR, SINGLE = "#0072B2", "#999999"  # of Okabe and Ito
TITLE_WIDTH: Final = 80  # characters above a panel
_PREFIX: Final = "margin/"
_MOST_PANELS: Final = 50  # a panel an opponent; with thousands a picture takes all memory


def read_margins(run: Path) -> dict[str, list[Point]]:
    """Opponent -> a point for every evaluation. Raises ConfigError for what is no log.

    What stands behind the last line break is still being written, or never was: it is left out.
    """
    log = run / "log.jsonl" if run.is_dir() else run
    if not log.is_file():
        raise ConfigError(
            f"{str(run)!r} is no run: it must be a folder with log.jsonl, or that file"
        )
    curves: dict[str, list[Point]] = {}
    for number, text in enumerate(log.read_bytes().split(b"\n")[:-1], 1):
        try:
            points = _points(json.loads(text))
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
            raise ConfigError(f"line {number} of {str(log)!r} is no line of a log") from None
        for opponent, point in points.items():
            curves.setdefault(opponent, []).append(point)
    if not curves:
        raise ConfigError(f"{str(log)!r} holds no evaluation yet")
    if len(curves) > _MOST_PANELS:
        raise ConfigError(
            f"{str(log)!r} names {len(curves)} opponents, but a picture shows {_MOST_PANELS}"
        )
    return curves


def _points(line: Any) -> dict[str, Point]:
    """Opponent -> point of one line of the log."""
    if not isinstance(line, dict):
        raise TypeError("a line holds names and values")
    opponents = [name.removeprefix(_PREFIX) for name in line if name.startswith(_PREFIX)]
    return {
        opponent: (
            _number(line["decisions"]) / 1e6,
            _number(line[f"margin/{opponent}"]),
            1.96 * _number(line[f"margin_se/{opponent}"]),
        )
        for opponent in opponents
    }


def _number(value: Any) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError("a value is a finite number")
    return value


@dataclass(frozen=True)
class Band:
    """Means over runs with what lies around them."""

    decisions: list[float]  # in millions
    margins: list[float]
    low: list[float]
    high: list[float]


def band(curves: Sequence[Sequence[Point]]) -> Band:
    """One run with its intervals; several as their mean, from the lowest to the highest run.

    Runs are evaluated after different numbers of decisions, so between two evaluations a run is
    taken to go straight. The mean goes as far as all runs do.
    """
    if len(curves) == 1:
        decisions, margins, halves = (list(column) for column in zip(*curves[0], strict=True))
        low = [margin - half for margin, half in zip(margins, halves, strict=True)]
        high = [margin + half for margin, half in zip(margins, halves, strict=True)]
        return Band(decisions, margins, low, high)
    first, last = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
    inside = {x for curve in curves for x, _, _ in curve if first <= x <= last}
    places = np.array(sorted(inside))
    if not len(places):
        raise ConfigError("the runs have no stretch in common in which all were evaluated")
    columns = [zip(*sorted(curve), strict=True) for curve in curves]
    margins_of = np.array([np.interp(places, x, y) for x, y, _ in columns])  # [run, place]
    means, lows, highs = margins_of.mean(0), margins_of.min(0), margins_of.max(0)
    return Band(places.tolist(), means.tolist(), lows.tolist(), highs.tolist())


def read_runs(runs: Sequence[Path]) -> dict[str, list[list[Point]]]:
    """Opponent -> the points of every run; ConfigError where runs met others or are given twice."""
    if len({run.resolve() for run in runs}) < len(runs):
        raise ConfigError(f"a run is given twice: {listed(map(str, runs))}")
    read = [read_margins(run) for run in runs]
    common = [name for name in read[0] if all(name in curves for curves in read)]
    if not common:
        raise ConfigError("the runs have met no player in common")
    return {name: [curves[name] for curves in read] for name in common}


def draw(runs: Sequence[Path], out: Path) -> None:
    """Draw the margins of runs against the bots as SVG or PNG.

    One run has its 95 % intervals, several their mean, from the lowest to the highest run.
    """
    import matplotlib as mpl  # noqa: PLC0415  # an extra, and slow to import

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kloepper"  # the same log gives the same file
    mpl.rcParams["text.parse_math"] = False  # a name with dollar signs is no formula
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the choice of the backend

    panels_of = {name: (curves, band(curves)) for name, curves in read_runs(runs).items()}
    figure, panels = plt.subplots(
        len(panels_of), figsize=(7, 1.4 + 1.6 * len(panels_of)), sharex=True, squeeze=False
    )
    # A panel an opponent: margins against weak players would flatten those against strong ones.
    for axes, (opponent, (curves, one)) in zip(panels[:, 0], panels_of.items(), strict=True):
        for curve in curves if len(curves) > 1 else []:
            x, y, _ = zip(*curve, strict=True)
            axes.plot(x, y, color=SINGLE, linewidth=0.7)
        axes.plot(one.decisions, one.margins, color=COLOUR, marker=".")
        axes.fill_between(one.decisions, one.low, one.high, color=COLOUR, alpha=0.25, linewidth=0)
        axes.axhline(0, color="black", linewidth=0.8)
        title = fold(f"against {visible(opponent)}", TITLE_WIDTH)
        axes.set_title("\n".join(title), loc="left", fontsize="medium")
        axes.spines[["top", "right"]].set_visible(False)
    panels[-1, 0].set_xlabel("decisions of self-play, millions")
    spread = "95 % interval" if len(runs) == 1 else f"mean of {len(runs)} runs, lowest to highest"
    figure.supylabel("margin, points per hand", fontsize="medium")
    figure.suptitle(spread, fontsize="small", x=0.98, ha="right")
    figure.tight_layout()
    try:
        with whole_file(out) as partial:
            metadata = {"Date": None} if out.suffix == ".svg" else None
            figure.savefig(partial, format=out.suffix[1:], metadata=metadata)
    finally:
        plt.close(figure)


def curve(
    runs: Annotated[list[Path], typer.Argument(help="Runs' folders, or files log.jsonl.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="An .svg or .png file.")],
) -> None:
    """Draw the margins of training runs against the bots.

    Several runs, such as the same config with other seeds, are drawn as their mean, with a band
    from the lowest to the highest.

    Example: kloepper curve runs/demo -o curve.svg
    """
    if out.suffix not in (".svg", ".png"):
        raise ConfigError(f"{str(out)!r} must end in .svg or .png")
    draw(runs, out)


def register(app: typer.Typer) -> None:
    """Add `curve` to the command line."""
    app.command("curve")(curve)
