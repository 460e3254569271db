"""`net+search`: the network early and in announcements, the search late, blind to hidden cards."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents.kinds import make_agent, split_names
from kloepper_agents.neural import Policy
from kloepper_env.errors import CheckpointError, ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import N_CARDS
from tests.agents.search.situations import dealt_anew, decisions

GAME = get_game("kloepper")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A network of chance."""
    weights = np.random.default_rng(5).normal(size=(GAME.layout.size, GAME.n_actions))
    file = tmp_path_factory.mktemp("net") / "policy.safetensors"
    biases = (np.zeros(GAME.n_actions, np.float32),)
    Policy("kloepper", {}, 0, (weights.astype(np.float32),), biases).save(file)
    return str(file)


def test_the_network_plays_two_tricks_and_announces_and_the_search_the_rest(path: str) -> None:
    hybrid, net = make_agent(f"net+search:{path},worlds=5"), make_agent(f"net:{path}")
    search = make_agent("pimc:worlds=5")
    told_apart = {net: 0, search: 0}
    for number, state in enumerate(decisions(4)):
        assert state.turn is not None
        view = state.view(state.turn)
        is_early = state.hand.plies < 8 or max(state.legal_actions()) >= N_CARDS
        chosen = {player: player.act(view, number) for player in (net, search)}
        wanted = net if is_early else search
        assert hybrid.act(view, number) == chosen[wanted]
        told_apart[wanted] += chosen[net] != chosen[search]
    assert min(told_apart.values()) > 5


def test_other_hidden_cards_make_no_difference(path: str) -> None:
    hybrid = make_agent(f"net+search:{path},worlds=3")
    for number, state in enumerate(decisions(2)):
        assert state.turn is not None
        views = [one.view(state.turn) for one in (state, dealt_anew(state, number))]
        assert len({hybrid.act(view, number) for view in views}) == 1


def test_its_names(path: str) -> None:
    names = [f"net+search:{path}", f"net+search:{path},worlds=5", f"net+search:{path},ms=3"]
    assert split_names(",".join([*names, "rules"])) == [*names, "rules"]
    assert [make_agent(name).name for name in names] == names


def test_it_is_made_for_the_rules_of_its_network(path: str, tmp_path: Path) -> None:
    policy = Policy.load(Path(path), GAME)
    rules = {"announce": "own_turn"}
    Policy("kloepper", rules, 0, policy.weights, policy.biases).save(tmp_path / "other")
    assert make_agent(f"net+search:{tmp_path / 'other'}").rules == rules


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("", "net got '', but takes PATH"),
        (",worlds=5", "net got '', but takes PATH"),
        ("{},worlds=0", "pimc: worlds is '0'"),
        ("{},iterations=5", "but takes PATH"),
        ("no/such/file", "no/such/file"),
    ],
)
def test_names_that_are_none(path: str, settings: str, sentence: str) -> None:
    with pytest.raises((ConfigError, CheckpointError), match=sentence):
        make_agent(f"net+search:{settings.format(path)}")


def test_it_plays_kloepper_alone(path: str) -> None:
    with pytest.raises(ConfigError, match=r"agent net\+search plays kloepper, not klammern"):
        make_agent(f"net+search:{path}", "klammern")
