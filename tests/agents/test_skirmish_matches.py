"""Duplicate matches with three and six seats, parties of two and three, and one against two."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.games  # noqa: F401  # makes Skirmish known
from kloepper_agents.arena.designs import design_of, splits
from kloepper_agents.arena.match import play_match
from kloepper_agents.base import Agent
from kloepper_agents.kinds import make_agent
from kloepper_agents.recorder import record_hands
from kloepper_env.errors import ConfigError
from kloepper_env.games import set_up
from kloepper_env.records import replay_file
from kloepper_env.state import State
from kloepper_env.view import View
from tests.games.positions import VARIANTS, name_of

variants = pytest.mark.parametrize("rules", VARIANTS, ids=name_of)


class Highest(Agent):
    """The highest number of all legal actions, which bids as much as can be."""

    name = "highest"

    def act(self, view: View, random: int) -> int:
        return int(np.flatnonzero(view.action_mask)[-1])


class Modest(Agent):
    """Bids nothing, looks at the first, and plays the highest card."""

    name = "modest"

    def act(self, view: View, random: int) -> int:
        legal = np.flatnonzero(view.action_mask)
        return int(legal[0 if view.legal[0].startswith(("bid", "look", "lay")) else -1])


@variants
def test_exchanging_the_agents_gives_the_same_tables(rules: dict[str, Any]) -> None:
    game, _ = set_up("skirmish", rules)
    design = design_of(game)
    for seed in range(20):
        state = State.deal("skirmish", rules, seed=seed)
        tables = [tuple(table) for table in design.tables_of(state.hand)]
        assert {tuple(1 - agent for agent in table) for table in tables} == set(tables)
        assert len(set(tables)) == len(tables) == (6 if rules.get("teams") == 3 else 2)
        for table in tables:
            assert set(table) == {0, 1}
            for team in game.teams(state.hand) or ():
                assert len({table[seat] for seat in team}) == 1  # partners are one agent


@pytest.mark.parametrize(
    ("parties", "tables"),
    [((0, 1), 2), ((0, 1, 0, 1), 2), ((0, 1, 1), 2), ((0, 1, 2), 6), ((0, 1, 2, 3), 6)],
)
def test_splits(parties: tuple[int, ...], tables: int) -> None:
    found = splits(parties)
    assert len(set(found)) == len(found) == tables
    assert {tuple(1 - agent for agent in table) for table in found} == set(found)
    sides = Counter(table[0] for table in found)
    assert sides[0] == sides[1]


@variants
def test_margins(rules: dict[str, Any]) -> None:
    same = play_match("random", "random", game="skirmish", rules=rules, deals=40)
    assert not same.scores.any()
    there = play_match(Highest(), Modest(), game="skirmish", rules=rules, deals=60)
    back = play_match(Modest(), Highest(), game="skirmish", rules=rules, deals=60)
    assert there.scores == pytest.approx(-back.scores)
    assert there.high < 0  # a bid of 97 is never made
    game = play_match(
        Highest(), Modest(), game="skirmish", rules=rules, deals=4, episode="game", seed=2
    )
    assert game.margin == pytest.approx(
        -play_match(
            Modest(), Highest(), game="skirmish", rules=rules, deals=4, episode="game", seed=2
        ).margin
    )


@variants
def test_recorded_hands_replay(rules: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    record_hands(file, game="skirmish", rules=rules, hands=40, seed=3, legal=True)
    report = replay_file(file)
    assert (report.hands, report.problems) == (40, [])
    with pytest.raises(ConfigError, match="has 6 seats" if "players" not in rules else "3 seats"):
        record_hands(tmp_path / "x", ["random"] * 4, game="skirmish", rules=rules, hands=1)


def test_deals_of_a_file_name_no_parties(tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text("0 " + "".join(State.deal("skirmish", seed=1).deck()) + "\n")
    with pytest.raises(ConfigError, match="names no teams"):
        play_match("random", "random", game="skirmish", deals=1, deal_file=deals)


@pytest.mark.parametrize("n_actions", [1, 8, 63, 64, 65, 72, 128, 200, 513])
def test_random_draws_legal_actions_of_any_number_alike(n_actions: int) -> None:
    rng, agent, rows = np.random.default_rng(n_actions), make_agent("random"), 4000
    mask = (rng.random(n_actions) < 0.5).astype(np.int8)
    mask[rng.integers(n_actions)] = 1
    masks = np.broadcast_to(mask, (rows, n_actions))
    words = rng.integers(0, 2**64, rows, np.uint64)
    observations = np.zeros((rows, 8), np.int8)
    drawn = np.bincount(agent.act_many(observations, masks, words), minlength=n_actions)  # type: ignore[attr-defined]
    assert not drawn[mask == 0].any()
    expected = rows / mask.sum()
    assert (abs(drawn[mask == 1] - expected) < 5.5 * np.sqrt(expected)).all()
    lowest = np.sort(np.flatnonzero(mask))
    edges = agent.act_many(observations[:2], masks[:2], np.array([0, 2**64 - 1], np.uint64))  # type: ignore[attr-defined]
    assert edges.tolist() == [lowest[0], lowest[-1]]
    assert all(a < b for a, b in pairwise(lowest.tolist()))
