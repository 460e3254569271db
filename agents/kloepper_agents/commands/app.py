"""The commands of this package: `arena`, `agents`, `record`, and those of the other files."""

import shlex
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kloepper_agents.commands import deals as cli_deals
from kloepper_agents.commands import export as cli_export
from kloepper_agents.commands import lab as cli_lab
from kloepper_agents.commands import play as cli_play
from kloepper_agents.commands.deals import DealFile
from kloepper_agents.commands.output import show
from kloepper_agents.episode import Episode
from kloepper_env.columns import print_table
from kloepper_env.console import finite, print_json, progress, read_rules
from kloepper_env.errors import ConfigError

# The arena brings numba with it, so it is imported inside the commands.
if TYPE_CHECKING:
    from kloepper_agents.arena.league import League

DEALS: Final = 1000  # of a match
DEALS_UNTIL: Final = 100_000  # most of a match that may stop early

Game = Annotated[str, typer.Option(help="Game to play.")]
Seed = Annotated[int, typer.Option(help="Seed of the deals and of the agents' chance.")]
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; may be given several times."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the top-level app."""
    app.command("arena", epilog="Example: kloepper arena rules greedy random --deals 5000")(arena)
    app.command("agents", epilog="Example: kloepper agents")(agents)
    app.command("record", epilog="Example: kloepper record --hands 100 --seed 1 -o hands.jsonl")(
        record
    )
    cli_deals.register(app)
    cli_play.register(app)
    cli_export.register(app)
    cli_lab.register(app)


def arena(
    names: Annotated[list[str], typer.Argument(metavar="A B [C]...", help="Agents to compare.")],
    game: Game = "kloepper",
    deals: Annotated[
        int | None,
        typer.Option(help=f"Deals of each match, by default {DEALS:,}; with --until the most."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            callback=finite,
            metavar="DIFFERENCE",
            help="Stop when it is known who is better, or that they differ by less than this; "
            f"--deals is {DEALS_UNTIL:,} then.",
        ),
    ] = None,
    episode: Annotated[
        Episode, typer.Option(help="Single hands, or whole games: then --deals counts games.")
    ] = Episode.HAND,
    seed: Seed = 0,
    deal_file: DealFile = None,
    rules: Rules = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write result.json and report.html there.")
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="Write every hand to DIR/records.jsonl too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare agents in duplicate matches, each pair of them on the same deals.

    The margin is the score of a seat of the first agent minus that of a seat of the second, in
    points per hand, or the share of the games won minus that lost, with a 95 % interval. With
    --until the match of two agents ends when its question is answered, and its interval is made
    for that.
    """
    from kloepper_agents.arena.files import records_in, reporting, write_report  # noqa: PLC0415  # see above
    from kloepper_agents.arena.league import play_league  # noqa: PLC0415  # see above
    from kloepper_agents.arena.report import grids, notes, to_json  # noqa: PLC0415  # see above

    if records and out is None:
        raise ConfigError("--records needs a folder to write to: give --out DIR")
    options = read_rules(rules or [])
    if deals is None:
        deals = DEALS if until is None else DEALS_UNTIL
    pairs = len(names) * (len(names) - 1) // 2
    with reporting(out, "arena") as report:
        folder = report.folder
        recording = records_in(folder, game, options) if folder and records else nullcontext()
        with progress("deals", deals * pairs) as advance, recording as recorder:
            league = play_league(
                names,
                game=game,
                rules=options,
                episode=episode,
                deals=deals,
                seed=seed,
                deal_file=deal_file,
                until=until,
                recorder=recorder,
                progress=advance,
            )
            command = _command(league, rules or [])
            if as_json:
                report.show = partial(print_json, to_json(league, command))
            else:
                report.show = partial(show, grids(league), notes(league))
        if folder is not None:
            write_report(folder, league, command)


def _command(league: "League", rules: list[str]) -> str:
    """The command line that plays a league again."""
    setting = league.setting
    words = ["kloepper", "arena", *league.agents, "--game", setting.game]
    if setting.episode != Episode.HAND:
        words += ["--episode", setting.episode]
    words += ["--deals", str(setting.deals), "--seed", str(setting.seed)]
    if setting.until is not None:
        words += ["--until", str(setting.until)]
    if setting.deal_file is not None:
        words += ["--deal-file", setting.deal_file]
    for rule in rules:
        words += ["--rules", rule]
    return shlex.join(words)


def agents(as_json: AsJson = False) -> None:
    """List the kinds of agents. An agent is named by its kind, then settings behind a colon."""
    from kloepper_agents.kinds import KINDS, games_of  # noqa: PLC0415  # see above

    if as_json:
        print_json(
            [
                {"kind": name, "about": kind.about, "games": games_of(name)}
                for name, kind in KINDS.items()
            ]
        )
        return
    rows = [[name, kind.about, ", ".join(games_of(name))] for name, kind in KINDS.items()]
    print_table(["kind", "what it does", "games"], rows, text=range(3))


def record(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="File to write.")],
    hands: Annotated[int, typer.Option(help="How many hands.")],
    game: Game = "kloepper",
    seed: Seed = 0,
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C,D", help="Agents of the seats; random for all seats by default."
        ),
    ] = None,
    rules: Rules = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="Write the legal actions of every decision too.")
    ] = False,
    trajectories: Annotated[
        bool,
        typer.Option(
            "--trajectories",
            help="Write what each seat saw, did and got as arrays instead, to FILE.npy.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
) -> None:
    """Play hands and write them down, one record per line.

    The same command writes the same bytes.
    """
    from kloepper_agents.kinds import split_names  # noqa: PLC0415  # see above
    from kloepper_agents.recorder import record_hands  # noqa: PLC0415  # the same
    from kloepper_agents.trajectories import record_trajectories  # noqa: PLC0415  # the same

    if legal and trajectories:
        raise ConfigError("--legal is for records: trajectories hold the legal actions anyway")
    write = record_trajectories if trajectories else partial(record_hands, legal=legal)
    with progress("hands", hands) as advance:
        write(
            output,
            None if agents is None else split_names(agents),
            game=game,
            rules=read_rules(rules or []),
            hands=hands,
            seed=seed,
            force=force,
            progress=advance,
        )
