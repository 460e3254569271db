"""The files of a study: result.json, chances.csv with dictionary.json, plots, report.html."""

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.html import document, figure, table
from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.columns import COLUMNS
from kloepper_agents.games.kloepper.lab.study.grids import grids, notes, sensitivity
from kloepper_agents.games.kloepper.lab.study.study import Study
from kloepper_env.files import whole_file

FORMAT: Final = 1  # of result.json
_SHOWN: Final = {
    "gain": "What the announcement brings, by what the seat sees, in points of payoff.",
    "calibration": "How often it came off against how often that was foretold.",
    "spread": "How the gains of single decisions are spread, in points of payoff.",
    "rules": "The same under other rules, in points of payoff.",
}
"""Name of a picture -> what it shows."""


def data(value: Any) -> Any:
    """Figures in types that JSON has; what is not known is None."""
    if isinstance(value, Estimate):
        known = {"mean": value.mean, "low": value.low, "high": value.high, "deals": value.deals}
        return {name: data(number) for name, number in known.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: data(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: data(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [data(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def to_json(study: Study, others: Mapping[str, Study], command: str) -> dict[str, Any]:
    """Everything a study says; `others` are the same study under other rules."""
    return {
        "format": FORMAT,
        "kloepper": version("kloepper"),
        "command": command,
        **study.setting.described(),
        **figures(study),
        "other_rules": {name: figures(one) for name, one in others.items()},
    }


def figures(study: Study) -> dict[str, Any]:
    """The figures of a study for a program."""
    taken = summary.taken_of(study)
    found = {
        "rates": summary.rates(study),
        "done": summary.gains(study, taken),
        "let_go": summary.gains(study, ~taken),
        "done_against_waiting": summary.gains(study, taken, "waited"),
        "let_go_against_waiting": summary.gains(study, ~taken, "waited"),
        "regret": summary.regret(study),
        "calibration": summary.foretold(study),
        "open_cards": summary.open_cards(study),
        "by": {feature: summary.cells(study, feature) for feature in summary.FEATURES},
    }
    plain: dict[str, Any] = data(found)
    return plain


def write_study(folder: Path, study: Study, others: Mapping[str, Study], command: str) -> list[str]:
    """Write the files of a study; returns their names. Plots are drawn where matplotlib is."""
    folder.mkdir(parents=True, exist_ok=True)
    written = ["result.json", "chances.csv", "dictionary.json"]
    with whole_file(folder / "result.json") as path:
        path.write_text(json.dumps(to_json(study, others, command), indent=2) + "\n", "utf-8")
    with whole_file(folder / "dictionary.json") as path:
        path.write_text(json.dumps(COLUMNS, indent=2) + "\n", "utf-8")
    with whole_file(folder / "chances.csv") as path:
        write_csv(path, study)
    pictures: dict[str, str] = {}
    if find_spec("matplotlib"):
        from kloepper_agents.games.kloepper.lab.study.plots import draw_study  # noqa: PLC0415  # an optional dependency

        pictures = draw_study(folder, study, others)
    with whole_file(folder / "report.html") as path:
        path.write_text(page(study, others, pictures, command), "utf-8")
    return [*written, *(f"{name}.svg" for name in pictures), "report.html"]


def write_csv(path: Path, study: Study) -> None:
    """A row for every opportunity; numbers that are not known are empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for row in zip(*(study.columns[name].tolist() for name in COLUMNS), strict=True):
            rows.writerow("" if value != value else value for value in row)  # noqa: PLR0124  # NaN


def page(
    study: Study, others: Mapping[str, Study], pictures: Mapping[str, str], command: str
) -> str:
    """The report as one HTML page that needs nothing else; `pictures` are SVG by name."""
    tables = grids(study)
    if others:
        tables.append(sensitivity({"as asked": study, **others}))
    title = f"{study.kind.title}: four {study.setting.policy}"
    body = [
        figure(picture, _caption(study, name), is_wide=name == "gain")
        for name, picture in pictures.items()
    ]
    body += map(table, tables)
    return document(title, body, notes(study), command)


def _caption(study: Study, picture: str) -> str:
    bars = "" if picture == "spread" else "; bars are 95 % intervals that count a deal once"
    return f"{_SHOWN[picture]} {study.hands:,} deals, four {study.setting.policy}{bars}."
