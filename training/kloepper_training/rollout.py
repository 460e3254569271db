"""Whole hands of self-play, kept as one trajectory per seat.

A window is one hand in every lane, from the deal to the last card, all played by the same
policies. So nothing is left in play between two updates: no value stands in for an unfinished
hand, and a checkpoint needs no cards. Lanes whose hand is over idle until the last one is.

Only choices are kept: decisions with more than one legal action. A forced one teaches the actor
nothing, and for the critic it lies between two choices of the seat like the cards of others.

Letters: L lanes, T steps, B choices of a window in the order of time, W observation, H hidden
facts, A actions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env.batch import Batch
from kloepper_env.games.game import Game

Int8Array = NDArray[np.int8]
FloatArray = NDArray[np.float32]
Choose = Callable[[Int8Array, Int8Array], tuple[NDArray[np.int64], FloatArray]]
"""(observations [n, W], masks [n, A]) -> actions [n] and their log-probabilities [n]."""


@dataclass(frozen=True)
class Window:
    """The choices of one hand a lane. Rows of a step stand together; `steps` are their slices."""

    lane: NDArray[np.int64]  # [B]
    seat: NDArray[np.int64]  # [B]
    observation: Int8Array  # [B, W]
    hidden: Int8Array  # [B, H]
    mask: Int8Array  # [B, A]
    action: NDArray[np.int64]  # [B]
    log_probability: FloatArray  # [B]
    steps: list[slice]  # [T]
    scores: NDArray[np.int64]  # [L, seat] points
    rates: dict[str, float]  # what happened, per hand
    decisions: int  # forced ones included

    def __len__(self) -> int:
        return len(self.lane)


def deal(batch: Batch, first: int) -> None:
    """Deal hands `first`, `first` + 1, ... of the batch's seed to its lanes."""
    batch.hands["serial"] = np.arange(first, first + batch.n)
    engine.start(batch.hands, batch.game.tables, -1)
    batch.refresh()


def hidden_size(game: Game) -> int:
    """Length H of what `hidden_facts` gives."""
    return (game.n_seats - 1) * (len(game.codes) + 1)


def hidden_facts(game: Game, hands: engine.Records) -> Int8Array:
    """What the deciding seat cannot see [n, H]: the other hands, from its left on, then whether
    each of those seats is on its side. For the critic alone.
    """
    turn = hands["turn"].astype(np.int64)
    others = (turn[:, None] + np.arange(1, game.n_seats)) % game.n_seats
    masks = np.take_along_axis(hands["hands"], others, 1).astype(np.int64)
    cards = masks[:, :, None] >> np.arange(len(game.codes)) & 1
    black = hands["black"].astype(np.int64)[:, None]
    ally = (black >> others & 1) == (black >> turn[:, None] & 1)
    return np.concatenate([cards.reshape(len(hands), -1), ally], 1).astype(np.int8)


def play(
    batch: Batch, first: int, choosers: list[Choose], owner: NDArray[np.integer[Any]]
) -> Window:
    """Play hands `first` to `first` + L - 1 of the batch's seed.

    `owner` [L, seat] says which of `choosers` decides for a seat. The choices of choosers[0], the
    learner, make up the window; those of the others are played and forgotten.
    """
    game = batch.game
    deal(batch, first)
    active = np.ones(batch.n, bool)
    scores = np.zeros((batch.n, game.n_seats), np.int64)
    tally = Tally(game, batch.hands)
    kept: list[tuple[Any, ...]] = []
    decisions = 0
    while active.any():
        mask = batch.action_mask
        actions = mask.argmax(1)  # right where forced; idle lanes may do anything
        turn = batch.turn.astype(np.int64)
        choice = active & (mask.sum(1) > 1)
        deciding = owner[np.arange(batch.n), turn]
        for number, choose in enumerate(choosers):
            rows = np.flatnonzero(choice & (deciding == number))
            if not len(rows):
                continue
            observation, legal = batch.observation[rows], mask[rows]
            actions[rows], log_probability = choose(observation, legal)
            if number == 0:
                hidden = hidden_facts(game, batch.hands[rows])
                kept.append(
                    (rows, turn[rows], observation, hidden, legal, actions[rows], log_probability)
                )
        decisions += int(active.sum())
        black = batch.hands["black"].copy()
        batch.step(actions)  # checked: an illegal action would write where it must not
        tally.add(actions[active])
        ended = active & (batch.ended == 1)
        scores[ended] = batch.rewards[ended]
        tally.finish(black[ended], batch.rewards[ended])
        active &= ~ended
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
        rates=tally.rates(),
        decisions=decisions,
    )


class Tally:
    """Counts announcements and outcomes, and gives them per hand."""

    def __init__(self, game: Game, hands: engine.Records) -> None:
        self.names = game.action_names
        self.hands = len(hands)
        self.double = int(_single(hands["black"]).sum())
        self.actions = np.zeros(len(self.names), np.int64)
        self.black_wins = 0
        self.alone = 0

    def add(self, actions: NDArray[np.int64]) -> None:
        self.actions += np.bincount(actions, minlength=len(self.names))

    def finish(self, black: NDArray[Any], scores: NDArray[Any]) -> None:
        """Count ended hands by their black side [n] and scores [n, seat]."""
        on_side = black[:, None] >> np.arange(scores.shape[1]) & 1
        self.black_wins += int(((scores > 0) & (on_side == 1)).any(1).sum())
        self.alone += int(_single(black).sum())

    def rates(self) -> dict[str, float]:
        """Knocks, knock-offs and wins of the black side per hand; calls and hands played alone
        per hand in which one seat holds both black queens.
        """
        count = dict(zip(self.names, self.actions.tolist(), strict=True))
        calls = sum(n for name, n in count.items() if name.startswith("call:"))
        return {
            "knock": count["knock"] / self.hands,
            "knock_off": count["knock_off"] / self.hands,
            "call": calls / max(self.double, 1),
            "alone": self.alone / max(self.double, 1),
            "black_wins": self.black_wins / self.hands,
        }


def _single(black: NDArray[Any]) -> NDArray[np.bool_]:
    single: NDArray[np.bool_] = black & (black - 1) == 0
    return single


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


def payoffs(scores: NDArray[np.int64], reward: str) -> FloatArray:
    """What seats are rewarded with [L, seat], in points: their scores as they are (`points`), or
    minus the mean of all seats of the hand (`relative`), which sums to zero.
    """
    mean = scores.mean(1, keepdims=True) if reward == "relative" else 0.0
    return np.asarray(scores - mean, np.float32)
