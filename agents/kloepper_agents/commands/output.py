"""How commands print grids."""

from typing import TYPE_CHECKING

from kloepper_env.columns import print_table
from kloepper_env.terminal import say, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kloepper_agents.arena.report import Grid


def show(grids: "Sequence[Grid]", sentences: "Sequence[str]") -> None:
    """Print grids and the sentences below them."""
    for grid in grids:
        print_table(grid.header, grid.rows, title=grid.title, text=grid.text)
    for line in sentences:
        say(visible(line))
