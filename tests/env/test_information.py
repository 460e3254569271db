"""Information states and tensors: they hold all that a seat knows, and tell apart what it can."""

import random
from importlib import import_module

import numpy as np
import pytest

from kloepper_env.state import State
from tests.env.cases import Case
from tests.env.test_state import random_states


def test_what_a_seat_can_tell_apart_has_another_tensor(case: Case) -> None:
    """Information states and tensors are equal together or differ together."""
    tensors: dict[str, bytes] = {}
    for state in random_states(case, 150):
        for seat in range(state.game.n_seats):
            view = state.view(seat)
            tensor = view.information_tensor.tobytes()
            assert tensors.setdefault(view.information_state, tensor) == tensor
    assert len({*tensors.values()}) == len(tensors) > 400


def test_keys_tell_apart_what_information_states_do(case: Case) -> None:
    keys: dict[str, object] = {}
    rng = random.Random(3)
    redeals = import_module(f"tests.env.redeals_{case.name}")
    alike = 0
    for state in random_states(case, 150):
        if state.options.changed():
            continue  # keys are for states under the same options
        for seat in range(state.game.n_seats):
            key = state.information_key(seat)
            hash(key)
            assert keys.setdefault(state.view(seat).information_state, key) == key
        if state.turn is not None:
            for twin, _ in redeals.alikes(state, state.turn, rng):
                alike += 1
                assert twin.information_key(state.turn) == state.information_key(state.turn)
    assert len({*keys.values()}) == len(keys) > 200
    assert alike > 30


def test_the_tensor_holds_all_that_a_view_tells(case: Case) -> None:
    facts = 0
    for state in random_states(case, 60):
        for seat in range(state.game.n_seats):
            view = state.view(seat)
            dealt, mask, head, events = np.split(
                view.information_tensor,
                [case.game.n_actions, 2 * case.game.n_actions, -2 * view.max_history],
            )
            names = view.action_names
            assert {names[number] for number in np.flatnonzero(dealt)} == set(view.dealt)
            assert {names[number] for number in np.flatnonzero(dealt == 2)} == set(view.late)
            assert [names[number] for number in np.flatnonzero(mask)] == list(view.legal)
            assert head[:3].tolist() == [seat, view.dealer, view.over]
            told = head[3 + 3 * len(view.carry) :]
            assert {view.fact_names[number] for number in np.flatnonzero(told)} == set(view.facts)
            facts += len(view.facts)
            pairs = events.reshape(-1, 2).tolist()
            known = [(who - 1, names[number - 1]) for who, number in pairs if who]
            assert tuple(known) == view.history
            assert not any(who or number for who, number in pairs[len(known) :])
    assert facts > 3


def test_the_information_state_tells_all_that_a_view_tells(case: Case) -> None:
    rules = {**case.variant, **case.dealt_at_once}
    for state in [*random_states(case, 60), case.deal(rules=rules, seed=1)]:
        for seat in range(state.game.n_seats):
            view = state.view(seat)
            head, _, rest = view.information_state.partition(" [")
            cards, _, told = rest.partition("] ")
            options = ",".join(f"{name}={value}" for name, value in sorted(view.rules.items()))
            assert head == f"{case.name}({options}) seat {seat} dealer {view.dealer}"
            first = " ".join(view.dealt[: len(view.dealt) - len(view.late)])
            assert cards == first + (" + " + " ".join(view.late) if view.late else "")
            events, _, deciding = told.rpartition("| ")
            assert events.split() == [*(f"{who}:{what}" for who, what in view.history), *view.facts]
            assert deciding == ("/".join(view.legal) or ("over" if view.over else "-"))


@pytest.mark.parametrize("carry", [0, 1, 128, 4711, 128**2, 54_321])
def test_the_tensor_holds_a_carry_of_any_size(carry: int) -> None:
    state = State.deal("klammern", {"tie81": "litige"}, seed=1, carry={"litige": carry})
    first = 2 * state.game.n_actions + 3
    digits = state.view(0).information_tensor[first : first + 3].tolist()
    assert sum(digit * 128**power for power, digit in enumerate(digits)) == carry
