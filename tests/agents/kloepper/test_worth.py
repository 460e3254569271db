"""What learners are told of cards: the solver's score after each, as a payoff of who plays it."""

from itertools import count

import numpy as np
import pytest

from kloepper_agents.games.kloepper.worth import OpenCards
from kloepper_agents.teaching import Lesson, Teacher
from kloepper_env import engine
from kloepper_env.batch import Batch
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.solver import Solver
from kloepper_env.state import State


def states(cards: int, n: int) -> list[State]:
    """Hands after so many random cards, somebody about to play one; knocked ones among them."""
    found: list[State] = []
    for seed in count():
        hand, rng = State.deal(seed=seed), np.random.default_rng(seed)
        while not hand.is_over and (
            hand.hand.plies < cards or max(hand.legal_actions()) >= N_CARDS
        ):
            engine.apply_to(hand.hands, int(rng.choice(hand.legal_actions())))
        found += [] if hand.is_over else [hand]
        if len(found) == n:
            break
    return found


@pytest.mark.parametrize("cards", [0, 5, 10, 15, 19])
def test_worth_is_the_payoff_of_best_play_by_all(cards: int) -> None:
    solver, worth = Solver(), OpenCards()
    for before in states(cards, 6):
        (values,) = worth(before.hands)
        legal = before.legal_actions()
        assert np.flatnonzero(np.isfinite(values)).tolist() == legal
        seat, black = int(before.hand.turn), int(before.hand.black)
        for card in legal:
            after = before.copy()
            engine.apply_to(after.hands, card)
            points = solver.score(after)  # to each black seat, or negative to each red one
            sides = [k for k in range(4) if black >> k & 1 == (points > 0)]
            scores = [abs(points) * (k in sides) for k in range(4)]
            assert values[card] == 2 * (scores[seat] - sum(scores) / 4)


def test_lessons_are_in_units_and_about_cards_alone() -> None:
    game = get_game("kloepper")
    batch = Batch(game, 200, seed=2)
    for _ in range(8):
        batch.step(batch.sample())
    lesson = Teacher(game)(batch.hands, batch.observation, batch.action_mask)
    plays = batch.action_mask[:, :N_CARDS].any(axis=1)
    assert 0 < plays.sum() < 200
    assert lesson.valued.tolist() == plays.tolist()
    known = np.flatnonzero(plays)
    payoffs = OpenCards()(batch.hands[known])
    np.testing.assert_allclose(lesson.worth[known, :N_CARDS], payoffs / 6)
    assert (batch.action_mask[np.arange(200), lesson.advice] == 1).all()


def test_a_game_whose_cards_nobody_values_is_taught_by_advice() -> None:
    game = get_game("klammern")
    batch = Batch(game, 50, seed=2)
    lesson = Teacher(game)(batch.hands, batch.observation, batch.action_mask)
    assert not lesson.valued.any()
    assert (batch.action_mask[np.arange(50), lesson.advice] == 1).all()
    joined = Lesson.joined([lesson, lesson])
    assert joined.advice.tolist() == [*lesson.advice, *lesson.advice]
    assert joined.worth.shape == (100, game.n_actions)
