"""`kloepper lab table` and `rules`: all hands, and what can be remembered of them."""

from pathlib import Path
from typing import Annotated

import typer

from kloepper_agents.cli_lab_common import AsJson, Rules, Seed, show
from kloepper_env.console import print_json, progress, read_rules
from kloepper_env.errors import ConfigError

# The lab brings numba with it, so it is imported inside the commands.


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("table", epilog="Example: kloepper lab table --out table.npz --seed 1")(table)
    lab.command("rules", epilog="Example: kloepper lab rules")(rules)


def table(
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Make a table: an .npz file.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All 75,304 classes, not only those with a black queen.")
    ] = False,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    quiet_error: Annotated[
        float, typer.Option(help="Standard error to reach for the payoff of silence.")
    ] = 0.05,
    gap_error: Annotated[
        float,
        typer.Option(help="... for what an announcement gains, unless its sign is clear before."),
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
    from kloepper_agents.lab import table_files  # noqa: PLC0415  # see above
    from kloepper_agents.lab.playing import GAME  # noqa: PLC0415  # the same
    from kloepper_agents.lab.table import Effort, classes  # noqa: PLC0415  # the same

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
            table_files.make_table(out, setting, jobs=jobs, progress=advance)
    if csv is not None:
        path = table_files.SHIPPED if out is None else out
        table_files.write_table_csv(csv, table_files.load_table(path))


def rules(
    file: Annotated[
        Path | None,
        typer.Option("--table", metavar="FILE", help="A table; else the one of the package."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Rules of thumb for the first announcement, and what each of them loses per hand.

    They are fitted to one half of the classes of hands and judged by the other.
    """
    from kloepper_agents.lab import table_files, thumb, thumb_report  # noqa: PLC0415  # see above

    path = table_files.SHIPPED if file is None else file
    rows = table_files.load_table(path).rows
    found, aces = thumb.distil(rows), thumb.ace_gains(rows)
    if as_json:
        print_json(thumb_report.data_of(found, aces))
    else:
        show(*thumb_report.report(found, aces))
