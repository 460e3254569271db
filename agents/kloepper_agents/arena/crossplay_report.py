"""What cross-play says, as grids for people and as JSON for programs."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from kloepper_agents.arena.crossplay import CrossPlay
from kloepper_agents.arena.measured import head, known
from kloepper_agents.arena.report import Grid, with_interval


def cross_play_report(found: CrossPlay) -> tuple[list[Grid], list[str]]:
    """Grids of guests and hosts and of pairs, and what belongs under them."""
    everyone = range(len(found.agents))
    header = ["guest", *(str(i + 1) for i in everyone)]
    rows = [
        [f"{i + 1} {found.agents[i]}"]
        + ["" if i == j else with_interval(found.gain(i, j)) for j in everyone]
        for i in everyone
    ]
    title = "Payoff of a guest (row) over the host (column) in the same seat"
    pairs = [
        [f"{i + 1} – {j + 1}", with_interval(found.loss(i, j)), *_margin(found, i, j)]
        for i, j in combinations(everyone, 2)
    ]
    headings = ["pair", "loss in cross-play", *(["margin as teams"] if found.margins else [])]
    deals = len(next(iter(found.gains.values())))
    return [Grid(title, header, rows), Grid("Pairs", headings, pairs)], [
        f"{deals:,} deals, a guest in each seat; 95 % intervals, each deal counted once. The "
        "loss is the mean of both directions, in which strength cancels: what two agents lose "
        f"because their partners are of the other kind. Of all pairs: "
        f"{with_interval(found.mean_loss)}."
    ]


def _margin(found: CrossPlay, i: int, j: int) -> list[str]:
    return [with_interval(found.margins[i, j])] if found.margins else []


def cross_play_data(found: CrossPlay, setting: Mapping[str, Any], command: str) -> dict[str, Any]:
    """The same for json.dumps."""
    pairs = combinations(range(len(found.agents)), 2)
    return {
        **head(setting, command),
        "gains": [{"guest": i, "host": j, **known(found.gain(i, j))} for i, j in found.gains],
        "pairs": [
            {
                "agents": [i, j],
                "loss": known(found.loss(i, j)),
                **({"margin": known(found.margins[i, j])} if found.margins else {}),
            }
            for i, j in pairs
        ],
        "loss": known(found.mean_loss),
    }
