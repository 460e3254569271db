"""`kloepper lab belief` and its kin: measures of play beyond margins."""

from functools import partial
from typing import Annotated

import typer

from kloepper_agents.commands.lab_choices import Out, finish
from kloepper_agents.commands.lab_common import AsJson, Jobs, Policy, Rules, Seed, command_line
from kloepper_env.console import finite, progress, read_rules

# The lab brings numba with it, so it is imported inside the commands.


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("belief", epilog="Example: kloepper lab belief --belief rules --hands 200")(belief)


def belief(
    policy: Policy = "rules",
    beliefs: Annotated[
        list[str] | None,
        typer.Option(
            "--belief",
            metavar="NAME",
            help="How to weigh deals: uniform, announcements, or an agent that knows its "
            "probabilities, such as net:PATH,sample, or 'rules or net:PATH,sample'; may be given "
            "several times.",
        ),
    ] = None,
    hands: Annotated[int, typer.Option(help="How many hands.")] = 400,
    temper: Annotated[
        float, typer.Option(callback=finite, help="Power to which an agent's likelihoods count.")
    ] = 0.7,
    uniform: Annotated[
        float, typer.Option(callback=finite, help="Share of any action mixed into an agent's.")
    ] = 0.1,
    seed: Seed = 0,
    jobs: Jobs = None,
    rules: Rules = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """How well a seat can tell the others' cards and sides, in hands of a player.

    At the start of tricks 3 and 4 all consistent deals are weighed, and the true one's weight is
    compared with uniform weights, in nats. At the start of trick 3 the same weights say who is on
    the seat's side.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.measures import belief_report  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures.belief import (  # noqa: PLC0415  # the same
        ANNOUNCEMENTS,
        UNIFORM,
        judge_beliefs,
    )
    from kloepper_agents.lab.processes import cores  # noqa: PLC0415  # the same

    names, options = beliefs or [UNIFORM, ANNOUNCEMENTS], read_rules(rules or [])
    setting = {
        "policy": policy,
        "beliefs": names,
        "hands": hands,
        "temper": temper,
        "uniform": uniform,
        "seed": seed,
        "rules": options,
    }
    words = ["belief", *(word for name in names for word in ("--belief", name))]
    again = {"--policy": policy, "--hands": hands, "--temper": temper, "--uniform": uniform}
    with reporting(out, "lab belief") as reported:
        with progress("hands", hands) as advance:
            found = judge_beliefs(
                policy,
                names,
                rules=options,
                hands=hands,
                seed=seed,
                temper=temper,
                uniform=uniform,
                jobs=jobs or cores(),
                progress=advance,
            )
        command = command_line(words, {**again, "--seed": seed}, rules)
        data = belief_report.belief_data(found, names, setting, command)
        grids = partial(belief_report.belief_report, found, names, policy, seed)
        finish(reported, data, grids, as_json)
