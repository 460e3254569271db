"""The compiled melds of Klammern against the slow ones, on hands that are full of them."""

import random

import pytest

from kloepper_env import State
from kloepper_env.games.klammern import melds, record
from tests.env.decks_klammern import rich_deck
from tests.env.hands import random_rules
from tests.env.redeals_klammern import public_melds
from tests.env.slow_melds import contest, kind_of, meld_set, points

NAMES = {  # of PUBLIC_MELDS in the words of slow_melds
    "terz": "run20",
    "quart": "run50",
    "quint": "run100",
    "four_100": "four100",
    "four_150": "four150",
    "four_200": "four200",
}


def taken(rng: random.Random) -> State:
    """A hand right after the take, every seat having melds or not."""
    rules = random_rules("klammern", rng) | {"deal": "3-2-3"}
    state = State.deal("klammern", rules, deck=rich_deck(rng), dealer=rng.randrange(4))
    while state.hand.taker < 0 and not state.is_over:
        state.push(rng.choice(state.legal()))
    return state


@pytest.mark.parametrize("seed", range(4))
def test_meld_sets_are_the_best_ones(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    for _ in range(100):
        state = taken(rng)
        if state.is_over:
            continue
        trump, rules = record.SUITS[int(state.hand.trump)], state.options.changed()
        for seat in range(4):
            slow = meld_set(state.dealt(seat), trump, rules)
            packed = int(state.hand.melds[seat])
            assert melds.points_of(packed) == sum(map(points, slow)), (state, seat)
            cards = {card for meld in slow for card in meld}
            mask = int(state.hand.meld_cards[seat])
            assert {c for i, c in enumerate(record.CODES) if mask >> i & 1} == cards, (state, seat)
            public = melds.public_melds(packed)
            names = [name for i, name in enumerate(melds.PUBLIC_MELDS) if public >> i & 1]
            told = [NAMES[name.removeprefix("second_")] for name in names]
            assert sorted(told) == sorted(map(kind_of, slow)), (state, seat)
            found += len(slow) > 1
    assert found > 10


@pytest.mark.parametrize("seed", range(4))
def test_the_contest_goes_to_the_right_team(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = []
    for _ in range(100):
        state = taken(rng)
        while not state.is_over and state.hand.plies < 4:
            state.push(rng.choice(state.legal()))
        if state.is_over:
            continue
        trump, rules = record.SUITS[int(state.hand.trump)], state.options.changed()
        declared = int(state.hand.declared)
        sets = [
            meld_set(state.dealt(s), trump, rules) if declared >> s & 1 else [] for s in range(4)
        ]
        team = contest(sets, state.dealer, trump, rules)
        assert (None if state.hand.scoring < 0 else state.hand.scoring) == team, state
        if team is not None:
            worth = sum(points(meld) for s in (team, team + 2) for meld in sets[s])
            assert state.hand.meld_points == worth, state
        outcomes.append(team)
    assert set(outcomes) == {None, 0, 1}


def test_facts_are_what_is_announced_and_shown() -> None:
    rng = random.Random(9)
    for _ in range(40):
        state = taken(rng)
        while not state.is_over:
            state.push(rng.choice(state.legal()))
            public = public_melds(state)
            facts = [tuple(fact.split(":")) for fact in state.view(0).facts]
            shown = {(int(fact[1]), fact[2]) for fact in facts if fact[0] == "shown"}
            told = [
                (fact[1], fact[2].removeprefix("second_")) for fact in facts if fact[0] == "meld"
            ]
            belle = {int(fact[1]) for fact in facts if fact[0] == "belle"}
            assert shown == {(s, c) for s, cs in public.get("shown", {}).items() for c in cs}
            announced = public.get("announced", {}).items()
            expected = sorted((str(seat), kind) for seat, kinds in announced for kind in kinds)
            assert sorted((seat, NAMES[name]) for seat, name in told) == expected
            assert belle == public.get("belle", set())
