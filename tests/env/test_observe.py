"""The observation of Kloepper, part by part, against a slow one made from what a View tells."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from kloepper_env.games import get_game
from kloepper_env.state import State
from tests.env.test_against_oracle import random_deck, random_rules
from tests.env.what_a_seat_sees import CODES, expected

KLOEPPER = get_game("kloepper")


def moments(n_hands: int, seed: int) -> Iterator[State]:
    """Random hands over random options, at every decision and at the end."""
    rng = random.Random(seed)
    for _ in range(n_hands):
        deck, dealer = random_deck(rng, KLOEPPER.codes), rng.randrange(4)
        state = State.deal(rules=random_rules(rng), deck=deck, dealer=dealer)
        boldness = rng.choice((0.05, 0.3, 1.0))  # how readily a seat announces
        yield state
        while not state.is_over:
            legal = state.legal()
            state.push("pass" if "pass" in legal and rng.random() > boldness else rng.choice(legal))
            yield state


def observed(state: State, seat: int) -> dict[str, list[int]]:
    parts = KLOEPPER.layout.decode(state.observation(seat))
    return {name: [int(value) for value in part] for name, part in parts.items()}


def test_the_cards_of_the_layout_are_in_the_order_of_the_actions() -> None:
    assert tuple(CODES) == KLOEPPER.codes == KLOEPPER.action_names[:24]


@pytest.mark.parametrize("seed", range(4))
def test_every_part_at_every_moment_from_every_seat(seed: int) -> None:
    for state in moments(20, seed):
        for seat in range(4):
            assert observed(state, seat) == expected(state.view(seat)), (state, seat)


def test_ally_and_enemy_are_never_wrong() -> None:
    certain: list[tuple[int, int, bool]] = []  # seat, other, on the same side
    n_checked = 0
    for state in moments(150, seed=7):
        for seat in range(4):
            parts = observed(state, seat)
            for k in range(3):
                assert not (parts["ally"][k] and parts["enemy"][k])
                if parts["ally"][k] or parts["enemy"][k]:
                    certain.append((seat, (seat + 1 + k) % 4, bool(parts["ally"][k])))
        if state.is_over:
            black = [bool(state.hand.black >> seat & 1) for seat in range(4)]
            for seat, other, together in certain:
                assert (black[seat] == black[other]) == together, (state, seat, other)
            n_checked += len(certain)
            certain.clear()
    assert n_checked > 5_000


def test_every_column_varies() -> None:
    vectors = [state.observation(seat) for state in moments(150, seed=8) for seat in range(4)]
    constant = np.ptp(np.array(vectors), axis=0) == 0
    assert [name for name, part in KLOEPPER.layout.items() if constant[part].any()] == []
