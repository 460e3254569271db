"""Playing many hands side by side, so that agents answer whole arrays of decisions.

N hands, S seats, A actions, M words of 64 of them, W values an observation, T decisions at most.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import (
    Agent,
    Int8Array,
    IntArray,
    ObservationAgent,
    SeesAll,
    decision_words,
    name_of,
)
from kloepper_env import engine
from kloepper_env.actions import action_number, read_actions
from kloepper_env.engine import Records
from kloepper_env.errors import IllegalActionError, listed, shown
from kloepper_env.games.game import Game
from kloepper_env.state import State

Watch = Callable[[IntArray, IntArray, Int8Array, Int8Array, IntArray], None]
"""Shown the decisions of a step: hands [n] by number, seats [n], observations [n, W], masks [n, A]
and actions [n]."""


@dataclass(frozen=True, eq=False)
class Played:
    """Hands played to the end, and what was decided on the way."""

    hands: Records  # [N], over
    scores: IntArray  # [N, S]
    turns: Int8Array  # [N, T] the seat of each decision, -1 behind the last
    legal: IntArray  # [N, T, M] mask of the actions that were legal there
    decisions: IntArray  # [number of agents]
    seconds: NDArray[np.float64]  # [number of agents] spent in choosing

    def offered(self) -> IntArray:
        """[N, S, M] mask of all actions that a seat could ever have taken."""
        seats = range(self.scores.shape[1])
        masks = [
            np.bitwise_or.reduce(np.where((self.turns == seat)[..., None], self.legal, 0), axis=1)
            for seat in seats
        ]
        return np.stack(masks, axis=1)


class _Table:
    """The arrays of `play_out` while the hands go on."""

    def __init__(self, game: Game, options: Any, hands: Records) -> None:
        self.game, self.options, self.hands = game, options, hands
        n, longest = len(hands), game.dtype["log"].shape[0]
        self.words = np.zeros((n, game.words), np.int64)
        self.mask_words = np.zeros((n, game.mask_words), np.int64)
        self.observations: Int8Array = self.words.view(np.int8)
        self.masks: Int8Array = self.mask_words.view(np.int8)[:, : game.n_actions]
        self.turns = np.full((n, longest), -1, np.int8)
        self.legal = np.zeros((n, longest, game.legal_words), np.int64)
        self.lengths = np.zeros(n, np.int64)
        self.counts = _decisions_so_far(game, hands)
        engine.look(hands, self.words, self.mask_words)

    def note(self, rows: IntArray, turns: IntArray) -> None:
        """Write down who decides in some hands, and what is legal."""
        at = self.lengths[rows]
        self.turns[rows, at] = turns
        self.legal[rows, at] = self._packed(rows)
        self.lengths[rows] += 1
        self.counts[rows, turns] += 1

    def _packed(self, rows: IntArray) -> IntArray:
        """The masks of some hands as words [n, M]."""
        octets = np.packbits(self.masks[rows], axis=1, bitorder="little")
        words = np.zeros((len(rows), self.legal.shape[2]), "<i8")
        words.view(np.uint8)[:, : octets.shape[1]] = octets
        return words

    def ask(self, agent: Agent, rows: IntArray, words: NDArray[np.uint64]) -> IntArray:
        """The actions of one agent in some hands."""
        if isinstance(agent, ObservationAgent):
            many = agent.act_many(self.observations[rows], self.masks[rows], words)
            return read_actions(f"the actions of agent {name_of(agent)}", many, len(rows))
        answers = np.empty(len(rows), np.int64)
        for i, row in enumerate(rows):
            state = State(self.game, self.options, self.hands[row : row + 1])
            random = int(words[i])
            if isinstance(agent, SeesAll):
                answer = agent.act_on(state.copy(), random)
            else:
                answer = agent.act(state.view(int(self.hands["turn"][row])), random)
            answers[i] = self._read(agent, answer)
        return answers

    def _read(self, agent: Agent, answer: Any) -> int:
        """An answer as a number; one that is no action is an IllegalActionError."""
        number, n_actions = action_number(answer), self.game.n_actions
        if number is None or not 0 <= number < n_actions:
            raise IllegalActionError(
                f"agent {name_of(agent)} answered {shown(answer)}, which is no action: actions are "
                f"numbers from 0 to {n_actions - 1}"
            )
        return number

    def illegal(self, rows: IntArray, actions: IntArray) -> int | None:
        """Index of the first of some hands whose action is not legal."""
        n_actions = self.game.n_actions
        known = (actions >= 0) & (actions < n_actions)
        fine = known & (self.masks[rows, np.where(known, actions, 0)] != 0)
        return None if fine.all() else int(np.argmin(fine))


def _decisions_so_far(game: Game, hands: Records) -> IntArray:
    """How many decisions each seat has made in each hand, [N, S]."""
    seats = engine.seats_noted(hands["log"], engine.log_bits(game.n_actions))
    made = np.arange(seats.shape[1]) < hands["log_length"][:, None]
    seats = np.where(made, seats, game.n_seats)
    counts: IntArray = (seats[:, :, None] == np.arange(game.n_seats)).sum(axis=1)
    return counts


def play_out(
    game: Game,
    options: Any,
    hands: Records,
    seats: IntArray,
    agents: Sequence[Agent],
    numbers: IntArray,
    seed: int,
    watch: Watch | None = None,
) -> Played:
    """Play hands that are open, at whatever point, to their end, in place.

    `seats` [N, S] says which of `agents` sits where. The random word of a decision is a hash of
    `seed`, the number of the deal (`numbers` [N]), the seat, and how many decisions that seat has
    made before: the same wherever the deal is played again. `watch` is shown every decision. Raises
    IllegalActionError, naming the agent, for an action that is not legal.
    """
    table = _Table(game, options, hands)
    decisions = np.zeros(len(agents), np.int64)
    seconds = np.zeros(len(agents))
    while (rows := np.flatnonzero(hands["over"] == 0)).size:
        turns = hands["turn"][rows].astype(np.int64)
        words = decision_words(seed, numbers[rows], turns, table.counts[rows, turns])
        table.note(rows, turns)
        movers = seats[rows, turns]
        actions = np.empty(len(rows), np.int64)
        for index, agent in enumerate(agents):
            own = np.flatnonzero(movers == index)
            if own.size:
                before = time.perf_counter()
                answers = table.ask(agent, rows[own], words[own])
                seconds[index] += time.perf_counter() - before
                decisions[index] += own.size
                wrong = table.illegal(rows[own], answers)
                if wrong is not None:
                    row = int(rows[own][wrong])
                    raise IllegalActionError(
                        _refusal(table, agent, row, int(numbers[row]), int(answers[wrong]))
                    )
                actions[own] = answers
        if watch is not None:
            watch(rows, turns, table.observations[rows], table.masks[rows], actions)
        engine.advance(hands, rows, actions, table.words, table.mask_words)
    scores = np.zeros((len(hands), game.n_seats), np.int64)
    engine.results(hands, scores)
    return Played(hands, scores, table.turns, table.legal, decisions, seconds)


def _refusal(table: _Table, agent: Agent, row: int, number: int, action: int) -> str:
    names = table.game.action_names
    name = names[action] if 0 <= action < len(names) else f"action {action}"
    state = State(table.game, table.options, table.hands[row : row + 1])
    return (
        f"agent {name_of(agent)} chose {name} for seat {state.turn} in deal {number}, which is not "
        f"legal there; legal: {listed(state.legal())}"
    )
