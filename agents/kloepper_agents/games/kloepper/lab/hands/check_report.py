"""What a check of the table says, for people and for programs."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from kloepper_agents.arena.report import Grid, with_interval
from kloepper_agents.games.kloepper.lab.hands.check import Checked, by_sort
from kloepper_agents.games.kloepper.lab.study.files import data

FORMAT: Final = 1


def report(found: Sequence[Checked], policy: str) -> tuple[list[Grid], list[str]]:
    """One table with a row for each sort of hand, and what belongs under it."""
    rows = [
        [
            one.sort,
            str(one.hands),
            f"{one.table_gain:+.2f}",
            with_interval(one.gain),
            with_interval(one.of_all),
            f"{one.same_sign} / {one.other_sign}",
        ]
        for one in by_sort(found)
    ]
    header = ["by the table", "hands", "gain by the table", "gain of these", "of all"]
    lines = [
        "A gain is the payoff of the announcement over silence in the same deals, of these hands, "
        "and of all hands of the sort, for which each hand drawn counts once. Agree, differ: hands "
        "whose own interval lies on one side of 0."
    ]
    title = f"What the table of four `rules` says, and four `{policy}`"
    return [Grid(title, [*header, "agree / differ"], rows)], lines


def data_of(
    found: Sequence[Checked], setting: Mapping[str, Any], table: Mapping[str, Any], command: str
) -> dict[str, Any]:
    """The same for a program, with every hand; `table` says how the table was made."""
    hands = [
        {
            "cards": " ".join(one.cards),
            "announcement": one.asked.announcement,
            "sort": one.asked.sort,
            "table_gain": round(one.asked.gain, 3),
            "gain": round(one.gain.mean, 3),
            "error": round(one.gain.standard_error, 3),
            "quiet": round(one.quiet.mean, 3),
            "quiet_error": round(one.quiet.standard_error, 3),
        }
        for one in found
    ]
    return {
        "format": FORMAT,
        "kloepper": version("kloepper"),
        "command": command,
        **setting,
        "table": dict(table),
        "sorts": data(by_sort(found)),
        "hands": hands,
    }
