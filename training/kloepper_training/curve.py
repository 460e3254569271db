"""`kloepper curve`: how a run got stronger, drawn from its log."""

import json
import math
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from kloepper_env.columns import fold
from kloepper_env.errors import ConfigError
from kloepper_env.files import whole_file
from kloepper_env.terminal import visible

Point = tuple[float, float, float]
"""Decisions in millions, margin, half the 95 % interval."""
COLOUR: Final = "#0072B2"
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


def draw(run: Path, out: Path) -> None:
    """Draw the margins of a run against the bots, with 95 % intervals, as SVG or PNG."""
    import matplotlib as mpl  # noqa: PLC0415  # an extra, and slow to import

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kloepper"  # the same log gives the same file
    mpl.rcParams["text.parse_math"] = False  # a name with dollar signs is no formula
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the choice of the backend

    curves = read_margins(run)
    figure, panels = plt.subplots(
        len(curves), figsize=(7, 1.2 + 1.6 * len(curves)), sharex=True, squeeze=False
    )
    # A panel an opponent: margins against weak players would flatten those against strong ones.
    for axes, (opponent, points) in zip(panels[:, 0], curves.items(), strict=True):
        decisions, margins, halves = (list(column) for column in zip(*points, strict=True))
        low = [margin - half for margin, half in zip(margins, halves, strict=True)]
        high = [margin + half for margin, half in zip(margins, halves, strict=True)]
        axes.plot(decisions, margins, color=COLOUR)
        axes.fill_between(decisions, low, high, color=COLOUR, alpha=0.25, linewidth=0)
        axes.axhline(0, color="black", linewidth=0.8)
        title = fold(f"against {visible(opponent)}", TITLE_WIDTH)
        axes.set_title("\n".join(title), loc="left", fontsize="medium")
        axes.spines[["top", "right"]].set_visible(False)
    panels[-1, 0].set_xlabel("decisions of self-play, millions")
    figure.supylabel("margin, points per hand (95 % interval)", fontsize="medium")
    figure.tight_layout()
    try:
        with whole_file(out) as partial:
            metadata = {"Date": None} if out.suffix == ".svg" else None
            figure.savefig(partial, format=out.suffix[1:], metadata=metadata)
    finally:
        plt.close(figure)


def curve(
    run: Annotated[Path, typer.Argument(help="A run's folder, or a log.jsonl.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="An .svg or .png file.")],
) -> None:
    """Draw the margins of a training run against the bots.

    Example: kloepper curve runs/demo -o curve.svg
    """
    if out.suffix not in (".svg", ".png"):
        raise ConfigError(f"{str(out)!r} must end in .svg or .png")
    draw(run, out)


def register(app: typer.Typer) -> None:
    """Add `curve` to the command line."""
    app.command("curve")(curve)
