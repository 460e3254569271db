"""How commands print tables."""

import textwrap
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kloepper_agents.arena.report import Grid

NARROWEST: Final = 6  # columns of a terminal, for the names of rows


def show(grids: "Sequence[Grid]", sentences: "Sequence[str]") -> None:
    """Print tables and the sentences below them."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  # keeps `kloepper --help` quick
    from rich.console import Console  # noqa: PLC0415  # the same
    from rich.table import Table  # noqa: PLC0415  # the same
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console()
    for grid in grids:
        table = Table(title=grid.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for i, column in enumerate(grid.header):
            # Names may be broken over lines, numbers never: a terminal of 80 columns is enough.
            heading = Text("\n".join(textwrap.wrap(column, 11)))
            if i:
                table.add_column(heading, justify="right", no_wrap=True)
            else:
                table.add_column(heading, overflow="fold", min_width=NARROWEST)
        for row in grid.rows:
            table.add_row(*map(Text, row))
        console.print(table)
    for line in sentences:
        console.print(Text(line))
