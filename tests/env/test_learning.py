"""What games tell learners: hidden facts are the truth, and rates are counted right."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kloepper_env.batch import Batch
from kloepper_env.cards import mask_of
from kloepper_env.games import Game, get_game
from kloepper_env.games.kloepper.record import packets
from kloepper_env.state import State
from tests.env.cases import Case
from tests.env.hands import positions

KLOEPPER, KLAMMERN = get_game("kloepper"), get_game("klammern")


def facts_of(state: State) -> dict[str, int]:
    """The hidden facts of the seat that decides, each part as a mask."""
    learning = state.game.learning
    facts = learning.hidden_facts(state.hands)[0]
    assert facts.shape == (learning.hidden.size,)
    parts = learning.hidden.decode(facts)
    return {name: sum(int(bit) << i for i, bit in enumerate(part)) for name, part in parts.items()}


def undecided(game: str) -> Iterator[State]:
    """Positions of random hands in which somebody decides."""
    for seed in range(20):
        yield from (state for state in positions(seed, game=game) if not state.is_over)


def test_hidden_facts_hold_the_other_hands(case: Case) -> None:
    for state in undecided(case.name):
        turn, facts = state.turn, facts_of(state)
        assert turn is not None
        for k in range(1, case.game.n_seats):
            seat = (turn + k) % case.game.n_seats
            assert facts[f"cards.{k}"] == mask_of(state.cards(seat), case.game.codes)


def test_of_many_hands_each_has_its_own_facts(case: Case) -> None:
    batch = Batch(case.game, n=50, seed=1)
    for _ in range(7):
        batch.step(batch.sample())
    before, facts_of_all = batch.hands.copy(), case.game.learning.hidden_facts
    facts = facts_of_all(batch.hands)
    for lane in range(50):
        assert (facts[lane] == facts_of_all(batch.hands[lane : lane + 1])[0]).all()
    assert (batch.hands == before).all()


def test_hidden_facts_of_kloepper_hold_the_sides() -> None:
    hands: list[list[str]] = [["QC"], [], ["QS"], []]
    rest = [code for code in KLOEPPER.codes if code not in ("QC", "QS")]
    for hand in hands:
        hand += [rest.pop() for _ in range(6 - len(hand))]
    state = State.deal(seed=3, deck=packets(hands, 3), dealer=3)
    assert state.turn == 0
    assert facts_of(state)["ally"] == 0b010


@pytest.mark.parametrize("owner", ["taker", "dealer"])
def test_hidden_facts_of_klammern_hold_what_a_take_deals(owner: str) -> None:
    """M9, whoever takes and in either choice; afterwards nothing is still to come."""
    for seed in range(40):
        state = State.deal("klammern", {"turnup_owner": owner}, seed=seed)
        for _ in range(seed % 8):
            state.push("pass")
        turn, held = state.turn, [int(mask) for mask in state.hand.hands]
        assert turn is not None
        coming = [facts_of(state)[f"coming.{k}"] for k in range(4)]
        state.push(next(name for name in state.legal() if name.startswith("take")))
        for k, cards in enumerate(coming):
            seat = (turn + k) % 4
            assert int(state.hand.hands[seat]) == held[seat] | cards
            assert not held[seat] & cards
        assert sum(mask.bit_count() for mask in coming) == 12
        assert not any(facts_of(state)[f"coming.{k}"] for k in range(4))


def test_nothing_is_to_come_where_all_is_dealt_at_once() -> None:
    state = State.deal("klammern", {"deal": "3-2-3"}, seed=1)
    assert not any(facts_of(state)[f"coming.{k}"] for k in range(4))


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, {"meld_declare": "choice", "deal": "3-2-3"}])
@pytest.mark.parametrize("way", [1, 2, 3])
def test_a_hand_under_other_names_is_the_same_to_a_learner(way: int, rules: dict[str, Any]) -> None:
    """The same deal and play with the suits renamed: another observation, the same once chosen."""
    game, symmetry = KLAMMERN, KLAMMERN.learning.symmetry
    assert symmetry is not None
    renamed = symmetry.renamed_actions[way]
    rng = random.Random(way)
    for seed in range(10):
        one = State.deal(game, rules, seed=seed)
        deck = [game.codes[renamed[game.codes.index(code)]] for code in game.deck_of(one.hand)]
        other = State.deal(game, rules, deck=deck, dealer=int(one.hand.dealer))
        while not one.is_over:
            pairs = zip(_seen_by_a_learner(one), _seen_by_a_learner(other), strict=True)
            assert all((a == b).all() for a, b in pairs)
            turn = one.turn
            assert turn is not None
            places = symmetry.observation[way]
            assert (one.observation(turn)[places] == other.observation(turn)).all()
            assert not (one.observation(turn) == other.observation(turn)).all()
            action = rng.choice(one.legal_actions())
            one.push(action)
            other.push(int(renamed[action]))
        assert one.scores() == other.scores()


def _seen_by_a_learner(state: State) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Observation, hidden facts and mask of the seat that decides, renamed as it would have it."""
    learning, turn = state.game.learning, state.turn
    assert learning.symmetry is not None
    assert turn is not None
    observation = state.observation(turn)
    (way,) = learning.symmetry.choose(observation[None])
    return (
        observation[learning.symmetry.observation[way]],
        learning.hidden_facts(state.hands)[0][learning.symmetry.hidden[way]],
        state.action_mask(turn)[learning.symmetry.actions[way]],
    )


# --- rates ---------------------------------------------------------------------------------------


def played(game: Game) -> tuple[Batch, list[list[str]]]:
    """Hands played to the end with some passing, and the actions of each by name."""
    rng = random.Random(4)
    batch = Batch(game, n=400, seed=2)
    while (lanes := np.flatnonzero(batch.hands["over"] == 0)).size:
        actions = batch.sample()
        passing = game.action_of["pass"]
        for lane in lanes:
            if batch.action_mask[lane, passing] and rng.random() < 0.7:
                actions[lane] = passing
        batch.advance(lanes, actions[lanes])
    names = [
        [game.action_names[action] for _, action in game.history(hand)] for hand in batch.hands
    ]
    return batch, names


def test_rates_of_kloepper() -> None:
    batch, hands = played(KLOEPPER)
    rates = KLOEPPER.learning.rates(batch.hands, batch.scores())
    double = [int(queens).bit_count() == 1 for queens in batch.hands["queens"]]
    calls = [any(name.startswith("call") for name in names) for names in hands]
    assert rates["knock"] == pytest.approx(np.mean(["knock" in names for names in hands]))
    assert rates["knock_off"] == pytest.approx(np.mean(["knock_off" in names for names in hands]))
    assert rates["call"] == sum(calls) / sum(double)
    assert rates["alone"] == (sum(double) - sum(calls)) / sum(double)
    won = [
        any(score > 0 for seat, score in enumerate(scores) if black >> seat & 1)
        for black, scores in zip(batch.hands["black"].tolist(), batch.scores(), strict=True)
    ]
    assert rates["black_wins"] == pytest.approx(np.mean(won))
    assert all(0 < rate < 1 for rate in rates.values())


def test_rates_of_klammern() -> None:
    batch, hands = played(KLAMMERN)
    scores = batch.scores()
    rates = KLAMMERN.learning.rates(batch.hands, scores)
    took = [[name.startswith("take") for name in names] for names in hands]
    takes = [names.index(True) for names in took if any(names)]
    n_hands, n_played = len(hands), len(takes)
    assert rates["take_first"] == sum(place < 4 for place in takes) / n_hands
    assert rates["take_second"] == sum(place >= 4 for place in takes) / n_hands
    assert rates["kontra"] == sum("kontra" in names for names in hands) / n_played
    assert rates["re"] == sum("re" in names for names in hands) / n_played
    won = swept = 0
    for hand, score in zip(batch.hands, scores.tolist(), strict=True):
        if hand.taker >= 0:
            won += score[hand.taker] > score[(hand.taker + 1) % 4]
            tricks = [count for count, _ in KLAMMERN.taken(hand)]
            swept += 8 in (tricks[0] + tricks[2], tricks[1] + tricks[3])
    assert rates["takers_win"] == won / n_played
    assert rates["durchmarsch"] == swept / n_played
    assert all(0 < rate < 1 for rate in rates.values())
    assert rates["take_first"] + rates["take_second"] < 1
