"""The plain design, of games whose tables nobody has written."""

from dataclasses import replace

import pytest

from kloepper_agents.arena import match
from kloepper_agents.arena.designs import design_of, plain_design
from kloepper_agents.arena.league import play_league
from kloepper_agents.arena.match import play_match
from kloepper_agents.arena.report import grids, notes
from kloepper_agents.games.klammern import duplicate as klammern
from kloepper_agents.games.kloepper import duplicate as kloepper
from kloepper_env.games import get_game
from tests.agents.players import Chance, Lowest


def test_a_game_without_a_design_has_the_plain_one() -> None:
    """Fixed pairs are exchanged; without them all six splits are played."""
    pairs = design_of(replace(get_game("klammern"), name="unwritten"))
    assert pairs.tables_of(None) == pairs.game_tables == klammern.TABLES
    single = design_of(replace(get_game("kloepper"), name="unwritten"))
    assert single.tables_of(None) == single.game_tables == kloepper.SPLITS
    assert len(set(kloepper.SPLITS)) == 6
    for tables in (pairs.game_tables, single.game_tables):
        assert {tuple(1 - agent for agent in table) for table in tables} == set(tables)


def test_a_design_that_is_written_goes_first() -> None:
    assert design_of(get_game("kloepper")) is kloepper.DESIGN
    assert design_of(get_game("klammern")) is klammern.DESIGN


def test_the_plain_design_scores_pairs_as_that_of_klammern_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = play_match(Chance(), Lowest(), game="klammern", deals=40, seed=2)
    monkeypatch.setattr(match, "design_of", plain_design)
    plain = play_match(Chance(), Lowest(), game="klammern", deals=40, seed=2)
    assert plain.scores.tolist() == written.scores.tolist()
    assert plain.margin != 0
    assert (plain.strata, plain.rates) == ({}, ({}, {}))


@pytest.mark.parametrize("episode", ["hand", "game"])
def test_a_report_of_the_plain_design(monkeypatch: pytest.MonkeyPatch, episode: str) -> None:
    for module in ("match", "league"):
        monkeypatch.setattr(f"kloepper_agents.arena.{module}.design_of", plain_design)
    league = play_league(["greedy", "random"], deals=20, episode=episode, rules={"target": 8})
    margins, done = grids(league)
    assert margins.header == ["agent", "1", "2"]
    assert done.header == ["agent", "µs"]
    assert notes(league)[0].startswith(f"20 {episode.replace('hand', 'deal')}s at 120 tables")
