"""`kloepper curve`: how a run got stronger, drawn from its log."""

import json
import os
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from kloepper_env.errors import ConfigError

# Colours of Okabe and Ito (2008), which stay apart for the colour-blind.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_PREFIX: Final = "margin/"


def read_margins(run: Path) -> dict[str, list[tuple[float, float, float]]]:
    """Opponent -> (decisions in millions, margin, half the 95 % interval) of every evaluation."""
    log = run / "log.jsonl" if run.is_dir() else run
    if not log.is_file():
        raise ConfigError(
            f"{str(run)!r} is no run: it must be a folder with log.jsonl, or that file"
        )
    curves: dict[str, list[tuple[float, float, float]]] = {}
    for text in log.read_text("utf-8").splitlines():
        line: dict[str, Any] = json.loads(text)
        for name, value in line.items():
            if name.startswith(_PREFIX):
                opponent = name.removeprefix(_PREFIX)
                half = 1.96 * line[f"margin_se/{opponent}"]
                curves.setdefault(opponent, []).append((line["decisions"] / 1e6, value, half))
    if not curves:
        raise ConfigError(f"{str(log)!r} holds no evaluation yet")
    return curves


def draw(run: Path, out: Path) -> None:
    """Draw the margins of a run against the bots, with 95 % intervals, as SVG or PNG."""
    import matplotlib as mpl  # noqa: PLC0415  # an extra, and slow to import

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kloepper"  # the same log gives the same file
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the choice of the backend

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for colour, (opponent, points) in zip(COLOURS, read_margins(run).items(), strict=False):
        decisions, margins, halves = (list(column) for column in zip(*points, strict=True))
        low = [margin - half for margin, half in zip(margins, halves, strict=True)]
        high = [margin + half for margin, half in zip(margins, halves, strict=True)]
        axes.plot(decisions, margins, color=colour, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.25, linewidth=0)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("decisions of self-play, millions")
    axes.set_ylabel("margin, points per hand (95 % interval)")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    partial = out.with_name(f".partial.{out.name}")
    figure.savefig(partial, metadata={"Date": None} if out.suffix == ".svg" else None)
    plt.close(figure)
    os.replace(partial, out)


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
