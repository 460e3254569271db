"""The answer about a hand or a position, for people and for programs."""

import math
from collections.abc import Sequence
from typing import Any, Final

from kloepper_agents.arena.report import Grid, with_interval
from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.ask.hand import Answer
from kloepper_agents.games.kloepper.lab.ask.position import Verdict
from kloepper_agents.games.kloepper.lab.core.evaluate import Results
from kloepper_agents.games.kloepper.lab.core.playing import BLACK, POLICY
from kloepper_agents.games.kloepper.lab.study.files import data
from kloepper_env.cards import pretty
from kloepper_env.games.kloepper.kernels import STAKE_KNOCK, STAKE_KNOCK_OFF, STAKE_LONE_KNOCK
from kloepper_env.state import State

WIN, BIG_WIN = 61, 91  # card points for the black side (K20)
PLACES: Final = {"lead": "leads to trick 1", "2": "plays second", "3": "plays third", "4": "last"}
KNOCK: Final = "knock"
UNIT: Final = (
    "Payoff: twice what the seat scores over the mean of all seats, so in a hand of two against "
    "two the stake won or lost; a soloist's counts half as much again. 61+ and 91+ are card "
    "points of the own side, known where no hand ends early."
)


def percent(estimate: Estimate | None) -> str:
    """A probability with its interval, in per cent."""
    if estimate is None:
        return "-"
    known = estimate.is_shown and estimate.half_width >= 5e-4
    half = f"±{100 * estimate.half_width:.1f}" if known else ""
    return f"{100 * estimate.mean:.1f}{half}"


def grid(title: str, results: Results, wins: Sequence[Estimate] | None = None) -> Grid:
    """The options that are compared, the best first, then what the policy does of its own."""
    header = ["", "payoff", "all tricks %", "61+ %", "91+ %"]
    own = [i for i, option in enumerate(results.options) if option.plan == POLICY and option.of]
    rows = []
    for i in [*results.compared, *own]:
        row = [
            results.options[i].name,
            with_interval(results.payoff(i)),
            percent(results.swept(i)),
            percent(results.reaches(i, WIN)),
            percent(results.reaches(i, BIG_WIN)),
        ]
        rows.append(row if wins is None else [*row, percent(wins[i])])
    return Grid(title, header if wins is None else [*header, "wins game %"], rows)


def replies(results: Results, silent: str) -> list[Grid]:
    """What each knock needs, where it is made, and what a knock-off does to it; empty without."""
    needs, answers = [], []
    for i in results.compared:
        option, made = results.options[i], results.knocked(i)
        if not option.knocks or not made.any():
            continue
        some = results.part(made)
        w = some.payoff(results.index(silent)).mean
        row = [option.name, percent(results.estimate(made)), percent(some.swept(i))]
        if (some.outcomes[i, :, BLACK] == 1 << results.seat).all():  # K18: nobody may answer
            needs.append([*row, f"{needed(w, 1.5 * STAKE_LONE_KNOCK):.0%}", "-", "-"])
            continue
        stakes = [f"{needed(w, stake):.0%}" for stake in (STAKE_KNOCK, STAKE_KNOCK_OFF)]
        needs.append([*row, *stakes, percent(some.answered(i))])
        told = [j for j, other in enumerate(results.options) if other.of == option.name]
        if told:  # the policy is fast enough to be played with and without an answer
            answers.append([option.name, *(with_interval(some.payoff(j)) for j in (i, *told))])
    header = ["", "made %", "all tricks %", "needed", "needed if knocked off", "knocked off %"]
    grids = [
        Grid("Knocks, where they are made: how likely all tricks are, and must be", header, needs)
    ]
    if answers:
        header = ["", "by their judgement", "never", "always"]
        grids.append(Grid("... and their payoff if the others knock off", header, answers))
    return grids if needs else []


def verdict(results: Results) -> str:
    """The best line and by how much."""
    best, *rest = results.ranked
    name = results.options[best].name
    if not rest:
        return f"Nothing else to announce: {name}."
    gap = results.gap(best, rest[0])
    other = results.options[rest[0]].name
    if results.settled and gap.mean <= 3 * gap.standard_error:
        return f"Too close to matter: {name} or {other} ({with_interval(gap)})."
    word = "Best" if results.settled else "Best so far, not settled"
    return f"{word}: {name}, by {with_interval(gap)} over {other}."


def needed(silent: float, stake: float) -> float:
    """How likely all tricks must be for stake * (2 p - 1) to reach the payoff of silence."""
    return min(max((silent / stake + 1) / 2, 0.0), 1.0)


def effort(results: Results, budget: float) -> str:
    """What was played, and what more time would bring."""
    line = f"{results.deals:,} deals in {results.seconds:.1f} s"
    if results.is_enough:
        return f"{line}; settled."
    widest = max(results.payoff(i).half_width for i in results.compared)
    if not math.isfinite(widest):
        return f"{line}: too few to tell; give a longer --budget."
    more = 4 * max(budget, 1.0)
    return (
        f"{line}; the widest interval is ±{widest:.2f}, with --budget {more:.0f} it would be about "
        f"±{widest * math.sqrt(results.seconds / more):.2f}."
    )


def tables(answer: Answer) -> list[Grid]:
    """The tables of an answer."""
    question, results = answer.question, answer.results
    cards = " ".join(map(pretty, question.cards))
    title = f"{cards} {PLACES[question.place]}; four `{question.policy}` play"
    found = [grid(title, results, answer.wins)]
    found += replies(results, results.options[0].name)
    if answer.blind is not None:
        found.append(grid("If whoever holds a black queen knocks before the lead", answer.blind))
    if answer.asked is not None:
        share = answer.asked.deals / answer.looked_through
        found.append(
            grid(f"If somebody has knocked of itself ({share:.2%} of the deals)", answer.asked)
        )
    return found


def sentences(answer: Answer) -> list[str]:
    """What the tables say, in words."""
    question, results = answer.question, answer.results
    lines = []
    if answer.looked_through:
        lines.append("No black queen: nothing to announce but a knock-off.")
        if answer.blind is not None:
            lines.append(f"After a blind knock: {verdict(answer.blind)}")
        if answer.asked is None:
            lines.append(f"In {answer.looked_through:,} deals nobody knocked of itself.")
        else:
            swept = answer.asked.swept(1)
            lines.append(
                f"After a true one: {verdict(answer.asked)} A knock-off pays where all tricks are "
                f"less likely than 50 %; they come in {percent(swept)} %."
            )
    else:
        lines.append(verdict(results))
    lines.append(effort(results, question.seconds))
    if answer.asked is not None:
        lines.append(f"Knocked: {effort(answer.asked, question.seconds)}")
    return [*lines, UNIT]


def results_data(results: Results, wins: Sequence[Estimate] | None = None) -> dict[str, Any]:
    """A comparison for a program."""
    best, *rest = results.ranked
    found = {
        "deals": results.deals,
        "settled": results.settled,
        "best": results.options[best].name,
        "gap": results.gap(best, rest[0]) if rest else None,
        "options": [
            {
                "name": option.name,
                "tells_more_of": option.of,
                "payoff": results.payoff(i),
                "standard_error": results.payoff(i).standard_error,
                "all_tricks": results.swept(i),
                "knocked": results.estimate(results.knocked(i)),
                "answered": results.answered(i),
                "points_61": results.reaches(i, WIN),
                "points_91": results.reaches(i, BIG_WIN),
                "wins_game": None if wins is None else wins[i],
            }
            for i, option in enumerate(results.options)
        ],
    }
    plain: dict[str, Any] = data(found)
    return plain


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer for a program."""
    question = answer.question
    return {
        "cards": list(question.cards),
        "seat": question.place,
        "policy": question.policy,
        "rules": dict(question.rules),
        "scores": None if question.scores is None else list(question.scores),
        "seed": question.seed,
        **results_data(answer.results, answer.wins),
        "if_knocked_blindly": None if answer.blind is None else results_data(answer.blind),
        "if_knocked": None if answer.asked is None else results_data(answer.asked),
        "deals_looked_through": answer.looked_through,
    }


# --- positions -----------------------------------------------------------------------------------


def position_report(
    state: State, results: Results, policy: str, budget: float
) -> tuple[list[Grid], list[str]]:
    """Tables and sentences about a position."""
    cards = " ".join(map(pretty, state.cards(results.seat)))
    found = [grid(f"Seat {results.seat} holds {cards}; four `{policy}` play", results)]
    if KNOCK in state.legal():
        found += replies(results, results.options[0].name)
    return found, [verdict(results), effort(results, budget), UNIT]


def review_report(
    verdicts: Sequence[Verdict], policy: str, deals: int
) -> tuple[list[Grid], list[str]]:
    """The table of a review, and what belongs under it."""
    rows = [
        [
            f"{one.after}: seat {one.seat}",
            " ".join(map(pretty, one.cards)),
            one.did,
            "" if one.best == one.did else one.best,
            with_interval(one.cost) if one.best != one.did else "",
            percent(one.success) if one.success is not None else "",
        ]
        for one in verdicts
    ]
    header = ["after actions", "holds", "did", "better", "cost", "all tricks after a knock %"]
    lines = [
        f"Weighed in {deals:,} deals that the seat thinks possible, played out by four {policy}. "
        "Half of them choose what is better, the other half tell by how much.",
        UNIT,
    ]
    return [Grid("Announcements and silences", header, rows, text=range(4))], lines


def review_data(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """A review for a program."""
    plain: list[dict[str, Any]] = data(verdicts)
    return plain
