"""Counts of the game tree from fixed positions, and hands written out for people to read.

    python -m tests.env.trees

makes all anew: `golden/NAME.tree` by the second engine, which is not the one that is tested, and so
`golden/whole.tree`, trees of Kloepper with 8 cards (K32) from the first decision to the last; and
`golden/NAME.txt` by the first, for somebody who knows the rules to read.
"""

import copy
import json
import random
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from kloepper_env import State
from kloepper_env.render import render_text
from tests.env.cases import CASES, Case
from tests.env.hands import random_rules

GOLDEN: Final = Path(__file__).parent / "golden"
POSITIONS: Final = 12
LEAVES: Final = 400  # a position is not looked at more deeply once it has so many
DEPTH: Final = 12
WHOLE: Final = 8  # whole trees
TO_THE_END: Final = 100  # more decisions than a hand has


@dataclass(frozen=True)
class Position:
    """A position after some actions, and how many leaves its tree has at depth 1, 2, 3, ..."""

    rules: dict[str, Any]
    dealer: int
    deck: list[str]
    actions: list[str]
    leaves: list[int]

    def line(self) -> str:
        return json.dumps(self.__dict__)

    def state(self, case: Case) -> State:
        state = State.deal(case.game, self.rules, deck=self.deck, dealer=self.dealer)
        for action in self.actions:
            state.push(action)
        return state


def tree_file(case: Case) -> Path:
    return GOLDEN / f"{case.name}.tree"


def whole_file() -> Path:
    return GOLDEN / "whole.tree"


def positions(file: Path) -> list[Position]:
    """The positions of a file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Position(**json.loads(line)) for line in lines]


def leaves_of(state: State, depth: int) -> int:
    """Leaves of the tree at this depth: a hand that is over before it is a leaf as well."""
    if depth == 0 or state.is_over:
        return 1
    count = 0
    for action in state.legal_actions():
        after = state.copy()
        after.push(action)
        count += leaves_of(after, depth - 1)
    return count


def _slow_leaves(hand: Any, depth: int) -> int:
    """The same in the second engine."""
    if depth == 0 or hand.turn is None:
        return 1
    count = 0
    for action in sorted(hand.legal()):
        after = copy.deepcopy(hand)
        after.push(action)
        count += _slow_leaves(after, depth - 1)
    return count


def _made_by_the_second_engine(case: Case, rng: random.Random) -> Position:
    """A position somewhere in a random hand."""
    part = import_module(f"tests.env.against_oracle_{case.name}")
    decks = import_module(f"tests.env.decks_{case.name}")
    rules = random_rules(case.name, rng) if rng.random() < 0.5 else {}
    game = part.Game(rules, 0)
    deck, dealer = decks.random_deck(rng, rules), game.dealer
    hand, actions = game.deal(deck), list[str]()
    stop = rng.randrange(30)
    while len(actions) < stop:
        before = copy.deepcopy(hand)
        action = rng.choice(sorted(hand.legal()))
        hand.push(action)
        if hand.turn is None:  # the hand ended early
            hand = before
            break
        actions.append(action)
    leaves = list[int]()
    while len(leaves) < DEPTH and (not leaves or leaves[-1] < LEAVES):
        leaves.append(_slow_leaves(hand, len(leaves) + 1))
    return Position(rules, dealer, deck, actions, leaves)


def _whole_tree(rng: random.Random) -> Position:
    """A deal of 8 cards, and its leaves at every depth until all hands are over."""
    part = import_module("tests.env.against_oracle_kloepper")
    decks = import_module("tests.env.decks_kloepper")
    rules: dict[str, Any] = {"pack": 8}
    if rng.random() < 0.5:
        rules = {**random_rules("kloepper", rng), "prompt_all": False, **rules}
    game = part.Game(rules, 0)
    deck = decks.random_deck(rng, rules)
    hand = game.deal(deck)
    leaves, whole = list[int](), _slow_leaves(hand, TO_THE_END)
    while not leaves or leaves[-1] < whole:
        leaves.append(_slow_leaves(hand, len(leaves) + 1))
    return Position(rules, game.dealer, deck, [], leaves)


# --- hands for people ----------------------------------------------------------------------------


def playthrough(case: Case, seed: int) -> str:
    """A random hand, written out: who may do what, what is done, and the table after each trick."""
    rng = random.Random(seed)
    rules = {} if seed == 1 else case.variant
    state = State.deal(case.game, rules, seed=seed)
    lines = [f"{case.game.title}, rules {json.dumps(rules)}", "", render_text(state), ""]
    while state.turn is not None:
        legal = state.legal()
        shy = "pass" in legal and rng.random() < 0.7
        action = "pass" if shy else rng.choice(legal)
        lines.append(f"seat {state.turn} may {', '.join(legal)}: {action}")
        state.push(action)
    return "\n".join([*lines, "", render_text(state), "", f"scores {state.scores()}", ""])


def playthrough_file(case: Case, seed: int) -> Path:
    return GOLDEN / f"{case.name}_{seed}.txt"


def main() -> None:
    """Write all files."""
    rng = random.Random("whole")
    trees = [_whole_tree(rng) for _ in range(WHOLE)]
    whole_file().write_text("".join(f"{tree.line()}\n" for tree in trees), encoding="utf-8")
    for case in CASES:
        rng = random.Random(case.name)
        found = [_made_by_the_second_engine(case, rng) for _ in range(POSITIONS)]
        text = "".join(f"{position.line()}\n" for position in found)
        tree_file(case).write_text(text, encoding="utf-8")
        for seed in (1, 2):
            file = playthrough_file(case, seed)
            file.write_text(playthrough(case, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
