"""The compiled engine against the slow second engine of tests/oracle, on random hands."""

import random
from typing import Any

import pytest

from kloepper_env import engine
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.match import Match
from kloepper_env.games.kloepper.options import ALLOWED, Options
from kloepper_env.state import State
from tests.env.rules.table import score
from tests.oracle import kloepper as oracle

CODES = get_game("kloepper").codes
ACTION_OF = get_game("kloepper").action_of


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Each option of a single hand at its default or, every other time, at any allowed value."""
    names = [name for name in ALLOWED if name not in ("target", "scorekeeper")]
    return {name: rng.choice(list(ALLOWED[name])) for name in names if rng.random() < 0.5}


def random_deck(rng: random.Random, codes: tuple[str, ...]) -> list[str]:
    """A shuffled pack; every third with both black queens in one hand, which is rare else."""
    deck = list(codes)
    rng.shuffle(deck)
    if rng.random() < 0.33:
        first, second = deck.index("QC"), rng.choice((1, 2))
        partner = first - first % 3 + (first + second) % 3  # same packet
        other = deck.index("QS")
        deck[other], deck[partner] = deck[partner], deck[other]
    return deck


def compare_one_hand(rng: random.Random, *, views: bool) -> list[int]:
    """Play a random hand in both engines; they must agree on everything a table could see."""
    rules, dealer = random_rules(rng), rng.randrange(4)
    boldness = rng.choice((0.05, 0.3, 1.0))  # how readily a seat announces
    state = State.deal(rules=rules, deck=random_deck(rng, CODES), dealer=dealer)
    slow = oracle.Hand(state.deck(), dealer, rules)
    while (allowed := engine.legal_of(state.hands)) != 0:
        legal = slow.legal()
        assert int(state.hands["turn"][0]) == slow.turn, state
        assert allowed == sum(1 << ACTION_OF[action] for action in legal), state
        quiet = "pass" in legal and rng.random() > boldness
        action = "pass" if quiet else rng.choice(sorted(legal))
        engine.apply_to(state.hands, ACTION_OF[action])
        slow.act(action)
    assert state.is_over, state
    assert slow.turn is None, state
    assert state.history == slow.history
    assert state.scores() == slow.scores(), state
    assert state.game.summary(state.hand, state.options)["black_points"] == slow.black_points(), (
        state
    )
    black = int(state.hand.black)
    assert {seat for seat in range(4) if black >> seat & 1} == slow.black_side(), state
    for seat, taken in enumerate(state.taken()):
        tricks = [trick for trick in slow.tricks if trick.winner == seat]
        assert taken == (len(tricks), sum(trick.points for trick in tricks)), state
        if views:
            assert list(state.view(seat).history) == slow.public_history(seat), state
    return state.scores()


def compare_games(rng: random.Random, hands: list[list[int]]) -> None:
    """Add up the scores of some hands in both, to a random target."""
    target, scorekeeper = rng.choice((10, 30, 60)), rng.randrange(4)
    match = Match(Options(target=target, scorekeeper=scorekeeper))
    totals: list[list[int]] = []
    for number, scores in enumerate(hands):
        assert match.dealer() == oracle.dealer_of(number, scorekeeper)
        score(match, scores)
        totals.append(match.totals)
        winners = match.winners()
        assert winners == oracle.game_winners(totals, target), (totals, target)
        if winners is not None:
            return


def compare(n_hands: int, seed: int) -> None:
    rng = random.Random(seed)
    hands: list[list[int]] = []
    for number in range(n_hands):
        hands.append(compare_one_hand(rng, views=number % 8 == 0))
        if len(hands) == 40:
            compare_games(rng, hands)
            hands.clear()


@pytest.mark.parametrize("seed", range(4))
def test_engines_agree_on_20_000_hands(seed: int) -> None:
    compare(5_000, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_engines_agree_on_1_000_000_hands(seed: int) -> None:
    compare(50_000, seed)
