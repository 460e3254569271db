"""Matches of whole games: the same hands at every table, and who has won."""

from pathlib import Path
from typing import Any

import pytest

from kloepper_agents.arena import games
from kloepper_agents.arena.games import MOST_HANDS
from kloepper_agents.arena.league import play_league
from kloepper_agents.arena.match import play_match
from kloepper_agents.arena.report import grids, notes, to_json
from kloepper_agents.base import Agent, decision_words
from kloepper_env.errors import ConfigError
from kloepper_env.games import GAMES, get_game
from kloepper_env.state import State
from tests.agents.players import Chance, Highest, Lowest

SHORT: dict[str, dict[str, Any]] = {
    "kloepper": {"target": 8},
    "klammern": {"target": 300, "tie81": "litige", "passout_dealer": "same"},
}


def play_one(
    game: str, rules: dict[str, Any], seats: tuple[int, ...], agents: list[Agent], number: int
) -> float:
    """One game, one decision after the other: what the first agent has of it, less the other."""
    match = get_game(game).match_type(get_game(game).options(rules))
    hand = 0
    while match.winners() is None:
        dealer, serial = match.dealer(), MOST_HANDS * number + hand
        state = State.deal(
            game,
            rules,
            seed=5,
            serial=serial,
            dealer=dealer if dealer >= 0 else None,
            carry=match.carry(),
        )
        counts = [0] * 4
        while (seat := state.turn) is not None:
            word = int(decision_words(5, serial, seat, counts[seat])[0])
            counts[seat] += 1
            state.push(agents[seats[seat]].act(state.view(seat), word))
        match.add(state.outcome())
        hand += 1
    winners = match.winners() or []
    return sum(1 if seats[seat] == 0 else -1 for seat in winners) / len(winners)


def tables_of(game: str) -> list[tuple[int, ...]]:
    if len(set(get_game(game).accounts)) == 2:
        return [(0, 1, 0, 1), (1, 0, 1, 0)]
    splits = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    return [tuple(int(seat not in own) for seat in range(4)) for own in splits]


@pytest.mark.parametrize("game", GAMES)
def test_games_agree_with_those_played_one_by_one(game: str) -> None:
    agents: list[Agent] = [Chance(), Lowest()]
    tables, rules = tables_of(game), SHORT.get(game, {})
    expected = [
        sum(play_one(game, rules, seats, agents, number) for seats in tables) / len(tables)
        for number in range(6)
    ]
    result = play_match(*agents, game=game, rules=rules, episode="game", deals=6, seed=5)
    assert result.scores.tolist() == pytest.approx(expected, abs=1e-12)
    assert result.margin != 0
    assert result.tables == 6 * len(tables)
    assert result.strata == {}


@pytest.mark.parametrize("game", GAMES)
def test_equal_agents_share_the_games(game: str) -> None:
    result = play_match(
        Chance(), Chance(), game=game, rules=SHORT.get(game), episode="game", deals=10
    )
    assert not result.scores.any()


def test_a_game_that_never_ends_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOST_HANDS", 3)
    result = play_match(Passing(), Passing(), game="klammern", episode="game", deals=2)
    assert not result.scores.any()
    assert result.decisions == (2 * 2 * 3 * 4, 2 * 2 * 3 * 4)  # games, tables, hands, own passes


class Passing(Highest):
    """Passes whenever it can."""

    name = "passing"

    def act_many(self, observations: Any, masks: Any, random: Any) -> Any:
        passing = get_game("klammern").action_of["pass"]
        actions = super().act_many(observations, masks, random)
        actions[masks[:, passing] == 1] = passing
        return actions


def test_a_report_of_games_says_so() -> None:
    league = play_league(
        ["greedy", "random"], game="klammern", rules=SHORT["klammern"], episode="game", deals=8
    )
    margins, done = grids(league)
    assert margins.title.startswith("Games won less games lost, a game, row against column")
    assert done.header[1] == "first"
    assert notes(league)[0].startswith("8 games at 16 tables a match")
    assert to_json(league, "")["episode"] == "game"


def test_games_are_not_played_from_a_file_of_hands(tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text("0\n")
    with pytest.raises(ConfigError, match="holds single hands, but games are asked for"):
        play_match(Chance(), Chance(), episode="game", deals=1, deal_file=deals)
    with pytest.raises(ConfigError, match="episode is 'round', but must be hand or game"):
        play_match(Chance(), Chance(), episode="round", deals=1)
