"""`level:1` to `level:5`: players for people to measure themselves against.

Each is a standard one meets at tables. They are defined by what they do and by numbers of worlds,
never by time, so that they play the same on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from kloepper_agents.base import Agent, Int8Array, IntArray, ObservationAgent, WordArray, make_agent
from kloepper_agents.search.ismcts import Ismcts
from kloepper_agents.search.leaves import DoubleDummy
from kloepper_agents.search.searcher import OnePly
from kloepper_env.errors import ConfigError


class Careless(ObservationAgent):
    """Plays like `rules`, but in a share of its decisions takes the first thing that looks good.

    Those are the decisions of `greedy`: an ace is led, a fat trick is taken, no partner thought of.
    """

    def __init__(self, slips: float) -> None:
        self.slips = slips
        self._hasty, self._careful = _bot("greedy"), _bot("rules")

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        hasty = (random >> np.uint64(11)) * 2.0**-53 < self.slips
        chosen: IntArray = np.where(
            hasty,
            self._hasty.act_many(observations, masks, random),
            self._careful.act_many(observations, masks, random),
        )
        return chosen


def _bot(name: str) -> ObservationAgent:
    bot = make_agent(name)
    assert isinstance(bot, ObservationAgent)
    return bot


@dataclass(frozen=True)
class Level:
    """One standard of play."""

    about: str
    make: Callable[[], Agent]


LEVELS: Final[dict[str, Level]] = {
    "1": Level("a beginner: knows the rules, mostly takes what there is", lambda: Careless(0.55)),
    "2": Level("plays now and then: knows what is right, often forgets", lambda: Careless(0.28)),
    "3": Level("a regular: the rules of thumb of `rules`, without slips", lambda: _bot("rules")),
    "4": Level("a strong player: weighs some deals", lambda: OnePly(DoubleDummy(), worlds=16)),
    "5": Level("an expert: thinks the replies through", lambda: Ismcts(iterations=1000)),
}


def make_level(game: str, settings: str) -> Agent:
    """`1` to `5`. Raises ConfigError for anything else."""
    if settings not in LEVELS:
        raise ConfigError(f"level got {settings!r}, but takes 1 to {len(LEVELS)}, as in level:3")
    return LEVELS[settings].make()
