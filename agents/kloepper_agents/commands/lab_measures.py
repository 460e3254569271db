"""`kloepper lab belief` and its kin: measures of play beyond margins."""

from functools import partial
from typing import Annotated, Final

import typer

from kloepper_agents.commands.deals import DealFile
from kloepper_agents.commands.lab_choices import Out, finish
from kloepper_agents.commands.lab_common import AsJson, Jobs, Policy, Rules, Seed, command_line
from kloepper_env.console import finite, progress, read_rules
from kloepper_env.errors import ConfigError

# The lab brings numba with it, so it is imported inside the commands.

HANDS: Final = 400  # in which a player is exploited
WORLDS: Final = 128  # in which each of its actions is tried


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("belief", epilog="Example: kloepper lab belief --belief rules --hands 200")(belief)
    lab.command("exploit", epilog="Example: kloepper lab exploit rules --hands 100")(exploit)
    lab.command("equilibrium", epilog="Example: kloepper lab equilibrium --iterations 100")(
        equilibrium
    )
    lab.command("crossplay", epilog="Example: kloepper lab crossplay rules greedy --deals 500")(
        crossplay
    )


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


def exploit(
    policy: Annotated[str, typer.Argument(metavar="NAME", help="Agent of the three others.")],
    hands: Annotated[
        int | None,
        typer.Option(
            help=f"Hands to play, {HANDS} by default; of a short pack hands to ask each seat "
            "about, all by default."
        ),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(help=f"Deals in which an action is tried, {WORLDS} by default; full pack."),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    rules: Rules = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """What one seat gains that knows how the three others play.

    With the full pack it looks one action ahead at every choice, with exact beliefs: a lower
    bound. With a short pack (--rules pack=8 or pack=12) it responds best in the whole hand, and the
    gains of the four seats add up to NashConv.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.core.playing import GAME  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures import exploit_report as told  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures.best_response import exploit as play  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures.exact import exploit_exactly  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures.forests import own_hands  # noqa: PLC0415  # the same
    from kloepper_agents.lab.processes import cores  # noqa: PLC0415  # the same

    given = read_rules(rules or [])
    options = GAME.options(given)
    is_short = options.pack != GAME.options(None).pack
    setting: dict[str, object] = {"policy": policy, "hands": hands, "seed": seed, "rules": given}
    names: dict[str, object] = {"--hands": hands, "--seed": seed}
    if is_short and worlds is not None:
        raise ConfigError("--worlds is for the full pack: of a short one all deals are taken")
    with reporting(out, "lab exploit") as reported:
        if is_short:
            total = 4 * min(hands or 10**9, len(own_hands(options)))
            with progress("hands", total) as advance:
                answers = exploit_exactly(
                    policy,
                    rules=given,
                    hands=hands,
                    seed=seed,
                    jobs=jobs or cores(),
                    progress=advance,
                )
            command = command_line(["exploit", policy], names, rules)
            data = told.exact_data(answers, options, setting, command)
            finish(reported, data, partial(told.exact_report, answers, policy, options), as_json)
            return
        hands = HANDS if hands is None else hands
        worlds = WORLDS if worlds is None else worlds
        with progress("hands", hands) as advance:
            played = play(
                policy,
                rules=given,
                hands=hands,
                seed=seed,
                worlds=worlds,
                jobs=jobs or cores(),
                progress=advance,
            )
        names |= {"--hands": hands, "--worlds": worlds}
        setting |= {"hands": hands, "worlds": worlds}
        data = told.exploit_data(played, setting, command_line(["exploit", policy], names, rules))
        finish(reported, data, partial(told.exploit_report, played, policy, worlds), as_json)


def equilibrium(
    iterations: Annotated[int, typer.Option(help="Iterations of CFR+.")] = 200,
    rules: Rules = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Solve the pack of 8 cards, announcements and all: the reference of what can be reached.

    Four tabular players learn against each other by CFR+ until nobody gains much by deviating.
    """
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.measures import exploit_report as told  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.measures.exact import find_reference  # noqa: PLC0415  # the same

    given = {"pack": 8, **read_rules(rules or [])}
    with reporting(out, "lab equilibrium") as reported:
        with progress("iterations", iterations) as advance:
            found = find_reference(rules=given, iterations=iterations, progress=advance)
        setting = {"iterations": iterations, "rules": given}
        command = command_line(["equilibrium"], {"--iterations": iterations}, rules)
        data = told.reference_data(found, setting, command)
        finish(reported, data, partial(told.reference_report, found), as_json)


def crossplay(
    names: Annotated[list[str], typer.Argument(metavar="A B [C]...", help="Agents to mix.")],
    game: Annotated[str, typer.Option(help="Game to play.")] = "kloepper",
    deals: Annotated[int, typer.Option(help="Deals of each pair.")] = 1000,
    teams: Annotated[
        bool, typer.Option(help="Also play a duplicate match of each pair, teams exchanged.")
    ] = True,
    seed: Seed = 0,
    deal_file: DealFile = None,
    rules: Rules = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """What an agent gains or loses among others, as a guest in one seat of each.

    Its payoff is compared with that of the host in the same seat on the same deals. What is lost in
    both directions is the price of conventions that only partners of one kind understand.
    """
    from kloepper_agents.arena import crossplay_report as told  # noqa: PLC0415  # see above
    from kloepper_agents.arena.crossplay import cross_play  # noqa: PLC0415  # the same
    from kloepper_agents.arena.files import reporting  # noqa: PLC0415  # the same

    given = read_rules(rules or [])
    with reporting(out, "lab crossplay") as reported:
        with progress("deals", deals * len(names) * (len(names) - 1)) as advance:
            found = cross_play(
                names,
                game=game,
                rules=given,
                deals=deals,
                seed=seed,
                deal_file=deal_file,
                teams=teams,
                progress=advance,
            )
        file = None if deal_file is None else str(deal_file)
        setting = {
            "agents": names,
            "game": game,
            "rules": given,
            "deals": deals,
            "seed": seed,
            "deal_file": file,
            "teams": teams,
        }
        again = {"--game": game, "--deals": deals, "--seed": seed, "--deal-file": file}
        words = ["crossplay", *names, *([] if teams else ["--no-teams"])]
        data = told.cross_play_data(found, setting, command_line(words, again, rules))
        finish(reported, data, partial(told.cross_play_report, found), as_json)
