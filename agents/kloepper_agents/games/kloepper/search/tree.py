"""Information-set Monte Carlo tree search on hands of Kloepper, compiled.

One iteration takes a world, walks down by what every seat can tell apart, lets `rules` play the
hand to its end, and adds what each seat earned to the choices made on the way (Cowling, Powley and
Whitehouse 2012, MO-ISMCTS: each seat has its own tree). A node is all that a seat has heard since
the root; its cards are not part of it, so a choice counts how often it was possible.

At the root the actions take turns in the same worlds, which makes their means comparable. Below it
PUCT (Rosin 2011) chooses cards; the prior is what `rules` would do with the cards that the seat
holds in this world, so that the others play by their cards and not by ours. Announcements below the
root are those of `rules`: to try a knock costs so much that a tree of a few thousand nodes would be
spoilt by the trying.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.rules import rules_action
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, lowest, mix, wrapping_add
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import outcome
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import HAND, MAX_LOG, N_ACTIONS, N_CARDS, N_SEATS, PASS

FloatArray = NDArray[np.float64]

PRIOR: Final = 0.6  # share of the action of `rules` in the prior; the rest is even
EXPLORE: Final = 3.0  # points; the spread of what a hand is worth
STEP: Final = 0x632BE59BD9B4E019  # odd, tells (seat, action) pairs far apart
NODE, ACTION, LEGAL, SEAT = range(4)  # columns of a path


class Tree:
    """Room for a tree of so many nodes, which is grown from one root at a time."""

    def __init__(self, nodes: int) -> None:
        self.visits = np.zeros((nodes, N_ACTIONS), np.int64)
        self.returns = np.zeros((nodes, N_ACTIONS), np.float64)
        self._chances = np.zeros((nodes, N_ACTIONS), np.int64)
        self._keys = np.zeros(nodes, np.int64)
        self._slots = np.zeros(1 << (2 * nodes - 1).bit_length(), np.int64)
        self._used = np.zeros(1, np.int64)
        self._path = np.zeros((MAX_LOG, 4), np.int64)
        self._heard = np.zeros(N_SEATS, np.int64)
        self._hand = np.zeros(1, HAND)
        self._words = np.zeros(WORDS, np.int64)

    def plant(self) -> None:
        """Forget everything."""
        self._slots[:] = 0
        self._used[:] = 0

    def grow(self, worlds: Records, root: IntArray, payoffs: IntArray) -> None:
        """One iteration for each world [N] and root action [A]; `payoffs` [N, A] takes what the
        seat at the root earned. In a full tree the nodes go on learning."""
        _grow(
            worlds,
            root,
            payoffs,
            self._hand,
            self._words,
            self._slots,
            self._keys,
            self._used,
            self.visits,
            self._chances,
            self.returns,
            self._path,
            self._heard,
        )


@jit
def _find(slots: IntArray, keys: IntArray, used: IntArray, key: int) -> int:
    """Number of the node with this key; `used[0]` if there is none, the number of a new one."""
    at = key & len(slots) - 1
    while slots[at]:
        node = int(slots[at]) - 1
        if keys[node] == key:
            return node
        at = at + 1 & len(slots) - 1
    node = int(used[0])
    if node < len(keys):
        slots[at] = node + 1
    return node


@jit
def _select(
    node: int,
    legal: int,
    favourite: int,
    visits: IntArray,
    chances: IntArray,
    returns: FloatArray,
) -> int:
    """The legal action with the highest upper bound, by what the node has seen."""
    count, total, n = 0, 0.0, 0
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        count += int(visits[node, action])
        total += returns[node, action]
        n += 1
    expected = total / count if count else 0.0
    best, highest = favourite, -1e9
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        tried = int(visits[node, action])
        prior = (1 - PRIOR) / n + PRIOR * (action == favourite)
        value = returns[node, action] / tried if tried else expected
        bound = value + EXPLORE * prior * np.sqrt(1.0 + chances[node, action]) / (1 + tried)
        if bound > highest:
            best, highest = action, bound
    return best


@jit
def _grow(
    worlds: Records,
    root: IntArray,
    payoffs: IntArray,
    hands: Records,
    words: IntArray,
    slots: IntArray,
    keys: IntArray,
    used: IntArray,
    visits: IntArray,
    chances: IntArray,
    returns: FloatArray,
    path: IntArray,
    heard: IntArray,
) -> None:
    """`Tree.grow`. `path` [depth, 4] holds the choices of one iteration, `heard` [seat] a hash."""
    for i in range(len(worlds) * len(root)):
        world, first = i // len(root), i % len(root)
        hands[0] = worlds[world]
        hand = hands[0]
        observer = int(hand.turn)
        for seat in range(N_SEATS):
            heard[seat] = mix(seat + 1)
        action = int(root[first])
        depth, inside = 0, True
        while inside:
            seat = int(hand.turn)
            for other in range(N_SEATS):
                if action != PASS or other == seat:  # a pass is known to its seat alone
                    event = wrapping_add(STEP, seat << 8 | action + 1)
                    heard[other] = mix(wrapping_add(int(heard[other]), event))
            engine.apply(hand, action)
            inside = not hand.over
            if inside:
                seat, legal = int(hand.turn), int(engine.legal(hand))
                action = lowest(legal)
                if legal & legal - 1:
                    engine.observe(hand, seat, words)
                    action = rules_action(words, legal)
                if legal & legal - 1 and action < N_CARDS:
                    node = _find(slots, keys, used, int(heard[seat]))
                    new = node == used[0]
                    inside = node < len(keys) and not new
                    if node < len(keys):
                        if new:
                            used[0] += 1
                            keys[node] = heard[seat]
                            visits[node] = 0
                            chances[node] = 0
                            returns[node] = 0
                        action = _select(node, legal, action, visits, chances, returns)
                        path[depth, NODE] = node
                        path[depth, ACTION] = action
                        path[depth, LEGAL] = legal
                        path[depth, SEAT] = seat
                        depth += 1
                if not inside:
                    engine.apply(hand, action)
        while not hand.over:
            engine.observe(hand, int(hand.turn), words)
            engine.apply(hand, rules_action(words, engine.legal(hand)))
        points, black = outcome(hand), int(hand.black)
        payoffs[world, first] = payoff(points, black, observer)
        for k in range(depth):
            earned = payoff(points, black, int(path[k, SEAT]))
            _learn(path[k], earned, visits, chances, returns)


@jit
def _learn(
    choice: IntArray, earned: int, visits: IntArray, chances: IntArray, returns: FloatArray
) -> None:
    """Note what came of a choice, a row of a path, and that others were possible there."""
    node, rest = int(choice[NODE]), int(choice[LEGAL])
    visits[node, choice[ACTION]] += 1
    returns[node, choice[ACTION]] += earned
    while rest:
        chances[node, lowest(rest)] += 1
        rest &= rest - 1
