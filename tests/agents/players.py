"""Small agents for the tests of the arena."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kloepper_agents.base import Agent, Int8Array, IntArray, ObservationAgent, WordArray
from kloepper_env.games import get_game
from kloepper_env.state import State
from kloepper_env.view import View


class Lowest(ObservationAgent):
    """The legal action with the smallest number: the strongest card, no announcement ever."""

    name = "lowest"

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        actions: IntArray = np.argmax(masks, axis=1)
        return actions


class Highest(ObservationAgent):
    """The legal action with the largest number: the weakest card, announcing whatever it can."""

    name = "highest"

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        actions: IntArray = masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)
        return actions


class FromTheBack(Highest):
    """The actions of Highest, counted from the back: -1 for the last."""

    name = "from the back"

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        actions: IntArray = super().act_many(observations, masks, random) - masks.shape[1]
        return actions


class Chance(ObservationAgent):
    """Any legal action, by the word of chance."""

    name = "chance"

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        choice = (random % masks.sum(axis=1).astype(np.uint64)).astype(np.int64)
        actions: IntArray = np.argmax(masks.cumsum(axis=1) > choice[:, None], axis=1)
        return actions


class ChanceByView(Agent):
    """The same choices as Chance, one View at a time."""

    name = "chance by view"

    def act(self, view: View, random: int) -> int:
        legal = np.flatnonzero(view.action_mask)
        return int(legal[random % len(legal)])


class Stubborn(ObservationAgent):
    """One and the same action, whatever is legal."""

    name = "stubborn"

    def __init__(self, action: int) -> None:
        self.action = action

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        return np.full(len(masks), self.action, np.int64)


def make_stubborn(game: str, settings: str) -> Stubborn:
    """Factory, so that a command can name one: `stubborn:0`."""
    return Stubborn(int(settings))


class Keeper:
    """A recorder that keeps what it is given."""

    def __init__(self, game: str = "kloepper") -> None:
        self._game = get_game(game)
        self.tables: list[tuple[State, list[str]]] = []

    def write(
        self,
        hand: Any,
        *,
        legal_masks: Sequence[int] | None = None,
        agents: Sequence[str] | None = None,
    ) -> None:
        assert agents is not None
        game = self._game
        state = State(game, game.options(None), np.array([hand], game.dtype))
        self.tables.append((state, list(agents)))
