"""The observation of Kloepper, part by part, against a slow one made from what a View tells."""

import random

import pytest

from kloepper_env.games import get_game
from kloepper_env.state import State
from tests.env.test_against_oracle import random_deck, random_rules
from tests.env.what_a_seat_sees import CODES, expected

KLOEPPER = get_game("kloepper")


def random_hand(rng: random.Random) -> State:
    return State.deal(
        rules=random_rules(rng),
        deck=random_deck(rng, KLOEPPER.codes),
        dealer=rng.randrange(4),
    )


def random_step(state: State, rng: random.Random, boldness: float) -> None:
    legal = state.legal()
    state.push("pass" if "pass" in legal and rng.random() > boldness else rng.choice(legal))


def observed(state: State, seat: int) -> dict[str, list[int]]:
    parts = KLOEPPER.layout.decode(state.observation(seat))
    return {name: [int(value) for value in part] for name, part in parts.items()}


def test_the_cards_of_the_layout_are_in_the_order_of_the_actions() -> None:
    assert tuple(CODES) == KLOEPPER.codes == KLOEPPER.action_names[:24]


@pytest.mark.parametrize("seed", range(4))
def test_every_part_at_every_moment_from_every_seat(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        state, boldness = random_hand(rng), rng.choice((0.05, 0.3, 1.0))
        while not state.is_over:
            for seat in range(4):
                view = state.view(seat)
                assert observed(state, seat) == expected(view, bool(state.hand.lone)), (state, seat)
            random_step(state, rng, boldness)
