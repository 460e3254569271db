"""Dominated choices, on positions whose answer is known."""

import numpy as np
import pytest

from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.games.kloepper.lab.choices import regret
from kloepper_agents.games.kloepper.lab.choices.report import by_aspect, together, worst_of
from kloepper_agents.kinds import make_agent
from kloepper_env import engine
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.solver import Solver
from kloepper_env.state import State

GAME = get_game("kloepper")


def test_dominated_is_what_another_card_equals_everywhere_and_beats_somewhere() -> None:
    values = np.array([[1, 1, 0, 3], [0, 2, 0, -1], [5, 5, 5, 9]])
    assert regret.dominator(values, 0) == 1
    assert regret.dominator(values, 1) is None  # the last is better in some, worse in one
    assert regret.dominator(values, 2) == 1  # by more than the first
    assert regret.dominator(np.ones((4, 3)), 0) is None  # equal cards dominate nothing


def test_judgement_is_that_of_the_solver_deal_by_deal() -> None:
    solver, compared = Solver(), 0
    for one in regret.judge_player("greedy", rules={}, hands=25, seed=3):
        state = State.deal(seed=3, serial=one.deal)
        hand = replayed("greedy", one.deal)
        for action in hand[: one.at]:
            state.push(action)
        seat = int(state.hand.turn)
        worlds = Belief(state.view(seat)).enumerate()
        gaps = []
        for world in worlds[:: 1 + len(worlds) // 20]:
            copy = State(state.game, state.options, world[None].copy())
            scores = solver.scores(copy)
            sign = 1 if int(world["black"]) >> seat & 1 else -1
            better = one.card if one.better is None else one.better
            names = state.game.action_names
            gaps.append(sign * (scores[names[better]] - scores[names[one.card]]))
        assert min(gaps) >= 0
        assert len(worlds) == one.deals
        compared += one.better is not None
    assert compared > 10


def replayed(policy: str, deal: int) -> list[int]:
    """The actions of a hand that `judge_player` has played (seed 3)."""
    options = GAME.options(None)
    hands = GAME.new_hands(1, options, engine.seed_key(3))
    hands["serial"] += deal
    engine.start(hands, GAME.tables, -1)
    play_out(
        GAME, options, hands, np.zeros((1, 4), np.int64), [make_agent(policy)], np.array([deal]), 3
    )
    actions: list[int] = engine.actions_noted(hands["log"][0]).tolist()
    return actions


def test_choices_of_one_card_early_tricks_and_many_deals_are_not_judged() -> None:
    found = regret.judge_player("greedy", rules={}, hands=20, seed=1)
    assert min(one.trick for one in found) >= regret.FIRST_TRICK
    assert max(one.deals for one in found) <= regret.MOST
    assert all((one.better is None) == (one.loss == 0) for one in found)


def test_processes_and_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = regret.judge_player("rules", rules={}, hands=30, seed=2)
    monkeypatch.setattr(regret, "AT_ONCE", 7)
    done: list[int] = []
    pieces = regret.judge_player("rules", rules={}, hands=30, seed=2, progress=done.append)
    assert [(one.deal, one.at, one.better) for one in whole] == [
        (one.deal, one.at, one.better) for one in pieces
    ]
    assert done == [7, 7, 7, 7, 2]


def test_sums() -> None:
    found = regret.judge_player("greedy", rules={}, hands=20, seed=1)
    whole = together(found, 20)
    assert whole.dominated == sum(one.better is not None for one in found)
    for aspect in ("trick", "role", "kind"):
        cells = by_aspect(found, 20, aspect).values()
        assert sum(cell.choices for cell in cells) == whole.choices
        assert sum(cell.loss for cell in cells) == pytest.approx(whole.loss)
    losses = [one.loss for one in worst_of(found)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == max(one.loss for one in found)


def test_no_hands_are_refused() -> None:
    with pytest.raises(ConfigError, match="0 hands are asked for: 1 is the least"):
        regret.judge_player("rules", rules={}, hands=0, seed=0)
