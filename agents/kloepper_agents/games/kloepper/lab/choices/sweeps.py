"""Positions in knocked hands in which one class of cards is right, and what players do in them.

In a knocked hand each class of cards leaves a sweep possible, with open cards from there on, in a
share of the consistent deals. A choice is a position if one class is better for its side than every
other by LEAD of the deals: the black side keeps the sweep, the red side breaks it. Nothing here
depends on a player, so the positions of a seed stay the same when players change.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

import numpy as np

from kloepper_agents.base import Agent, decision_words, require_rules
from kloepper_agents.games.kloepper.lab.choices.consistent import Choice, classes_of, judged
from kloepper_agents.games.kloepper.lab.core.opportunities import FloatArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import KNOCK, N_CARDS, PASS
from kloepper_env.solver import Solver
from kloepper_env.state import State

KINDS: Final = ("lone, black", "partners, black", "lone, red", "partners, red")
LEAD: Final = 0.1  # of the deals, by which the right class must be better than any other
LISTED: Final = 2_000  # deals that are all solved; of more, DRAWN are drawn
DRAWN: Final = 1_000
CLEAR: Final = 4.0  # standard errors of the lead, where deals are drawn
LIKELY: Final = 0.4  # share of TRIED deals that must sweep for a knock to be made
TRIED: Final = 40
LATEST: Final = 4  # cards before the last chance to knock (K15)


@dataclass(frozen=True, eq=False)
class SweepPosition:
    """A choice in a knocked hand with the class of cards that is right."""

    kind: str
    state: State
    right: int  # mask of cards
    shares: dict[int, float]  # mask of a class -> share of the deals in which it leaves a sweep


@dataclass(frozen=True, eq=False)
class KnockedChoice:
    """A choice in a knocked hand with what becomes of it in consistent deals."""

    state: State
    choice: Choice
    complete: bool  # of all consistent deals

    @property
    def wins(self) -> FloatArray:
        """Share of the deals [C] in which the seat's side gets its way after each class."""
        return np.asarray((self.choice.values > 0).mean(axis=0))

    @property
    def best(self) -> int:
        """The place of the best class."""
        return int(self.wins.argmax())

    @property
    def clear(self) -> bool:
        """Whether one class is clearly better than the others."""
        won = (self.choice.values > 0).astype(float)  # [N, C]
        following = int(np.argsort(-self.wins, kind="stable")[1])
        gaps = won[:, self.best] - won[:, following]
        error = 0.0 if self.complete else float(gaps.std()) / np.sqrt(len(gaps))
        return bool(gaps.mean() >= max(LEAD, CLEAR * error))


@dataclass(frozen=True, eq=False)
class Answer:
    """What a player does in a position."""

    position: SweepPosition
    card: int

    @property
    def right(self) -> bool:
        """Whether the card is of the right class."""
        return bool(self.position.right >> self.card & 1)


def answers(agent: Agent, n: int, seed: int) -> Iterator[Answer]:
    """What an agent plays in the first `n` positions of a seed.

    Raises ConfigError for fewer than one, and for an agent made for other rules.
    """
    require_rules([agent], GAME, GAME.options(None))
    for number, position in enumerate(positions(n, seed)):
        seat = int(position.state.hand.turn)
        random = int(decision_words(seed, number)[0])
        yield Answer(position, agent.act(position.state.view(seat), random))


def positions(n: int, seed: int) -> Iterator[SweepPosition]:
    """The first `n` positions of a seed, of the four KINDS in turn."""
    if n < 1:
        raise ConfigError(f"{n} positions are asked for: 1 is the least")
    streams = [_of_kind(place, seed) for place in range(len(KINDS))]
    for number in range(n):
        yield next(streams[number % len(streams)])


def _of_kind(place: int, seed: int) -> Iterator[SweepPosition]:
    """The positions of one kind, at most one of each deal."""
    maker = Maker(KINDS[place])
    for serial in count():
        state = State.deal(GAME, seed=seed, serial=len(KINDS) * serial + place)
        found = maker.positions_of(state, np.random.default_rng([seed, place, serial]))
        if found is not None:
            yield found


class Maker:
    """Plays hands of one kind and finds the choices on their way.

    Of a choice all consistent deals are solved if there are at most `listed`, else `drawn` of them.
    """

    def __init__(self, kind: str, listed: int = LISTED, drawn: int = DRAWN) -> None:
        self.kind, self.listed, self.drawn = kind, listed, drawn
        self.lone, self.black = kind.startswith("lone"), kind.endswith("black")
        self._leaf, self._solver = DoubleDummy(), Solver()

    def positions_of(self, state: State, rng: np.random.Generator) -> SweepPosition | None:
        """One of the positions on the way of a hand, each as likely; None if there is none."""
        found = [
            SweepPosition(
                self.kind, one.state, int(one.choice.classes[one.best]), self._shares(one)
            )
            for one in self.choices_of(state, rng)
            if one.clear
        ]
        return found[int(rng.integers(len(found)))] if found else None

    def choices_of(self, state: State, rng: np.random.Generator) -> Iterator[KnockedChoice]:
        """The choices of this kind's side on the way of a hand, if somebody knocks in it."""
        if (int(state.hand.black).bit_count() == 1) != self.lone or not self._sweeps(state):
            return
        if not self._play_to_knock(state, int(rng.integers(LATEST + 1)), rng):
            return
        while not state.is_over:
            legal = state.legal_actions()
            plays = legal[-1] < N_CARDS and len(classes_of(state.hands)) > 1
            if plays and self._black_decides(state) == self.black:
                yield self._choice(state, rng)
            self._step(state, rng)

    def _sweeps(self, state: State) -> bool:
        return self._solver.all_tricks(state)

    @staticmethod
    def _black_decides(state: State) -> bool:
        return bool(int(state.hand.black) >> int(state.hand.turn) & 1)

    def _play_to_knock(self, state: State, cards: int, rng: np.random.Generator) -> bool:
        """Have a black seat knock once `cards` cards are played, if it may hope to sweep."""
        while state.hand.plies < cards:
            self._step(state, rng)
        while state.hand.plies == cards and not state.is_over:
            if KNOCK in state.legal_actions() and self._hopes(state, rng):
                state.push(KNOCK)
                return True
            if state.legal_actions()[-1] < N_CARDS:
                return False
            state.push(PASS)
        return False

    def _hopes(self, state: State, rng: np.random.Generator) -> bool:
        """Whether the seat that may knock knows of no trick lost, and many deals sweep."""
        view = state.view(int(state.hand.turn))
        worlds = Belief(view).sample(TRIED, rng)
        swept = sum(self._sweeps(State(GAME, state.options, one[None])) for one in worlds)
        return swept >= LIKELY * len(worlds)

    def _step(self, state: State, rng: np.random.Generator) -> None:
        """Pass, or play: red any card, black one that keeps the sweep in this deal if any does."""
        legal = state.legal_actions()
        if legal[-1] >= N_CARDS:
            state.push(PASS)
            return
        if self._black_decides(state):
            values = self._leaf(state.hands, np.array(legal, np.int64))[0]
            legal = [legal[i] for i in np.flatnonzero(values == values.max())]
        state.push(int(rng.choice(legal)))

    def _choice(self, state: State, rng: np.random.Generator) -> KnockedChoice:
        belief = Belief(state.view(int(state.hand.turn)))
        few = belief.count() <= self.listed
        worlds = belief.enumerate() if few else belief.sample(self.drawn, rng)
        return KnockedChoice(state.copy(), judged(worlds, self._leaf), few)

    def _shares(self, one: KnockedChoice) -> dict[int, float]:
        """How many of the deals each class leaves to a sweep."""
        shares = one.wins if self.black else 1 - one.wins
        return dict(zip(one.choice.classes.tolist(), shares.tolist(), strict=True))
