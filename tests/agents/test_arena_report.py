"""Leagues, and what is told of them."""

import json
import re
from html.parser import HTMLParser
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from kloepper_agents.arena.html import page, ticks
from kloepper_agents.arena.league import League, Setting, play_league
from kloepper_agents.arena.match import MatchResult, Stratum
from kloepper_agents.arena.report import grids, notes, to_json, with_interval
from kloepper_agents.arena.statistics import Estimate
from kloepper_env.errors import ConfigError

ESTIMATE = {"margin", "half_width", "low", "high", "detectable", "deals"}
SETTING = {"game", "rules", "deals", "seed", "deal_file", "unit", "episode"}
MATCH = {"agents", "bootstrap", "deals_needed", "tables", "strata", "rates", "seconds_per_decision"}
RATE = {"offered", "taken", "succeeded", "share", "success"}


@pytest.fixture(scope="module")
def league() -> League:
    return play_league(["random", "greedy", "random"], deals=60, seed=2, rules={"prompt_all": True})


def made_up(margins: dict[tuple[int, int], list[float]], names: tuple[str, ...]) -> League:
    """A league of which only the margins matter."""
    matches = {
        (i, j): MatchResult(
            agents=(names[i], names[j]),
            tables=2 * len(scores),
            scores=np.array(scores),
            strata={"split": Stratum(Estimate.of(np.array(scores)), 2 * len(scores))},
            rates=({}, {}),
            decisions=(10, 20),
            seconds=(0.5, 4.0),
        )
        for (i, j), scores in margins.items()
    }
    deals = len(next(iter(margins.values())))
    return League(Setting("kloepper", {}, deals, 0, None), names, matches)


def test_margins_are_those_of_the_matches_with_either_sign(league: League) -> None:
    for i, j in permutations(range(3), 2):
        there, back = league.margin(i, j), league.margin(j, i)
        assert there.mean == -back.mean
        assert there.half_width == back.half_width
    assert league.margin(1, 0).low > 0
    assert league.margin(0, 2).mean == 0.0  # equal agents, equal deals
    assert league.margin(0, 1).mean == league.margin(2, 1).mean


def test_ratings_are_the_least_squares_of_the_margins() -> None:
    league = made_up({(0, 1): [2, 4], (0, 2): [1, -1], (1, 2): [6, 0]}, ("a", "b", "c"))
    equations = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1], [1, 1, 1]])
    expected = np.linalg.lstsq(equations, np.array([3, 0, 3, 0]), rcond=None)[0]
    assert [league.rating(i).mean for i in range(3)] == pytest.approx(expected.tolist())
    by_deal = np.array([(2 + 1) / 3, (4 - 1) / 3])
    assert league.rating(0).standard_error == pytest.approx(Estimate.of(by_deal).standard_error)


def test_one_agent_makes_no_league() -> None:
    with pytest.raises(ConfigError, match="1 agent is given"):
        play_league(["random"])


def test_rates_of_an_agent_are_those_of_all_its_matches(league: League) -> None:
    first, second = league.matches[0, 1].rates[1], league.matches[1, 2].rates[0]
    assert league.rates(1)["knock"] == first["knock"] + second["knock"]


def test_time_is_spread_over_the_decisions_of_all_matches() -> None:
    league = made_up({(0, 1): [0, 2], (0, 2): [0, 2], (1, 2): [0, 2]}, ("a", "b", "c"))
    assert league.seconds_per_decision(0) == pytest.approx(0.05)
    assert league.seconds_per_decision(1) == pytest.approx(4.5 / 30)
    assert league.seconds_per_decision(2) == pytest.approx(0.2)


def test_json_holds_everything_that_repeats_a_league(league: League) -> None:
    result = json.loads(json.dumps(to_json(league, "kloepper arena ..."), allow_nan=False))
    assert set(result) == SETTING | {"format", "kloepper", "command", "agents", "unit", "matches"}
    assert (result["game"], result["deals"], result["seed"]) == ("kloepper", 60, 2)
    assert result["rules"] == {"prompt_all": True}
    assert [agent["name"] for agent in result["agents"]] == ["random", "greedy", "random"]
    for agent in result["agents"]:
        assert set(agent) == {"name", "rating", "rates", "seconds_per_decision"}
        assert set(agent["rating"]) == ESTIMATE
    assert len(result["matches"]) == 3
    for match in result["matches"]:
        assert set(match) == ESTIMATE | MATCH
        assert match["low"] <= match["margin"] <= match["high"]
        assert set(match["strata"]) == {"split", "called", "alone", "knocked"}
        for stratum in match["strata"].values():
            assert set(stratum) == ESTIMATE | {"tables"}
        for rates in match["rates"]:
            assert set(rates) == {"knock", "knock_off", "call", "alone"}
            assert all(set(rate) == RATE for rate in rates.values())
    low, high = result["matches"][0]["bootstrap"]
    assert low == pytest.approx(result["matches"][0]["low"], abs=0.3)
    assert high == pytest.approx(result["matches"][0]["high"], abs=0.3)


def test_what_one_deal_cannot_tell_is_null_and_drawn_without_width() -> None:
    league = play_league(["random", "greedy"], deals=1)
    result: Any = json.loads(json.dumps(to_json(league, ""), allow_nan=False))
    assert result["matches"][0]["half_width"] is None
    assert result["matches"][0]["deals_needed"] == {"0.05": None}
    assert "±" not in grids(league)[0].rows[0][2]
    assert "nan" not in page(league, "")
    assert "inf" not in page(league, "")


def test_tables_read_row_against_column(league: League) -> None:
    margins, strata, announced = grids(league)
    assert margins.header == ["agent", "rating", "1", "2", "3"]
    assert [row[0] for row in margins.rows] == ["1 random", "2 greedy", "3 random"]
    assert margins.rows[1][2].startswith("+")
    assert margins.rows[0][3].startswith("-")
    assert margins.rows[0][2] == ""
    assert len(strata.rows) == 3
    assert announced.header[-1] == "µs"
    assert announced.title.endswith("µs a decision")
    assert announced.rows[1][3].startswith("100% (")  # greedy always calls
    assert notes(league)[0].endswith("seed 2; prompt_all=True.")


def test_wide_intervals_are_told_with_one_decimal() -> None:
    assert with_interval(Estimate.of(np.array([1.0, 2.0, 3.0]))) == "+2.00±2.48"
    assert with_interval(Estimate.of(np.array([100.0, 200.0, 300.0]))) == "+200.0±248.4"


def test_two_agents_need_no_rating() -> None:
    league = made_up({(0, 1): [2, -2, 2, 0]}, ("a", "b"))
    assert grids(league)[0].header == ["agent", "1", "2"]


class Reader(HTMLParser):
    """Checks that tags nest, and gathers tags, attributes and text."""

    VOID = ("meta", "line", "circle")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    league = made_up({(0, 1): [2, -2, 2, 0] * 3}, ("net:<b>&", "b"))
    reader = Reader()
    reader.feed(page(league, "kloepper arena 'net:<b>&' b"))
    assert reader.open == []
    assert not {"src", "href"} & {name for name, _ in reader.attributes}
    assert "net:<b>&" in reader.texts
    assert "kloepper arena 'net:<b>&' b" in reader.texts
    assert "+0.50±1.10" in reader.texts


def test_a_page_of_any_names_is_whole() -> None:
    names = ("net:<script>\"&'", "net:\x1b[31m\udcff\ud800\x00")
    league = made_up({(0, 1): [2, -2, 2, 0] * 3}, names)
    written = page(league, " ".join(names)).encode()  # a lone surrogate cannot be written
    reader = Reader()
    reader.feed(written.decode())
    assert reader.open == []
    assert names[0] in reader.texts
    assert "net:\\x1b[31m\\udcff\\ud800\\x00" in reader.texts
    assert "script" not in {tag for tag, _ in reader.attributes}


def test_the_picture_has_room_for_long_names() -> None:
    """Names stand above their intervals, shortened, so that the picture fits a telephone."""
    names = ("net:" + "runs/" * 20, "b")
    written = page(made_up({(0, 1): [2, -2, 2, 0] * 3}, names), "")
    picture = written[written.index("<svg") : written.index("</svg>")]
    places = [float(place) for place in re.findall(r'(?:cx|x1|x2)="([\d.]+)"', picture)]
    width = float(re.findall(r'viewBox="0 0 ([\d.]+)', picture)[0])
    assert 0 <= min(places) <= max(places) <= width <= 400
    labels = re.findall(r'<text x="0"[^>]*>([^<]*)<', picture)
    assert [7.5 * len(label) < width for label in labels] == [True]


def test_the_picture_has_an_axis_with_its_unit_and_a_caption_with_the_deals() -> None:
    scores = [2.0, -2.0, 2.0, 0.0] * 25
    written = page(made_up({(0, 1): scores}, ("a", "b")), "")
    marks = re.findall(r'y="[\d.]+" text-anchor="middle">([^<]*)<', written)
    assert marks[-1] == "points a hand"
    numbers = [float(mark) for mark in marks[:-1]]
    assert numbers == sorted(numbers)
    assert 0 in numbers
    assert 3 <= len(numbers) <= 8
    assert "95 % interval of 100 deals at" in written


@pytest.mark.parametrize("widest", [0.003, 0.11, 1.0, 2.4, 9.99, 13, 480])
def test_ticks_are_round_and_few(widest: float) -> None:
    marks = ticks(widest)
    assert 3 <= len(marks) <= 8
    assert max(marks) <= widest * (1 + 1e-9)
    assert marks == [-mark for mark in reversed(marks)]


def test_two_deals_have_no_interval_worth_showing() -> None:
    assert with_interval(Estimate.of(np.array([12.0, -12.0]))) == "+0.00"
    written = page(made_up({(0, 1): [12.0, -12.0]}, ("a", "b")), "")
    assert "152" not in written
    assert "±" not in written


def test_the_closing_sentence_speaks_of_the_quietest_and_the_noisiest_match() -> None:
    quiet: list[float] = [2.0, 0.0] * 50
    noisy: list[float] = [24.0, -24.0] * 50
    league = made_up({(0, 1): quiet, (0, 2): noisy, (1, 2): noisy}, ("a", "b", "c"))
    detectable = [league.matches[pair].detectable for pair in ((0, 1), (1, 2))]
    said = notes(league)[1]
    assert f"{detectable[0]:.2f} points a hand in a – b" in said
    assert f"of {detectable[1]:.2f} in b – c" in said


def test_a_report_tells_the_difference_that_its_deals_show() -> None:
    scores = [2.0, -2.0, 6.0, 2.0] * 25
    league = made_up({(0, 1): scores}, ("a", "b"))
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    shown = (1.959964 + 0.841621) * error  # level 5 %, power 80 %
    match = league.matches[0, 1]
    assert match.detectable == pytest.approx(shown, rel=1e-4)
    told = to_json(league, "")["matches"][0]
    assert told["detectable"] == pytest.approx(shown, rel=1e-4)
    assert f"These deals show a difference of {shown:.2f} points a hand" in notes(league)[1]
    needed = (shown / error * np.std(scores, ddof=1) / 0.05) ** 2
    assert told["deals_needed"]["0.05"] == pytest.approx(needed, rel=1e-3)


def test_equal_agents_say_nothing_of_what_their_deals_show() -> None:
    assert len(notes(made_up({(0, 1): [0, 0, 0]}, ("a", "a")))) == 1
