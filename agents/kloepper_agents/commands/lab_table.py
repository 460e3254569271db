"""`kloepper lab table`, `rules` and `check`: all hands, and what can be made of them."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kloepper_agents.commands.lab_common import (
    AsJson,
    Jobs,
    Rules,
    Seed,
    command_line,
    kept_in,
)
from kloepper_agents.commands.output import show
from kloepper_env.console import finite, print_json, progress, read_rules
from kloepper_env.errors import ConfigError
from kloepper_env.files import whole_file

# The lab brings numba with it, so it is imported inside the commands.


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("table", epilog="Example: kloepper lab table --out table.npz --seed 1")(table)
    lab.command("rules", epilog="Example: kloepper lab rules")(rules)
    lab.command("check", epilog="Example: kloepper lab check --policy pimc:worlds=16")(check)


File = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="A table of hands; else that of the package."),
]


def table(
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Make a table: an .npz file.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All 75,304 classes, not only those with a black queen.")
    ] = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    quiet_error: Annotated[
        float,
        typer.Option(callback=finite, help="Standard error to reach for the payoff of silence."),
    ] = 0.05,
    gap_error: Annotated[
        float,
        typer.Option(
            callback=finite,
            help="Standard error for the gain of an announcement, unless its sign is settled "
            "earlier.",
        ),
    ] = 0.25,
    rules: Rules = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table as CSV there.")
    ] = None,
) -> None:
    """Make the table of all hands and their first announcements, or write it as CSV.

    A table that was stopped is finished by the same command. Without --out the CSV is that of the
    table that comes with the package.
    """
    from kloepper_agents.games.kloepper.lab.core.playing import GAME  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.hands import files as table_files  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.hands.table import Effort, classes  # noqa: PLC0415  # the same
    from kloepper_agents.lab.processes import cores  # noqa: PLC0415  # the same

    if out is None and csv is None:
        raise ConfigError(
            "give --out FILE to make a table, or --csv FILE to write the one there is"
        )
    if quiet_error <= 0 or gap_error <= 0:
        raise ConfigError(f"standard errors are {quiet_error} and {gap_error}, but must be above 0")
    if out is not None:
        options = GAME.options(read_rules(rules or []))
        setting = table_files.TableSetting(
            not every, seed, options.changed(), Effort(quiet_error, gap_error)
        )
        with progress("hands", len(classes(queens_only=not every))) as advance:
            table_files.make_table(out, setting, jobs=jobs or cores(), progress=advance)
    if csv is not None:
        path = table_files.SHIPPED if out is None else out
        table_files.write_table_csv(csv, table_files.load_table(path))


def rules(
    file: File = None,
    as_json: AsJson = False,
) -> None:
    """Rules of thumb for the first announcement, and what each of them loses per hand.

    They are fitted to one half of the classes of hands and judged by the other.
    """
    from kloepper_agents.games.kloepper.lab.hands import distil, distil_report  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.hands import files as table_files  # noqa: PLC0415  # see above

    path = table_files.SHIPPED if file is None else file
    found_table = table_files.load_table(path)
    found, aces = distil.distil(found_table.rows), distil.ace_gains(found_table.rows)
    if as_json:
        command = command_line(["rules"], {"--table": file, "--json": True})
        print_json(distil_report.data_of(found, aces, found_table.setting, command))
    else:
        show(*distil_report.report(found, aces))


def check(
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="Agent that plays all four seats; see `agents`.")
    ] = "pimc:worlds=16",
    hands: Annotated[int, typer.Option(help="How many hands.")] = 200,
    deals: Annotated[int, typer.Option(help="Deals around each of them.")] = 64,
    seed: Seed = 0,
    jobs: Jobs = None,
    file: File = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the figures there as result.json.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Does the table hold when players other than `rules` play?

    Hands are drawn, equally many of each sort, for which the table says that an announcement gains
    or loses little. Silence and the announcement are played in the same deals around them. A check
    with --out that was stopped is finished by the same command.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.hands import check as checks  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.hands import check_report  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.hands import files as table_files  # noqa: PLC0415  # the same
    from kloepper_agents.lab.processes import cores  # noqa: PLC0415  # the same

    found_table = table_files.load_table(table_files.SHIPPED if file is None else file)
    setting = {"policy": policy, "deals": deals, "seed": seed}
    names = {f"--{name}": value for name, value in setting.items()}
    command = command_line(["check"], {**names, "--hands": hands, "--table": file})
    with reporting(out, "lab check") as report:
        with progress("hands", hands) as advance:
            found = checks.check(
                found_table.rows,
                policy,
                rules=found_table.setting["rules"],
                hands=hands,
                deals=deals,
                seed=seed,
                jobs=jobs or cores(),
                keep=kept_in(out),
                progress=advance,
            )
        figures = check_report.data_of(found, setting, found_table.setting, command)
        if as_json:
            report.show = partial(print_json, figures)
        else:
            report.show = partial(show, *check_report.report(found, policy))
        if report.folder is not None:
            with whole_file(report.folder / "result.json") as path:
                path.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
