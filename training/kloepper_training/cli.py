"""The command `kloepper`: one application, to which each room adds its commands.

It stands here because this is the room that sees all the others. Heavy modules are imported
inside the commands, so that `kloepper --help` answers at once.
"""

import sys

import typer

from kloepper_agents.commands import app as agents_cli
from kloepper_env import console
from kloepper_env.commands import app as env_cli
from kloepper_training import cli_bench, cli_train, curve

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


def main() -> None:
    """Entry point of the console command."""
    sys.exit(console.main(app))
