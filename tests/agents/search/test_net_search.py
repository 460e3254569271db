"""`net+search`: playouts of the network in deals weighed by it, blind to hidden cards."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents.base import Agent
from kloepper_agents.games.kloepper.search.net_search import SOLVED, NetPlayout, NetSearch
from kloepper_agents.games.kloepper.search.worlds import MODEL
from kloepper_agents.kinds import make_agent, split_names
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env.errors import CheckpointError, ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import N_CARDS
from kloepper_env.payoff import payoffs
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.agents.positions import card, pass_to, state_of
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


def test_the_network_announces_and_its_cards_stand_unless_others_are_better(path: str) -> None:
    hybrid, net = make_agent(f"net+search:{path},worlds=5"), make_agent(f"net:{path}")
    assert isinstance(hybrid, NetSearch)
    told = {"announced": 0, "kept": 0, "changed": 0}
    for number, state in enumerate(decisions(4)):
        assert state.turn is not None
        view = state.view(state.turn)
        own, chosen = net.act(view, number), hybrid.act(view, number)
        if max(state.legal_actions()) >= N_CARDS:
            thought = hybrid.explain(view, number)
            assert chosen == own == view.action_names.index(thought.actions[thought.chosen])
            told["announced"] += 1
            continue
        thought = hybrid.explain(view, number)
        values = dict(zip(thought.actions, thought.values, strict=True))
        assert view.action_names[chosen] == thought.actions[thought.chosen]
        if chosen != own:
            gap = values[view.action_names[chosen]] - values[view.action_names[own]]
            assert gap > 0
            told["changed"] += 1
        else:
            told["kept"] += 1
    assert min(told.values()) > 10


def worth_by_hand(net: Agent, state: State, action: int) -> float:
    """What an action is worth when the network plays all four hands on to the last tricks."""
    seat, state = state.turn, state.copy()
    assert seat is not None
    state.push(action)
    while not state.is_over and max(len(state.cards(k)) for k in range(4)) > SOLVED:
        assert state.turn is not None
        state.push(net.act(state.view(state.turn), 0))
    if state.is_over:
        return float(payoffs(np.array(state.scores()))[seat])
    score = Solver().score(state)
    return float(payoff(score, int(state.hand.black), seat))


def test_a_playout_is_the_network_at_all_seats_and_then_the_solver(path: str) -> None:
    agent = make_agent(f"net:{path}")
    assert isinstance(agent, NetAgent)
    leaf, compared = NetPlayout(agent), 0
    for state in decisions(3):
        legal = state.legal_actions()
        values = leaf(state.hands, np.array(legal))
        assert values[0].tolist() == [worth_by_hand(agent, state, action) for action in legal]
        compared += len(set(values[0])) > 1
    assert compared > 10


def test_deals_are_weighed_by_what_the_network_would_have_played(tmp_path: Path) -> None:
    """A network that plays the first card it may: after JD its player has no trump before it."""
    weights = np.zeros((GAME.layout.size, GAME.n_actions), np.float32)
    biases = (-10 * np.arange(GAME.n_actions, dtype=np.float32),)
    Policy("kloepper", {}, 0, (weights,), biases).save(tmp_path / "policy")
    hybrid = make_agent(f"net+search:{tmp_path / 'policy'},worlds=50")
    assert isinstance(hybrid, NetSearch)
    state = pass_to(
        state_of(
            ["JD AD TD KC 9C AS", "QC JH KS 9S AH TH", "JS TC KD QD 9D TS", "QS JC AC KH QH 9H"]
        ),
        0,
    )
    state.push("JD")
    view = state.view(1)
    share = []
    for policy in (hybrid.policy, None):
        worlds = MODEL.source(view, np.random.default_rng(0), policy).draw(50)
        before_it = worlds.hands["hands"][:, 0].astype(np.int64) & (1 << card("JD")) - 1
        share.append(float(worlds.weights @ (before_it == 0)))
    assert share[0] > 0.75
    assert share[1] < 0.6


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
        ("{},worlds=0", "net\\+search: worlds is '0'"),
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
