"""The size of the game tree, and hands that people have read."""

import numpy as np
import pytest

from kloepper_env import engine
from tests.env import trees
from tests.env.cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_tree_has_as_many_leaves_as_the_second_engine_counts(case: Case) -> None:
    positions = trees.positions(trees.tree_file(case))
    assert len(positions) == trees.POSITIONS
    assert sum(position.leaves[-1] > 100 for position in positions) >= trees.POSITIONS // 2
    for position in positions:
        state = position.state(case)
        for depth, leaves in enumerate(position.leaves, 1):
            assert trees.leaves_of(state, depth) == leaves, (position.line(), depth)


def test_whole_trees_of_eight_cards_have_as_many_leaves() -> None:
    (case,) = [case for case in CASES if case.name == "kloepper"]
    whole = trees.positions(trees.whole_file())
    assert len(whole) == trees.WHOLE
    for position in whole:
        state = position.state(case)
        for depth in (*range(1, len(position.leaves) + 1, 4), len(position.leaves)):
            assert trees.leaves_of(state, depth) == position.leaves[depth - 1], position.line()
        assert trees.leaves_of(state, trees.TO_THE_END) == position.leaves[-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hand_is_played_and_shown_as_it_was(case: Case, seed: int) -> None:
    """If that is meant, read the new file of `python -m tests.env.trees` before you commit it."""
    written = trees.playthrough_file(case, seed).read_text(encoding="utf-8")
    assert trees.playthrough(case, seed) == written


@pytest.mark.parametrize("dealer", [-1, 2])
def test_dealing_leaves_nothing_of_the_hand_before(case: Case, dealer: int) -> None:
    """Every field is set anew but those that fix the deal and what is carried over."""
    game = case.game
    clean = game.new_hands(1, game.options(None), engine.seed_key(5))
    used = clean.copy()
    used.view(np.uint8)[:] = 0x55
    for field in ("key", "serial", "option_flags", *game.carries(game.options(None))):
        used[field] = clean[field]
    engine.start(clean, game.tables, dealer)
    engine.start(used, game.tables, dealer)
    length = int(clean["log_length"][0])
    for field in game.dtype.names or ():
        if field == "log":
            assert length == int(used["log_length"][0]) == 0
        else:
            np.testing.assert_array_equal(clean[field], used[field], err_msg=field)
