"""Hands of short packs (K32) written out, as `lab.extensive` takes games.

Decisions that leave no choice are carried out and are no nodes. An information set is what a seat
knows: its cards, the actions it has heard of, and whether the knocker is known to be alone. The
dealer is seat 3 always: turning the table changes nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.statistics import FloatArray
from kloepper_agents.base import Int8Array, IntArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.lab.extensive import NOBODY, Forest
from kloepper_env import engine
from kloepper_env._jit import jit, lowest, mix, popcount, wrapping_add
from kloepper_env.beliefs.weights import Policy
from kloepper_env.cards import bits_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.kernels import begin
from kloepper_env.games.kloepper.options import PACKS, Options
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS, PACK_CARDS, PACK_HANDS
from kloepper_env.payoff import payoffs

DEALER: Final = 3
CHUNK: Final = 50_000  # hands in play that are taken further side by side: nine megabytes


@dataclass(frozen=True, eq=False)
class Written:
    """Hands written out, and what the seats see in their information sets.

    I information sets, C choices: `policy` is that of whoever was asked, else uniform. Where a
    policy was asked the observations are not kept.
    """

    forest: Forest
    observations: Int8Array | None  # [I, W]
    masks: IntArray  # [I] of the legal actions
    policy: FloatArray  # [C]


# --- deals -------------------------------------------------------------------------------------


def require_short_pack(options: Options) -> None:
    """Raise ConfigError for the full pack, which cannot be written out."""
    if options.pack == N_CARDS:
        raise ConfigError(
            f"option pack is {options.pack}, but only hands of a short pack can be written out: "
            "8 or 12"
        )


def own_hands(options: Options) -> list[int]:
    """All hands that a seat can be dealt, as masks."""
    pack = PACKS.index(options.pack)
    return _subsets(int(PACK_CARDS[pack]), PACK_HANDS[pack])


def deals_around(options: Options, seat: int, held: int) -> Records:
    """All deals in which a seat holds a hand, opened for their first decision."""
    pack = PACKS.index(options.pack)
    left, size = int(PACK_CARDS[pack]) & ~held, PACK_HANDS[pack]
    others = [
        (first, second, left & ~first & ~second)
        for first in _subsets(left, size)
        for second in _subsets(left & ~first, size)
    ]
    hands = GAME.new_hands(len(others), options, 0)
    hands["hands"][:, seat] = held
    hands["hands"][:, [(seat + k) % N_SEATS for k in (1, 2, 3)]] = others
    _open(hands, DEALER)
    return hands


def all_deals(options: Options) -> Records:
    """All deals, opened for their first decision."""
    return np.concatenate([deals_around(options, 0, held) for held in own_hands(options)])


def _subsets(cards: int, size: int) -> list[int]:
    return [sum(1 << card for card in some) for some in combinations(bits_of(cards), size)]


# --- writing them out --------------------------------------------------------------------------


def write_out(
    options: Options, deals: Records, policy: Policy | None = None, responder: int = NOBODY
) -> Written:
    """Write out all that can happen after some deals, each of them as likely.

    With a policy only what it does with some probability, but everything that `responder` may do.
    """
    told = np.array(GAME.implied(options).told, np.bool_)
    writer = _Writer(told, policy, responder)
    todo = [(deals, np.full(len(deals), NOBODY), np.full(len(deals), NOBODY))]
    while todo:  # the last first, so that few hands are in play at a time
        todo += writer.add(*todo.pop())
    return writer.written(len(deals))


class _Writer:
    """Adds node by node; what is known of an information set is put together at the end."""

    def __init__(self, told: NDArray[np.bool_], policy: Policy | None, responder: int) -> None:
        self._told, self._policy, self._responder = told, policy, responder
        self._size = 0
        self._nodes: list[tuple[NDArray[Any], ...]] = []  # parent, rank of the action, key, payoff
        self._sets: list[tuple[NDArray[Any], ...]] = []  # key, owner, mask, observation, chances

    def add(
        self, hands: Records, parents: IntArray, ranks: IntArray
    ) -> "Iterator[tuple[Records, IntArray, IntArray]]":
        """Add hands in play, which are played on, below their parents; yields their children.

        `ranks` is the place of the action that led here among those that were legal.
        """
        _skip_forced(hands)
        live = np.flatnonzero(hands["over"] == 0)
        ended = np.flatnonzero(hands["over"])
        scores = np.zeros((len(ended), N_SEATS), np.int64)
        engine.results(hands[ended], scores)
        payoff = np.zeros((len(hands), N_SEATS), np.int16)
        payoff[ended] = payoffs(scores)
        keys = np.zeros(len(hands), np.int64)
        hands, numbers = hands[live], self._size + live
        keys[live], masks, explored = self._meet(hands)
        self._nodes.append((parents.astype(np.int32), ranks.astype(np.int8), keys, payoff))
        self._size += len(keys)
        for start in range(0, len(hands), CHUNK):
            part = slice(start, start + CHUNK)
            yield from _children(hands[part], masks[part], explored[part], numbers[part])

    def _meet(self, hands: Records) -> tuple[IntArray, IntArray, IntArray]:
        """The key of each hand's information set, what is legal, and what is to be followed."""
        n = len(hands)
        keys, masks = np.empty(n, np.int64), np.empty(n, np.int64)
        _read(hands, self._told, keys, masks)
        unique, first, place = np.unique(keys, return_index=True, return_inverse=True)
        seen = hands[first]
        words = np.zeros((len(seen), GAME.words), np.int64)
        mask_words = np.zeros((len(seen), GAME.mask_words), np.int64)
        engine.look(seen, words, mask_words)
        legal = mask_words.view(np.int8)[:, : GAME.n_actions]
        observations, turns = words.view(np.int8), hands["turn"]
        if self._policy is None or not len(seen):
            chances = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
        else:
            chances = self._policy(observations, legal)
        if self._policy is not None:
            observations = observations[:, :0]  # gigabytes of a pack of 12
        self._sets.append((unique, turns[first], masks[first], observations, chances[legal != 0]))
        done = ((chances > 0) << np.arange(GAME.n_actions)).sum(axis=1)[place]
        return keys, masks, np.where(turns == self._responder, masks, done)

    def written(self, n_deals: int) -> Written:
        """All that was added."""
        parent, rank, keys, payoff = map(np.concatenate, zip(*self._nodes, strict=True))
        found, owner, masks, observations, chances = map(
            np.concatenate, zip(*self._sets, strict=True)
        )
        unique, first = np.unique(found, return_index=True)
        sizes = np.bitwise_count(masks).astype(np.int64)
        starts = np.append(0, sizes[first].cumsum())
        before = np.append(0, sizes.cumsum())[first]
        inner = keys != 0
        info = np.full(len(keys), NOBODY, np.int32)
        info[inner] = np.searchsorted(unique, keys[inner])
        choice = np.where(parent < 0, NOBODY, starts[info[parent]] + rank).astype(np.int32)
        places = np.repeat(before - starts[:-1], sizes[first]) + np.arange(starts[-1])
        forest = Forest(
            parent=parent,
            choice=choice,
            info=info,
            chance=np.where(parent < 0, 1 / n_deals, 0.0),
            payoff=payoff,
            owner=owner[first].astype(np.int64),
            first=starts.astype(np.int64),
        )
        seen = observations[first] if self._policy is None else None
        return Written(forest, seen, masks[first], chances[places])


def _children(
    hands: Records, masks: IntArray, explored: IntArray, numbers: IntArray
) -> Iterator[tuple[Records, IntArray, IntArray]]:
    """The hands after each action that is explored, by the action's rank among the legal ones."""
    counts = np.bitwise_count(explored).astype(np.int64)
    children, ranks = np.repeat(hands, counts), np.empty(counts.sum(), np.int64)
    _act(children, np.repeat(masks, counts), np.repeat(explored, counts), counts, ranks)
    yield children, np.repeat(numbers, counts), ranks


# --- compiled ----------------------------------------------------------------------------------


@jit
def _open(hands: Records, dealer: int) -> None:
    for i in range(len(hands)):
        begin(hands[i], dealer)


@jit
def _skip_forced(hands: Records) -> None:
    """Carry out what leaves no choice."""
    for i in range(len(hands)):
        hand = hands[i]
        while not hand.over:
            legal = int(engine.legal(hand))
            if legal & legal - 1:
                break
            engine.apply(hand, lowest(legal))


@jit
def _read(hands: Records, told: NDArray[np.bool_], keys: IntArray, masks: IntArray) -> None:
    """Write what the seat that decides knows as one number, not 0, and the mask of what is legal.

    Different knowledge has different numbers but by a chance of one in 2 ** 64 for each pair.
    """
    for i in range(len(hands)):
        hand = hands[i]
        seat = int(hand.turn)
        masks[i] = engine.legal(hand)
        key = mix(wrapping_add(seat + 1, 8 * (int(hand.hands[seat]) | int(hand.played[seat]))))
        for t in range(hand.log_length):
            code = int(hand.log[t])
            if told[seat, code]:
                key = mix(wrapping_add(mix(wrapping_add(key, 1)), code))
        key = mix(wrapping_add(key, 2 * int(masks[i]) + int(hand.lone)))
        keys[i] = key if key != 0 else 1


@jit
def _act(
    children: Records, masks: IntArray, explored: IntArray, counts: IntArray, ranks: IntArray
) -> None:
    """Carry out the explored actions, one after the other, in copies of the same hand."""
    at = 0
    for count in counts:
        left = int(explored[at]) if count > 0 else 0
        for _ in range(count):
            action = lowest(left)
            left &= left - 1
            ranks[at] = popcount(int(masks[at]) & (1 << action) - 1)
            engine.apply(children[at], action)
            at += 1
