"""The player that sees all cards: an upper bound, and no contestant."""

import pytest

from kloepper_agents import play_match
from kloepper_agents.base import SeesAll
from kloepper_agents.kinds import make_agent
from kloepper_env.errors import ConfigError
from kloepper_env.solver import Solver
from tests.agents.search.situations import decisions


def test_it_plays_to_the_value_of_the_deal() -> None:
    """Four oracles score what the solver says the hand is worth, from any decision on a card."""
    oracle, solver = make_agent("oracle"), Solver()
    assert isinstance(oracle, SeesAll)
    for state in decisions(4):
        if state.hand.plies > 4:  # no announcement any more
            value = solver.score(state)
            after = state.copy()
            while not after.is_over:
                after.push(oracle.act_on(after, 0))
            assert max(after.scores()) == abs(value)


def test_it_is_better_than_those_who_see_their_own_cards() -> None:
    result = play_match("oracle", "rules", deals=60, seed=5)
    assert result.low > 0.5


def test_nobody_else_shows_it_cards() -> None:
    oracle = make_agent("oracle")
    state = next(decisions(1))
    assert state.turn is not None
    with pytest.raises(ConfigError, match="oracle sees all cards, so it plays in the arena only"):
        oracle.act(state.view(state.turn), 0)


def test_it_announces_only_what_wins() -> None:
    oracle = make_agent("oracle")
    assert isinstance(oracle, SeesAll)
    for state in decisions(20):
        if state.legal()[-1] == "knock":
            action = state.game.action_names[oracle.act_on(state, 0)]
            assert action in ("pass", "knock")
            assert action == "pass" or Solver().all_tricks(state)
