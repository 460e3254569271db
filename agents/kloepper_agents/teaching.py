"""What learners are taught by: the advice of `rules`, and what each card turns out to be worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import Int8Array, IntArray, ObservationAgent
from kloepper_agents.kinds import make_agent
from kloepper_agents.registry import players_of
from kloepper_env.engine import Records
from kloepper_env.games.game import Game

FloatArray = NDArray[np.float32]
Worth = Callable[[Records], FloatArray]
"""Hands [N] in all of which a card is to be played -> payoff [N, cards] of the seat that plays it,
NaN where the card is not legal. It may use all cards: it teaches, and never plays."""


@dataclass(frozen=True)
class Lesson:
    """About N decisions with A actions."""

    advice: IntArray  # [N] what `rules` does
    worth: FloatArray  # [N, A] payoffs in units of the game; NaN where nobody can say

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The lessons of several steps as one, in their order."""
        advice = np.concatenate([part.advice for part in parts])
        return cls(advice, np.concatenate([part.worth for part in parts]))

    @property
    def valued(self) -> NDArray[np.bool_]:
        """Which decisions [N] have a worth."""
        known: NDArray[np.bool_] = np.logical_or.reduce(np.isfinite(self.worth), axis=1)
        return known


class Teacher:
    """Teaches one game, which `rules` plays. Raises ConfigError for another one."""

    def __init__(self, game: Game) -> None:
        rules = make_agent("rules", game.name)
        assert isinstance(rules, ObservationAgent)
        worth = players_of(game.name).worth_of_cards
        self._rules = rules
        self._worth: Worth | None = None if worth is None else worth()
        self._n_cards, self._unit = len(game.codes), np.float32(game.learning.unit)
        self._held = game.layout["hand"]

    def __call__(
        self,
        hands: Records,
        observations: Int8Array,
        masks: Int8Array,
        most_cards: int | None = None,
    ) -> Lesson:
        """Hands [N] in play and what the seats that decide there see.

        Cards are valued for seats that hold `most_cards` or fewer, by default for all.
        """
        advice = self._rules.act_many(observations, masks, np.zeros(len(masks), np.uint64))
        worth = np.full(masks.shape, np.nan, np.float32)
        if self._worth is not None:
            valued = masks[:, : self._n_cards].any(axis=1)
            if most_cards is not None:
                valued &= observations[:, self._held].sum(axis=1) <= most_cards
            rows = np.flatnonzero(valued)
            if len(rows):
                worth[rows, : self._n_cards] = self._worth(hands[rows]) / self._unit
        return Lesson(advice, worth)
