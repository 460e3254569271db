"""`kloepper lab`: when to knock, knock off, call which ace, or play alone."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kloepper_agents.commands import lab_choices as cli_lab_choices
from kloepper_agents.commands import lab_hand as cli_lab_hand
from kloepper_agents.commands import lab_measures as cli_lab_measures
from kloepper_agents.commands import lab_table as cli_lab_table
from kloepper_agents.commands.deals import DealFile
from kloepper_agents.commands.lab_common import (
    AsJson,
    Policy,
    Rules,
    Seed,
    command_line,
    kept_in,
)
from kloepper_agents.commands.output import show
from kloepper_env.console import print_json, progress, read_rules

# The lab brings numba with it, so it is imported inside the commands.
if TYPE_CHECKING:
    from kloepper_agents.games.kloepper.lab.study.study import Study

ADVICE_DEALS: Final = 200


class What(StrEnum):
    """The decisions that are studied."""

    KNOCK = "knock"
    KNOCK_OFF = "knock-off"
    CALL = "call"
    ALONE = "alone"


def register(app: typer.Typer) -> None:
    """Add the commands to the top-level app."""
    lab = typer.Typer(
        name="lab",
        help="When to knock, knock off, call which ace, or play alone.",
        no_args_is_help=True,
    )
    lab.command("study", epilog="Example: kloepper lab study knock --deals 20000 --seed 1")(study)
    cli_lab_hand.register(lab)
    cli_lab_table.register(lab)
    cli_lab_choices.register(lab)
    cli_lab_measures.register(lab)
    app.add_typer(lab)


def study(
    what: Annotated[What, typer.Argument(help="The decision to study.")],
    policy: Policy = "rules",
    deals: Annotated[int, typer.Option(help="How many deals.")] = 10_000,
    seed: Seed = 0,
    deal_file: DealFile = None,
    rules: Rules = None,
    silent: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Play N opportunities of a deal that were passed up the other way; "
            "by default all, or 1 where the agent decides slowly.",
        ),
    ] = None,
    advice: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Play every opportunity of the first N deals out beforehand."
        ),
    ] = ADVICE_DEALS,
    worlds: Annotated[
        int,
        typer.Option(
            min=2, help="Consistent deals for each opportunity that is played out beforehand."
        ),
    ] = 64,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Study it under other options of the rules too.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write data, figures, plots and a page there."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How often four players make an announcement, and what each one gained.

    Every decision is played both ways on the same deal with the same luck: as it was, and with
    that announcement left out (a knock-off: the whole side lets the knock stand; a call: alone
    instead; alone: the call that the player likes best). Opportunities passed up are played
    the other way too. Players see only their own cards. A study with --out that was stopped is
    finished by the same command.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.study.files import to_json, write_study  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.study.grids import grids, notes  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.study.grids import sensitivity as rules_grid  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.study.study import run_study  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.study.variants import variants  # noqa: PLC0415  # the same

    options = read_rules(rules or [])
    others = variants(options) if sensitivity else {}

    def run(number: int, options: dict[str, object], advice: int) -> "Study":
        return run_study(
            what,
            policy,
            rules=options,
            deals=deals,
            seed=seed,
            deal_file=deal_file,
            silent=silent,
            advice_deals=advice,
            worlds=worlds,
            keep=kept_in(out, number),
            progress=advance,
        )

    with reporting(out, "lab study") as report:
        with progress("deals", deals * (1 + len(others))) as advance:
            found = run(0, options, advice)
            compared = {name: run(n, own, 0) for n, (name, own) in enumerate(others.items(), 1)}
        command = command_line(
            ["study", what],
            {
                "--policy": policy,
                "--deals": deals,
                "--seed": seed,
                "--deal-file": deal_file,
                "--silent": silent,
                "--advice": advice,
                "--worlds": worlds,
                "--sensitivity": sensitivity,
            },
            rules,
        )
        if as_json:
            report.show = partial(print_json, to_json(found, compared, command))
        else:
            found_grids = grids(found)
            if compared:
                found_grids.append(rules_grid({"as asked": found, **compared}))
            report.show = partial(show, found_grids, notes(found))
        if report.folder is not None:
            write_study(report.folder, found, compared, command)
