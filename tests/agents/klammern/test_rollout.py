"""`rollout` for Klammern: its values are those of playing out, and it sees no hidden card."""

import random

import numpy as np
import pytest

from kloepper_agents.arena.match import play_match
from kloepper_agents.games.klammern.worlds import MODEL, BidSource
from kloepper_agents.kinds import make_agent
from kloepper_agents.playing import Playout
from kloepper_agents.search.searcher import OnePly, Searcher
from kloepper_env.beliefs.klammern.worlds import WorldSource
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import FOLLOW
from kloepper_env.state import State
from tests.env import redeals_klammern

GAME = get_game("klammern")


def searcher(worlds: int) -> Searcher:
    """`rollout` with so many worlds."""
    agent = make_agent(f"rollout:worlds={worlds}", "klammern")
    assert isinstance(agent, Searcher)
    return agent


def to_the_end(state: State) -> int:
    """What the two seats 0 and 2 score less the others when `rules` plays on."""
    agent = make_agent("rules", "klammern")
    while (seat := state.turn) is not None:
        state.push(agent.act(state.view(seat), 0))
    scores = state.scores()
    return scores[0] - scores[1]


def at(plies: int, seed: int) -> State:
    """A round played at random up to so many cards."""
    rng = random.Random(plies)
    state = State.deal(GAME, seed=seed)
    while state.hand.plies < plies:
        state.push(rng.choice(state.legal()))
    return state


@pytest.mark.parametrize("plies", [0, 9, 25])
def test_a_playout_is_what_rules_plays_seat_by_seat(plies: int) -> None:
    state = at(plies, 7)
    seat = state.turn
    assert seat is not None
    worlds = WorldSource(state.view(seat)).sample(4, np.random.default_rng(1))
    legal = np.array(state.legal_actions())
    payoffs = Playout(GAME)(worlds, legal)
    for i in range(len(worlds)):
        for j, action in enumerate(legal):
            world = State(GAME, state.options, worlds[i : i + 1].copy())
            world.push(int(action))
            assert payoffs[i, j] == to_the_end(world) * (1 if seat % 2 == 0 else -1)


@pytest.mark.parametrize(("plies", "n"), [(9, 40), (25, 3)])
def test_values_and_errors_are_those_of_the_worlds_it_draws(plies: int, n: int) -> None:
    state = at(plies, 3)
    seat = state.turn
    assert seat is not None
    view = state.view(seat)
    thought = searcher(n).explain(view, 5)
    worlds = BidSource(view, np.random.default_rng(5)).draw(n).hands
    payoffs = Playout(GAME)(worlds, np.array(state.legal_actions()))
    assert thought.worlds == n
    assert thought.possible is None
    assert thought.actions == view.legal
    assert thought.values.tolist() == pytest.approx(payoffs.mean(axis=0).tolist())
    spread = payoffs.std(axis=0, ddof=1) / np.sqrt(n)
    assert thought.errors.tolist() == pytest.approx(spread.tolist())
    gaps = payoffs[:, [thought.chosen]] - payoffs
    assert thought.gap_errors.tolist() == pytest.approx(
        (gaps.std(axis=0, ddof=1) / np.sqrt(n)).tolist()
    )
    assert thought.values[thought.chosen] == thought.values.max()
    assert thought.partners.tolist() == [float(other == (seat + 2) % 4) for other in range(4)]


def test_worlds_are_picked_by_what_was_announced() -> None:
    """A taker that plays like `rules` has more trumps in them than a deal at random gives it."""
    rules, apart = make_agent("rules", "klammern"), []
    for seed in range(40):
        state = State.deal(GAME, seed=seed)
        while state.turn is not None and state.hand.taker < 0:
            state.push(rules.act(state.view(state.turn), 0))
        if state.turn is None:
            continue
        view, taker, trump = state.view(state.turn), int(state.hand.taker), int(state.hand.trump)
        if taker == view.seat:
            continue
        rng = np.random.default_rng(seed)
        picked, even = BidSource(view, rng).draw(64).hands, WorldSource(view).sample(64, rng)
        apart.append(
            np.bitwise_count(picked["hands"][:, taker] & FOLLOW[trump]).mean()
            - np.bitwise_count(even["hands"][:, taker] & FOLLOW[trump]).mean()
        )
    assert len(apart) > 20
    assert np.mean(apart) > 0.3


def test_a_policy_is_refused() -> None:
    agent = OnePly(MODEL, Playout(GAME), worlds=2, policy=lambda _, masks: masks)
    state = State.deal(GAME, seed=1)
    assert state.turn is not None
    with pytest.raises(ConfigError, match="weighed by `rules` alone"):
        agent.explain(state.view(state.turn), 0)


def test_choice_does_not_change_with_the_hidden_cards() -> None:
    rng, agent, checked = random.Random(8), searcher(3), 0
    for _ in range(60):
        state = redeals_klammern.random_position(rng)
        if state.turn is None:
            continue
        for twin, _ in redeals_klammern.alikes(state, state.turn, rng):
            assert agent.act(state.view(state.turn), 9) == agent.act(twin.view(state.turn), 9)
            checked += 1
    assert checked > 20


def test_the_same_word_gives_the_same_choice() -> None:
    first, again = (
        play_match("rollout:worlds=2", "greedy", game="klammern", deals=3, seed=1) for _ in range(2)
    )
    assert first.scores.tolist() == again.scores.tolist()


@pytest.mark.parametrize("settings", ["", "depth=1"])
def test_settings_are_checked(settings: str) -> None:
    with pytest.raises(ConfigError, match=r"rollout got .*, but takes worlds=N"):
        make_agent(f"rollout:{settings}", "klammern")
