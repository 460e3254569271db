"""Duplicate matches: what is played, what it scores, and that luck falls out."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kloepper_agents.arena import match
from kloepper_agents.arena.match import play_match, table_margins
from kloepper_agents.base import Agent, decision_words
from kloepper_agents.games.kloepper.duplicate import SPLITS
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.state import State
from tests.agents.players import (
    Chance,
    ChanceByView,
    FromTheBack,
    Highest,
    Keeper,
    Lowest,
    Stubborn,
)

# --- the margin --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "own", "margin"),
    [
        ((2, 0, 2, 0), (1, 0, 1, 0), 2),  # two against two, the agents' own sides
        ((0, 24, 0, 24), (1, 0, 1, 0), -24),
        ((2, 0, 2, 0), (1, 1, 0, 0), 0),  # the seats cross the sides
        ((6, 0, 0, 0), (1, 0, 1, 0), 3),  # alone
        ((0, 4, 4, 4), (1, 0, 1, 0), -2),
        ((0, 30, 30, 30), (0, 1, 0, 1), 15),
    ],
)
def test_score_of_a_table_by_hand(scores: Any, own: Any, margin: float) -> None:
    first = np.array([own]) == 1
    assert table_margins(np.array([scores]), first).tolist() == [margin]
    assert table_margins(np.array([scores]), ~first).tolist() == [-margin]


def test_margin_of_a_deal_by_hand(tmp_path: Path) -> None:
    """Seats 0 and 2 hold all trumps, so the black side takes all tricks whatever it plays.

    Lowest never announces and takes its 6 with the black cards; Highest knocks (12). So Lowest is
    worth (6 - 12) / 2.
    """
    deals = tmp_path / "deals.txt"
    deals.write_text("3 QCJCJHASTSKSQSJSJDKHQH9HADKD9D9SAHTHTDQDACTCKC9C\n")
    result = play_match(Lowest(), Highest(), deals=1, deal_file=deals)
    assert result.margin == -3.0
    assert result.tables == 2
    lowest, highest = result.rates
    assert (lowest["knock"].offered, lowest["knock"].taken) == (2, 0)
    assert (highest["knock"].offered, highest["knock"].taken) == (1, 1)  # seat 2 comes too late
    assert highest["knock"].success == 1.0
    assert (lowest["knock_off"].offered, lowest["knock_off"].taken) == (2, 0)
    assert result.strata["split"].estimate.mean == -3.0
    assert result.strata["knocked"].estimate.mean == -12.0
    assert result.strata["called"].estimate.deals == 0


def play_table(state: State, seats: tuple[int, ...], agents: list[Agent], deal: int) -> list[int]:
    """One table, one decision after the other."""
    counts = [0] * 4
    while (seat := state.turn) is not None:
        word = int(decision_words(7, deal, seat, counts[seat])[0])
        counts[seat] += 1
        state.push(agents[seats[seat]].act(state.view(seat), word))
    return state.scores()


def test_a_match_agrees_with_one_played_table_by_table() -> None:
    agents: list[Agent] = [Chance(), Lowest()]
    expected = []
    for deal in range(60):
        start = State.deal(seed=7, serial=deal, dealer=deal % 4)
        black = [seat for seat in range(4) if {"QC", "QS"} & set(start.dealt(seat))]
        own = [{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}]
        if len(black) == 2:
            own = [set(black), set(range(4)) - set(black)]
        margins = []
        for mine in own:
            scores = play_table(
                start.copy(), tuple(int(seat not in mine) for seat in range(4)), agents, deal
            )
            margins.append((sum(scores[s] for s in mine) * 2 - sum(scores)) / 2)
        expected.append(sum(margins) / len(margins))
    result = play_match(*agents, deals=60, seed=7)
    assert result.scores.tolist() == pytest.approx(expected, abs=1e-12)
    assert result.margin != 0


# --- luck --------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [Chance(), ChanceByView()])
def test_equal_agents_have_a_margin_of_exactly_0(other: Agent) -> None:
    result = play_match(Chance(), other, deals=100, seed=3)
    assert (result.margin, result.half_width) == (0.0, 0.0)
    assert not result.scores.any()


def test_exchanging_the_agents_turns_the_sign() -> None:
    forth = play_match(Chance(), Highest(), deals=200, seed=4)
    back = play_match(Highest(), Chance(), deals=200, seed=4)
    assert forth.margin != 0
    assert back.scores.tolist() == pytest.approx((-forth.scores).tolist(), abs=1e-12)
    assert back.half_width == pytest.approx(forth.half_width)
    assert back.rates == forth.rates[::-1]


def test_the_same_match_twice_is_the_same_and_another_seed_is_not() -> None:
    first, again, other = (play_match(Chance(), Lowest(), deals=50, seed=s) for s in (5, 5, 6))
    assert first.scores.tolist() == again.scores.tolist()
    assert first.rates == again.rates
    assert first.scores.tolist() != other.scores.tolist()


def test_the_size_of_the_chunks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_match(Chance(), Lowest(), deals=50)
    finished: list[int] = []
    monkeypatch.setattr(match, "CHUNK", 7)
    cut = play_match(Chance(), Lowest(), deals=50, progress=finished.append)
    assert cut.scores.tolist() == whole.scores.tolist()
    assert cut.strata == whole.strata
    assert cut.rates == whole.rates
    assert finished == [7] * 7 + [1]


# --- tables ------------------------------------------------------------------------------------


def test_every_agent_plays_every_side_of_every_deal() -> None:
    keeper = Keeper()
    result = play_match(Chance(), Lowest(), deals=200, seed=8, recorder=keeper)
    tables: dict[int, list[tuple[State, list[str]]]] = {}
    for state, agents in keeper.tables:
        tables.setdefault(int(state.hand.serial), []).append((state, agents))
    assert len(tables) == result.deals == 200
    assert len(keeper.tables) == result.tables
    numbers = Counter(len(of_deal) for of_deal in tables.values())
    assert set(numbers) == {2, 6}
    assert 0.15 < numbers[6] / 200 < 0.29  # both queens in one hand: 21.7 %
    for of_deal in tables.values():
        dealt = {str([state.dealt(seat) for seat in range(4)]) for state, _ in of_deal}
        assert len(dealt) == 1
        for seat in range(4):
            assert Counter(agents[seat] for _, agents in of_deal) == {
                "chance": len(of_deal) / 2,
                "lowest": len(of_deal) / 2,
            }
        if len(of_deal) == 2:
            state, agents = of_deal[0]
            black = {agents[s] for s in range(4) if {"QC", "QS"} & set(state.dealt(s))}
            assert black == {"chance"}
    assert Counter(of_deal[0][0].dealer for of_deal in tables.values()) == dict.fromkeys(
        range(4), 50
    )


def test_the_six_splits_give_two_seats_to_either_agent() -> None:
    assert len(set(SPLITS)) == 6
    assert {sum(split) for split in SPLITS} == {2}
    assert {tuple(1 - agent for agent in split) for split in SPLITS} == set(SPLITS)


def test_strata_divide_the_tables() -> None:
    strata = play_match(Chance(), Chance(), deals=300).strata
    result = play_match(Chance(), Lowest(), deals=300)
    assert sum(strata[name].tables for name in ("split", "called", "alone")) == result.tables
    assert result.strata["called"].estimate.deals > 0
    assert 0 < result.strata["knocked"].tables < result.tables


def test_an_agent_that_always_announces_shows_in_the_rates() -> None:
    _, highest = play_match(Chance(), Highest(), deals=300).rates
    for name in ("knock", "knock_off", "call"):
        assert highest[name].offered > 0
        assert highest[name].share == 1.0
    lowest, _ = play_match(Lowest(), Chance(), deals=300).rates
    assert [lowest[name].share for name in ("knock", "knock_off", "call", "alone")] == [0, 0, 0, 1]


def test_rates_agree_with_a_count_over_the_records() -> None:
    """In every kind of undertaking, under default rules, whoever keeps it scores."""
    keeper = Keeper()
    result = play_match(Chance(), Lowest(), deals=400, seed=1, recorder=keeper)
    counted: Counter[tuple[str, str, bool]] = Counter()
    for state, agents in keeper.tables:
        actions = {action: seat for seat, action in state.history if action != "pass"}
        called = {seat for action, seat in actions.items() if action.startswith("call:")}
        both = {seat for seat in range(4) if {"QC", "QS"} <= set(state.dealt(seat))}
        done = {name: {actions[name]} for name in ("knock", "knock_off") if name in actions}
        for name, seats in (done | {"call": called, "alone": both - called}).items():
            for seat in seats:
                counted[agents[seat], name, state.scores()[seat] > 0] += 1
    for agent, rates in zip(result.agents, result.rates, strict=True):
        for name, rate in rates.items():
            assert rate.succeeded == counted[agent, name, True]
            assert rate.taken - rate.succeeded == counted[agent, name, False]
    chance, lowest = result.rates
    assert all(0 < chance[name].succeeded < chance[name].taken for name in chance)
    assert 0 < lowest["alone"].succeeded < lowest["alone"].taken


def test_options_reach_the_table() -> None:
    stake = play_match(Lowest(), Highest(), deals=100)
    harmless = play_match(Lowest(), Highest(), deals=100, rules={"failed_knock": "none"})
    assert stake.margin > harmless.margin


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "name"), [(0, "QC"), (30, "action 30"), (99, "action 99")])
def test_an_illegal_action_names_the_agent(action: int, name: str) -> None:
    for agents in ((Stubborn(action), Chance()), (Chance(), Stubborn(action))):
        message = rf"agent stubborn chose {name} for seat \d in deal \d+, .*legal:"
        with pytest.raises(IllegalActionError, match=message):
            play_match(*agents, deals=20)


def test_a_negative_number_is_no_action_even_where_it_would_index_a_legal_one() -> None:
    with pytest.raises(IllegalActionError, match=r"chose action -\d+ for"):
        play_match(FromTheBack(), Chance(), deals=20)


@pytest.mark.parametrize("deals", [0, -1])
def test_a_match_without_deals_is_refused(deals: int) -> None:
    with pytest.raises(ConfigError, match=f"deals is {deals}, but must be from 1 to"):
        play_match(Chance(), Chance(), deals=deals)


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown agent 'nobody'"):
        play_match("nobody", Chance())
