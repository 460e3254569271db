"""Settlement of a round of Klammern: from cards, melds and Belle to scores and Augen.

Every rule stands where it is applied and is named by its id (M26 to M30, M32 to M35). Lists of
two hold the amounts of team 0 and team 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """What the two teams have at the end of a played round."""

    takers: int  # the team
    cards: list[int]  # with the 10 for the last trick (M26)
    tricks: list[int]
    melds: list[int]  # by M24
    belle: list[int]  # by M25
    factor: int = 1  # by M30


@dataclass(frozen=True)
class Settlement:
    """The result of a played round; outcome is made, eiert or litige."""

    outcome: str
    winner: int | None  # M34
    scores: list[int]  # M30 with M35
    carry: int  # M35, left after the round


def factor_of(kontra: bool, re: bool) -> int:
    """Say by what the points of a round are multiplied (M30)."""
    if re:
        return 4
    return 2 if kontra else 1


def counted_melds(result: Result, options: Mapping[str, Any]) -> list[int]:
    """Give each team's melds as they count (M26)."""
    if not options["meld_needs_trick"]:
        return list(result.melds)
    return [result.melds[team] if result.tricks[team] > 0 else 0 for team in [0, 1]]


def totals_of(result: Result, options: Mapping[str, Any]) -> list[int]:
    """Add up each team's total (M26)."""
    melds = counted_melds(result, options)
    return [result.cards[team] + melds[team] + result.belle[team] for team in [0, 1]]


def outcome_of(result: Result, options: Mapping[str, Any]) -> str:
    """Say whether the takers made it (M27), and if not, how they failed (M28, M28a)."""
    totals = totals_of(result, options)
    own, other = totals[result.takers], totals[1 - result.takers]
    made = own > other if options["make_rule"] == "more_than_opponents" else own >= 82
    if made:
        return "made"
    return "litige" if options["tie81"] == "litige" and own == other else "eiert"


def points_after_eiert(result: Result, options: Mapping[str, Any]) -> list[int]:
    """Give both teams' points when the takers have failed (M28)."""
    takers, defenders = result.takers, 1 - result.takers
    melds = counted_melds(result, options)
    points = [0, 0]
    points[defenders] = totals_of(result, options)[defenders] + result.cards[takers]
    if options["melds_on_loss"] == "opponents":
        points[defenders] += melds[takers]
    elif options["melds_on_loss"] == "owner":
        points[takers] += melds[takers]
    belle_to = takers if options["belle_on_loss"] == "owner" else defenders
    points[belle_to] += result.belle[takers]
    return points


def settle(result: Result, options: Mapping[str, Any], carry: int = 0) -> Settlement:
    """Settle a played round into which a carry was brought (M26 to M30, M34, M35)."""
    takers, defenders = result.takers, 1 - result.takers
    outcome = outcome_of(result, options)
    suspended = 0
    points = totals_of(result, options)  # M27
    if outcome == "eiert":
        points = points_after_eiert(result, options)
    elif outcome == "litige":
        suspended, points[takers] = points[takers], 0  # M28a
    for team in [0, 1]:
        if result.tricks[team] == 8:
            points[team] += options["durchmarsch_bonus"]  # M29
    winner = defenders if outcome == "eiert" else None  # M34
    if outcome == "made" and points[0] != points[1]:
        winner = 0 if points[0] > points[1] else 1
    scores = [amount * result.factor for amount in points]  # M30
    if winner is None:
        return Settlement(outcome, None, scores, carry + suspended * result.factor)  # M35
    scores[winner] += carry  # M35
    return Settlement(outcome, winner, scores, 0)


def augen_of(result: Result, settlement: Settlement, options: Mapping[str, Any]) -> list[int]:
    """Turn a settled round into Augen (M32, M33)."""
    if options["augen_model"] == "tens":
        # M32: of the score with the carry, since M33 has to say that there it has no influence
        return [(score + 5) // 10 for score in settlement.scores]
    table = options["outcome_table"]
    augen = [0, 0]
    if settlement.winner is not None:  # M33
        role = "takers" if settlement.winner == result.takers else "defenders"
        augen[settlement.winner] += table["eiert" if settlement.outcome == "eiert" else role]
    for team in [0, 1]:
        if result.tricks[team] == 8:
            augen[team] += table["durchmarsch"]
    return [amount * result.factor for amount in augen]
