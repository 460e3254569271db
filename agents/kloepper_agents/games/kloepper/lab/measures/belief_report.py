"""What judged beliefs come to, for people and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kloepper_agents.arena.measured import head, known
from kloepper_agents.arena.report import Grid, with_interval
from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.measures.belief import PARTNERS, TRICKS, Judged
from kloepper_agents.lab.forecasts import auc, auc_interval, error_by_luck
from kloepper_agents.lab.statistics import calibration


@dataclass(frozen=True, slots=True)
class Partners:
    """How well one belief tells who is on the seat's side."""

    forecasts: int
    allies: float  # share of them that came true
    auc: float
    low: float  # of its 95 % interval
    high: float
    ece: float
    luck: float  # the error that these probabilities show on average if they are right
    brier: float


def gain_of(found: Sequence[Judged], belief: int, trick: int) -> Estimate:
    """By how many nats a belief beats uniform weights at the start of a trick."""
    return Estimate.of(np.array([one.gains[belief] for one in found if one.trick == trick]))


def hope_of(found: Sequence[Judged], belief: int, trick: int) -> Estimate:
    """By how many nats a belief itself expects to beat them."""
    return Estimate.of(np.array([one.hopes[belief] for one in found if one.trick == trick]))


def partners_of(found: Sequence[Judged], belief: int, seed: int) -> Partners | None:
    """What a belief, by its place, says of partners; None where there was nothing to say."""
    early = [one for one in found if one.trick == PARTNERS]
    asked = np.array([one.open for one in early], np.bool_).reshape(-1, 3)
    if not asked.any():
        return None
    foretold = np.clip(np.array([one.partners[belief] for one in early])[asked], 0, 1)
    happened = np.array([one.allies for one in early])[asked]
    deals = np.repeat([one.deal for one in early], 3)[asked.ravel()]
    generator = np.random.default_rng(seed)
    calibrated = calibration(foretold, happened, np.ones(len(foretold)))
    assert calibrated is not None
    low, high = auc_interval(foretold, happened, deals, generator)
    return Partners(
        forecasts=len(foretold),
        allies=float(happened.mean()),
        auc=auc(foretold, happened),
        low=low,
        high=high,
        ece=calibrated.ece,
        luck=error_by_luck(foretold, generator),
        brier=calibrated.brier,
    )


def belief_report(
    found: Sequence[Judged], beliefs: Sequence[str], policy: str, seed: int
) -> tuple[list[Grid], list[str]]:
    """Grids of judged beliefs, and what belongs under them."""
    cards = [
        [name, *(cell for trick in TRICKS for cell in _nats(found, i, trick))]
        for i, name in enumerate(beliefs)
    ]
    header = ["belief", *(name for trick in TRICKS for name in (f"trick {trick}", "expected"))]
    grids = [Grid(f"Nats above uniform for the true deal, hands of `{policy}`", header, cards)]
    told = [(name, partners_of(found, i, seed)) for i, name in enumerate(beliefs)]
    rows = [_row(name, one) for name, one in told if one is not None]
    if rows:
        title = f"Who is on the seat's side, start of trick {PARTNERS}"
        grids.append(Grid(title, ["belief", "asked", "AUC", "ECE", "by luck", "Brier"], rows))
    hands = len({one.deal for one in found})
    return grids, [
        f"{hands:,} hands, one seat each; 95 % intervals. Asked is who is an ally where that is "
        "not certain and a black queen is still to be played. A belief that expects more than it "
        "gets is too sure of itself. `By luck` is the calibration error "
        "that these probabilities would show if they were right."
    ]


def _nats(found: Sequence[Judged], belief: int, trick: int) -> tuple[str, str]:
    gain, hope = gain_of(found, belief, trick), hope_of(found, belief, trick)
    return with_interval(gain), f"{hope.mean:+.2f}" if hope.deals else "-"


def _row(name: str, one: Partners) -> list[str]:
    interval = f"{one.auc:.3f} ({one.low:.3f} to {one.high:.3f})"
    shares = [f"{share:.1%}" for share in (one.ece, one.luck)]
    return [name, f"{one.forecasts:,}", interval, *shares, f"{one.brier:.3f}"]


def belief_data(
    found: Sequence[Judged], beliefs: Sequence[str], setting: Mapping[str, Any], command: str
) -> dict[str, Any]:
    """The same for a program."""
    return {
        **head(setting, command),
        "worlds": {
            str(trick): round(float(np.mean(counts)), 1)
            for trick in TRICKS
            if (counts := [one.worlds for one in found if one.trick == trick])
        },
        "judged": {
            name: {
                "nats": {str(trick): known(gain_of(found, i, trick)) for trick in TRICKS},
                "expected": {str(trick): known(hope_of(found, i, trick)) for trick in TRICKS},
                "partners": _partners(partners_of(found, i, int(setting["seed"]))),
            }
            for i, name in enumerate(beliefs)
        },
    }


def _partners(one: Partners | None) -> dict[str, Any] | None:
    if one is None:
        return None
    values = {name: getattr(one, name) for name in ("allies", "auc", "low", "high", "ece")}
    values |= {"luck": one.luck, "brier": one.brier}
    rounded = {name: round(value, 5) for name, value in values.items() if not np.isnan(value)}
    return {"forecasts": one.forecasts, **rounded}
