"""Agents by name and as objects, wherever they may be given."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kloepper_agents import play_match
from kloepper_agents.arena.league import play_league
from kloepper_agents.arena.report import grids
from kloepper_agents.base import Agent, ObservationAgent
from kloepper_agents.kinds import make_agent, split_names
from kloepper_agents.neural import Policy
from kloepper_agents.recorder import record_hands
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.games import get_game
from kloepper_env.view import View
from tests.agents.players import Lowest


class Answers(Agent):
    """Whatever it was made with; it has no name of its own."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: View, random: int) -> Any:
        return self.answer(view) if callable(self.answer) else self.answer


class AnswersMany(ObservationAgent):
    """The same for many at once."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer = answer

    def act_many(self, observations: Any, masks: Any, random: Any) -> Any:
        return self.answer(masks)


def first(view: View) -> int:
    return int(view.action_mask.argmax())


def policy(folder: Path, game: str = "kloepper") -> None:
    """A network that any game's rules let play."""
    of = get_game(game)
    shape = (of.layout.size, of.n_actions)
    weights, bias = np.zeros(shape, np.float32), np.zeros(of.n_actions, np.float32)
    folder.mkdir(parents=True)
    Policy(game, {}, 0, (weights,), (bias,)).save(folder / "policy.safetensors")


# --- names with commas ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("random,rules, greedy ,level:1", ["random", "rules", "greedy", "level:1"]),
        ("you,net:r,sample,rules,you", ["you", "net:r,sample", "rules", "you"]),
        ("net:a,b/c,d,sample,net:e", ["net:a,b/c,d,sample", "net:e"]),
        ("net:r, sample, rules", ["net:r,sample", "rules"]),
        ('you, "net:a, b",rules', ["you", "net:a, b", "rules"]),
        ('you,"net:a,rules",rules', ["you", "net:a,rules", "rules"]),
        ('"net:a,rules",sample,rules', ["net:a,rules,sample", "rules"]),
        ("rollout:worlds=5,ms=3,random", ["rollout:worlds=5,ms=3", "random"]),
        ("you,rulez,rules,rules", ["you", "rulez", "rules", "rules"]),
        ("net:[a],$b$,<c>", ["net:[a],$b$,<c>"]),
        ("random,,rules", ["random", "", "rules"]),
    ],
)
def test_what_follows_a_comma_and_is_no_agent_belongs_to_the_settings(
    text: str, names: list[str]
) -> None:
    assert split_names(text, "you") == names


@pytest.mark.parametrize("text", ['you,"net:a', '"net:a"b,rules', "net:a\nb,rules", "x" * 200_000])
def test_what_is_no_list_of_names_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is no list of names") as refused:
        split_names(text)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("name", ["a,b", "a,rules", "a,sample", "[red]", "$x$"])
def test_the_path_of_a_network_may_hold_anything(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    policy(Path(name))
    if name != "a,sample":
        assert make_agent(f"net:{name}").name == f"net:{name}"
    assert make_agent(f"net:{name},sample").name == f"net:{name},sample"


def test_a_network_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"net got 'r,smaple', but takes PATH or PATH,sample"):
        make_agent("net:r,smaple")


# --- agents as objects ---------------------------------------------------------------------------


def test_a_league_takes_objects_and_names() -> None:
    league = play_league([Answers(first), "random", Answers(first), Lowest()], deals=4)
    assert league.agents == ("Answers", "random", "Answers", "lowest")
    assert league.margin(0, 2).mean == 0.0
    strata, announced = grids(league)[1:]
    assert [row[0] for row in strata.rows][:3] == [
        "1 Answers – random",
        "1 Answers – 3 Answers",
        "1 Answers – lowest",
    ]
    assert [row[0] for row in announced.rows] == ["1 Answers", "random", "3 Answers", "lowest"]


def test_hands_are_recorded_of_objects_too(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    record_hands(path, [Answers(first), "random", Lowest(), "greedy"], hands=1)
    told = json.loads(path.read_text())["agents"]
    assert told == ["Answers", "random", "lowest", "greedy"]


@pytest.mark.parametrize(
    "stranger",
    [lambda view: 0, Answers, None, 3, ["rules"], b"rules"],
    ids=["function", "class", "none", "number", "list", "bytes"],
)
@pytest.mark.parametrize(
    "play",
    [play_match, lambda *two, **rest: play_league(two, **rest)],
    ids=["match", "league"],
)
def test_what_is_no_agent_is_refused(stranger: Any, play: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match=r"an agent is .*, but must be a name such as `rules` or"):
        play(stranger, "random", deals=2)


@pytest.mark.parametrize("agents", ["rules", None, 2])
def test_what_is_no_list_of_agents_is_refused(agents: Any) -> None:
    with pytest.raises(ConfigError, match="but must be a list of two or more"):
        play_league(agents)


def test_a_name_is_a_text() -> None:
    with pytest.raises(ConfigError, match="an agent is 3, but must be a name such as `rules`"):
        make_agent(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer", ["pass", "24", 3.0, None, [3], (), True, {}, 10**30, np.float64(2)], ids=repr
)
def test_an_answer_that_is_no_number_names_the_agent_and_itself(answer: Any) -> None:
    with pytest.raises(IllegalActionError) as refused:
        play_match(Answers(answer), "random", deals=2)
    assert str(refused.value).startswith(f"agent Answers answered {answer!r}, which is no action: ")


def test_numbers_of_numpy_are_read() -> None:
    for kind in (np.int8, np.uint64, lambda number: number):
        played = play_match(Answers(lambda view, kind=kind: kind(first(view))), "random", deals=2)
        assert played.deals == 2


@pytest.mark.parametrize(
    "answer",
    [
        lambda masks: masks.argmax(axis=1).astype(float),
        lambda masks: masks.argmax(axis=1)[:-1],
        lambda masks: masks.argmax(axis=1)[:, None],
        lambda masks: ["pass"] * len(masks),
        lambda masks: None,
        lambda masks: masks > 0,
    ],
    ids=["floats", "too few", "a column", "names", "none", "a mask"],
)
def test_answers_for_many_are_integers_one_for_each(answer: Callable[..., Any]) -> None:
    message = r"the actions of agent AnswersMany must be integers of shape \(\d+,\), not "
    with pytest.raises(IllegalActionError, match=message):
        play_match(AnswersMany(answer), "random", deals=2)
