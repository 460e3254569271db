"""Agents by name: those of the package, those of the user, and names that come out of files."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import kloepper_env  # noqa: F401  # registers the environments
from kloepper_agents import kinds
from kloepper_agents.kinds import is_own, make_agent
from kloepper_env.errors import ConfigError
from tests.agents.players import Stubborn

OWN = '''
from kloepper_agents import ObservationAgent


class First(ObservationAgent):
    """The first legal action."""

    def act_many(self, observations, masks, random):
        return masks.argmax(axis=1)


first = First
ready = First()
nothing = 7


class Needy(First):
    def __init__(self, level):
        self.level = level


quit = exit
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of the user's in the working directory, where commands look too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "players_of_mine", raising=False)
    (tmp_path / "players_of_mine.py").write_text(OWN)
    return "players_of_mine"


@pytest.mark.parametrize("attribute", ["First", "first", "ready"])
def test_a_player_of_ones_own_is_named_by_its_module(module: str, attribute: str) -> None:
    agent = make_agent(f"{module}:{attribute}", "klammern")
    assert agent.name == f"{module}:{attribute}"
    env = gymnasium.make("kloepper/Klammern-v0", opponents=f"{module}:{attribute}")
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].any()


def test_the_path_of_modules_is_left_as_it_was(module: str) -> None:
    before = list(sys.path)
    make_agent(f"{module}:First")
    assert sys.path == before


@pytest.mark.parametrize(
    ("attribute", "sentence"),
    [
        (
            "Missing",
            "agent 'players_of_mine:Missing' cannot be had: module 'players_of_mine' has no",
        ),
        ("nothing", "agent 'players_of_mine:nothing' is int, but must be a kloepper_agents.Agent"),
        ("np", "agent 'players_of_mine:np' cannot be had"),
        ("Needy", "agent 'players_of_mine:Needy' is ABCMeta, but .* take no arguments"),
        ("quit", "agent 'players_of_mine:quit' is Quitter, but must be a kloepper_agents.Agent"),
    ],
)
def test_what_is_no_player_is_refused(module: str, attribute: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=f"^{sentence}"):
        make_agent(f"{module}:{attribute}")


@pytest.mark.parametrize("name", ["levle:4", "nett:run", "gready", "a..b:C", "1:x", ":First", "x:"])
def test_a_mistyped_kind_is_told_the_kinds(name: str) -> None:
    assert not is_own(name)
    kinds = "the kinds are random, passive"
    with pytest.raises(ConfigError, match=f"^unknown agent '{name}'; {kinds}"):
        make_agent(name)


def test_a_name_out_of_a_file_imports_nothing(module: str) -> None:
    with pytest.raises(ConfigError, match=r"^agent 'players_of_mine:First' would import code"):
        make_agent("players_of_mine:First", own=False)
    assert module not in sys.modules
    assert make_agent("rules", own=False).name == "rules"


def test_an_installed_package_may_offer_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = EntryPoint("stubborn", "tests.agents.players:make_stubborn", kinds.ENTRY_POINTS)

    def offers(group: str, name: str) -> tuple[EntryPoint, ...]:
        return (offer,) if (group, name) == (offer.group, offer.name) else ()

    monkeypatch.setattr(kinds, "entry_points", offers)
    agent: Any = make_agent("stubborn:3")
    assert isinstance(agent, Stubborn)
    assert agent.name == "stubborn:3"
    with pytest.raises(ConfigError, match=r"^agent 'stubborn:3' would import code"):
        make_agent("stubborn:3", own=False)
