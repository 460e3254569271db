"""The observations, part by part, against slow ones made from what a View tells in words."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from kloepper_env.layout import Layout
from kloepper_env.state import State
from tests.env.cases import CASES, Case
from tests.env.hands import random_rules


def moments(case: Case, n_hands: int, seed: int) -> Iterator[State]:
    """Random hands over random options, at every decision and at the end."""
    rng = random.Random(seed)
    decks = import_module(f"tests.env.decks_{case.name}")
    for _ in range(n_hands):
        rules = random_rules(case.name, rng)
        deck, dealer = decks.random_deck(rng, rules), rng.randrange(case.game.n_seats)
        state = case.deal(rules=rules, deck=deck, dealer=dealer)
        boldness = rng.choice((0.05, 0.3, 1.0))  # how readily a seat announces
        yield state
        while not state.is_over:
            legal = state.legal()
            state.push("pass" if "pass" in legal and rng.random() > boldness else rng.choice(legal))
            yield state


def observed(state: State, seat: int) -> dict[str, list[int]]:
    parts = state.game.layout.decode(state.observation(seat))
    return {name: [int(value) for value in part] for name, part in parts.items()}


def test_the_cards_of_the_layout_are_in_the_order_of_the_actions(case: Case) -> None:
    slow = import_module(f"tests.env.what_a_seat_sees_{case.name}")
    game = case.game
    assert tuple(slow.CODES) == game.codes == game.action_names[: len(game.codes)]


@pytest.mark.parametrize("seed", range(4))
def test_every_part_at_every_moment_from_every_seat(case: Case, seed: int) -> None:
    slow = import_module(f"tests.env.what_a_seat_sees_{case.name}")
    for state in moments(case, 20, seed):
        for seat in range(case.game.n_seats):
            expected = slow.expected(state.view(seat))
            seen = observed(state, seat)
            assert {name: seen[name] for name in expected} == expected, (state, seat)
            # Where a hand of Klammern has stopped is of no consequence.
            stopped = {"step", "turn"} if state.is_over and case.name == "klammern" else set()
            assert set(seen) - set(expected) == stopped


def test_ally_and_enemy_are_never_wrong() -> None:
    kloepper = CASES[0]
    certain: list[tuple[int, int, bool]] = []  # seat, other, on the same side
    n_checked = 0
    for state in moments(kloepper, 150, seed=7):
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


def named(part: list[int], names: Sequence[str]) -> set[str]:
    """The names of the ones of a part."""
    return {name for name, one in zip(names, part, strict=True) if one}


def test_a_void_is_never_wrong_and_cards_known_are_held() -> None:
    klammern = CASES[1]
    voids = known = 0
    for state in moments(klammern, 100, seed=9):
        for seat in range(4):
            parts = observed(state, seat)
            for k in range(4):
                held = set(state.cards((seat + k) % 4))
                if k:
                    lacking = {
                        suit for suit, void in zip("CSHD", parts[f"void.{k}"], strict=True) if void
                    }
                    assert not {card[1] for card in held} & lacking, (state, seat)
                    voids += len(lacking)
                cards = {
                    c for c, one in zip(state.game.codes, parts[f"known.{k}"], strict=True) if one
                }
                assert cards <= held, (state, seat)
                known += len(cards)
    assert min(voids, known) > 2_000


def test_every_column_varies(case: Case) -> None:
    n_hands = 600 if case.name == "klammern" else 150
    seats = range(case.game.n_seats)
    seen = [state.observation(seat) for state in moments(case, n_hands, seed=8) for seat in seats]
    constant = np.ptp(np.array(seen), axis=0) == 0
    assert [name for name, part in case.game.layout.items() if constant[part].any()] == []


def test_a_layout_that_fills_no_whole_words_is_refused(case: Case) -> None:
    longer = Layout([*case.game.layout.parts, ("more", 1)])
    with pytest.raises(AssertionError, match=rf"has {longer.size} values, no multiple of 8"):
        replace(case.game, layout=longer)
