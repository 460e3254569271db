"""Batch: many hands side by side, each stepped to its next decision in one call."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env.actions import read_actions
from kloepper_env.errors import ConfigError, IllegalActionError, listed, whole_number
from kloepper_env.games import Game, set_up
from kloepper_env.view import Int8Array

_MEMORY = ("_words", "_mask_words", "_masks", "observation", "action_mask", "_named")
"""Derived from the hands, and partly views of one another: made by `_allocate`."""


class Batch:
    """N hands, dealt anew as they end.

    Lane i plays hands i, i + N, i + 2N, ... of `seed`, so together the lanes play the hands of
    that seed; with `seeds` every lane has its own and plays its hands 0, 1, 2, ...

    The arrays are the batch's own and change with every step: `observation` int8 [N, W] and
    `action_mask` int8 [N, A] of the seat that decides, `turn` int8 [N]; `rewards` int32
    [N, seat] and `ended` int8 [N] of the last step. They are for reading. A copy, by `copy` or
    `pickle`, has its own and goes on alone.
    """

    def __init__(
        self,
        game: str | Game = "kloepper",
        n: int = 1024,
        *,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        self.game, options = set_up(game, rules)
        if whole_number("n", n) == 0:
            raise ConfigError("n is 0, but a batch must have a lane")
        if seeds is not None and len(seeds) != n:
            raise ConfigError(f"there are {len(seeds)} seeds for {n} lanes")
        self.n = n
        self.hands = self.game.new_hands(n, options, engine.seed_key(seed))
        self.stride = n
        if seeds is not None:
            self.hands["key"] = [engine.seed_key(one) for one in seeds]
            self.hands["serial"] = 0
            self.stride = 1
        self._allocate()
        self.rewards: NDArray[np.int32] = np.zeros((n, self.game.n_seats), np.int32)
        self.ended: Int8Array = np.zeros(n, np.int8)
        engine.start(self.hands, self.game.tables, -1)
        self.refresh()

    def _allocate(self) -> None:
        """Make the memory that the engine writes observations and masks into."""
        game = self.game
        self._words = np.zeros((self.n, game.words), np.int64)
        self._mask_words = np.zeros((self.n, game.mask_words), np.int64)
        self.observation: Int8Array = self._words.view(np.int8)
        self._masks: Int8Array = self._mask_words.view(np.int8)
        self.action_mask: Int8Array = self._masks[:, : game.n_actions]
        self._named = np.zeros(self.n, np.int8)  # for engine.first_refused

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _MEMORY}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._allocate()
        self.refresh()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # two batches on one array of hands would be of no use

    @property
    def turn(self) -> Int8Array:
        """The seat that decides in each lane, int8 [N]."""
        turn: Int8Array = self.hands["turn"]
        return turn

    def refresh(self) -> None:
        """Write `observation` and `action_mask` anew, after `hands` was changed from outside."""
        engine.look(self.hands, self._words, self._mask_words)

    def sample(self) -> NDArray[np.int64]:
        """A legal action for every lane, drawn from the hands' own generators."""
        actions = np.empty(self.n, np.int64)
        engine.sample(self.hands, actions)
        return actions

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Act in every lane, `actions` [N] whole numbers.

        Raises IllegalActionError, with nothing changed, if one is not legal or the array does not
        fit.
        """
        actions = read_actions("actions", actions, self.n)
        lane = engine.first_illegal(self.hands, actions)
        if lane >= 0:
            raise IllegalActionError(self._refusal(lane, int(actions[lane])))
        self._step(actions)

    def step_unchecked(self, actions: NDArray[np.integer[Any]]) -> None:
        """`step` for actions known to be legal: they are held against `action_mask` alone.

        Quicker than `step`, which asks the rules again. Raises IllegalActionError, with nothing
        changed, for an action that the mask forbids.
        """
        actions = read_actions("actions", actions, self.n)
        lane = engine.first_masked(self._masks, actions)
        if lane >= 0:
            raise IllegalActionError(self._refusal(lane, int(actions[lane])))
        self._step(actions)

    def _step(self, actions: NDArray[np.int64]) -> None:
        engine.step(
            self.hands,
            self.game.tables,
            actions,
            self.stride,
            self._words,
            self._mask_words,
            self.rewards,
            self.ended,
        )

    def advance(self, lanes: NDArray[np.integer[Any]], actions: NDArray[np.integer[Any]]) -> None:
        """Act in some lanes, none of them twice; a hand that ends is not dealt anew.

        It stays as it ended, with an empty mask. Raises IllegalActionError, with nothing changed,
        if an action is not legal in its lane, or for lanes that are none or are named twice.
        """
        lanes = read_actions("lanes", lanes)
        actions = read_actions("actions", actions, len(lanes))
        first = engine.first_refused(self.hands, lanes, actions, self._named)
        if first >= 0:
            raise IllegalActionError(self._refusal_of(lanes, first, int(actions[first])))
        engine.advance(self.hands, lanes, actions, self._words, self._mask_words)

    def scores(self) -> NDArray[np.int64]:
        """What each seat scores [N, seat]; every hand must be over."""
        going_on = np.flatnonzero(self.hands["over"] == 0)
        if going_on.size:
            raise IllegalActionError(
                f"the hand in lane {going_on[0]} is not over, so it has no scores yet"
            )
        scores = np.zeros((self.n, self.game.n_seats), np.int64)
        engine.results(self.hands, scores)
        return scores

    def _refusal_of(self, lanes: NDArray[np.int64], at: int, action: int) -> str:
        lane = int(lanes[at])
        if not 0 <= lane < self.n:
            return f"lane {lane} is none: the lanes are 0 to {self.n - 1}"
        if lane in lanes[:at]:
            return f"lane {lane} is named twice, but acts once in a call"
        return self._refusal(lane, action)

    def _refusal(self, lane: int, action: int) -> str:
        names = self.game.action_names
        name = names[action] if 0 <= action < len(names) else f"action {action}"
        legal = listed(n for n, ok in zip(names, self.action_mask[lane], strict=True) if ok)
        return f"{name} is not legal in lane {lane}; legal: {legal}"
