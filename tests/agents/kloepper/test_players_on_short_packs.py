"""Every player on packs of 12 and 8 cards (K32)."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents import play_match
from kloepper_agents.games.kloepper.features import features_of
from kloepper_agents.games.kloepper.lab.ask.hand import ask
from kloepper_agents.games.kloepper.lab.ask.position import weigh
from kloepper_agents.games.kloepper.lab.hands.files import TableSetting, make_table
from kloepper_agents.games.kloepper.lab.hands.table import Effort
from kloepper_agents.games.kloepper.lab.study.study import run_study
from kloepper_agents.recorder import record_hands
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import PACK_CARDS
from kloepper_env.records import replay_file
from tests.env.hands import positions

PLAYERS = [
    *("random", "greedy", "rules", "level:1", "level:2", "level:3", "level:4", "level:5"),
    *("pimc:worlds=8", "rollout:worlds=8", "ismcts:iterations=60"),
]
each_pack = pytest.mark.parametrize("pack", [12, 8])
REFUSED = r"^option pack is 12, but the lab knows hands of the full pack only: 24$"


@each_pack
@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_plays_whole_hands(name: str, pack: int, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    record_hands(path, [name, "random", name, "rules"], rules={"pack": pack}, hands=12, seed=3)
    report = replay_file(path)
    assert (report.hands, report.problems) == (12, [])


@each_pack
def test_features_know_which_cards_are_unseen(pack: int) -> None:
    cards = int(PACK_CARDS[{12: 1, 8: 2}[pack]])
    for seed in range(10):
        for state in positions(seed, {"pack": pack}):
            for seat in range(4):
                words = state.observation(seat).view(np.int64)
                seen = features_of(words, 0)
                others = [other for other in range(4) if other != seat]
                held = sum(int(state.hand.hands[other]) for other in others)
                assert seen.unseen == held
                assert seen.unseen & ~cards == 0
                assert seen.dealt == pack // 4


@each_pack
def test_knowing_all_cards_pays(pack: int) -> None:
    assert play_match("oracle", "rules", rules={"pack": pack}, deals=100, seed=1).low > 0


@each_pack
def test_searches_find_more_than_chance(pack: int) -> None:
    assert play_match("pimc:worlds=16", "random", rules={"pack": pack}, deals=40, seed=1).low > 0


def test_the_lab_refuses_short_packs(tmp_path: Path) -> None:
    rules = {"pack": 12}
    with pytest.raises(ConfigError, match=REFUSED):
        ask("QC AC TC", rules=rules)
    with pytest.raises(ConfigError, match=REFUSED):
        run_study("knock", rules=rules, deals=10)
    with pytest.raises(ConfigError, match=REFUSED):
        make_table(tmp_path / "table.npz", TableSetting(True, 1, rules, Effort(1.0, 1.0)))
    asked = next(s for s in positions(1, rules) if "pass" in s.legal())
    with pytest.raises(ConfigError, match=REFUSED):
        weigh(asked)
