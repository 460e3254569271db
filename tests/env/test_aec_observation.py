"""The columns of the observation: each has something to say, and says what happened."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_env import Batch, State
from kloepper_env.games.kloepper.observe import LAYOUT
from kloepper_env.games.kloepper.options import ALLOWED
from kloepper_env.games.kloepper.record import CODES
from tests.env.cases import Case
from tests.env.hands import positions

HANDS = 10_000
SUITS = "CSHD"  # the last stands for trumps
Column = Callable[[State, int, int], bool]


def test_every_column_varies() -> None:
    """In 10,000 random hands the seats that decide see at least two values in every column."""
    batch = Batch(n=HANDS // 10, seed=1)
    low, high = batch.observation.min(0), batch.observation.max(0)
    played = 0
    while played < HANDS:
        batch.step(batch.sample())
        low = np.minimum(low, batch.observation.min(0))
        high = np.maximum(high, batch.observation.max(0))
        played += int(batch.ended.sum())
    constant = [name for name, part in LAYOUT.items() if (low[part] == high[part]).any()]
    assert constant == []
    assert low.min() >= 0


def test_layout_digest(case: Case) -> None:
    """Checkpoints name this digest: a new one makes them all unusable, so it needs a new `-vN`."""
    digest = case.game.layout.digest
    assert digest == case.digest
    assert case.raw_env().layout.digest == digest
    assert case.raw_env("game").layout.digest != digest


def cards_of(state: State, seat: int, part: str) -> set[str]:
    columns = state.observation(seat)[LAYOUT[part]]
    return {CODES[card] for card in np.flatnonzero(columns)}


def seats_of(state: State, seat: int, part: str) -> set[int]:
    return {(seat + int(k)) % 4 for k in np.flatnonzero(state.observation(seat)[LAYOUT[part]])}


def suit_of(card: str) -> str:
    return "D" if card[0] == "J" or card[1] == "D" or card in ("QC", "QS") else card[1]


def who_did(history: list[tuple[int, str]], action: str) -> set[int]:
    return {seat for seat, name in history if name.startswith(action) and name != f"{action}_off"}


@pytest.mark.parametrize("seed", range(60))
def test_history_columns_against_the_log(seed: int) -> None:
    """Checklist 9: cards, tricks, voids and announcements are those of the list of events."""
    rng = random.Random(seed)
    rules = {"announce": rng.choice(ALLOWED["announce"]), "prompt_all": rng.random() < 0.5}
    for state in positions(seed, rules):
        check_against_log(state, rng.randrange(4))


def check_against_log(state: State, seat: int) -> None:
    history = state.history
    plays = [(actor, name) for actor, name in history if name in CODES]
    on_table = plays[len(plays) - len(plays) % 4 :]
    tricks = [plays[i : i + 4] for i in range(0, len(plays), 4)]
    seen = LAYOUT.decode(state.observation(seat))
    for k in range(4):
        other = (seat + k) % 4
        assert cards_of(state, seat, f"played.{k}") == {c for s, c in plays if s == other}
        assert cards_of(state, seat, f"table.{k}") == {c for s, c in on_table if s == other}
        if k:
            led = [suit_of(trick[0][1]) for trick in tricks]
            voids = {
                lead
                for lead, trick in zip(led, tricks, strict=True)
                for s, card in trick
                if s == other and suit_of(card) != lead
            }
            assert {SUITS[i] for i in np.flatnonzero(seen[f"void.{k}"])} == voids
    assert cards_of(state, seat, "hand") == set(state.cards(seat))
    assert seats_of(state, seat, "caller") == who_did(history, "call")
    assert seats_of(state, seat, "knocker") == who_did(history, "knock")
    assert seats_of(state, seat, "knocked_off") == who_did(history, "knock_off")
    assert seats_of(state, seat, "dealer") == {state.dealer}
    calls = {name[-1] for _, name in history if name.startswith("call")}
    assert {SUITS[i] for i in np.flatnonzero(seen["called"])} == calls
    leads = {suit_of(on_table[0][1])} if on_table else set()
    assert {SUITS[i] for i in np.flatnonzero(seen["led"])} == leads
    asked = state.turn == seat and "pass" in state.legal()
    assert seen["announcing"].tolist() == [asked]
    assert int(seen["trick"].argmax()) == min(len(plays) // 4, 5)
    check_counts(state, seat, seen)


def check_counts(state: State, seat: int, seen: dict[str, Any]) -> None:
    """Card points and tricks taken, as the State tells them."""
    for k in range(4):
        tricks, points = state.taken()[(seat + k) % 4]
        assert seen[f"tricks.{k}"].tolist() == [tricks]
        assert seen[f"points.{k}"].tolist() == [points]
