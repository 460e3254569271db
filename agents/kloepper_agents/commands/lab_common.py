"""What the commands of the lab share: options, and the line that does it again."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from kloepper_env.console import finite

Policy = Annotated[
    str, typer.Option(metavar="NAME", help="Agent that plays all four seats; see `agents`.")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; may be given several times."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the deals and of all chance.")]
Budget = Annotated[
    float,
    typer.Option(
        callback=finite, metavar="SECONDS", help="Stop after so long if nothing is settled."
    ),
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; by default one for each core.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def kept_in(out: Path | None, number: int = 0) -> Path | None:
    """Where the pieces of the `number`-th calculation for the folder `out` are kept."""
    from kloepper_agents.arena.files import PIECES  # noqa: PLC0415  # it brings numba with it

    return None if out is None else out / f"{PIECES}.{number}"


def command_line(
    words: list[str], options: dict[str, object], rules: list[str] | None = None
) -> str:
    """The command line that does it again."""
    line = ["kloepper", "lab", *words]
    for name, value in options.items():
        if value is True:
            line.append(name)
        elif value is not None and value is not False:
            line += [name, str(value)]
    for rule in rules or []:
        line += ["--rules", rule]
    return shlex.join(line)
