"""Tables in Markdown, made from result files."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from kloepper_training.cli_bench import figure, is_of_phase, phase_grid
from tests.documents import ROOT

LEAGUES: Final = (  # all against all are of interest
    "results/bots/result.json",
    "results/klammern/bots/result.json",
    "results/klammern/levels/result.json",
)


def markdown(header: list[str], rows: list[list[str]]) -> str:
    """A table, one list a row."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _match_table(result: dict[str, Any]) -> str:
    """Margins of the first agent against each of the others."""
    first = result["agents"][0]["name"]
    title = "trained player (`net`)" if first.startswith("net:") else f"`{first}`"
    rows = [
        [match["agents"][1], _interval(match)]
        for match in result["matches"]
        if match["agents"][0] == first
    ]
    return _with_deals(markdown([f"{title} against", "points per hand"], rows), result)


def _league_table(result: dict[str, Any]) -> str:
    """Margins of all against all, row against column, and the time that each takes."""
    names = [agent["name"] for agent in result["agents"]]
    both_ways = {}
    for match in result["matches"]:
        one, other = match["agents"]
        both_ways[one, other] = match
        both_ways[other, one] = match | {"margin": -match["margin"]}
    rows = [
        [
            f"`{agent['name']}`",
            _interval(agent["rating"]),
            *(
                "" if other == agent["name"] else _interval(both_ways[agent["name"], other])
                for other in names
            ),
            _time(agent["seconds_per_decision"]),
        ]
        for agent in result["agents"]
    ]
    header = ["", "rating", *(f"`{name}`" for name in names), "time per decision"]
    return _with_deals(markdown(header, rows), result)


def _matches_table(folder: Path) -> str:
    """Matches of two players, one a row; `folder` holds the folder of each."""
    rows = []
    for file in sorted(folder.glob("*/result.json")):
        result = json.loads(file.read_text("utf-8"))
        (match,) = result["matches"]
        times = " / ".join(map(_time, match["seconds_per_decision"]))
        names = [f"`{name}`" for name in match["agents"]]
        rows.append([*names, _interval(match), f"{result['deals']:,}", times])
    header = ["player", "against", "points per hand", "duplicate deals", "time per decision"]
    return markdown(header, rows)


def _interval(estimate: dict[str, Any]) -> str:
    return f"{estimate['margin']:+.2f} ± {estimate['half_width']:.2f}"


def _time(seconds: float) -> str:
    if seconds < 1e-6:
        return f"{seconds * 1e9:.0f} ns"
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-4 else f"{seconds * 1e6:.1f} µs"


def _with_deals(table: str, result: dict[str, Any]) -> str:
    return f"{table}\n{result['deals']:,} duplicate deals per match.\n"


def _studies_table(folder: Path) -> str:
    """What each player's announcements won or lost: one row for a player and a kind of them.

    `folder` holds, for every player, a folder of `kloepper lab study` for each kind.
    """
    rows = []
    for file in sorted(folder.glob("*/*/result.json")):
        study = json.loads(file.read_text("utf-8"))
        rates, gains = study["rates"], [study[way]["payoff"] for way in ("done", "let_go")]
        rows.append(
            [
                f"`{study['policy']}`",
                study["kind"],
                f"{study['deals']:,}",
                f"{rates['per_chance']['share']:.1%}",
                f"{rates['per_deal']['share']:.1%}",
                f"{rates['success']['share']:.0%}",
                *map(_gain, gains),
            ]
        )
    header = ["player", "announcement", "deals", "of opportunities", "of deals", "succeeded"]
    return markdown([*header, "gain where made", "gain where not made"], rows)


def _gain(payoff: dict[str, Any]) -> str:
    if payoff["mean"] is None or not payoff["deals"]:
        return "-"
    if payoff["low"] is None:
        return f"{payoff['mean']:+.1f}"
    return f"{payoff['mean']:+.1f} ± {(payoff['high'] - payoff['low']) / 2:.1f}"


def _rules_table(result: dict[str, Any]) -> str:
    """The best rule for each decision, line by line, and which ace to call."""
    rows = []
    for one in result["decisions"]:
        rule = min(one["rules"], key=lambda rule: round(rule["loss"], 2))
        for i, line in enumerate(rule["lines"]):
            name = "" if i else f"**{one['problem']}**"
            rows.append([name, line["text"], f"{line['share']:.1%}", f"{line['gain']:+.2f}"])
        any_rule = f"the best rule in these terms, {one['best'] - one['ceiling']:.2f}"
        lost = f"loses {rule['loss']:.2f} a hand against the best choice for each; {any_rule}"
        rows.append(["", f"*{lost}*", "", ""])
    aces = [
        [f"{ace['suit']}, {ace['held']} held", f"{ace['hands']:,.0f}", f"{ace['gain']:+.2f}"]
        for ace in result["aces"]
    ]
    tables = [
        markdown(["with", "rule of thumb", "share of these hands", "gain over silence"], rows),
        markdown(["ace to call", "hands", "gain over the mean of the callable aces"], aces),
    ]
    return "\n".join(tables)


def _answers_table(result: dict[str, Any]) -> str:
    """How a study's opportunities turn out by the number of trumps held, had all been taken."""
    rows = [
        [
            str(cell["value"]),
            f"{cell['chances']:,.0f}",
            f"{cell['success']['share']:.0%}",
            _gain(cell["gain"]),
        ]
        for cell in result["by"]["trumps"]
    ]
    header = ["trumps held", "opportunities", "would succeed", f"{result['kind']} would gain"]
    return f"{markdown(header, rows)}\n{result['deals']:,} deals.\n"


def _check_table(result: dict[str, Any]) -> str:
    """What another policy makes of the announcements of the table of hands."""
    rows = [
        [
            one["sort"],
            str(one["hands"]),
            f"{one['table_gain']:+.1f}",
            _gain(one.get("of_all") or one["gain"]),
            f"{one['same_sign']} / {one['other_sign']}",
        ]
        for one in result["sorts"]
    ]
    header = ["by the table", "hands", "gain by the table", f"gain with `{result['policy']}`"]
    table = markdown([*header, "clearly the same / other sign"], rows)
    return f"{table}\n{result['deals']} deals per hand.\n"


# --- measures of play ------------------------------------------------------------------------


def _beliefs_table(results: Sequence[dict[str, Any]]) -> str:
    """What beliefs tell of cards and partners, by the player whose hands they are about."""
    rows = [
        [
            f"`{result['policy']}`, {result['hands']:,}",
            f"`{name}`",
            *(_mean(judged["nats"][trick]) for trick in ("3", "4")),
            f"{partners['auc']:.3f} ({partners['low']:.3f} to {partners['high']:.3f})",
            f"{partners['ece']:.1%} ({partners['luck']:.1%})",
        ]
        for result in results
        for name, judged in result["judged"].items()
        if (partners := judged["partners"])
    ]
    header = ["hands of", "deals weighed by", "nats, trick 3", "nats, trick 4"]
    return markdown([*header, "partners: AUC", "calibration error (by luck)"], rows)


def _mean(estimate: dict[str, Any], places: int = 2) -> str:
    half = estimate["half_width"]
    return f"{estimate['mean']:+.{places}f}" + (f" ± {half:.{places}f}" if half else "")


def _exploits_table(results: Sequence[dict[str, Any]]) -> str:
    """What one seat gains that knows the policy of the others, by how it finds its gain."""
    rows = []
    for result in results:
        gain = result.get("gain") or result["nash_conv"]
        what = "payoff a hand" if "gain" in result else "NashConv, the sum of four seats"
        pack = result.get("rules", {}).get("pack", 24)
        rows.append([f"`{result['policy']}`", str(pack), result["method"], _mean(gain), what])
    return markdown(["against", "pack", "who", "gains", "of what"], rows)


def _cross_play_table(result: dict[str, Any]) -> str:
    """What guests gain and pairs lose."""
    names = [f"`{name}`" for name in result["agents"]]
    gains = {(one["guest"], one["host"]): _mean(one) for one in result["gains"]}
    guests = [
        [name, *(gains.get((i, j), "") for j in range(len(names)))] for i, name in enumerate(names)
    ]
    pairs = [
        [*(names[i] for i in pair["agents"]), _mean(pair["loss"]), _mean(pair["margin"])]
        for pair in result["pairs"]
    ]
    header = ["", "", "loss in cross-play, payoff", "margin of the first as a team"]
    return f"{markdown(['guest, in a field of', *names], guests)}\n{markdown(header, pairs)}"


def _reference_table(result: dict[str, Any]) -> str:
    """An equilibrium of the pack of 8 by seat."""
    seats = ("leads", "second", "third", "deals")
    rows = [
        [seat, f"{value:+.4f}", f"{gain:.4f}"]
        for seat, value, gain in zip(seats, result["values"], result["gains"], strict=True)
    ]
    rows.append(["NashConv", "", f"{result['nash_conv']:.4f}"])
    return markdown(["seat", "payoff", "a best response gains"], rows)


def speed_table(figures: dict[str, Any], names: Sequence[str] = ()) -> str:
    """The named figures with their targets, or every figure and then those of the phases."""
    rows = [
        [f"`{name}`", figure(figures[name]["value"]), figures[name]["unit"]]
        + ([] if names else [figures[name]["target"]])
        for name in (names or figures)
        if not is_of_phase(name)
    ]
    if names:
        return markdown(["what", "median", "unit"], rows)
    table = markdown(["what", "median", "unit", "target"], rows)
    header, *phases = phase_grid(figures)
    heads = [f"`{name}`" for name in header[1:]]
    return f"{table}\n{markdown([header[0], *heads], phases)}" if phases else table


_BY_KEY: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "matches": _match_table,
    "decisions": _rules_table,
    "sorts": _check_table,
    "pairs": _cross_play_table,
    "information_sets": _reference_table,
    "by": _answers_table,
}
"""What tells one sort of result file from the others -> how its table is made."""


_OF_FOLDER: Final[dict[str, Callable[[Sequence[dict[str, Any]]], str]]] = {
    "judged": _beliefs_table,
    "method": _exploits_table,
}
"""The same for folders with results of one sort."""


def table(path: str, names: Sequence[str] = ()) -> str:
    """The Markdown table for a result file or a folder of them, relative to the checkout."""
    folder = ROOT / path
    if folder.is_dir():
        results = [
            json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*/result.json"))
        ]
        for key, tabulate in _OF_FOLDER.items():
            if results and all(key in result for result in results):
                return tabulate(results)
        studies = any(folder.glob("*/*/result.json"))
        return _studies_table(folder) if studies else _matches_table(folder)
    content = json.loads((ROOT / path).read_text("utf-8"))
    if path in LEAGUES:
        return _league_table(content)
    for key, make in _BY_KEY.items():
        if key in content:
            return make(content)
    return speed_table(content, names)
