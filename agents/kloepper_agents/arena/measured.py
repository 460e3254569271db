"""What the results of measures begin with, and how they write an estimate."""

import math
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

from kloepper_agents.arena.statistics import Estimate

FORMAT: Final = 1  # of their result.json


def head(setting: Mapping[str, Any], command: str) -> dict[str, Any]:
    """The beginning of a result.json: what was measured, and the command that does it again."""
    return {"format": FORMAT, "kloepper": version("kloepper"), "command": command, **setting}


def known(estimate: Estimate) -> dict[str, Any]:
    """An estimate for json.dumps, with None for numbers that are not known."""
    half = estimate.half_width if math.isfinite(estimate.half_width) else None
    return {
        "mean": round(estimate.mean, 5),
        "half_width": None if half is None else round(half, 5),
        "deals": estimate.deals,
    }
