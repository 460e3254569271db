"""`kloepper lab hand`, `position` and `review`: what to announce with these cards, and then."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kloepper_agents.commands.lab_common import AsJson, Budget, Policy, Rules, Seed
from kloepper_agents.commands.output import show
from kloepper_env.console import print_json, progress, read_rules
from kloepper_env.errors import ConfigError

# The lab brings numba with it, so it is imported inside the commands.
if TYPE_CHECKING:
    from kloepper_env.records import Record

File = Annotated[Path, typer.Argument(help="File of records.")]
Line = Annotated[int, typer.Option("--hand", min=1, metavar="K", help="Its line K.")]


def register(lab: typer.Typer) -> None:
    """Add the commands to `kloepper lab`."""
    lab.command("hand", epilog='Example: kloepper lab hand "QC JC JS AD AS 9H" --seat 2')(hand)
    lab.command("position", epilog="Example: kloepper lab position hands.jsonl --after 4")(position)
    lab.command("review", epilog="Example: kloepper lab review hands.jsonl --hand 3")(review)


def hand(
    cards: Annotated[str, typer.Argument(help="Six cards, for example 'QC JC JS AD AS 9H'.")],
    seat: Annotated[
        str, typer.Option(metavar="PLACE", help="Its place in trick 1: lead, 2, 3 or 4.")
    ] = "lead",
    scores: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C,D",
            help="Match scores of the seats in the order of play, the one that leads first.",
        ),
    ] = None,
    policy: Policy = "rules",
    budget: Budget = 20.0,
    seed: Seed = 0,
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """What should this hand announce, and when?

    Every way to announce is played out in the same deals around the hand by players who see only
    their own cards, until the answer is settled or the budget is spent.
    """
    from kloepper_agents.games.kloepper.lab.ask import report as hand_report  # noqa: PLC0415  # see above
    from kloepper_agents.games.kloepper.lab.ask.hand import ask  # noqa: PLC0415  # the same

    with progress("seconds", math.ceil(budget)) as advance:
        answer = ask(
            cards,
            place=seat,
            policy=policy,
            rules=read_rules(rules or []),
            scores=None if scores is None else _numbers(scores),
            seconds=budget,
            seed=seed,
            progress=advance,
        )
    if as_json:
        print_json(hand_report.answer_data(answer))
    else:
        show(hand_report.tables(answer), hand_report.sentences(answer))


def _numbers(text: str) -> list[int]:
    """Whole numbers with commas between them."""
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise ConfigError(
            f"the scores are {text!r}, but must be four whole numbers such as 26,28,20,4"
        ) from None


def position(
    file: File,
    after: Annotated[int, typer.Option(min=0, metavar="N", help="After N actions.")],
    line: Line = 1,
    policy: Policy = "rules",
    budget: Budget = 20.0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What is each possible announcement worth in a recorded position?

    Deals are drawn from those consistent with what the seat knows; the true deal is not used.
    """
    from kloepper_agents.games.kloepper.lab.ask import position as positions  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.ask import report as hand_report  # noqa: PLC0415  # see above

    state = positions.position(_record(file, line), after)
    with progress("seconds", math.ceil(budget)) as advance:
        results = positions.weigh(state, policy=policy, seconds=budget, seed=seed, progress=advance)
    if as_json:
        print_json({"after": after, "seat": results.seat, **hand_report.results_data(results)})
    else:
        show(*hand_report.position_report(state, results, policy, budget))


def review(
    file: File,
    line: Line = 1,
    policy: Policy = "rules",
    deals: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Possible deals for each decision.")
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What did each announcement and each silence of a recorded hand cost?"""
    from kloepper_agents.games.kloepper.lab.ask import position as positions  # noqa: PLC0415  # the same
    from kloepper_agents.games.kloepper.lab.ask import report as hand_report  # noqa: PLC0415  # see above

    record = _record(file, line)
    deals = positions.REVIEW_DEALS if deals is None else deals
    with progress("decisions", len(positions.asked_at(record))) as advance:
        verdicts = positions.review(record, policy=policy, deals=deals, seed=seed, progress=advance)
    if as_json:
        print_json(hand_report.review_data(verdicts))
    else:
        show(*hand_report.review_report(verdicts, policy, deals))


def _record(file: Path, line: int) -> "Record":
    """A record of Kloepper."""
    from kloepper_env.records import read_record  # noqa: PLC0415  # see above

    record = read_record(file, line)
    if record.game.name != "kloepper":
        raise ConfigError(f"the lab knows kloepper only, not {record.game.name}")
    return record
