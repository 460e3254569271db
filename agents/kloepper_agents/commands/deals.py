"""`kloepper deals`, and the option by which other commands take them."""

from pathlib import Path
from typing import Annotated

import typer

from kloepper_env.console import print_json

DealFile = Annotated[
    Path | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Frozen deals, dev or test (see `deals`), or those of a file, one per line.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add `deals` to the command line."""
    app.command("deals", epilog="Example: kloepper arena rules greedy --deal-file dev")(deals)


def deals(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the frozen deals, which `--deal-file` takes by name.

    Choose and tune players on `dev`; report results on `test`, which nobody tunes or trains on.
    """
    from kloepper_agents.arena.deals import frozen_deals  # noqa: PLC0415  # brings numba with it

    found = [
        {
            "game": game,
            "name": name,
            "deals": len(file.read_bytes().splitlines()),
            "file": str(file),
        }
        for (game, name), file in frozen_deals().items()
    ]
    if as_json:
        print_json(found)
        return
    for one in found:
        typer.echo(f"{one['game']:10} {one['name']:6} {one['deals']:6,} deals")
