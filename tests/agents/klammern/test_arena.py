"""Duplicate matches of Klammern: the tables, what they score, and what is counted."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from kloepper_agents.arena.league import play_league
from kloepper_agents.arena.match import play_match
from kloepper_agents.arena.report import grids, notes
from kloepper_agents.base import Agent, decision_words
from kloepper_agents.games.klammern.duplicate import TABLES
from kloepper_env.games.klammern.settlement import settlement
from kloepper_env.state import State
from tests.agents.players import Chance, ChanceByView, Highest, Keeper, Lowest

OTHER_RULES: dict[str, Any] = {"meld_declare": "choice", "deal": "3-2-3"}


def play_table(state: State, seats: tuple[int, ...], agents: list[Agent], deal: int) -> State:
    """One table, one decision after the other."""
    counts = [0] * 4
    while (seat := state.turn) is not None:
        word = int(decision_words(7, deal, seat, counts[seat])[0])
        counts[seat] += 1
        state.push(agents[seats[seat]].act(state.view(seat), word))
    return state


@pytest.mark.parametrize("rules", [{}, OTHER_RULES, {"liga": True}])
def test_a_match_agrees_with_one_played_table_by_table(rules: dict[str, Any]) -> None:
    agents: list[Agent] = [Chance(), Lowest()]
    expected = []
    for deal in range(40):
        start = State.deal("klammern", rules, seed=7, serial=deal, dealer=deal % 4)
        first = play_table(start.copy(), (0, 1, 0, 1), agents, deal).outcome().gains
        second = play_table(start.copy(), (1, 0, 1, 0), agents, deal).outcome().gains
        expected.append((first[0] - first[1] + second[1] - second[0]) / 2)
    result = play_match(*agents, game="klammern", rules=rules, deals=40, seed=7)
    assert result.scores.tolist() == expected
    assert result.margin != 0


@pytest.mark.parametrize("other", [Chance(), ChanceByView()])
def test_equal_agents_have_a_margin_of_exactly_0(other: Agent) -> None:
    result = play_match(Chance(), other, game="klammern", deals=60, seed=3)
    assert not result.scores.any()


def test_exchanging_the_agents_turns_the_sign() -> None:
    forth = play_match(Chance(), Highest(), game="klammern", deals=100, seed=4)
    back = play_match(Highest(), Chance(), game="klammern", deals=100, seed=4)
    assert forth.margin != 0
    assert back.scores.tolist() == (-forth.scores).tolist()
    assert back.rates == forth.rates[::-1]
    assert back.strata["takes"].tables == forth.strata["defends"].tables


def test_either_agent_plays_either_pair_of_every_deal() -> None:
    keeper = Keeper("klammern")
    result = play_match(Chance(), Lowest(), game="klammern", deals=50, recorder=keeper)
    assert result.tables == len(keeper.tables) == 100
    of_deal: dict[int, list[list[str]]] = {}
    for state, agents in keeper.tables:
        of_deal.setdefault(int(state.hand.serial), []).append(agents)
    assert {tuple(map(tuple, tables)) for tables in of_deal.values()} == {
        (("chance", "lowest") * 2, ("lowest", "chance") * 2)
    }
    assert {tuple(1 - agent for agent in table) for table in TABLES} == set(TABLES)


def test_strata_divide_the_tables() -> None:
    result = play_match("rules", "greedy", game="klammern", deals=100)
    strata = result.strata
    kinds = ("takes", "defends", "passed_out")
    assert sum(strata[name].tables for name in kinds) == result.tables
    assert strata["passed_out"].estimate.mean == 0
    for name in (*kinds, "second", "kontra"):
        assert 0 < strata[name].tables < result.tables


def test_rates_agree_with_a_count_over_the_records() -> None:
    keeper = Keeper("klammern")
    result = play_match(Chance(), Highest(), game="klammern", deals=150, seed=1, recorder=keeper)
    counted: Counter[tuple[str, str, str]] = Counter()
    for state, agents in keeper.tables:
        for name, seat, came_off in done_in(state):
            counted[agents[seat], name, "taken"] += 1
            counted[agents[seat], name, "succeeded"] += came_off
    for agent, rates in zip(result.agents, result.rates, strict=True):
        for name, rate in rates.items():
            assert rate.taken == counted[agent, name, "taken"]
            assert rate.succeeded == counted[agent, name, "succeeded"]
            assert rate.offered >= rate.taken
    chance = result.rates[0]
    assert all(0 < chance[name].succeeded < chance[name].taken for name in ("first", "kontra"))


def done_in(state: State) -> list[tuple[str, int, bool]]:
    """What was announced in a round, or happened: name, seat, whether it came off."""
    takes = [(seat, action) for seat, action in state.history if action.startswith("take:")]
    if not takes:
        return []
    (taker, take), lost = takes[0], settlement(state.hand).is_eiert
    turned = state.view(0).facts[0]
    done = [("first" if take[-1] == turned[-1] else "second", taker, not lost)]
    for seat, action in state.history:
        if action in ("kontra", "re"):
            done.append((action, seat, lost if action == "kontra" else not lost))
    tricks = [tricks for tricks, _ in state.taken()]
    swept = [seat for seat in range(4) if tricks[seat] + tricks[seat ^ 2] == 8]
    return done + [("durchmarsch", seat, True) for seat in swept]


def test_a_report_counts_augen_in_liga_mode() -> None:
    league = play_league(["greedy", "random"], game="klammern", rules={"liga": True}, deals=30)
    assert grids(league)[0].title.startswith("Augen a hand, row against column")
    assert "Augen a hand with a power of 80 %; one of 0.1 takes" in notes(league)[1]
    points = play_league(["greedy", "random"], game="klammern", deals=30)
    assert grids(points)[0].title.startswith("Points a hand, row against column")
    assert points.margin(0, 1).mean > 4 * league.margin(0, 1).mean
    assert np.isfinite(league.margin(0, 1).half_width)
