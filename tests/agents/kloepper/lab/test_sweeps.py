"""Positions of knocked hands: that what they call right is right, and what players do in them."""

from collections import Counter

import numpy as np
import pytest

from kloepper_agents.base import Agent
from kloepper_agents.games.kloepper.lab.choices.sweeps import KINDS, LEAD, answers, positions
from kloepper_agents.kinds import make_agent
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError
from kloepper_env.solver import Solver
from kloepper_env.state import State
from kloepper_env.view import View


def test_positions_are_of_the_four_kinds_in_turn_and_the_same_again() -> None:
    first, again = list(positions(12, 3)), list(positions(8, 3))
    assert Counter(one.kind for one in first) == dict.fromkeys(KINDS, 3)
    for one, other in zip(first, again, strict=False):
        assert one.state.history == other.state.history
        assert one.right == other.right
    for one in first:
        hand = one.state.hand
        black = int(hand.black) >> int(hand.turn) & 1 == 1
        assert hand.knocker >= 0
        assert one.kind == f"{'lone' if hand.lone else 'partners'}, {'black' if black else 'red'}"


def test_the_right_class_is_that_of_the_solver_over_all_deals() -> None:
    solver, checked = Solver(), 0
    for one in positions(24, 4):
        seat = int(one.state.hand.turn)
        belief = Belief(one.state.view(seat))
        if belief.count() > 300:
            continue
        names = one.state.game.action_names
        shares = {}
        for mask in one.shares:
            card = names[mask.bit_length() - 1]
            swept = [_sweeps_after(one.state, world, card, solver) for world in belief.enumerate()]
            shares[mask] = float(np.mean(swept))
        assert shares == pytest.approx(one.shares)
        ordered = sorted(shares, key=shares.__getitem__, reverse=one.kind.endswith("black"))
        assert ordered[0] == one.right
        assert abs(shares[ordered[0]] - shares[ordered[1]]) >= LEAD - 1e-9
        checked += 1
    assert checked > 4


def _sweeps_after(state: State, world: np.void, card: str, solver: Solver) -> bool:
    after = State(state.game, state.options, np.array([world]))
    after.push(card)
    return solver.all_tricks(after)


class Always(Agent):
    """Plays the first or the last of the legal cards."""

    def __init__(self, last: bool) -> None:
        self.name, self.last = "always", last

    def act(self, view: View, random: int) -> int:
        legal = np.flatnonzero(view.action_mask)
        return int(legal[-1 if self.last else 0])


def test_answers_are_judged_card_by_card() -> None:
    high, low = (list(answers(Always(last), 12, 5)) for last in (False, True))
    for one, other in zip(high, low, strict=True):
        assert one.card < other.card
        if len(one.position.shares) == 2:  # the first and the last are of different classes
            assert one.right != other.right


def test_players_know_what_to_do() -> None:
    found = list(answers(make_agent("rules"), 60, 6))
    assert sum(one.right for one in found) >= 57


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("rules", 0.98), ("pimc:worlds=64", 0.98)])
def test_players_play_the_first_400_positions_right(name: str, least: float) -> None:
    found = list(answers(make_agent(name), 400, 1))
    assert sum(one.right for one in found) >= least * len(found)


def test_no_positions_are_refused() -> None:
    with pytest.raises(ConfigError, match="0 positions are asked for: 1 is the least"):
        next(positions(0, 1))
