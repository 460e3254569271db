"""Rules of thumb for people and for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from kloepper_agents.arena.report import Grid
from kloepper_agents.games.kloepper.lab.hands.distil import AceGain, Distilled
from kloepper_agents.games.kloepper.lab.study.files import data


def report(found: Sequence[Distilled], aces: Sequence[AceGain]) -> tuple[list[Grid], list[str]]:
    """Tables, then the rules themselves as lines."""
    grids, sentences = [], []
    for one in found:
        grids.append(_grid(one))
        best = min(one.rules, key=lambda rule: round(rule.loss, 2))  # of equals the shortest
        lines = [f"  {line.text} ({line.share:.1%}, {line.gain:+.2f})" for line in best.lines]
        sentences += [f"With {one.problem}:", *lines, ""]
    if aces:
        rows = [[f"{a.suit}, {a.held} held", f"{a.hands:,.0f}", f"{a.gain:+.2f}"] for a in aces]
        grids.append(
            Grid("Which ace to call", ["suit", "hands", "payoff over the mean of its aces"], rows)
        )
    sentences.append(
        "Payoff per hand of the sort named, from the table of hands (four `rules`, any place in "
        "trick 1); in brackets how often a line applies, and what it wins over silence. A loser "
        "is a plain card that is no ace. Rules are fitted to one half of the classes and judged by "
        "the other. The best of every hand is chosen by the figures that judge it, so it is a "
        "little too high."
    )
    return grids, sentences


def _grid(one: Distilled) -> Grid:
    rows = [
        [f"always {name}", f"{value:+.2f}", f"{one.best - value:.2f}", ""]
        for name, value in one.always.items()
    ]
    rows += [
        [
            f"{rule.depth} question" + "s" * (rule.depth > 1),
            f"{rule.payoff:+.2f}",
            f"{rule.loss:.2f}",
            f"{rule.agreement:.1%}",
        ]
        for rule in one.rules
    ]
    rows.append(
        ["any rule on these features", f"{one.ceiling:+.2f}", f"{one.best - one.ceiling:.2f}", ""]
    )
    rows.append(["the best of every hand", f"{one.best:+.2f}", "0.00", "100.0%"])
    title = f"{one.problem}: {one.hands:,} classes, {one.share:.1%} of the hands of the table"
    return Grid(title, ["rule", "payoff", "loses", "agrees"], rows)


def data_of(
    found: Sequence[Distilled],
    aces: Sequence[AceGain],
    table: Mapping[str, Any],
    command: str,
) -> dict[str, Any]:
    """The same for a program; `table` says how the table was made."""
    plain: dict[str, Any] = data(
        {"command": command, "table": table, "decisions": found, "aces": aces}
    )
    return plain
