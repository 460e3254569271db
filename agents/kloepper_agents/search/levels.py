"""`level:1` to `level:5`: players for people to measure themselves against.

Each is a standard one meets at tables. They are defined by what they do and by numbers of worlds,
never by time, so that they play the same on every machine.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from kloepper_agents.base import (
    Agent,
    FloatArray,
    Int8Array,
    IntArray,
    ObservationAgent,
    WordArray,
)
from kloepper_agents.kinds import make_agent
from kloepper_env.errors import ConfigError

ABOUT: Final = (
    "a beginner: knows the rules, mostly takes what there is",
    "plays now and then: knows what is right, often forgets",
    "a regular: the rules of thumb of `rules`, without slips",
    "a strong player: weighs some of the deals that are possible",
    "an expert: the best search that this package has",
)


@dataclass(frozen=True, slots=True)
class Levels:
    """What the levels of one game are."""

    game: str
    slips: tuple[float, float]  # share of slips of levels 1 and 2
    thinkers: tuple[str, str]  # the agents that levels 4 and 5 are


class Careless(ObservationAgent):
    """Plays like `rules`, but in a share of its decisions takes the first thing that looks good.

    Those are the decisions of `greedy`: an ace is led, a fat trick is taken, no partner thought of.
    """

    def __init__(self, game: str, slips: float) -> None:
        self.slips = slips
        self._hasty, self._careful = _bot("greedy", game), _bot("rules", game)

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        hasty = (random >> np.uint64(11)) * 2.0**-53 < self.slips
        chosen: IntArray = np.where(
            hasty,
            self._hasty.act_many(observations, masks, random),
            self._careful.act_many(observations, masks, random),
        )
        return chosen

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        hasty = self._hasty.probabilities(observations, masks)
        return self.slips * hasty + (1 - self.slips) * self._careful.probabilities(
            observations, masks
        )


def _bot(name: str, game: str) -> ObservationAgent:
    bot = make_agent(name, game)
    assert isinstance(bot, ObservationAgent)
    return bot


def make_level(levels: Levels, settings: str) -> Agent:
    """`1` to `5`. Raises ConfigError for anything else."""
    numbers = [str(number) for number, _ in enumerate(ABOUT, 1)]
    if settings not in numbers:
        raise ConfigError(f"level got {settings!r}, but takes 1 to {len(ABOUT)}, as in level:3")
    below, number = levels.slips, int(settings)
    if number <= len(below):
        return Careless(levels.game, below[number - 1])
    return make_agent(("rules", *levels.thinkers)[number - len(below) - 1], levels.game)
