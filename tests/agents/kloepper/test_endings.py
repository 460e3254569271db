"""How `rules` plays endings, against the list of consistent deals and the solver."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kloepper_agents.games.kloepper import endings
from kloepper_agents.games.kloepper.endings import best_of_ending, hidden_cards, is_counted
from kloepper_agents.games.kloepper.features import Features
from kloepper_agents.games.kloepper.knocked import is_lost
from kloepper_agents.games.kloepper.lab.choices.regret import judge_player
from kloepper_agents.games.kloepper.rules import rules_action
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.kinds import make_agent
from kloepper_env.beliefs import Belief
from kloepper_env.state import State
from tests.agents.positions import cards, features
from tests.env.hands import random_rules


def choices(seed: int, rules: dict[str, Any] | None, blind: float) -> Iterator[State]:
    """Positions of a hand in which `rules` counts; so often (`blind`) any action is taken."""
    rng, agent = random.Random(seed), make_agent("rules")
    state = State.deal(rules=rules, seed=seed)
    while state.turn is not None:
        legal = state.legal_actions()
        seen = features(state)
        if len(legal) > 1 and is_counted(seen) and (seen.knocker == -1 or is_lost(seen)):
            yield state
        action = agent.act(state.view(state.turn), 0)
        state.push(rng.choice(legal) if rng.random() < blind else action)


def means(state: State) -> NDArray[np.float64]:
    """Mean payoff [A] of each legal action over all consistent deals."""
    worlds = Belief(state.view(int(state.hand.turn))).enumerate()
    values = DoubleDummy()(worlds, np.array(state.legal_actions()))
    mean: NDArray[np.float64] = values.mean(axis=0)
    return mean


def is_sampled(state: State) -> bool:
    """Whether `rules` looks at a part of the consistent deals."""
    seen = features(state)
    return seen.hand.bit_count() > endings.LAST_TWO and endings.step_between(hidden_cards(seen)) > 1


def best(state: State) -> int:
    """The cards that `rules` takes to be best."""
    seen: Features = features(state)
    return best_of_ending(seen, seen.legal)


@pytest.mark.parametrize("blind", [0.0, 0.3])
def test_best_cards_are_those_of_the_highest_mean_over_all_consistent_deals(blind: float) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(150):
        rules = random_rules("kloepper", random.Random(seed)) if blind else None
        for state in choices(seed, rules, blind):
            if is_sampled(state):
                continue
            mean = means(state)
            legal = state.legal_actions()
            expected = [card for card, one in zip(legal, mean, strict=True) if one == mean.max()]
            seen, right = features(state), sum(1 << card for card in expected)
            if seen.knocker == -1:
                assert best(state) == right, state
            else:  # by the rules the hand may be decided, but the player knows no rules
                assert best(state) & ~right == 0, state
            kinds["two left"] += seen.hand.bit_count() == endings.LAST_TWO
            kinds["called"] += seen.caller != -1
            kinds["alone"] += int(state.hand.black).bit_count() == 1
            kinds["lost"] += seen.knocker != -1
            kinds["some"] += len(expected) < len(legal)
    assert kinds["called"] > 20
    assert kinds["alone"] > 5
    assert kinds["some"] > 50
    assert kinds["two left"] > 50
    assert kinds["lost"] > 5 or not blind


def test_of_many_deals_a_part_is_looked_at_evenly() -> None:
    gaps = []
    for seed in range(100):
        for state in choices(seed, None, 0.0):
            if is_sampled(state):
                mean, legal, chosen = means(state), state.legal_actions(), best(state)
                own = mean[[chosen >> card & 1 == 1 for card in legal]]
                gaps.append(mean.max() - own.mean())
    assert len(gaps) > 30
    assert np.mean(gaps) < 0.1


def test_rules_plays_one_of_the_best_cards() -> None:
    for seed in range(60):
        for state in choices(seed, None, 0.0):
            seen = features(state)
            words = state.observation(int(state.hand.turn)).view(np.int64)
            assert 1 << rules_action(words, seen.legal) & best(state)


def test_an_observation_that_makes_no_sense_is_not_counted() -> None:
    state = next(choices(3, None, 0.0))
    seen = features(state)
    assert is_counted(seen)
    for wrong in (
        seen._replace(unseen=seen.unseen | seen.hand),
        seen._replace(hand=seen.hand & seen.hand - 1),
        seen._replace(legal=seen.legal | cards("QC QS")),
        seen._replace(first=seen.first + 1),
        seen._replace(table=(0, 1 << 30, 0, 0)),
    ):
        assert not is_counted(wrong)


def test_rules_seldom_plays_a_dominated_card() -> None:
    found = judge_player("rules", rules={}, hands=100, seed=1)
    assert len(found) > 400
    assert not [one for one in found if one.trick > 4 and one.better is not None]
    assert sum(one.better is not None for one in found) <= 0.04 * len(found)
