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

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper.rules import rules_action
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, lowest, mix, wrapping_add
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import outcome
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import (
    HAND,
    MAX_LOG,
    N_ACTIONS,
    N_CARDS,
    N_SEATS,
    PASS,
    Hand,
)

FloatArray = NDArray[np.float64]

PRIOR: Final = 0.6  # share of the action of `rules` in the prior; the rest is even
EXPLORE: Final = 3.0  # points; the spread of what a hand is worth
STEP: Final = 0x632BE59BD9B4E019  # odd, tells (seat, action) pairs far apart
NODE, ACTION, LEGAL, SEAT = range(4)  # columns of a path
NO_NODE: Final = -1


class _Memory(NamedTuple):
    """What compiled code needs of a tree of M nodes."""

    slots: IntArray  # hash table: number of a node plus 1, or 0
    keys: IntArray  # [M] what the seat had heard there
    used: IntArray  # [1] nodes in use
    visits: IntArray  # [M, A] how often an action was chosen
    available: IntArray  # [M, A] how often it could have been
    returns: FloatArray  # [M, A] payoffs after it, in all
    path: IntArray  # [depth, 4] choices of one iteration
    heard: IntArray  # [seat] a hash of all it has heard since the root
    hands: Records  # [1] the hand of one iteration
    words: IntArray  # [W / 8] scratch memory for an observation


class Tree:
    """Memory for a tree of so many nodes, which is grown from one root at a time."""

    def __init__(self, nodes: int) -> None:
        self._memory = _Memory(
            slots=np.zeros(1 << (2 * nodes - 1).bit_length(), np.int64),
            keys=np.zeros(nodes, np.int64),
            used=np.zeros(1, np.int64),
            visits=np.zeros((nodes, N_ACTIONS), np.int64),
            available=np.zeros((nodes, N_ACTIONS), np.int64),
            returns=np.zeros((nodes, N_ACTIONS), np.float64),
            path=np.zeros((MAX_LOG, 4), np.int64),
            heard=np.zeros(N_SEATS, np.int64),
            hands=np.zeros(1, HAND),
            words=np.zeros(WORDS, np.int64),
        )

    def plant(self) -> None:
        """Forget everything."""
        self._memory.slots[:] = 0
        self._memory.used[:] = 0

    def grow(self, worlds: Records, root: IntArray, payoffs: IntArray) -> None:
        """One iteration for each world [N] and root action [A]; `payoffs` [N, A] takes what the
        seat at the root earned. In a full tree the nodes go on learning."""
        _grow(worlds, root, payoffs, self._memory)


@jit
def _enter(memory: _Memory, key: int) -> tuple[int, bool]:
    """The node with this key, and whether it is new; NO_NODE if a new one finds the tree full."""
    slots, keys = memory.slots, memory.keys
    at = key & len(slots) - 1
    while slots[at]:
        node = int(slots[at]) - 1
        if keys[node] == key:
            return node, False
        at = at + 1 & len(slots) - 1
    node = int(memory.used[0])
    if node == len(keys):
        return NO_NODE, True
    slots[at] = node + 1
    memory.used[0] += 1
    keys[node] = key
    memory.visits[node] = 0
    memory.available[node] = 0
    memory.returns[node] = 0
    return node, True


@jit
def _select(memory: _Memory, node: int, legal: int, favourite: int) -> int:
    """The legal action with the highest upper bound, by what the node has seen."""
    visits, available, returns = memory.visits, memory.available, memory.returns
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
        bound = value + EXPLORE * prior * np.sqrt(1.0 + available[node, action]) / (1 + tried)
        if bound > highest:
            best, highest = action, bound
    return best


@jit
def _by_rules(hand: Hand, legal: int, words: IntArray) -> int:
    """What `rules` does, or the only action there is."""
    if legal & legal - 1 == 0:
        return lowest(legal)
    engine.observe(hand, int(hand.turn), words)
    return rules_action(words, legal)


@jit
def _hear(heard: IntArray, seat: int, action: int) -> None:
    """Every seat learns of an action; of a pass its own seat alone."""
    for other in range(N_SEATS):
        if action != PASS or other == seat:
            event = wrapping_add(STEP, seat << 8 | action + 1)
            heard[other] = mix(wrapping_add(int(heard[other]), event))


@jit
def _descend(memory: _Memory, action: int) -> int:
    """Go down from the root by an action and out of the tree; returns the choices in `path`."""
    hand, path = memory.hands[0], memory.path
    for seat in range(N_SEATS):
        memory.heard[seat] = mix(seat + 1)
    depth, inside = 0, True
    while inside:
        _hear(memory.heard, int(hand.turn), action)
        engine.apply(hand, action)
        if hand.over:
            return depth
        seat, legal = int(hand.turn), int(engine.legal(hand))
        action = _by_rules(hand, legal, memory.words)
        if legal & legal - 1 and action < N_CARDS:
            node, is_new = _enter(memory, int(memory.heard[seat]))
            inside = not is_new
            if node != NO_NODE:
                action = _select(memory, node, legal, action)
                path[depth, NODE] = node
                path[depth, ACTION] = action
                path[depth, LEGAL] = legal
                path[depth, SEAT] = seat
                depth += 1
    engine.apply(hand, action)
    return depth


@jit
def _grow(worlds: Records, root: IntArray, payoffs: IntArray, memory: _Memory) -> None:
    """`Tree.grow`."""
    for i in range(len(worlds) * len(root)):
        world, first = i // len(root), i % len(root)
        memory.hands[0] = worlds[world]
        hand = memory.hands[0]
        observer = int(hand.turn)
        depth = _descend(memory, int(root[first]))
        while not hand.over:
            engine.apply(hand, _by_rules(hand, int(engine.legal(hand)), memory.words))
        points, black = outcome(hand), int(hand.black)
        payoffs[world, first] = payoff(points, black, observer)
        for k in range(depth):
            _learn(memory, k, payoff(points, black, int(memory.path[k, SEAT])))


@jit
def _learn(memory: _Memory, k: int, earned: int) -> None:
    """Note what came of choice `k` of the path, and that others were possible there."""
    choice = memory.path[k]
    node, rest = int(choice[NODE]), int(choice[LEGAL])
    memory.visits[node, choice[ACTION]] += 1
    memory.returns[node, choice[ACTION]] += earned
    while rest:
        memory.available[node, lowest(rest)] += 1
        rest &= rest - 1
