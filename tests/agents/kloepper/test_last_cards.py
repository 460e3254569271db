"""Values of the last cards, against a slow reckoning over the deals that a View leaves possible."""

import hashlib

import numpy as np
import pytest

from kloepper_agents.compiled import words_of
from kloepper_agents.games.kloepper.features import features_of
from kloepper_agents.games.kloepper.inputs import DERIVED
from kloepper_agents.games.kloepper.last_cards import worth_of_last_cards
from kloepper_agents.games.kloepper.last_cards_inputs import ENDING, FEW_CARDS, SOLVED
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.inputs import inputs_of
from kloepper_env._jit import jit
from kloepper_env.batch import Batch
from kloepper_env.beliefs import Belief
from kloepper_env.engine import Records
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import ACTION_NAMES, HAND, N_CARDS
from kloepper_env.solver.kloepper.transpositions import WORDS as TABLE_WORDS
from kloepper_env.state import State
from kloepper_env.view import Int8Array, View
from tests.agents.kloepper.test_inputs import positions

GAME = get_game("kloepper")
VERSION_2 = "588f150e"
"""First digits of a digest of the facts about `positions(400)`."""


def endings(n: int, seed: int, rules: dict[str, object] | None = None) -> list[State]:
    """Hands, announcements and all, where the seat that plays holds one to three cards."""
    batch = Batch(GAME, 40, seed=seed, rules=rules)
    found: list[State] = []
    while len(found) < n:
        batch.step(batch.sample())
        for lane in range(batch.n):
            hand = batch.hands[lane : lane + 1]
            held = int(hand["hands"][0][hand["player"][0]]).bit_count()
            if hand["turn"] == hand["player"] and 0 < held <= FEW_CARDS:
                found.append(State(GAME, GAME.options(rules), hand.copy()))
    return found[:n]


def seen_by_turn(state: State) -> View:
    """What the seat that decides sees."""
    assert state.turn is not None
    return state.view(state.turn)


@jit
def _values(words: np.ndarray, sides: int, most: int, table: np.ndarray, scratch: Records,
            points: np.ndarray, worth: np.ndarray) -> int:  # fmt: skip
    return worth_of_last_cards(features_of(words[0], 0), sides, most, table, scratch, points, worth)


def values(observation: Int8Array, most: int) -> tuple[int, np.ndarray]:
    """How many deals are possible, and the mean payoff of each card over `most` of them."""
    seen = GAME.layout.decode(observation)
    sides = sum(int(a) << k + 1 for k, a in enumerate(seen["ally"]))
    sides |= sum(int(e) << k + 5 for k, e in enumerate(seen["enemy"]))
    worth, points = np.empty(N_CARDS), np.empty(N_CARDS, np.int64)
    words = words_of(observation[None], GAME.words)
    table, scratch = np.zeros(TABLE_WORDS, np.int64), np.zeros(1, HAND)
    return int(_values(words, sides, most, table, scratch, points, worth)), worth


def legal_cards(view: View) -> np.ndarray:
    """Cards that the seat may play, now or when nobody announces any more."""
    return np.flatnonzero(view.action_mask[:N_CARDS])


@pytest.mark.parametrize("pack", [24, 12, 8])
def test_values_are_means_over_all_consistent_deals(pack: int) -> None:
    compared = 0
    for state in endings(250, seed=3, rules={"pack": pack}):
        view, belief = seen_by_turn(state), Belief(seen_by_turn(state))
        count, worth = values(view.observation, 10_000)
        assert count == belief.count()
        legal = legal_cards(view)
        if len(legal):
            slow = DoubleDummy()(belief.enumerate(), legal).mean(axis=0)
            assert worth[legal] == pytest.approx(slow)
            assert not np.delete(worth, legal).any()
            compared += len(legal) > 1
    assert compared > 50


def test_some_deals_are_spread_over_all_of_them() -> None:
    errors: dict[int, list[float]] = {32: [], 256: []}
    for state in endings(1500, seed=4):
        view = seen_by_turn(state)
        count, whole = values(view.observation, 10_000)
        legal = legal_cards(view)
        if count > 512 and len(legal):
            for most, gaps in errors.items():
                gaps.extend((values(view.observation, most)[1] - whole)[legal].tolist())
    assert len(errors[32]) > 200
    spread = {most: float(np.std(gaps)) for most, gaps in errors.items()}
    assert 0 < spread[256] < 0.5 * spread[32]
    assert spread[32] < 4  # of payoffs that are up to 24, knocked at random
    assert abs(np.mean(errors[32])) < 0.5


def test_an_observation_that_nobody_can_have_has_no_deals() -> None:
    view = endings(1, seed=5)[0]
    observation = seen_by_turn(view).observation.copy()
    observation[GAME.layout["played.1"]] = 0
    count, worth = values(observation, 100)
    assert count == 0
    assert not worth.any()
    assert not inputs_of(GAME, 2).widen(observation[None])[0, -ENDING.size :].any()


def test_senseless_observations_are_answered() -> None:
    """The solver counts on whole hands; run with array bounds checked too."""
    rng, inputs = np.random.default_rng(8), inputs_of(GAME, 2)
    real = np.array([seen_by_turn(state).observation for state in endings(200, seed=9)])
    for flips in (1, 2, 4, 30):
        bent = real.copy()
        rows = np.arange(len(bent))
        for _ in range(flips):
            bent[rows, rng.integers(0, 272, len(bent))] ^= 1
        assert inputs.widen(bent).shape == (len(bent), inputs.size)
    assert inputs.widen(rng.integers(-128, 128, real.shape).astype(np.int8)).any()


def test_inputs_say_what_a_card_loses_to_the_best() -> None:
    valued = 0
    for state in endings(150, seed=6):
        view = seen_by_turn(state)
        wide = inputs_of(GAME, 2).widen(view.observation[None])[0]
        facts = ENDING.decode(wide[GAME.layout.size + DERIVED.size :])
        legal, held = legal_cards(view), int(view.observation[:N_CARDS].sum())
        if not len(legal):
            continue
        worth = values(view.observation, int(SOLVED[held]))[1][legal]
        loss = worth.max() - worth
        assert facts["ending"][0] == 1
        assert facts["near"][legal].tolist() == np.round(100 * np.exp(-4 * loss)).tolist()
        assert facts["far"][legal].tolist() == np.round(100 * np.exp(-loss)).tolist()
        assert not np.delete(facts["near"], legal).any()
        valued += 1
    assert valued > 100


def test_cards_are_not_valued_early_nor_for_a_seat_that_waits() -> None:
    observations = positions(800)
    facts = inputs_of(GAME, 2).widen(observations)[:, -ENDING.size :]
    for row, told in zip(observations, facts, strict=True):
        seen = GAME.layout.decode(row)
        is_late = 0 < seen["hand"].sum() <= FEW_CARDS and seen["player"][0] == 1
        assert bool(told[0]) == is_late


def test_version_2_never_changes() -> None:
    """Policies that were trained with it would play worse: make another version."""
    facts = inputs_of(GAME, 2).widen(positions(400))
    assert hashlib.sha256(facts.tobytes()).hexdigest()[:8] == VERSION_2


def test_the_hidden_cards_do_not_matter() -> None:
    """As observations are leak-proof (tests/env), it is enough that nothing else is read."""
    inputs = inputs_of(GAME, 2)
    for state in endings(40, seed=7):
        view = seen_by_turn(state)
        other = State(GAME, state.options, Belief(view).sample(1, np.random.default_rng(0)))
        seen = inputs.widen(seen_by_turn(other).observation[None])
        assert (seen == inputs.widen(view.observation[None])).all()


# --- clubs and spades exchanged -----------------------------------------------------------------


def exchanged(names: str) -> str:
    """Cards or actions with clubs and spades exchanged, but for trumps."""
    turned = {"C": "S", "S": "C"}
    words = []
    for name in names.split():
        is_plain = name[0] in "ATK9" or name.startswith("call:")
        words.append(name[:-1] + turned[name[-1]] if is_plain and name[-1] in turned else name)
    return " ".join(words)


def test_a_twin_is_the_same_hand_with_clubs_and_spades_exchanged() -> None:
    inputs, told = inputs_of(GAME, 2), 0
    assert inputs.twin is not None
    for seed in range(30):
        first = State.deal(seed=seed)
        deck = exchanged(" ".join(first.deck()))
        second = State.deal(deck=deck, dealer=int(first.hands["dealer"][0]))
        random = np.random.default_rng(seed)
        while not first.is_over:
            one, two = (seen_by_turn(state) for state in (first, second))
            wide = [inputs.widen(view.observation[None])[0] for view in (one, two)]
            few = values(one.observation, 1)[0] <= SOLVED[-1]  # else other deals are drawn
            end = None if few or one.observation[:N_CARDS].sum() != FEW_CARDS else -ENDING.size
            assert (wide[0][inputs.twin.inputs][:end] == wide[1][:end]).all()
            assert (one.action_mask[inputs.twin.actions] == two.action_mask).all()
            hidden = [GAME.learning.hidden_facts(state.hands)[0] for state in (first, second)]
            assert (hidden[0][inputs.twin.hidden] == hidden[1]).all()
            action = int(random.choice(first.legal_actions()))
            first.push(action)
            second.push(int(inputs.twin.actions[action]))
            told += ACTION_NAMES[action] != exchanged(ACTION_NAMES[action])
    assert told > 100
