"""Guests in fields of others, against hands that are played one by one."""

import numpy as np
import pytest

from kloepper_agents.arena.crossplay import CrossPlay, cross_play, guest_gains
from kloepper_agents.arena.crossplay_report import cross_play_data, cross_play_report
from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.arena.match import play_match
from kloepper_agents.base import Agent, decision_words
from kloepper_agents.kinds import make_agent
from kloepper_env.errors import ConfigError
from kloepper_env.games import set_up
from kloepper_env.payoff import payoffs
from kloepper_env.state import State
from tests.agents.players import Lowest


def payoff_by_hand(state: State, agents: list[Agent], number: int, seed: int, seat: int) -> float:
    made = [0] * len(agents)
    while state.turn is not None:
        turn = state.turn
        word = decision_words(seed, np.array([number]), np.array([turn]), np.array([made[turn]]))
        made[turn] += 1
        state.push(agents[turn].act(state.view(turn), int(word[0])))
    return float(payoffs(np.array(state.scores()))[seat])


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_gains_are_those_of_hands_played_one_by_one(game: str) -> None:
    guest, host = make_agent("random", game), make_agent("rules", game)
    played, options = set_up(game, None)
    numbers = np.arange(3, 8)
    seats = np.tile(np.arange(played.n_seats), (5, 1))[:, ::-1]
    dealt = SeededDeals(4).hands(played, options, 3, 8)
    gains, differs = guest_gains(played, options, dealt, guest, host, seats, numbers, 4)
    for i, number in enumerate(numbers.tolist()):
        for k, seat in enumerate(seats[i].tolist()):
            table = [guest if at == seat else host for at in range(played.n_seats)]
            earned = [
                payoff_by_hand(
                    State(played, options, dealt[i : i + 1].copy()), agents, number, 4, seat
                )
                for agents in (table, [host] * played.n_seats)
            ]
            assert gains[i, k] == pytest.approx(earned[0] - earned[1])
            assert differs[i, k] or gains[i, k] == 0
    assert differs.any()


def test_two_of_a_kind_neither_gain_nor_lose() -> None:
    found = cross_play(["rules", "rules"], deals=20)
    assert found.loss(0, 1).mean == found.gain(0, 1).mean == found.gain(1, 0).mean == 0.0
    assert found.mean_loss.standard_error == 0.0


def test_strength_cancels_in_the_loss_and_shows_in_the_gains() -> None:
    found = cross_play(["rules", "passive", Lowest()], deals=150, seed=2)
    assert found.gain(0, 1).low > 0 > found.gain(1, 0).high
    assert abs(found.loss(0, 1).mean) < 0.3 * found.gain(0, 1).mean
    match = play_match("rules", "passive", deals=150, seed=2)
    assert found.margins[0, 1] == match.estimate
    assert set(found.margins) == {(0, 1), (0, 2), (1, 2)}
    assert cross_play(["rules", "passive"], deals=150, seed=2, teams=False).margins == {}


def test_losses_by_hand() -> None:
    gains = {
        (0, 1): np.array([1.0, -3.0]),
        (1, 0): np.array([-2.0, -2.0]),
        (0, 2): np.array([0.0, 0.0]),
        (2, 0): np.array([4.0, 0.0]),
        (1, 2): np.array([0.0, 2.0]),
        (2, 1): np.array([0.0, 0.0]),
    }
    found = CrossPlay(("a", "b", "c"), gains, {})
    assert found.loss(0, 1).mean == found.loss(1, 0).mean == pytest.approx(1.5)
    assert found.loss(0, 2).mean == pytest.approx(-1.0)
    assert found.mean_loss.mean == pytest.approx((1.5 - 1.0 - 0.5) / 3)
    assert found.mean_loss.deals == 2
    told = cross_play_data(found, {}, "again")
    assert told["loss"]["mean"] == 0.0
    assert [pair["loss"]["mean"] for pair in told["pairs"]] == [1.5, -1.0, -0.5]
    grids, _ = cross_play_report(found)
    assert [row[0] for row in grids[1].rows] == ["1 – 2", "1 – 3", "2 – 3"]


def test_cross_play_needs_two() -> None:
    with pytest.raises(ConfigError, match="1 agent is given, but cross-play needs two or more"):
        cross_play(["rules"])
    with pytest.raises(ConfigError, match="deals is 0"):
        cross_play(["rules", "greedy"], deals=0)
