"""State: acting, refusals, copies, decks, its text; and that random deals are fair."""

import copy
import pickle
import re
from collections import Counter
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from kloepper_env.batch import Batch
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError, IllegalActionError, NotationError
from kloepper_env.games import get_game
from kloepper_env.state import State
from tests.env.cases import Case

# Seats 0 and 2 have a black queen each.
DECK = "QC AC TC 9C KC TS QS TD JC JH JD AD AS KD 9H KS AH QD JS TH QH 9D KH 9S"


def dealt(**rules: Any) -> State:
    """Seat 0 leads; its hand is QC AC TC AS KD 9H."""
    return State.deal(deck=DECK, dealer=3, rules=rules)


def random_states(case: Case, n_hands: int) -> list[State]:
    """Hands broken off at different points."""
    rng = np.random.default_rng(5)
    states = []
    for seed in range(n_hands):
        state = case.deal(seed=seed, rules=case.variant if seed % 2 else {})
        for _ in range(int(rng.integers(50))):
            if not state.is_over:
                state.push(int(rng.choice(state.legal_actions())))
        states.append(state)
    return states


@pytest.mark.parametrize(
    ("spelling", "action"),
    [
        ("9H", "9H"),
        ("9h", "9H"),
        (" 9h ", "9H"),
        ("9♥", "9H"),
        ("TC", "TC"),
        ("10c", "TC"),
        ("10♣", "TC"),
        (23, "9H"),
    ],
)
def test_a_card_in_every_spelling(spelling: str | int, action: str) -> None:
    state = dealt()
    state.push("pass")
    state.push("pass")
    state.push(spelling)
    assert state.history[-1] == (0, action)


@pytest.mark.parametrize("spelling", ["knock", "KNOCK", " Knock ", 25, np.int64(25)])
def test_an_announcement_in_every_spelling(spelling: str | int) -> None:
    state = dealt()
    state.push(spelling)
    assert state.history == [(0, "knock")]


@pytest.mark.parametrize("spelling", ["call:H", "call:h", "CALL:H", " Call:h"])
def test_a_call_in_every_spelling(spelling: str) -> None:
    assert dealt().action(spelling) == dealt().game.action_names.index("call:H")


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("QC", "QC is not legal for seat 0; legal: pass or knock"),
        ("knock_off", "knock_off is not legal for seat 0; legal: pass or knock"),
        (3, "JS is not legal for seat 0; legal: pass or knock"),
        (30, "action 30 is not legal for seat 0; legal: pass or knock"),
        (-1, "action -1 is not legal for seat 0; legal: pass or knock"),
    ],
)
def test_a_refused_action_changes_nothing(action: str | int, sentence: str) -> None:
    state = dealt()
    before = state.hands.copy()
    with pytest.raises(IllegalActionError) as raised:
        state.push(action)
    assert str(raised.value) == sentence
    assert (state.hands == before).all()


def test_names_and_numbers_of_actions_are_inverse(case: Case) -> None:
    """Of every action, in the state, in the mask, in the history and in what is observed."""
    state, names = case.deal(seed=1), case.game.action_names
    assert len(set(names)) == len(names) == case.game.n_actions
    assert [state.action(name) for name in names] == list(range(len(names)))
    while not state.is_over:
        assert state.turn is not None
        numbers = np.flatnonzero(state.action_mask(state.turn)).tolist()
        assert numbers == state.legal_actions() == [state.action(name) for name in state.legal()]
        state.push(numbers[-1])
        assert state.history[-1][1] == names[numbers[-1]]


def test_text_that_is_no_action_is_refused_with_the_actions() -> None:
    state = dealt()
    before = state.hands.copy()
    with pytest.raises(NotationError) as raised:
        state.push("8H")
    assert str(raised.value) == (
        "'8H' is no action: it is neither a card such as JS or 10H nor "
        "pass, knock, knock_off, call:C, call:S or call:H"
    )
    assert (state.hands == before).all()


def test_a_game_of_cards_alone_names_no_announcements() -> None:
    game = get_game("kloepper")
    cards_alone = replace(game, actions=game.actions[: len(game.codes)])
    with pytest.raises(NotationError) as raised:
        State.deal(cards_alone).action("knock")
    assert str(raised.value) == "'knock' is no action: it is not a card such as JS or 10H"


def test_nothing_is_legal_after_the_hand(case: Case) -> None:
    state = case.deal(seed=1)
    with pytest.raises(IllegalActionError, match="the hand is not over, so it has no scores yet"):
        state.scores()
    while not state.is_over:
        state.push(state.legal()[0])
    assert (state.turn, state.legal(), state.legal_actions()) == (None, [], [])
    last = case.game.action_names[-1]
    with pytest.raises(IllegalActionError, match=f"^{last} is not legal: the hand is over$"):
        state.push(last)


@pytest.mark.parametrize(
    "duplicate", [State.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_copy_is_independent(duplicate: Any) -> None:
    state = dealt()
    twin = duplicate(state)
    twin.push("knock")
    assert (state.history, twin.history) == ([], [(0, "knock")])
    state.push("pass")
    assert (state.turn, twin.turn) == (2, 1)


def test_the_deck_deals_the_same_hand_again(case: Case) -> None:
    for state in random_states(case, 30):
        rules = state.options.changed()
        again = case.deal(deck=state.deck(), dealer=state.dealer, rules=rules)
        assert again.deck() == state.deck()
        for _, action in state.history:
            again.push(action)
        seats = range(case.game.n_seats)
        assert [again.dealt(seat) for seat in seats] == [state.dealt(seat) for seat in seats]


def test_its_text_makes_an_equal_state(case: Case) -> None:
    for state in random_states(case, 30):
        again = eval(repr(state), {"State": State})  # that is what it promises
        assert again == state
        assert repr(again) == repr(state)
        assert hash(again) == hash(state)
        assert (again.turn, again.legal(), again.history) == (
            state.turn,
            state.legal(),
            state.history,
        )
    carried = case.deal(carry=dict.fromkeys(case.game.carries(case.game.options(None)), 0))
    assert eval(repr(carried), {"State": State}) == carried  # the same


def test_what_is_carried_over_stands_in_the_text_and_tells_states_apart() -> None:
    plain, more = (
        State.deal("klammern", {"tie81": "litige"}, seed=1, carry={"litige": left})
        for left in (0, 81)
    )
    assert "carry={'litige': 81}" in repr(more)
    assert eval(repr(more), {"State": State}) == more != plain  # the same
    assert more.information_key(0) != plain.information_key(0)


def test_equal_is_what_can_go_on_in_the_same_ways(case: Case) -> None:
    state = case.deal(seed=1)
    deck, dealer = state.deck(), state.dealer
    assert case.deal(deck=deck, dealer=dealer) == state  # wherever it came from
    assert case.deal(deck=deck, dealer=(dealer + 1) % case.game.n_seats) != state
    assert case.deal(deck=deck, dealer=dealer, rules=case.unusual) != state
    assert case.deal(seed=2) != state
    assert state != repr(state)
    copy_ = state.copy()
    assert {state: 1}[copy_] == 1
    copy_.push(copy_.legal()[0])
    assert copy_ != state
    assert case.deal(deck=deck, dealer=dealer, actions=copy_.legal()[:0]) == state
    one = case.deal(deck=deck, dealer=dealer, actions=[state.legal()[0]])
    assert (one, hash(one)) == (copy_, hash(copy_))
    with pytest.raises(IllegalActionError, match="is not legal"):
        case.deal(deck=deck, dealer=dealer, actions=f"{state.legal()[0]} " * 60)


def test_a_copy_takes_actions_back(case: Case) -> None:
    """Every action of every position is tried on a copy, and nothing is left of it."""
    for state in random_states(case, 20):
        before = state.hands.tobytes()
        for action in state.legal_actions():
            twin = state.copy()
            twin.push(action)
            assert len(twin.history) == len(state.history) + 1
        assert state.hands.tobytes() == before


def test_no_score_is_beyond_the_bounds(case: Case) -> None:
    for state in random_states(case, 60):
        low, high = state.utility_bounds()
        while not state.is_over:
            state.push(state.legal()[-1])
        relative = np.array(state.scores()) - np.mean(state.scores())
        assert low <= relative.min() <= relative.max() <= high


def test_bounds_that_are_reached() -> None:
    """KX15: a lone knock brings the knocker 30, which is 22.5 above the mean."""
    assert State.deal(seed=1).utility_bounds() == (-22.5, 22.5)
    plain = State.deal("klammern", seed=1)
    carried = State.deal("klammern", {"tie81": "litige"}, seed=1, carry={"litige": 100})
    assert carried.utility_bounds()[1] == plain.utility_bounds()[1] + 50


def test_the_same_seed_deals_the_same_hands_and_others_differ(case: Case) -> None:
    decks = [tuple(case.deal(seed=s, serial=k).deck()) for s in range(20) for k in range(20)]
    again = [tuple(case.deal(seed=s, serial=k).deck()) for s in range(20) for k in range(20)]
    assert decks == again
    assert len(set(decks)) == 400


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"dealer": 4}, "dealer is 4, but must be 0 to 3"),
        ({"dealer": -1}, "dealer is -1, but must be 0 to 3"),
        ({"seed": -1}, "seed is -1, but must be"),
        ({"serial": -2}, "serial is -2, but must be"),
        ({"game": "skat"}, "unknown game 'skat'; the games are "),
    ],
)
def test_what_cannot_be_dealt(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        State.deal(**arguments)
    assert str(raised.value).startswith(sentence)


# --- fair deals: one fixed seed, and bounds that a fair dealer breaks with one seed of a million


def chi_square(counts: Any, expected: float) -> float:
    return float(((np.asarray(counts) - expected) ** 2 / expected).sum())


N_DEALS = 3_000
DEALS = [State.deal(seed=11, serial=serial) for serial in range(N_DEALS)]


def test_every_card_of_klammern_comes_at_every_place_of_the_pack() -> None:
    decks = [State.deal("klammern", seed=11, serial=serial).deck() for serial in range(N_DEALS)]
    counts = Counter((place, card) for deck in decks for place, card in enumerate(deck))
    assert len(counts) == 32 * 32
    freedom = 31 * 31
    assert chi_square(list(counts.values()), N_DEALS / 32) < freedom + 5 * (2 * freedom) ** 0.5


def test_every_card_goes_to_every_seat(case: Case) -> None:
    rules = case.dealt_at_once
    deals = [case.deal(seed=11, serial=serial, rules=rules) for serial in range(N_DEALS)]
    counts = Counter((card, seat) for s in deals for seat in range(4) for card in s.dealt(seat))
    n_cards = len(case.game.codes)
    assert len(counts) == n_cards * 4
    # A table with fixed margins: (n - 1) * 3 degrees of freedom.
    freedom = 3 * (n_cards - 1)
    assert chi_square(list(counts.values()), N_DEALS / 4) < freedom + 5 * (2 * freedom) ** 0.5


def test_every_seat_deals(case: Case) -> None:
    counts = Counter(case.deal(seed=11, serial=serial).dealer for serial in range(N_DEALS))
    assert chi_square([counts[seat] for seat in range(4)], N_DEALS / 4) < 30


def test_both_black_queens_in_one_hand_5_times_of_23() -> None:
    double = sum({"QC", "QS"} <= set(s.dealt(seat)) for s in DEALS for seat in range(4))
    expected = N_DEALS * 5 / 23
    assert abs(double - expected) < 5 * (expected * 18 / 23) ** 0.5


@pytest.mark.parametrize("seat", [-1, 4, 1.0, None, True])
def test_a_seat_that_is_none_is_refused(case: Case, seat: Any) -> None:
    state = case.deal(seed=1)
    for look in (state.view, state.observation, state.action_mask, state.cards, state.dealt):
        with pytest.raises(ConfigError, match=rf"seat is {seat!r}, but must be 0 to 3"):
            look(seat)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"dealer": 4}, "dealer is 4, but must be 0 to 3"),
        ({"dealer": True}, "dealer is True, but must be 0 to 3"),
        ({"dealer": 1.0}, "dealer is 1.0, but must be 0 to 3"),
        ({"serial": 1.5}, "serial is 1.5, but must be 0 to"),
        ({"seed": -1}, "seed is -1, but must be a whole number from 0 on"),
        ({"deck": 5}, "5 is no list of cards"),
        ({"deck": b"QC"}, "b'QC' is no list of cards"),
        ({"deck": [1, 2]}, "1 is not a card of this pack"),
        ({"deck": {"QC"}}, "{'QC'} is no list of cards"),
    ],
)
def test_a_senseless_deal_is_refused(case: Case, wanted: dict[str, Any], sentence: str) -> None:
    with pytest.raises((ConfigError, NotationError), match=re.escape(sentence)):
        case.deal(**wanted)


@pytest.mark.parametrize(
    ("game", "rules", "carry", "sentence"),
    [
        ("kloepper", {}, {"litige": 1}, "unknown carry 'litige'; there is none"),
        ("klammern", {}, {"dispute": 1}, "unknown carry 'dispute'; there is litige"),
        ("klammern", {}, {"litige": 1}, "carry litige is 1, but must be 0 to 0"),
        ("klammern", {"tie81": "litige"}, {"litige": -1}, "carry litige is -1, but must be 0 to"),
        ("klammern", {"tie81": "litige"}, {"litige": True}, "carry litige is True"),
        ("klammern", {"tie81": "litige"}, 30, "carry is 30, but must be a mapping"),
    ],
)
def test_a_senseless_carry_is_refused(
    game: str, rules: dict[str, Any], carry: Any, sentence: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        State.deal(game, rules, carry=carry)
    assert str(raised.value).startswith(sentence)


def test_a_carry_is_public() -> None:
    rules = {"tie81": "litige"}
    with_carry = State.deal("klammern", rules, seed=1, carry={"litige": 4711})
    without = State.deal("klammern", rules, seed=1)
    for seat in range(4):
        one, other = with_carry.view(seat), without.view(seat)
        assert (one.carry, other.carry) == ({"litige": 4711}, {"litige": 0})
        assert " litige 4711 " in one.information_state
        assert one.information_tensor.tobytes() != other.information_tensor.tobytes()
    assert "carry={'litige': 4711}" in repr(with_carry)
    assert "litige 0" not in repr(without)


def test_numbers_are_read_and_other_things_refused(case: Case) -> None:
    state = case.deal(seed=1)
    legal = state.legal_actions()[0]
    numbers: list[Any] = [np.uint8(legal), np.array([legal]), np.array(legal)]
    for action in numbers:
        state.copy().push(action)
    senseless: list[Any] = [[legal], float(legal), None, True, np.array([legal, legal]), b"pass"]
    for action in senseless:
        with pytest.raises(IllegalActionError, match="is no action: an action is a whole number"):
            state.push(action)
    assert state.history == []


@pytest.mark.parametrize("game", [None, 1, b"klammern", ["klammern"], "bridge"])
def test_what_is_no_game_is_refused(game: Any) -> None:
    for make in (State.deal, Batch, get_game):
        with pytest.raises(ConfigError, match=r"^unknown game .*; the games are kloepper"):
            make(game)


def test_a_belief_takes_a_view() -> None:
    with pytest.raises(ConfigError, match=r"is no View: it must be one, such as state\.view"):
        Belief(cast(Any, State.deal(seed=1)))
