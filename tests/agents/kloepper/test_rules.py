"""The player `rules` of every game: legal, blind to hidden cards, better than the simple ones."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from kloepper_agents.arena.match import play_match
from kloepper_agents.base import Agent, ObservationAgent
from kloepper_agents.kinds import make_agent, plays
from kloepper_agents.playing import play_hands
from kloepper_env import engine
from kloepper_env.batch import Batch
from kloepper_env.games import GAMES, get_game
from kloepper_env.state import State
from tests.agents.positions import state_of
from tests.env import redeals_klammern
from tests.env.hands import random_rules

FIRST_SEED = 10_000_000
PLAYED = [game for game in GAMES if plays("rules", game)]


def agent_of(name: str, game: str = "kloepper") -> ObservationAgent:
    agent: Agent = make_agent(name, game)
    assert isinstance(agent, ObservationAgent)
    return agent


@pytest.mark.parametrize("game", PLAYED)
@pytest.mark.parametrize("name", ["random", "greedy", "rules"])
def test_legal_on_10_000_random_positions_of_random_rules(name: str, game: str) -> None:
    rng, agent = np.random.default_rng(3), agent_of(name, game)
    for seed in range(20):
        rules = random_rules(game, random.Random(seed))
        batch = Batch(game, n=50, seed=seed, rules=rules)
        for _ in range(10):
            for _ in range(4):
                batch.step(batch.sample())
            words = rng.integers(0, 2**64, batch.n, np.uint64)
            actions = agent.act_many(batch.observation, batch.action_mask, words)
            batch.step(actions)  # raises IllegalActionError if one is not legal


def margins(first: str, second: str, n: int) -> NDArray[np.float64]:
    """Margin of `first` on each of `n` deals, played twice with the sides exchanged."""
    agents = agent_of(first), agent_of(second)
    total = np.zeros(n)
    for swap in (0, 1):
        batch = Batch(n=n, seeds=range(FIRST_SEED, FIRST_SEED + n))
        queens = batch.hands["queens"].astype(np.int64)
        single = np.bitwise_count(queens) == 1  # both queens in one hand: seats 0 and 2 for black
        seats = np.where(single, 0b0101, queens)[:, None] >> np.arange(4) & 1 ^ swap
        left = np.ones(n, bool)
        rng = np.random.default_rng(9)
        while left.any():
            words = rng.integers(0, 2**64, n, np.uint64)
            both = [a.act_many(batch.observation, batch.action_mask, words) for a in agents]
            is_first = seats[np.arange(n), batch.turn] == 1
            batch.step(np.where(is_first, both[0], both[1]))
            now = left & (batch.ended == 1)
            total[now] += (batch.rewards * (2 * seats - 1)).sum(axis=1)[now] / 2
            left &= ~now
    return total / 2


@pytest.mark.parametrize(
    ("better", "worse", "at_least"),
    [("rules", "greedy", 0.8), ("rules", "random", 5.0), ("greedy", "random", 3.0)],
)
def test_margin_over_2_000_deals(better: str, worse: str, at_least: float) -> None:
    margin = margins(better, worse, 2_000)
    half_width = 1.96 * margin.std(ddof=1) / np.sqrt(len(margin))
    assert margin.mean() - half_width > 0
    assert margin.mean() > at_least


def test_the_same_agent_has_margin_zero() -> None:
    assert not margins("rules", "rules", 200).any()


@pytest.mark.parametrize(
    ("better", "worse", "at_least"),
    [("rules", "greedy", 15.0), ("rules", "random", 120.0), ("greedy", "random", 40.0)],
)
def test_margin_in_klammern_over_500_deals(better: str, worse: str, at_least: float) -> None:
    result = play_match(better, worse, game="klammern", deals=500, seed=FIRST_SEED)
    assert result.low > 0
    assert result.margin > at_least


def play(name: str, state: State) -> list[str]:
    """The actions of one hand, all four seats by one agent through their Views."""
    agent = make_agent(name, state.game.name)
    while not state.is_over:
        assert state.turn is not None
        state.push(agent.act(state.view(state.turn), 0))
    return [action for _, action in state.history]


@pytest.mark.parametrize("name", PLAYED)
def test_driver_and_agent_play_the_same_hands(name: str) -> None:
    game = get_game(name)
    hands = game.new_hands(1, game.options(None), engine.seed_key(8))
    totals = np.zeros(4, np.int64)
    decisions = play_hands(game, hands, 30, totals)
    states = [State.deal(name, seed=8, serial=serial) for serial in range(30)]
    assert decisions == sum(len(play("rules", state)) for state in states)
    assert list(totals) == np.sum([state.scores() for state in states], axis=0).tolist()


@pytest.mark.parametrize("name", PLAYED)
def test_driver_plays_before_anybody_has_asked_for_the_player(name: str) -> None:
    script = (
        "import numpy as np; from kloepper_agents.playing import Playout, play_hands\n"
        "from kloepper_env import engine; from kloepper_env.games import get_game\n"
        f"game = get_game({name!r}); hands = game.new_hands(1, game.options(None), 0)\n"
        "engine.start(hands, game.tables, -1)\n"
        "action = np.array([engine.legal_of(hands)]) & -np.array([engine.legal_of(hands)])\n"
        "print(Playout(game)(hands, np.log2(action).astype(int)).shape)\n"
        "print(play_hands(game, hands, 1, np.zeros(4, int)) >= 24)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["(1, 1)", "True"]


@pytest.mark.parametrize("name", ["greedy", "rules"])
def test_choice_in_klammern_does_not_change_with_the_hidden_cards(name: str) -> None:
    rng, agent = random.Random(4), make_agent(name, "klammern")
    checked = 0
    for _ in range(150):
        state = redeals_klammern.random_position(rng)
        if state.turn is None:
            continue
        for twin, _ in redeals_klammern.alikes(state, state.turn, rng):
            assert agent.act(state.view(state.turn), 0) == agent.act(twin.view(state.turn), 0)
            checked += 1
    assert checked > 60


def test_choice_does_not_change_with_the_hidden_cards() -> None:
    rng, agent = np.random.default_rng(4), make_agent("rules")
    for serial in range(60):
        state = State.deal(seed=6, serial=serial)
        for _ in range(int(rng.integers(1, 8))):
            legal = state.legal_actions()
            state.push(24 if 24 in legal else int(rng.choice(legal)))
        seat = state.turn
        assert seat is not None
        others = [other for other in range(4) if other != seat]
        twin = state.copy()
        a, b = rng.choice(others, 2, replace=False)
        held_a, held_b = int(state.hand.hands[a]), int(state.hand.hands[b])
        if (held_a | held_b) & 3:
            continue  # a queen that moves changes the sides, which the record keeps apart
        pool = [card for card in range(24) if (held_a | held_b) >> card & 1]
        rng.shuffle(pool)
        new_a = sum(1 << card for card in pool[: held_a.bit_count()])
        twin.hand.hands[a], twin.hand.hands[b] = new_a, held_a | held_b ^ new_a
        assert agent.act(state.view(seat), 0) == agent.act(twin.view(seat), 0)


def test_choice_ignores_the_random_word() -> None:
    agent, state = make_agent("rules"), state_of(["QC QS AC TH 9H 9C"])
    assert len({agent.act(state.view(0), word) for word in (0, 1, 2**63, 2**64 - 1)}) == 1


def test_masks_and_observations_of_any_layout() -> None:
    batch, agent = Batch(n=64, seed=2), agent_of("rules")
    for _ in range(9):
        batch.step(batch.sample())
    words = np.zeros(64, np.uint64)
    expected = agent.act_many(batch.observation, batch.action_mask, words)
    wide = np.zeros((128, 300), np.int8)
    wide[::2, 5:293] = batch.observation
    fortran = np.asfortranarray(batch.action_mask)
    assert (agent.act_many(wide[::2, 5:293], fortran, words) == expected).all()


@pytest.mark.parametrize("game", PLAYED)
def test_the_same_hands_without_the_compiler(game: str) -> None:
    script = (
        "from tests.agents.kloepper.test_rules import play; from kloepper_env.state import State\n"
        f"for n in range(3): print(*play('rules', State.deal({game!r}, seed=3, serial=n)))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    states = [State.deal(game, seed=3, serial=serial) for serial in range(3)]
    compiled = [" ".join(play("rules", state)) for state in states]
    assert plain.stdout.splitlines() == compiled
    assert all(code in " ".join(compiled) for code in get_game(game).codes)
