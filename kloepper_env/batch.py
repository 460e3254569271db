"""Batch: many hands side by side, each stepped to its next decision in one call."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env.errors import ConfigError, IllegalActionError, listed, whole_number
from kloepper_env.games import Game, get_game
from kloepper_env.view import Int8Array


class Batch:
    """N hands, dealt anew as they end.

    Lane i plays hands i, i + N, i + 2N, ... of `seed`, so together the lanes play the hands of
    that seed; with `seeds` every lane has its own and plays its hands 0, 1, 2, ...

    The arrays are the batch's own and change with every step: `observation` int8 [N, W] and
    `action_mask` int8 [N, A] of the seat that decides, `turn` int8 [N]; `rewards` int32
    [N, seat] and `ended` int8 [N] of the last step.
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
        self.game = get_game(game) if isinstance(game, str) else game
        if whole_number("n", n) == 0:
            raise ConfigError("n is 0, but a batch must have a lane")
        if seeds is not None and len(seeds) != n:
            raise ConfigError(f"there are {len(seeds)} seeds for {n} lanes")
        self.n = n
        self.hands = self.game.new_hands(n, self.game.options(rules), engine.seed_key(seed))
        self.stride = n
        if seeds is not None:
            self.hands["key"] = [engine.seed_key(one) for one in seeds]
            self.hands["serial"] = 0
            self.stride = 1
        self._words = np.zeros((n, self.game.words), np.int64)
        self._mask_words = np.zeros((n, self.game.mask_words), np.int64)
        self.observation: Int8Array = self._words.view(np.int8)
        self.action_mask: Int8Array = self._mask_words.view(np.int8)[:, : self.game.n_actions]
        self.rewards: NDArray[np.int32] = np.zeros((n, self.game.n_seats), np.int32)
        self.ended: Int8Array = np.zeros(n, np.int8)
        engine.start(self.hands, self.game.tables, -1)
        self.refresh()

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
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or not np.issubdtype(actions.dtype, np.integer):
            raise IllegalActionError(
                f"actions are {actions.dtype} of shape {actions.shape}, but must be whole numbers "
                f"of shape ({self.n},)"
            )
        lane = engine.first_illegal(self.hands, actions)
        if lane >= 0:
            raise IllegalActionError(self._refusal(lane, int(actions[lane])))
        self.step_unchecked(actions)

    def step_unchecked(self, actions: NDArray[np.integer[Any]]) -> None:
        """`step` for actions known to be legal (drawn under the mask); others are undefined."""
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
        if an action is not legal in its lane.
        """
        first = engine.first_illegal(self.hands[lanes], actions)
        if first >= 0:
            raise IllegalActionError(self._refusal(int(lanes[first]), int(actions[first])))
        engine.advance(self.hands, lanes, actions, self._words, self._mask_words)

    def scores(self) -> NDArray[np.int64]:
        """What each seat scores [N, seat]; every hand must be over."""
        scores = np.zeros((self.n, self.game.n_seats), np.int64)
        engine.results(self.hands, scores)
        return scores

    def _refusal(self, lane: int, action: int) -> str:
        names = self.game.action_names
        name = names[action] if 0 <= action < len(names) else f"action {action}"
        legal = listed(n for n, ok in zip(names, self.action_mask[lane], strict=True) if ok)
        return f"{name} is not legal in lane {lane}; legal: {legal}"
