"""What measures share: how much may be asked for, and how their results are written."""

import math
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

from kloepper_agents.arena.statistics import Estimate
from kloepper_env.errors import ConfigError, shown

FORMAT: Final = 1  # of their result.json
MOST: Final = 10_000_000  # hands that anybody can wait for


def require_count(what: str, number: int, most: int = MOST) -> None:
    """Raise ConfigError for a number of something that nobody can measure."""
    if not 1 <= number <= most:
        raise ConfigError(f"{shown(number)} {what} are asked for: 1 to {most:,} are accepted")


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
