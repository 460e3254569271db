"""What the commands of the lab share: options, and how tables are printed."""

import shlex
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

# The lab brings numba with it, so it is imported inside the commands.
if TYPE_CHECKING:
    from collections.abc import Sequence

    from kloepper_agents.arena.report import Grid

Policy = Annotated[
    str, typer.Option(metavar="NAME", help="Agent that plays all four seats; see `agents`.")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; may be given several times."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the deals and of all chance.")]
Budget = Annotated[
    float, typer.Option(metavar="SECONDS", help="Stop after so long if nothing is settled.")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; by default one for each core.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def show(tables: "Sequence[Grid]", sentences: "Sequence[str]") -> None:
    """Print tables and the sentences below them."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  # keeps `kloepper --help` quick
    from rich.console import Console  # noqa: PLC0415  # the same
    from rich.table import Table  # noqa: PLC0415  # the same
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console()
    for grid in tables:
        table = Table(title=grid.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for i, column in enumerate(grid.header):
            # Names may be broken over lines, numbers never: a terminal of 80 columns is enough.
            heading = Text("\n".join(textwrap.wrap(column, 11)))
            if i:
                table.add_column(heading, justify="right", no_wrap=True)
            else:
                table.add_column(heading, overflow="fold", min_width=16)
        for row in grid.rows:
            table.add_row(*map(Text, row))
        console.print(table)
    for line in sentences:
        console.print(Text(line))


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
