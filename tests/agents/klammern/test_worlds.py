"""Worlds of a View of Klammern: all possible, equally likely, and none left out."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from kloepper_env.beliefs.klammern.knowledge import Knowledge
from kloepper_env.beliefs.klammern.worlds import WorldSource
from kloepper_env.cards import mask_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.klammern.record import CODES
from kloepper_env.state import State
from kloepper_env.view import View
from tests.env.redeals_klammern import random_position

EACH = 40  # worlds drawn for each that is possible: none is missed, but once in 10**17

RULES: list[dict[str, Any]] = [
    {},
    {"meld_declare": "choice", "belle_announce": "first"},
    {"deal": "3-2-3", "raise_on_trump_lead": "unless_partner_winning"},
    {"overtrump": False, "undertrump": "free", "turnup_owner": "dealer"},
    {"partner_exempt": False, "meld_tie": "none"},
]


def sample(view: View, n: int, seed: int = 0) -> Records:
    return WorldSource(view).sample(n, np.random.default_rng(seed))


def states(state: State, worlds: Records) -> list[State]:
    return [State(state.game, state.options, worlds[i : i + 1]) for i in range(len(worlds))]


def played_to(rules: dict[str, Any], seed: int, cards: int) -> State:
    """A round played at random until so many cards are left in all hands together."""
    rng = random.Random(seed)
    while True:
        state = State.deal("klammern", rules, seed=rng.randrange(1 << 30))
        while not state.is_over and 32 - state.hand.plies > cards:
            state.push(rng.choice(state.legal()))
        if not state.is_over:
            return state


# --- against brute force -----------------------------------------------------------------------


def endings(state: State, seat: int) -> Iterator[tuple[int, ...]]:
    """What the other seats may hold: every way to deal the hidden cards that agrees with the View.

    Each is played from the start, with the cards already played where they were.
    """
    others = [(seat + 1 + k) % 4 for k in range(3)]
    pool = sorted(card for other in others for card in state.cards(other))
    sizes = [len(state.cards(other)) for other in others]
    view = state.view(seat)
    for first in combinations(pool, sizes[0]):
        rest = [card for card in pool if card not in first]
        for second in combinations(rest, sizes[1]):
            third = [card for card in rest if card not in second]
            hands = dict(zip(others, (first, second, third), strict=True))
            if agrees(state, hands, view):
                yield tuple(mask_of(hands[other], CODES) for other in others)


def agrees(state: State, hands: dict[int, Any], view: View) -> bool:
    """Whether the round played from other hands leaves a seat with the same View."""
    deck = state.deck()
    turned = deck[20 if "deal" not in state.options.changed() else 30]
    for other, held in hands.items():
        if (turned in state.cards(other)) != (turned in held):
            return False
        cards = [card for card in held if card != turned]
        for place, card in enumerate(state.deck()):
            if card in state.cards(other) and card != turned:
                deck[place] = cards.pop()
    twin = State.deal("klammern", state.options.changed(), deck=deck, dealer=state.dealer)
    for _, action in state.history:
        if action not in twin.legal():
            return False
        twin.push(action)
    return twin.view(view.seat).information_state == view.information_state


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("left", "views"), [(8, 4), (10, 2)])
def test_endings_are_those_of_brute_force_each_equally_likely(
    rules: dict[str, Any], left: int, views: int
) -> None:
    """By chi-square over several Views, one degree of freedom less for each than it has worlds."""
    chi_square, freedom = 0.0, 0
    for seed in range(views):
        state = played_to(rules, seed, left)
        seat = (state.hand.turn + seed) % 4
        possible = set(endings(state, seat))
        worlds = sample(state.view(seat), EACH * len(possible), seed)
        held = worlds["hands"][:, [(seat + 1 + k) % 4 for k in range(3)]]
        counts = Counter(tuple(row) for row in held.tolist())
        assert set(counts) == possible
        chi_square += sum((count - EACH) ** 2 / EACH for count in counts.values())
        freedom += len(possible) - 1
    assert freedom > 3
    assert chi_square < freedom + 4 * np.sqrt(2 * freedom)  # four standard deviations


# --- anywhere in a round -----------------------------------------------------------------------


def test_worlds_leave_the_seat_with_the_same_view() -> None:
    rng = random.Random(11)
    for _ in range(150):
        state = random_position(rng)
        seat = rng.randrange(4)
        view = state.view(seat)
        for one in states(state, sample(view, 3)):
            assert one.view(seat).information_state == view.information_state
            assert (one.observation(seat) == state.observation(seat)).all()
            assert sorted(one.deck()) == sorted(CODES)


def test_worlds_differ_from_the_truth_and_from_each_other() -> None:
    state = played_to({}, 5, 24)
    drawn = states(state, sample(state.view(0), 50))
    hands = {str([one.cards(seat) for seat in range(4)]) for one in drawn}
    assert len(hands) > 45
    assert str([state.cards(seat) for seat in range(4)]) not in hands


def test_the_same_generator_draws_the_same_worlds() -> None:
    view = played_to({}, 6, 20).view(1)
    assert sample(view, 20, 3).tobytes() == sample(view, 20, 3).tobytes()
    assert sample(view, 20, 3).tobytes() != sample(view, 20, 4).tobytes()


def test_the_rest_of_the_pack_is_hidden_before_a_take() -> None:
    state = State.deal("klammern", seed=3)
    seat = state.turn
    assert seat is not None
    worlds = sample(state.view(seat), 300)
    for place in range(21, 32):
        assert len(set(worlds["deck"][:, place].tolist())) == 26  # all but five and the turned one


def test_other_games_are_refused() -> None:
    with pytest.raises(ConfigError, match="these worlds are of klammern only, not of kloepper"):
        Knowledge.of(State.deal(seed=1).view(0))
