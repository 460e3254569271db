"""`kloepper play`: sit down at the table, in the terminal."""

import secrets
from typing import Annotated

import typer

from kloepper_agents.commands.sitting import ADVISER, YOU, Manners, Session
from kloepper_agents.commands.speech import Quit, read_names
from kloepper_agents.episode import Episode
from kloepper_env.console import read_rules

# Games bring numba with them, so whatever needs one is imported inside the command.


def register(app: typer.Typer) -> None:
    """Add the command to the top-level app."""
    app.command("play", epilog="Example: kloepper play --seats you,rules,rules,rules --seed 7")(
        play
    )


def play(
    game: Annotated[str, typer.Option(help="Game to play.")] = "kloepper",
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Who sits in each seat: `you` (more than once if you like) or an agent; by "
            "default you and `rules` (`random` where a game has no `rules`). A name with a comma "
            "may stand in quotes.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the deals; random if not given.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option of the game; may be given several times."
        ),
    ] = None,
    episode: Annotated[Episode, typer.Option(help="One hand, or a whole game.")] = Episode.HAND,
    names: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="What to call those in the seats, by seat."),
    ] = None,
    teach: Annotated[
        bool, typer.Option("--teach", help="Tell the rule behind each choice, and some advice.")
    ] = False,
    ask_forced: Annotated[
        bool, typer.Option("--ask-forced", help="Ask also where only one action is legal.")
    ] = False,
) -> None:
    """Play in the terminal. Type ? at the table for help."""
    from kloepper_agents.kinds import plays, split_names  # noqa: PLC0415  # see above
    from kloepper_env.games import set_up  # noqa: PLC0415  # see above

    options = read_rules(rules or [])
    n_others = set_up(game, options)[0].n_seats - 1
    others = [ADVISER if plays(ADVISER, game) else "random"] * n_others
    seated = split_names(seats, YOU) if seats else [YOU, *others]
    called = read_names(names, n_others + 1) if names is not None else ()
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    session = Session(game, options, seated, seed, Manners(called, ask_forced, teach))
    try:
        session.play_game() if episode is Episode.GAME else session.play_hand(0, None)
    except Quit:
        session.say("stopped")
