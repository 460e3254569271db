"""The compiled engines against the slow second ones of tests/oracle, on random games.

Both must agree on everything a table could see: at every decision on who decides, what is legal and
what is public, then on the result, and after every hand on the game. What differs between games
stands in decks_<game>.py and in against_oracle_<game>.py, the part of a game here: its second
engine under the names used below, and what must have happened often enough.
"""

import random
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest

from kloepper_env import State, engine
from kloepper_env.games.game import Match, Outcome
from tests.env.cases import Case
from tests.env.hands import random_rules

LONGEST = 30  # hands of a game; then it is broken off
BOLDNESS = (0.05, 0.3, 1.0)  # how readily a seat announces: drawn for each hand


def part_of(case: Case) -> Any:
    return import_module(f"tests.env.against_oracle_{case.name}")


def play_hand(part: Any, state: State, slow: Any, rng: random.Random) -> None:
    """Play a hand at random in both engines."""
    action_of, boldness = state.game.action_of, rng.choice(BOLDNESS)
    while (allowed := engine.legal_of(state.hands)) != 0:
        legal = slow.legal()
        assert int(state.hands["turn"][0]) == slow.turn, state
        assert allowed == sum(1 << action_of[action] for action in legal), state
        part.check_public(state, slow)
        is_shy = "pass" in legal and rng.random() > boldness
        action = "pass" if is_shy else rng.choice(sorted(legal))
        engine.apply_to(state.hands, action_of[action])
        slow.push(action)


def compare_result(part: Any, state: State, slow: Any) -> None:
    """What a hand that is over has brought."""
    assert state.is_over, state
    assert slow.turn is None, state
    part.check_public(state, slow)
    assert state.history == slow.history, state
    scores = slow.scores()
    assert state.scores() == [scores[account] for account in state.game.accounts], state
    assert state.game.summary(state.hand, state.options) == part.summary(slow), state
    for seat, taken in enumerate(state.taken()):
        tricks = [trick for trick in slow.tricks if trick.winner == seat]
        assert taken == (len(tricks), sum(trick.points for trick in tricks)), state


def compare_matches(match: Match, slow: Any, dealer: int) -> None:
    """The state of a game between two hands, the next of which `dealer` deals."""
    assert dealer == slow.dealer
    assert match.carry() == slow.carry
    assert match.totals == slow.totals
    assert match.winners() == slow.winners


def head_start(
    match: Match, slow: Any, accounts: set[int], most: Mapping[str, int], rng: random.Random
) -> None:
    """Give a game a first hand that nobody plays, with something carried over where it may be."""
    gains = [rng.randrange(100) for _ in accounts]
    carry = {name: rng.choice((0, 81, 324)) if most[name] else 0 for name in most}
    match.add(Outcome(slow.dealer, [], gains, carry=carry))
    slow.add_result(gains, carry)


def compare_game(case: Case, rng: random.Random, kinds: Counter[str]) -> int:
    """Play a game of random rules in both engines; the number of its hands."""
    part = part_of(case)
    decks = import_module(f"tests.env.decks_{case.name}")
    rules, drawn = random_rules(case.name, rng), rng.randrange(4)
    options = case.game.options(rules)
    match, slow = case.game.match_type(options), part.Game(rules, drawn)
    if rng.random() < 0.5:
        head_start(match, slow, set(case.game.accounts), case.game.carries(options), rng)
    for number in range(LONGEST):
        dealer = match.dealer() if match.dealer() >= 0 else drawn
        compare_matches(match, slow, dealer)
        if match.winners() is not None:
            kinds[f"a game won by {len(slow.winners)}"] += 1
            return number
        deck = decks.random_deck(rng, rules)
        state = case.deal(rules=rules, deck=deck, dealer=dealer, carry=match.carry())
        hand = slow.deal(deck)
        play_hand(part, state, hand, rng)
        compare_result(part, state, hand)
        seat = rng.randrange(4)
        assert list(state.view(seat).history) == part.public_history(hand, seat), state
        kinds.update(part.kinds_of(hand))
        match.add(state.outcome())
        slow.add(hand)
    kinds["a game broken off"] += 1
    return LONGEST


def compare(case: Case, n_hands: int, seed: int) -> None:
    rng, kinds = random.Random(seed), Counter[str]()
    while n_hands > 0:
        n_hands -= compare_game(case, rng, kinds)
    part_of(case).check_kinds(kinds)


@pytest.mark.parametrize("seed", range(2))
def test_engines_agree_on_10_000_hands(case: Case, seed: int) -> None:
    compare(case, 5_000, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_engines_agree_on_many_hands(case: Case, seed: int) -> None:
    compare(case, part_of(case).MANY // 20, seed)
