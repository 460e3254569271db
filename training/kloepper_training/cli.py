"""The command `kloepper`: one application, to which each room adds its commands.

It stands here because this is the room that sees all the others. Heavy modules are imported
inside the commands, so that `kloepper --help` answers at once.
"""

import sys
from typing import Annotated

import typer

import kloepper_env
from kloepper_agents import cli as agents_cli
from kloepper_env import cli as env_cli
from kloepper_env import console
from kloepper_training import cli_bench, cli_train, curve


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"kloepper {kloepper_env.__version__}")
        raise typer.Exit


app = typer.Typer(
    name="kloepper",
    help="Environments, players, training and decision research for trick-taking games "
    "with hidden partners.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
for room in (cli_train, curve, agents_cli, env_cli, cli_bench):
    room.register(app)


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", is_eager=True, callback=_version
        ),
    ] = False,
) -> None:
    """Options of the command itself."""


def main() -> None:
    """Entry point of the console command."""
    sys.exit(console.main(app))


if __name__ == "__main__":
    main()
