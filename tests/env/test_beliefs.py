"""The deals that a View leaves possible, against deals tried out one by one with the engine."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from math import comb

import numpy as np
import pytest

from kloepper_env import State
from kloepper_env.beliefs import MOST_LISTED, Belief, partner_probabilities
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import CODES, packets
from tests.env.redeals_kloepper import (
    PHASES,
    indistinguishable,
    kinds_of,
    known_to,
    look_alikes,
    others_of,
    random_position,
    replay,
    start_of,
)

FEW, MANY = 200, 1700  # most redeals of a position where all of them are tried out


# --- the slow way ------------------------------------------------------------------------------


def unseen_by(state: State, seat: int) -> list[int]:
    """The cards that other seats hold."""
    held = state.hands["hands"][0].tolist()
    return [card for other in others_of(seat) for card in range(24) if held[other] >> card & 1]


def n_redeals(state: State, seat: int) -> int:
    """Number of ways to deal the unseen cards to hands of their sizes."""
    total, left = 1, len(unseen_by(state, seat))
    for other in others_of(seat):
        size = int(state.hands["hands"][0, other]).bit_count()
        total, left = total * comb(left, size), left - size
    return total


def redeals(state: State, seat: int) -> Iterator[list[int]]:
    """All of them, as masks [seat] of the cards dealt."""
    played, held = state.hands["played"][0].tolist(), state.hands["hands"][0].tolist()
    first, second, third = others_of(seat)
    cards = set(unseen_by(state, seat))
    for one in combinations(sorted(cards), held[first].bit_count()):
        rest = cards - set(one)
        for two in combinations(sorted(rest), held[second].bit_count()):
            hands = {first: one, second: two, third: rest - set(two)}
            yield [
                played[other] | sum(1 << card for card in hands[other])
                if other in hands
                else played[other] | held[other]
                for other in range(4)
            ]


def fitting(state: State, seat: int) -> Callable[[list[int]], bool]:
    """Whether a hand of other cards can look to `seat` just like `state`."""
    told, known = state.view(seat).information_state, known_to(state, seat)
    decides, over = state.turn == seat, state.is_over

    def fits(dealt: list[int]) -> bool:
        twin = start_of(state, dealt)
        if not replay(twin, known, seat):
            return False
        alike = look_alikes(twin, seat, decides, over)
        return any(one.view(seat).information_state == told for one in alike)

    return fits


def dealt_in(worlds: Records) -> list[tuple[int, ...]]:
    """The masks [seat] of the cards dealt in each world."""
    return [tuple(masks) for masks in (worlds["hands"] | worlds["played"]).tolist()]


def late_positions(
    n: int, seed: int, least: int = 1, most: int = FEW
) -> Iterator[tuple[State, int]]:
    """Positions and observers with more than `least` redeals and no more than `most`."""
    rng = random.Random(seed)
    while n:
        state, seat = random_position(rng), rng.randrange(4)
        if least < n_redeals(state, seat) <= most:
            yield state, seat
            n -= 1


# --- which deals -------------------------------------------------------------------------------


def test_exactly_the_deals_that_fit() -> None:
    """Every redeal of late positions is tried out; those that fit are counted and listed."""
    kinds: Counter[str] = Counter()
    positions = chain(late_positions(60, seed=1), late_positions(6, 2, FEW, MANY))
    for state, seat in positions:
        expected = set(map(tuple, filter(fitting(state, seat), redeals(state, seat))))
        belief = Belief(state.view(seat))
        listed = dealt_in(belief.enumerate())
        assert belief.count() == len(listed) == len(expected), state
        assert set(listed) == expected, state
        kinds.update(kinds_of(state, seat))
        kinds["fewer by voids or sides"] += len(expected) < n_redeals(state, seat)
    late = {"over", *(f"card in trick {trick}" for trick in range(3, 7))}
    assert set(kinds) > late | {"knocker", "knocked_off", "called", "lone"}, kinds
    assert kinds["fewer by voids or sides"] > 25, kinds


def test_early_positions_have_as_many_as_random_redeals_say() -> None:
    """Of redeals at random, as many fit as the count says; what fits is of a kind that is drawn."""
    rng = random.Random(2)
    tries, kinds, excess = 30, Counter[str](), 0.0
    for _ in range(250):
        state, seat = random_position(rng), rng.randrange(4)
        share = Belief(state.view(seat)).count() / n_redeals(state, seat)
        fits = fitting(state, seat)
        hits = sum(fits(shuffled(state, seat, rng)) for _ in range(tries))
        spread = (tries * share * (1 - share)) ** 0.5
        assert abs(hits - tries * share) <= 5 * spread, (state, hits, share)
        excess += (hits - tries * share) ** 2 / max(spread, 1e-9) ** 2 if spread > 1e-9 else 0
        kinds["uncertain"] += spread > 1e-9
        kinds.update(kinds_of(state, seat))
    assert set(kinds) >= PHASES, kinds
    assert excess < kinds["uncertain"] + 5 * (2 * kinds["uncertain"]) ** 0.5


def shuffled(state: State, seat: int, rng: random.Random) -> list[int]:
    """A random redeal."""
    held, dealt = state.hands["hands"][0].tolist(), state.hands["played"][0].tolist()
    cards = unseen_by(state, seat)
    rng.shuffle(cards)
    dealt[seat] |= held[seat]
    for other in others_of(seat):
        for _ in range(held[other].bit_count()):
            dealt[other] |= 1 << cards.pop()
    masks: list[int] = dealt
    return masks


def test_before_anything_is_known() -> None:
    """18 unseen cards in three hands; but a seat with a queen that waits has others asked first."""
    hands = {0: "QC AC TC KC 9C 9D", 1: "AS TS KS 9S JD QD", 2: "QS AH TH KH QH 9H"}
    state = State.deal(deck=deck_of(hands), dealer=3)
    everything = comb(18, 6) * comb(12, 6)
    assert everything == 17_153_136
    counts = [Belief(state.view(seat)).count() for seat in range(4)]
    assert counts == [everything, everything, everything * 2 // 3, everything]
    with pytest.raises(ConfigError, match=f"17153136 worlds, more than the {MOST_LISTED}"):
        Belief(state.view(0)).enumerate()


def test_what_a_lone_knock_and_a_call_tell() -> None:
    """A lone knocker holds both black queens; so does a caller, and not the ace he called."""
    deck = {0: "QC QS 9C 9S 9H 9D", 1: "AC TC KC AS TS KS", 2: "AH TH KH QH JC JS"}
    state = State.deal(deck=deck_of(deck), dealer=3)
    state.push("knock")
    assert Belief(state.view(1)).count() == comb(16, 4) * comb(12, 6)  # K17
    state = State.deal(deck=deck_of(deck), dealer=3)
    state.push("call:H")
    assert Belief(state.view(1)).count() == comb(15, 4) * comb(12, 6)  # K11, K12


def deck_of(hands: dict[int, str]) -> list[str]:
    """A pack that deals these hands, the rest to the last seat; dealer 3."""
    rest = [code for code in CODES if not any(code in hand for hand in hands.values())]
    return packets([*(hand.split() for hand in hands.values()), rest], dealer=3)


# --- worlds ------------------------------------------------------------------------------------


def test_worlds_look_like_the_view() -> None:
    """Of every phase: each drawn world is a sound record, and shows the seat the same View."""
    rng, draws = random.Random(3), np.random.default_rng(3)
    kinds: Counter[str] = Counter()
    for _ in range(400):
        state, seat = random_position(rng), rng.randrange(4)
        view = state.view(seat)
        worlds = Belief(view).sample(5, draws)
        for i, dealt in enumerate(dealt_in(worlds)):
            world = State(state.game, state.options, worlds[i : i + 1])
            assert world.view(seat).information_state == view.information_state, state
            assert (world.view(seat).observation == view.observation).all(), state
            again = start_of(world, list(dealt))
            for _, action in state.game.history(world.hand):
                again.push(action)
            again.hands[["key", "serial", "random"]] = 0
            assert np.array_equal(again.hands, worlds[i : i + 1]), state
        kinds.update(kinds_of(state, seat))
    assert set(kinds) >= PHASES | {"knocker", "knocked_off", "called", "lone"}, kinds


def test_hidden_cards_make_no_difference() -> None:
    """Positions that a seat cannot tell apart give the same worlds for the same seed."""
    rng, compared = random.Random(4), 0
    for _ in range(300):
        state, seat = random_position(rng), rng.randrange(4)
        drawn = Belief(state.view(seat)).sample(7, np.random.default_rng(9))
        for alike, _ in indistinguishable(state, seat, rng):
            other = Belief(alike.view(seat)).sample(7, np.random.default_rng(9))
            assert np.array_equal(other, drawn), (state, alike)
            compared += state.game.dealt(alike.hand) != state.game.dealt(state.hand)
    assert compared > 150


def test_the_truth_comes_up_as_often_as_any_deal() -> None:
    """A drawn world is the true one in one of `count` cases."""
    draws, rng = np.random.default_rng(5), random.Random(5)
    hits, expected, spread = 0, 0.0, 0.0
    for _ in range(1000):
        state, seat = random_position(rng), rng.randrange(4)
        belief = Belief(state.view(seat))
        truth = tuple(state.game.dealt(state.hand))
        hits += dealt_in(belief.sample(1, draws)) == [truth]
        expected += 1 / belief.count()
        spread += 1 / belief.count() * (1 - 1 / belief.count())
    assert 50 < expected < 900
    assert abs(hits - expected) < 4 * spread**0.5


@pytest.mark.parametrize("replace", [False, True])
def test_samples_are_uniform(replace: bool) -> None:
    """Each world of a small belief comes up equally often, and distinct ones where asked for."""
    beliefs = (Belief(state.view(seat)) for state, seat in late_positions(100, seed=6, most=90))
    belief = next(belief for belief in beliefs if belief.count() > 30)
    n, size, rounds = belief.count(), 10, 1000
    draws, seen = np.random.default_rng(6), Counter[tuple[int, ...]]()
    for _ in range(rounds):
        deals = dealt_in(belief.sample(size, draws, replace=replace))
        assert len(deals) == size
        assert replace or len(set(deals)) == size
        seen.update(deals)
    mean = rounds * size / n
    chi = sum((seen[deal] - mean) ** 2 for deal in dealt_in(belief.enumerate())) / mean
    if not replace:
        chi *= (n - 1) / (n - size)  # a sample that cannot repeat varies less
    assert len(seen) == n
    assert abs(chi - (n - 1)) < 4 * (2 * (n - 1)) ** 0.5


def test_cards_of_a_large_belief_are_uniform() -> None:
    """Each of 18 unseen cards lies with each of three seats a third of the time."""
    state = State.deal(seed=7)
    worlds = Belief(state.view(0)).sample(9000, np.random.default_rng(7))
    for card in unseen_by(state, 0):
        held = (worlds["hands"] >> card & 1).sum(axis=0)
        assert held[0] == 0
        assert abs(held[1:] - 3000).max() < 4 * (9000 * 2 / 9) ** 0.5


def test_a_sample_of_all_is_all() -> None:
    """No more worlds than there are, none of them twice; with replacement as many as asked for."""
    state, seat = next(late_positions(1, seed=8, most=90))
    belief, draws = Belief(state.view(seat)), np.random.default_rng(8)
    n = belief.count()
    assert set(dealt_in(belief.sample(n + 5, draws))) == set(dealt_in(belief.enumerate()))
    assert len(belief.sample(n + 5, draws)) == n
    assert len(belief.sample(n + 5, draws, replace=True)) == n + 5
    with pytest.raises(ConfigError, match="number of worlds is 0, but must be at least 1"):
        belief.sample(0, draws)


def test_partners() -> None:
    """Probabilities are shares of the weight; black queens and red seats alike, never oneself."""
    for state, seat in late_positions(40, seed=9):
        view = state.view(seat)
        worlds = Belief(view).enumerate()
        weights = np.random.default_rng(9).dirichlet(np.ones(len(worlds)))
        slow = [0.0] * 4
        for world, weight in zip(worlds, weights, strict=True):
            mine = int(world.black) >> seat & 1
            for other in others_of(seat):
                slow[other] += weight * (int(world.black) >> other & 1 == mine)
        assert partner_probabilities(view, worlds, weights) == pytest.approx(slow), state


def test_the_other_queen_is_with_any_seat() -> None:
    """A single black queen and nothing known of the other: one partner, each seat as likely."""
    state = State.deal(seed=2)
    one = next(seat for seat in range(4) if int(state.hands["hands"][0, seat]) & 3 in (1, 2))
    worlds = Belief(state.view(one)).sample(3000, np.random.default_rng(1))
    shares = partner_probabilities(state.view(one), worlds, np.full(3000, 1 / 3000))
    assert shares.sum() == pytest.approx(1)
    assert abs(np.delete(shares, one) - 1 / 3).max() < 0.04
