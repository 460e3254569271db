"""What networks of Kloepper take besides the observation, against a slow second reckoning."""

import hashlib

import numpy as np
import pytest

from kloepper_agents.games.kloepper.inputs import DERIVED
from kloepper_agents.inputs import PLAIN, inputs_of
from kloepper_env.batch import Batch
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import SUIT
from kloepper_env.view import Int8Array

GAME = get_game("kloepper")
TRUMP = 3
VERSION_1 = "8c4b5410"
"""First digits of a digest of the facts about `positions(400)`."""


def positions(n: int, steps: int = 25) -> Int8Array:
    """Observations of hands in all stages."""
    batch, found = Batch(GAME, n // 20, seed=11), []
    for step in range(20 * steps // 25):
        for _ in range(1 + step % 2):
            batch.step(batch.sample())
        found.append(batch.observation.copy())
    return np.concatenate(found)


def facts_of(observations: Int8Array) -> list[dict[str, Int8Array]]:
    wide = inputs_of(GAME, 1).widen(observations)
    return [DERIVED.decode(row[GAME.layout.size :]) for row in wide]


def cards(row: Int8Array) -> set[int]:
    return set(np.flatnonzero(row).tolist())


def beats(card: int, other: int) -> bool:
    """Whether a card beats another one of its suit, or a trump any other card."""
    if SUIT[card] == SUIT[other]:
        return card < other
    return bool(SUIT[card] == TRUMP)


def test_cards_against_a_slow_reckoning() -> None:
    observations = positions(800)
    for row, facts in zip(observations, facts_of(observations), strict=True):
        seen = GAME.layout.decode(row)
        hand, table = cards(seen["hand"]), [cards(seen[f"table.{k}"]) for k in range(4)]
        gone = set().union(*(cards(seen[f"played.{k}"]) for k in range(4)))
        unseen = set(range(24)) - hand - gone
        assert cards(facts["unseen"]) == unseen
        above = {c: [u for u in unseen if SUIT[u] == SUIT[c] and beats(u, c)] for c in hand}
        assert cards(facts["top"]) == {c for c in hand if not above[c]}
        assert cards(facts["second"]) == {c for c in hand if len(above[c]) == 1}
        led = int(seen["led"].argmax()) if seen["led"].any() else None
        lying = [card for one in table for card in one]
        able = {c for c in hand if led is None or SUIT[c] in (led, TRUMP)}
        best = [c for c in lying if SUIT[c] in (led, TRUMP)]
        assert cards(facts["takes"]) == {c for c in able if all(beats(c, b) for b in best)}
        assert cards(facts["holds"]) <= cards(facts["takes"])
        assert facts["out"].tolist() == [sum(SUIT[u] == s for u in unseen) for s in range(4)]
        assert facts["behind"].argmax() == sum(not table[k] for k in (1, 2, 3))
        for k in (1, 2, 3):
            can = [any(SUIT[u] == s for u in unseen) and not seen[f"void.{k}"][s] for s in range(4)]
            assert facts[f"may_hold.{k}"].tolist() == can


def test_a_card_holds_unless_a_seat_behind_follows_higher_or_is_seen_to_ruff() -> None:
    observations = positions(800)
    found = {True: 0, False: 0}
    for row, facts in zip(observations, facts_of(observations), strict=True):
        seen = GAME.layout.decode(row)
        behind = [k for k in (1, 2, 3) if not seen[f"table.{k}"].any()]
        for card in cards(facts["takes"]):
            led = int(seen["led"].argmax()) if seen["led"].any() else int(SUIT[card])
            holds = True
            for k in behind:
                void, unseen = seen[f"void.{k}"], cards(facts["unseen"])
                can_follow = not void[led] and any(SUIT[u] == led for u in unseen)
                suit = led if can_follow else TRUMP
                if not void[suit] and any(SUIT[u] == suit and beats(u, card) for u in unseen):
                    holds = False
            assert (card in cards(facts["holds"])) == holds
            found[holds] += 1
    assert min(found.values()) > 100


def test_points_belong_to_sides_that_are_known() -> None:
    observations, known = positions(800), 0
    for row, facts in zip(observations, facts_of(observations), strict=True):
        seen = GAME.layout.decode(row)
        with_me = facts["with_me"].tolist()
        for k in range(3):
            assert not seen["ally"][k] or with_me[k] == 100
            assert not seen["enemy"][k] or with_me[k] == 0
        if (seen["ally"] | seen["enemy"]).all():
            known += 1
            points = [int(seen[f"points.{k}"][0]) for k in range(4)]
            mine = points[0] + sum(p for p, a in zip(points[1:], seen["ally"], strict=True) if a)
            theirs = sum(points) - mine
            for side, total in (("mine", mine), ("theirs", theirs)):
                steps = [int(total >= 10 * step + 1) for step in range(11)]
                assert facts[side].tolist() == steps
    assert known > 50


def test_a_version_never_changes() -> None:
    """Policies that were trained with it would play worse: make another version."""
    facts = inputs_of(GAME, 1).widen(positions(400))
    assert hashlib.sha256(facts.tobytes()).hexdigest()[:8] == VERSION_1


def test_the_plain_version_is_the_observation() -> None:
    observations = positions(40)
    inputs = inputs_of(GAME)
    assert inputs.version == PLAIN
    assert inputs.widen(observations) is observations
    assert inputs.size == GAME.layout.size


def test_inputs_are_about_as_large_as_zeros_and_ones() -> None:
    inputs = inputs_of(GAME, 1)
    largest = (inputs.widen(positions(800)) * inputs.scale).max(axis=0)
    assert inputs.size == len(largest) == GAME.layout.size + DERIVED.size
    assert 0.5 < largest[GAME.layout.size :].max() <= 3


@pytest.mark.parametrize("version", [3, -1, "1", True, None, 1.0])
def test_a_version_that_there_is_not(version: object) -> None:
    with pytest.raises(ConfigError, match="but the versions of kloepper are 0, 1 or 2"):
        inputs_of(GAME, version)  # type: ignore[arg-type]
