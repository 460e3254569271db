"""The command `kloepper`: one application, to which each package adds its commands.

It stands here because this is the package that sees all the others. Heavy modules are imported
inside the commands, so that `kloepper --help` answers at once.
"""

import inspect
import sys
from typing import Annotated

import typer

import kloepper_env
from kloepper_agents.commands import app as agents_cli
from kloepper_env import console
from kloepper_env.commands import app as env_cli
from kloepper_training import cli_bench, cli_exploiter, cli_train, curve


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
    rich_markup_mode=None,  # help is text: brackets and backticks are shown
)


def summarise(typer_app: typer.Typer) -> None:
    """Have lists of commands show the first paragraph of each whole, and not cut to one line."""
    for command in typer_app.registered_commands:
        command.short_help = (inspect.getdoc(command.callback) or "").partition("\n\n")[0]
    for group in typer_app.registered_groups:
        if group.typer_instance is not None:
            group.short_help = group.typer_instance.info.help
            summarise(group.typer_instance)


for commands in (cli_train, curve, cli_exploiter, agents_cli, env_cli, cli_bench):
    commands.register(app)
summarise(app)


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
