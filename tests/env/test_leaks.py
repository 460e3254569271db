"""Nothing that a seat cannot know reaches it, in any form and in any phase.

A random position is compared with others that its observer cannot tell from it: redeals_<game>.py
finds them.
"""

import dataclasses
import random
from collections import Counter
from importlib import import_module
from typing import Any

import pytest

from kloepper_env import State
from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.render import render_svg, render_text
from tests.env.cases import Case

DRAWN = 10  # one position of so many is drawn and shown by the AEC environment as well


# --- everything a seat is shown ----------------------------------------------------------------


def shown(state: State, seat: int) -> dict[str, Any]:
    """Every form in which a seat learns of a position, but for the pictures."""
    view = state.view(seat)
    fields = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
    arrays = {name: fields.pop(name).tobytes() for name in ("observation", "action_mask")}
    tensor = view.information_tensor.tobytes()
    direct = state.observation(seat).tobytes(), state.action_mask(seat).tobytes()
    return {
        **fields,
        **arrays,
        "direct": direct,
        "information_state": view.information_state,
        "information_tensor": tensor,
        "repr": repr(view),
    }


def drawn(state: State, seat: int) -> dict[str, Any]:
    """The pictures, and what the AEC environment says."""
    env = CardGameEnv(state.game.name, state.options.changed())
    env.reset(seed=0)
    env.set_state(env.get_state() | {"_hands": state.hands})
    agent = env.possible_agents[seat]
    seen, info = env.observe(agent), env.infos[agent]
    return {
        "text": render_text(state, seat),
        "svg": render_svg(state, seat),
        "observe": {name: part.tobytes() for name, part in seen.items()},
        "info": {name: part.tobytes() for name, part in info.items()},
    }


# --- the test ----------------------------------------------------------------------------------


def test_no_leak(case: Case) -> None:
    """Thousands of positions of every phase and kind."""
    compare(import_module(f"tests.env.redeals_{case.name}"), 1, seed=1)


@pytest.mark.slow
def test_no_leak_in_many_positions(case: Case) -> None:
    compare(import_module(f"tests.env.redeals_{case.name}"), 4, seed=2)


def compare(redeals: Any, times: int, seed: int) -> None:
    """Look at so many `times` the positions of a game, each with other hidden cards."""
    rng = random.Random(seed)
    kinds: Counter[str] = Counter()
    for number in range(times * redeals.POSITIONS):
        state, seat = redeals.random_position(rng), rng.randrange(4)
        known = shown(state, seat)
        pictures = drawn(state, seat) if number % DRAWN == 0 else None
        found: set[str] = set()
        for alike, ways in redeals.alikes(state, seat, rng):
            assert shown(alike, seat) == known, (state, seat, alike)
            assert pictures is None or drawn(alike, seat) == pictures, (state, seat, alike)
            found |= ways
        kinds.update(found)
        kinds.update(redeals.kinds_of(state, seat))
    redeals.check_kinds(kinds)
