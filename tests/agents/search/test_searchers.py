"""What search players choose, and that they choose it from a View alone."""

import json

import numpy as np
import pytest

from kloepper_agents.games.kloepper.lab.choices.regret import judge_player
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.games.kloepper.search.ismcts import Ismcts
from kloepper_agents.games.kloepper.search.tree import Tree
from kloepper_agents.games.kloepper.search.worlds import MODEL as KLOEPPER
from kloepper_agents.kinds import make_agent
from kloepper_agents.playing import Playout
from kloepper_agents.search.bidding import Bidding
from kloepper_agents.search.searcher import LEAST, MOST, OnePly, Searcher, best_of, dominated
from kloepper_env.beliefs import Belief, count_lone_sweeps
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.agents.positions import pass_to, state_of, to_card
from tests.agents.search.situations import GAME, dealt_anew, decisions

NAMES = ["pimc:worlds=3", "rollout:worlds=3", "ismcts:iterations=40"]


def _searcher(name: str) -> Searcher:
    agent = make_agent(name)
    assert isinstance(agent, Searcher)
    return agent


@pytest.mark.parametrize("name", [*NAMES, "level:1", "level:2", "level:3", "level:4"])
def test_other_hidden_cards_make_no_difference(name: str) -> None:
    agent = make_agent(name)
    changed = 0
    for number, state in enumerate(decisions(3)):
        other = dealt_anew(state, number)
        seat = state.turn
        assert seat is not None
        changed += int((state.hand["hands"] != other.hand["hands"]).any())
        assert agent.act(state.view(seat), number) == agent.act(other.view(seat), number)
    assert changed > 40


@pytest.mark.parametrize("name", NAMES)
def test_explanation_stays_the_same_with_other_hidden_cards(name: str) -> None:
    agent = _searcher(name)
    for number, state in enumerate(decisions(1)):
        other = dealt_anew(state, number)
        assert state.turn is not None
        thoughts = [agent.explain(one.view(state.turn), 5).data() for one in (state, other)]
        assert thoughts[0] == thoughts[1]


@pytest.mark.parametrize("name", NAMES)
def test_chance_comes_from_the_word_given(name: str) -> None:
    state = State.deal(seed=1)
    assert state.turn is not None
    view = state.view(state.turn)
    first, again, other = (_searcher(name).explain(view, word).data() for word in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("name", NAMES)
def test_an_explanation_adds_up(name: str) -> None:
    agent = _searcher(name)
    for number, state in enumerate(decisions(2)):
        assert state.turn is not None
        view = state.view(state.turn)
        thought = agent.explain(view, number)
        assert thought.actions == view.legal
        assert thought.values[thought.chosen] == pytest.approx(thought.values.max())
        assert thought.gap >= 0
        assert thought.gap_errors[thought.chosen] == 0
        assert thought.partners[view.seat] == 0
        assert thought.partners.max() <= 1 + 1e-9
        assert thought.possible == Belief(view).count()
        assert agent.act(view, number) == view.action_names.index(thought.actions[thought.chosen])
        data = json.loads(json.dumps(thought.data()))
        assert data["actions"][0]["action"] == data["chosen"]


def test_a_line_for_people() -> None:
    state = to_card(state_of(["QC QS AH TH KH 9H"], "call:C", dealer=3))
    assert state.turn == 0
    line = _searcher("pimc:worlds=200").explain(state.view(0), 1).text()
    assert line.count(" ± ") == 4
    assert "; 2 more (over 200 of " in line
    assert "on my side: seat 1" in line


def test_without_a_choice_there_is_nothing_to_think_about() -> None:
    state = to_card(State.deal(seed=1))
    while len(state.legal()) > 1:
        state.push(state.legal()[0])
        to_card(state)
    agent = OnePly(KLOEPPER, _never, worlds=1)
    assert state.turn is not None
    assert agent.act(state.view(state.turn), 0) == state.legal_actions()[0]


def _never(worlds: np.ndarray, actions: np.ndarray) -> np.ndarray:
    raise AssertionError("a leaf was asked")


def test_all_worlds_give_the_exact_mean() -> None:
    """With every world looked at, the values of pimc are the solver's, weighed by the bidding."""
    agent, solver = OnePly(KLOEPPER, DoubleDummy(), worlds=2000), Solver()
    checked = 0
    for state in decisions(6):
        seat = state.turn
        assert seat is not None
        belief = Belief(state.view(seat))
        if len(state.legal()[0]) == 2 and belief.count() < 100:
            checked += 1
            thought = agent.explain(state.view(seat), 0)
            worlds = [
                State(GAME, state.options, world[None].copy()) for world in belief.enumerate()
            ]
            weights = Bidding(GAME, seat).weights(belief.enumerate())
            for action, value in zip(thought.actions, thought.values, strict=True):
                each = [_signed(world, seat, solver.scores(world)[action]) for world in worlds]
                assert value == pytest.approx(weights @ each)
            assert not thought.errors.any()
            assert thought.worlds == thought.possible == len(worlds)
    assert checked > 10


def _signed(world: State, seat: int, score: int) -> float:
    black = int(world.hand.black)
    mine = score > 0 if black >> seat & 1 else score < 0
    winners = black.bit_count() if score > 0 else 4 - black.bit_count()
    return 2 * (abs(score) * mine - abs(score) * winners / 4)


def test_errors_say_how_far_values_lie_from_the_mean_of_all_worlds() -> None:
    state = next(
        state
        for state in decisions(9)
        if state.turn is not None and 1000 < Belief(state.view(state.turn)).count() < 4000
    )
    assert state.turn is not None
    view = state.view(state.turn)
    exact = OnePly(KLOEPPER, Playout(GAME), worlds=4000).explain(view, 0)
    assert not exact.errors.any()
    agent = OnePly(KLOEPPER, Playout(GAME), worlds=40)
    draws = [agent.explain(view, word) for word in range(200)]
    apart = np.array([one.values - exact.values for one in draws])
    errors = np.array([one.errors for one in draws])
    assert (np.abs(apart) < 1.96 * errors).mean() == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("name", NAMES)
def test_a_sure_knock_is_made_and_a_hopeless_one_is_not(name: str) -> None:
    agent, others = make_agent(name), make_agent("rules")
    sure = state_of(["QC QS JC JS JH JD"], "call:H", dealer=0)
    while sure.turn is not None:
        player = agent if sure.turn == 0 else others
        sure.push(player.act(sure.view(sure.turn), 1))
    assert sure.hand.knocker == 0
    hopeless = pass_to(state_of(["QS 9D 9C KC TH KH", "QC JC JS JH JD AD"], dealer=0), 0)
    assert GAME.action_names[agent.act(hopeless.view(0), 1)] == "pass"


def test_an_announcement_that_is_clear_takes_few_worlds_and_a_close_one_many() -> None:
    agent = OnePly(KLOEPPER, DoubleDummy(), worlds=2)
    sizes = set()
    for state in decisions(12):
        if state.legal()[-1] in ("knock", "knock_off"):
            assert state.turn is not None
            sizes.add(agent.explain(state.view(state.turn), 1).worlds)
    assert min(sizes) == LEAST
    assert LEAST < max(sizes) <= 2 * MOST


def test_time_instead_of_worlds() -> None:
    state = State.deal(seed=1)
    assert state.turn is not None
    for agent in (OnePly(KLOEPPER, Playout(GAME), seconds=0.2), Ismcts(seconds=0.2)):
        agent.explain(state.view(state.turn), 0)  # compiles
        assert agent.explain(state.view(state.turn), 0).worlds > 16


def test_of_equal_actions_the_thriftiest() -> None:
    values = np.zeros(3)
    assert best_of(values, [(-11, 11), (-4, 13), (0, 14)]) == 2
    assert best_of(np.array([0.0, 0.5, 0.5]), [(0, 0), (-4, 1), (-3, 2)]) == 2


@pytest.mark.parametrize("name", ["pimc:worlds=9", "rollout:worlds=9"])
def test_a_card_that_cannot_matter_is_the_cheapest(name: str) -> None:
    """All tricks are sure with the six highest trumps, whichever comes first."""
    state = to_card(state_of(["QC QS JC JS JH JD"], "call:H", dealer=3))
    assert state.turn == 0
    assert GAME.action_names[make_agent(name).act(state.view(0), 3)] == "JD"


def test_a_tree_finds_the_best_card_where_everything_is_known() -> None:
    """In one world over and over, the tree becomes that of the game with open cards."""
    tree, solver = Tree(4000), Solver()
    checked = 0
    for state in decisions(30):
        if state.hand.plies >= 12 and len(state.legal()[0]) == 2:
            assert state.turn is not None
            scores = solver.scores(state)
            earned = [_signed(state, state.turn, scores[action]) for action in state.legal()]
            if max(earned) > min(earned):
                checked += 1
                payoffs = np.zeros((4000, len(earned)), np.int64)
                tree.plant()
                tree.grow(np.repeat(state.hands, 4000), np.array(state.legal_actions()), payoffs)
                assert earned[int(payoffs.mean(axis=0).argmax())] == max(earned)
    assert checked > 10


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pimc", "pimc got '', but takes worlds=N or ms=N, as in pimc:worlds=50"),
        ("pimc:worlds=0", "pimc: worlds is '0', but must be from 1 to 100000"),
        ("pimc:worlds=x", "pimc: worlds is 'x'"),
        ("rollout:depth=3", "rollout got 'depth=3', but takes worlds=N or ms=N"),
        ("ismcts:worlds=3", "ismcts got 'worlds=3', but takes iterations=N or ms=N"),
        ("level", "level got '', but takes 1 to 5, as in level:3"),
        ("level:6", "level got '6', but takes 1 to 5"),
        ("oracle:1", "agent oracle takes no settings"),
    ],
)
def test_settings_that_are_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(name)


@pytest.mark.parametrize("name", ["pimc:worlds=2", "rollout:worlds=2", "ismcts:iterations=20"])
def test_what_can_be_solved_is_solved_so_no_card_is_dominated(name: str) -> None:
    found = judge_player(name, rules={}, hands=12, seed=4)
    assert len(found) > 30
    assert not [one for one in found if one.better is not None]


def test_dominated_actions() -> None:
    payoffs = np.array([[1, 1, 0], [2, 3, 9]])
    assert dominated(payoffs).tolist() == [True, False, False]
    assert not dominated(np.ones((3, 4))).any()


@pytest.mark.parametrize("name", ["pimc:worlds=3", "ismcts:iterations=40"])
def test_a_lone_knock_of_a_leader_is_worth_what_its_counted_share_says(name: str) -> None:
    hands = ["QC QS JC JS AC AH", "JH TC KC 9C AS TS", "KS 9S KH TH JD AD"]
    state = pass_to(state_of(hands, dealer=3), 0)
    share = count_lone_sweeps(state.view(0)).share
    assert 0.9 < share < 1
    thought = _searcher(name).explain(state.view(0), 1)
    assert thought.values[thought.actions.index("knock")] == pytest.approx(45 * (2 * share - 1))
    assert thought.actions[thought.chosen] == "knock"
