"""The plots of a study, in the colours of Okabe and Ito, which colour-blind readers tell apart."""

import io
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.study import Study
from kloepper_agents.games.kloepper.lab.study.summary import FEATURES, label
from kloepper_env.columns import fold
from kloepper_env.files import whole_file
from kloepper_env.terminal import visible

if "MPLBACKEND" not in os.environ:  # a notebook shows figures itself
    mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "kloepper"  # the same study gives the same file
mpl.rcParams["text.parse_math"] = False  # a name with dollar signs is no formula
from matplotlib import pyplot as plt  # noqa: E402  # after the choice of the backend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
DPI: Final = 150
REACH: Final = 12.0  # payoff; of a wider interval no more than this is sure to be in the picture


def draw_study(folder: Path, study: Study, others: Mapping[str, Study]) -> dict[str, str]:
    """Draw every plot of a study as SVG and PNG into a folder; returns the SVG texts by name."""
    plots: dict[str, Callable[[], Figure | None]] = {
        "gain": lambda: draw_gains(study),
        "calibration": lambda: draw_calibration(study),
        "spread": lambda: draw_spread(study),
        "rules": lambda: draw_rules({"as asked": study, **others}) if others else None,
    }
    drawn = {}
    for name, draw in plots.items():
        figure = draw()
        if figure is not None:
            drawn[name] = save(figure, folder / name)
    return drawn


def save(figure: "Figure", path: Path) -> str:
    """Write a figure as `path`.svg and `path`.png; returns the SVG as part of a page."""
    try:
        for suffix in (".svg", ".png"):
            with whole_file(path.with_suffix(suffix)) as partial:
                figure.savefig(
                    partial,
                    format=suffix[1:],
                    dpi=DPI,
                    metadata={"Date": None} if suffix == ".svg" else None,
                )
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
    finally:
        plt.close(figure)


def _errors(estimates: Sequence[Estimate]) -> list[float]:
    return [one.half_width if one.is_shown else 0.0 for one in estimates]


def heading(text: str, width: int) -> str:
    """A title with names from outside, in lines of some characters."""
    return "\n".join(fold(visible(text), width))


def _plain(axes: "Axes") -> None:
    axes.spines[["top", "right"]].set_visible(False)


def draw_gains(study: Study) -> "Figure":
    """A panel for each feature: what doing it brings, wherever possible and where it was done."""
    figure, panels = plt.subplots(2, 3, figsize=(11, 6.5), sharey=True)
    bounds = [0.0]
    for axes, feature in zip(panels.flat, FEATURES, strict=True):
        cells = summary.cells(study, feature)
        for shift, colour, mark, name, estimates in (
            (-0.1, BLUE, "o", "if always done", [cell.gain for cell in cells]),
            (0.1, ORANGE, "s", "where it was done", [cell.gain_made for cell in cells]),
        ):
            known = [i for i, one in enumerate(estimates) if one.deals > 1]
            for one in (estimates[i] for i in known):
                reach = min(one.half_width, REACH)
                bounds += [one.mean - reach, one.mean + reach]
            axes.errorbar(
                [i + shift for i in known],
                [estimates[i].mean for i in known],
                _errors([estimates[i] for i in known]),
                fmt=mark,
                color=colour,
                capsize=2,
                markersize=4,
                label=name,
            )
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_xticks(range(len(cells)))
        axes.set_xlim(-0.5, len(cells) - 0.5)
        values = [label(feature, cell.value).replace(" ", "\n", 1) for cell in cells]
        names = [f"{value}\n{cell.chances:,.0f}" for value, cell in zip(values, cells, strict=True)]
        axes.set_xticklabels(names, fontsize="x-small")
        axes.set_xlabel(f"{FEATURES[feature]}, and number of opportunities", fontsize="small")
        _plain(axes)
    margin = 0.05 * (max(bounds) - min(bounds)) + 0.1
    panels[0, 0].set_ylim(min(bounds) - margin, max(bounds) + margin)
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="upper right", fontsize="small", frameon=False)
    figure.suptitle(
        heading(
            f"{study.kind.title} against {study.kind.other}: four {study.setting.policy}, "
            f"{study.hands:,} deals",
            width=110,
        )
    )
    figure.supylabel("gain, points of payoff (95 % interval)")
    figure.tight_layout()
    return figure


def draw_calibration(study: Study) -> "Figure | None":
    """Reliability: what came of what was foretold; None without advice."""
    found = summary.foretold(study)
    if found is None:
        return None
    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--")
    reach = [found.happened - found.low, found.high - found.happened]
    axes.errorbar(
        found.foretold, found.happened, np.maximum(reach, 0), fmt="o", color=BLUE, capsize=2
    )
    for x, y, n in zip(found.foretold, found.happened, found.counts, strict=True):
        axes.annotate(f"{n:,.0f}", (x, y), (6, -10), textcoords="offset points", fontsize="small")
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    axes.set_xlabel(f"foretold probability that {study.kind.success}")
    axes.set_ylabel("share in which it came off (95 % interval)")
    axes.set_title(f"{study.kind.title}: Brier {found.brier:.3f}, ECE {found.ece:.3f}")
    _plain(axes)
    figure.tight_layout()
    return figure


def draw_spread(study: Study) -> "Figure | None":
    """How the gains of the decisions taken are spread; None where there were none."""
    taken = summary.taken_of(study)
    if not taken.any():
        return None
    values, counts = np.unique(summary.gain(study)[taken], return_counts=True)
    figure, axes = plt.subplots(figsize=(7, 3.5))
    colours = np.where(values > 0, BLUE, np.where(values < 0, ORANGE, GREY))
    axes.bar(values, 100 * counts / counts.sum(), width=0.9, color=list(colours))
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(f"gain of a decision over {study.kind.other}, points of payoff")
    axes.set_ylabel("share of the decisions, %")
    axes.set_title(f"{study.kind.title}: {counts.sum():,} decisions, as the cards lay")
    _plain(axes)
    figure.tight_layout()
    return figure


def draw_rules(studies: Mapping[str, Study]) -> "Figure":
    """What the decisions taken brought under other options of the rules."""
    estimates = [summary.gains(study, summary.taken_of(study)).payoff for study in studies.values()]
    figure, axes = plt.subplots(figsize=(7, 1.2 + 0.35 * len(estimates)))
    rows: list[Any] = list(range(len(estimates)))
    means = [one.mean for one in estimates]
    axes.errorbar(means, rows, xerr=_errors(estimates), fmt="o", color=GREEN, capsize=2)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(rows, list(map(visible, studies)))
    axes.invert_yaxis()
    axes.set_xlabel("gain of the decisions taken, points of payoff (95 % interval)")
    first = next(iter(studies.values()))
    axes.set_title(
        heading(
            f"{first.kind.title} under other rules: four {first.setting.policy}, "
            f"{first.hands:,} deals",
            width=70,
        )
    )
    _plain(axes)
    figure.tight_layout()
    return figure
