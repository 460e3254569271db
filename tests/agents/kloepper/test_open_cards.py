"""The leaf that values cards, and answers to a knock, with open cards."""

import numpy as np

from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy, OpenCards
from kloepper_agents.playing import Playout
from kloepper_env.beliefs import Belief
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import KNOCK_OFF, PASS
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.agents.positions import pass_to, state_of, to_card

GAME = get_game("kloepper")
HANDS = ["QC JC JS TC AC KS", "JH AD KD QD 9C 9S", "QS JD TD KH QH KC", "9D TH 9H AS TS AH"]


def test_cards_are_valued_as_by_the_solver() -> None:
    state = to_card(state_of(HANDS, "knock"))
    worlds = Belief(state.view(0)).sample(20, np.random.default_rng(1))
    legal = np.array(state.legal_actions())
    assert (OpenCards()(worlds, legal) == DoubleDummy()(worlds, legal)).all()


def test_an_answer_is_valued_by_the_worse_of_open_cards_and_of_playing() -> None:
    state = pass_to(state_of(HANDS, "knock"), 1)
    worlds = Belief(state.view(1)).sample(60, np.random.default_rng(2))
    actions, solver = np.array([PASS, KNOCK_OFF]), Solver()
    values = OpenCards()(worlds, actions)
    played = Playout(GAME)(worlds, actions)
    swept = np.array([solver.all_tricks(State(GAME, state.options, one[None])) for one in worlds])
    open_cards = np.where(swept, -1, 1)[:, None] * np.array([12, 24])
    assert (values == np.minimum(played, open_cards)).all()
    assert (values < played).any()
