"""Whole hands of self-play, kept as one trajectory per seat.

A window is one hand in every lane, from the deal to the last card, all played by the same
policies. So nothing is left in play between two updates: no value stands in for an unfinished
hand, and a checkpoint needs no cards. Lanes whose hand is over idle until the last one is.

Only choices are kept: decisions with more than one legal action. A forced one teaches the actor
nothing, and for the critic it lies between two choices of the seat like the cards of others.

Letters: L lanes, T steps, B choices of a window in the order of time, X inputs of a network, H
hidden facts, A actions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.inputs import Inputs, Twin, inputs_of
from kloepper_agents.teaching import Lesson
from kloepper_env import engine
from kloepper_env.batch import Batch
from kloepper_env.engine import Records

Int8Array = NDArray[np.int8]
FloatArray = NDArray[np.float32]
Choose = Callable[[Int8Array, Int8Array], tuple[NDArray[np.int64], FloatArray]]
"""(inputs [n, X], masks [n, A]) -> actions [n] and their log-probabilities [n]."""


Teach = Callable[[Records, Int8Array, Int8Array], Lesson]
"""Hands [n] in play, what the seats that decide there observe, and masks -> lessons on them."""


@dataclass(frozen=True)
class Window:
    """The choices of one hand a lane. Rows of a step stand together; `steps` are their slices."""

    lane: NDArray[np.int64]  # [B]
    seat: NDArray[np.int64]  # [B]
    observation: Int8Array  # [B, X] with what is worked out from it
    hidden: Int8Array  # [B, H]
    mask: Int8Array  # [B, A]
    action: NDArray[np.int64]  # [B]
    log_probability: FloatArray  # [B]
    steps: list[slice]  # [T]
    scores: NDArray[np.int64]  # [L, seat] points
    rates: dict[str, float]  # what happened, per hand
    decisions: int  # forced ones included
    lesson: Lesson | None  # about each choice, where there was a teacher

    def __len__(self) -> int:
        return len(self.lane)


@dataclass(frozen=True)
class Exchange:
    """Some decisions [N], of which a part goes to the network as their twins, where it has any."""

    twin: Twin | None
    odd: NDArray[np.bool_]  # [N] the part

    @classmethod
    def of(cls, inputs: Inputs, numbers: NDArray[np.int64]) -> "Exchange":
        """Exchange the decisions whose numbers [N] are odd."""
        return cls(inputs.twin, numbers % 2 == 1)

    def inputs(self, values: Int8Array) -> Int8Array:
        """Inputs [N, X] of the network."""
        return values if self.twin is None else self._exchanged(values, self.twin.inputs)

    def actions(self, values: NDArray[Any]) -> NDArray[Any]:
        """A number for each action [N, A]."""
        return values if self.twin is None else self._exchanged(values, self.twin.actions)

    def hidden(self, values: Int8Array) -> Int8Array:
        """Hidden facts [N, H]."""
        return values if self.twin is None else self._exchanged(values, self.twin.hidden)

    def back(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Actions [N] of the decisions themselves from those of the network, or the reverse."""
        if self.twin is None:
            return actions
        return np.where(self.odd, self.twin.actions[actions], actions)

    def lesson(self, lesson: Lesson) -> Lesson:
        """What is taught about the decisions as the network sees them."""
        return Lesson(self.back(lesson.advice), self.actions(lesson.worth))

    def _exchanged(self, values: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
        result = values.copy()
        result[self.odd] = values[self.odd][:, places]
        return result


def deal(batch: Batch, first: int) -> None:
    """Deal hands `first`, `first` + 1, ... of the batch's seed to its lanes."""
    batch.hands["serial"] = np.arange(first, first + batch.n)
    engine.start(batch.hands, batch.game.tables, -1)
    batch.refresh()


def play(
    batch: Batch,
    first: int,
    choosers: list[Choose],
    owner: NDArray[np.integer[Any]],
    inputs: Inputs | None = None,
    teacher: Teach | None = None,
) -> Window:
    """Play hands `first` to `first` + L - 1 of the batch's seed.

    `owner` [L, seat] says which of `choosers` decides for a seat. The choices of choosers[0], the
    learner, make up the window; those of the others are played and forgotten. All choosers take
    `inputs`, by default the observation as it is; a `teacher` adds its lesson about the choices.
    """
    game = batch.game
    inputs = inputs or inputs_of(game)
    deal(batch, first)
    kept: list[tuple[Any, ...]] = []
    lessons: list[Lesson] = []
    decisions = 0
    while (lanes := np.flatnonzero(batch.hands["over"] == 0)).size:
        actions = batch.action_mask.argmax(1)  # right where forced
        turn = batch.turn.astype(np.int64)
        choice = batch.action_mask.sum(1) > 1  # never where the hand is over
        deciding = owner[np.arange(batch.n), turn]
        for number, choose in enumerate(choosers):
            rows = np.flatnonzero(choice & (deciding == number))
            if not len(rows):
                continue
            seen, legal = batch.observation[rows], batch.action_mask[rows]
            taken, swap = inputs.widen(seen), Exchange.of(inputs, rows + turn[rows])
            taken, allowed = swap.inputs(taken), swap.actions(legal)
            chosen, log_probability = choose(taken, allowed)
            actions[rows] = swap.back(chosen)
            if number == 0:
                hands = batch.hands[rows]
                hidden = swap.hidden(game.learning.hidden_facts(hands))
                kept.append((rows, turn[rows], taken, hidden, allowed, chosen, log_probability))
                if teacher is not None:
                    lessons.append(swap.lesson(teacher(hands, seen, legal)))
        decisions += len(lanes)
        batch.advance(lanes, actions[lanes])  # checked: an illegal one would write anywhere
    scores = batch.scores()
    bounds = np.cumsum([0, *(len(step[0]) for step in kept)])
    columns: list[NDArray[Any]] = [np.concatenate(column) for column in zip(*kept, strict=True)]
    lane, seat, observation, hidden, mask, action, log_probability = columns
    return Window(
        lane=lane,
        seat=seat,
        observation=observation,
        hidden=hidden,
        mask=mask,
        action=action,
        log_probability=log_probability,
        steps=[slice(a, b) for a, b in pairwise(bounds.tolist())],
        scores=scores,
        rates=game.learning.rates(batch.hands, scores),
        decisions=decisions,
        lesson=Lesson.joined(lessons) if lessons else None,
    )


def advantages(
    window: Window, rewards: FloatArray, values: FloatArray, trace: float
) -> tuple[FloatArray, FloatArray]:
    """Generalised advantage estimates [B] and value targets [B] (Schulman et al. 2016).

    Undiscounted, along each seat's own choices in its own hand, from `rewards` [L, seat] at the
    end of the hand. Walking back step by step, a lane and seat keep their own running sums, so
    nothing passes from a seat or a hand to another.
    """
    following = rewards.copy()  # value of the seat's next choice, first of all its reward
    running = np.zeros_like(rewards)
    advantage = np.zeros(len(window), np.float32)
    for step in reversed(window.steps):
        at = window.lane[step], window.seat[step]
        running[at] = following[at] - values[step] + trace * running[at]
        following[at] = values[step]
        advantage[step] = running[at]
    return advantage, advantage + values
