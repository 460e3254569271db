"""`kloepper lab regret` and `sweeps`: single choices of cards, judged by all consistent deals."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kloepper_agents.commands.lab_common import AsJson, Jobs, Policy, Rules, Seed, command_line
from kloepper_agents.commands.output import show
from kloepper_env.console import print_json, progress, read_rules
from kloepper_env.files import whole_file

# The lab brings numba with it, so it is imported inside the commands.
if TYPE_CHECKING:
    from kloepper_agents.arena.files import Reporting
    from kloepper_agents.arena.report import Grid


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("regret", epilog="Example: kloepper lab regret --policy level:4 --hands 500")(
        regret
    )
    lab.command("sweeps", epilog="Example: kloepper lab sweeps --policy level:5 --seed 1")(sweeps)


Out = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write the figures there as result.json.")
]


def regret(
    policy: Policy = "rules",
    hands: Annotated[int, typer.Option(help="How many hands.")] = 2_000,
    seed: Seed = 0,
    jobs: Jobs = None,
    rules: Rules = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """How often a player plays a card that another one beats whatever the others hold.

    Four of the player play hands. In each choice from trick 3 on with at most 400 consistent
    deals all of them are solved with open cards: a card is dominated if another is as good in
    each of them and better in some.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.choices import report  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.choices.regret import judge_player  # noqa: PLC0415  # the same
    from kloepper_agents.lab.processes import cores  # noqa: PLC0415  # the same

    options = read_rules(rules or [])
    setting = {"policy": policy, "hands": hands, "seed": seed, "rules": options}
    names = {"--policy": policy, "--hands": hands, "--seed": seed}
    with reporting(out, "lab regret") as reported:
        with progress("hands", hands) as advance:
            found = judge_player(
                policy,
                rules=options,
                hands=hands,
                seed=seed,
                jobs=jobs or cores(),
                progress=advance,
            )
        data = report.regret_data(found, setting, hands, command_line(["regret"], names, rules))
        finish(reported, data, partial(report.regret_report, found, policy, hands), as_json)


def sweeps(
    policy: Policy = "rules",
    positions: Annotated[int, typer.Option(help="How many positions.")] = 400,
    seed: Seed = 1,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """What a player does in knocked hands where one class of cards is right.

    Half of the positions are those of a lone knocker, half of partners; half of each are the red
    side's to play. Each class of cards leaves a sweep in a share of the consistent deals, and one
    is clearly best. The positions depend on the seed alone.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.choices import report  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.choices.sweeps import answers  # noqa: PLC0415  # the same
    from kloepper_agents.kinds import make_agent  # noqa: PLC0415  # the same

    setting = {"policy": policy, "positions": positions, "seed": seed}
    names = {"--policy": policy, "--positions": positions, "--seed": seed}
    with reporting(out, "lab sweeps") as reported:
        found = []
        with progress("positions", positions) as advance:
            for answer in answers(make_agent(policy), positions, seed):
                found.append(answer)
                advance(1)
        data = report.sweeps_data(found, setting, command_line(["sweeps"], names))
        finish(reported, data, partial(report.sweeps_report, found, policy), as_json)


def finish(
    report: "Reporting",
    data: dict[str, Any],
    grids: "Callable[[], tuple[list[Grid], list[str]]]",
    as_json: bool,
) -> None:
    """Write the figures where they were asked for, and have them printed."""
    report.show = partial(print_json, data) if as_json else lambda: show(*grids())
    if report.folder is not None:
        with whole_file(report.folder / "result.json") as path:
            path.write_text(json.dumps(data, indent=2) + "\n", "utf-8")
