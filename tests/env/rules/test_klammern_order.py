"""The order of decisions (MO1 to MO6), and what is public (MP1 to MP4)."""

import pytest

from kloepper_env.state import State
from tests.env.rules.klammern_table import CODES, KLAMMERN, filled, lay, seated, with_melds


def fresh(dealer: int = 3, **rules: object) -> State:
    return State.deal("klammern", rules, seed=5, dealer=dealer)


def asked(state: State, *actions: str) -> list[int]:
    """Who decides before each of some actions."""
    turns = []
    for action in actions:
        turns.append(int(state.hand.turn))
        state.push(action)
    return turns


@pytest.mark.parametrize("dealer", range(4))
def test_mo1_first_choice_once_each_from_the_forehand(dealer: int) -> None:
    state = fresh(dealer)
    first = (dealer + 1) % 4
    assert asked(state, *["pass"] * 4) == [(first + k) % 4 for k in range(4)]


@pytest.mark.parametrize("dealer", range(4))
def test_mo2_second_choice_in_the_same_order_and_then_it_is_over(dealer: int) -> None:
    state = fresh(dealer)
    first = (dealer + 1) % 4
    assert asked(state, *["pass"] * 8) == 2 * [(first + k) % 4 for k in range(4)]
    assert (state.is_over, state.turn, state.legal()) == (True, None, [])


def test_mo3_two_passes_of_the_defenders_open_trick_1() -> None:
    state = fresh()
    state.push(state.legal()[1])
    assert asked(state, "pass", "pass") == [1, 3]
    assert (state.turn, state.legal()) == (0, state.cards(0))


def test_mo4_only_after_a_kontra_the_takers_are_asked_for_re() -> None:
    state = fresh()
    state.push(state.legal()[1])
    assert asked(state, "pass", "kontra", "pass", "pass") == [1, 3, 0, 2]
    assert (state.turn, state.legal()) == (0, state.cards(0))


def test_mo5_seats_without_melds_are_asked_too() -> None:
    state = with_melds({1: "QC KC AC"}, meld_declare="choice")
    asked_for_melds = []
    while state.hand.plies < 4:
        if "pass" in state.legal():
            asked_for_melds.append((state.turn, state.legal()))
            state.push("pass")
        state.push(state.legal()[0])
    assert asked_for_melds == [
        (1, ["pass", "declare"]),
        (2, ["pass"]),
        (3, ["pass"]),
        (0, ["pass"]),
    ]


def test_mo5_nobody_is_asked_where_melds_announce_themselves() -> None:
    state = with_melds({1: "QC KC AC"})
    while not state.is_over:
        assert state.legal()[0] in CODES
        state.push(state.legal()[0])


def test_mo6_a_card_is_a_decision_even_if_only_one_is_legal() -> None:
    for seed in range(5):
        state = State.deal("klammern", seed=seed)
        state.push(state.legal()[1])
        while not state.is_over:
            state.push(state.legal()[0])
        assert len([name for _, name in state.history if name in CODES]) == 32


def test_mp1_every_action_is_public_and_whose_turn_it_is() -> None:
    state = fresh(meld_declare="choice")
    while not state.is_over:
        for seat in range(4):
            view = state.view(seat)
            assert list(view.history) == state.history
            assert view.turn == state.turn
        state.push(state.legal()[-1])
    assert [state.view(seat).turn for seat in range(4)] == [None] * 4


def test_mp1_the_turned_card_and_where_it_went() -> None:
    state = State.deal("klammern", {"turnup_owner": "dealer"}, deck=list(CODES), dealer=2)
    turned = CODES[20]
    for seat in range(4):
        assert known(state, seat, 2) == set()
    state.push("take:H")
    for seat in range(4):
        assert known(state, seat, 2) == {turned}
        assert known(state, seat, 3) == set()


def known(state: State, seat: int, other: int) -> set[str]:
    """The cards that a seat sees everybody know another to hold."""
    part = state.observation(seat)[KLAMMERN.layout[f"known.{(other - seat) % 4}"]]
    return {code for code, one in zip(CODES, part, strict=True) if one}


def test_mp2_a_silent_seat_and_one_without_melds_look_the_same() -> None:
    """Seats 0 and 2 do not learn that seat 1 kept its melds to itself."""
    with_run = "9S QC KC AC 7D 7S TH JD"
    without = "9S QC KD AC 7D 7S TH JD"
    views = []
    for own, other in ((with_run, "KD"), (without, "KC")):
        named = {0: ["7C", "8C"], 1: own.split(), 2: ["TC", "AD"], 3: [other]}
        state = seated(filled(named), leader=1, taker=1, meld_declare="choice")
        state.push("pass")
        lay(state, "9S")
        views.append((state, [state.view(seat) for seat in (0, 2)]))
    (one, seen), (two, seen_too) = views
    assert one.hand.melds[1] != 0
    assert two.hand.melds[1] == 0
    for left, right in zip(seen, seen_too, strict=True):
        assert left.facts == right.facts
        assert left.history == right.history


def test_mp2_melds_that_do_not_score_stay_unseen() -> None:
    state = with_melds({1: "QC KC AC", 2: "7S 8S 9S TS"})
    while state.hand.plies < 8:
        state.push(state.legal()[0])
    told = state.view(0).facts
    assert "meld:1:terz" in told
    assert not [fact for fact in told if fact.startswith("shown:1")]
    assert [fact for fact in told if fact.startswith("shown:2")]


def test_mp3_belle_is_public_when_it_is_announced() -> None:
    state = seated(filled({1: ["KH", "QH"]}), leader=1, taker=1, belle_announce="first")
    assert known(state, 3, 1) == set()
    lay(state, "QH")
    assert known(state, 3, 1) == {"KH"}
    assert "belle:1" in state.view(3).facts


def test_mp4_hands_and_the_rest_of_the_pack_are_private() -> None:
    deck = list(CODES)
    state = State.deal("klammern", deck=deck, dealer=3)
    deck[21], deck[31] = deck[31], deck[21]  # not dealt yet
    deck[3], deck[8] = deck[8], deck[3]  # seats 1 and 2
    other = State.deal("klammern", deck=deck, dealer=3)
    for seat in (0, 3):
        one, two = state.view(seat), other.view(seat)
        assert one.information_state == two.information_state
        assert one.information_tensor.tobytes() == two.information_tensor.tobytes()
        assert one.observation.tobytes() == two.observation.tobytes()


def test_mp4_which_cards_came_late_only_their_owner_knows() -> None:
    """The same eight cards, but others of them before the take: only the seat can tell."""
    deck = list(CODES)
    state = State.deal("klammern", deck=deck, dealer=3)
    deck[0], deck[21] = deck[21], deck[0]  # both of seat 0
    other = State.deal("klammern", deck=deck, dealer=3)
    for one in (state, other):
        one.push("pass")
        one.push("take:H")
    assert state.cards(0) == other.cards(0)
    for seat in range(4):
        same = state.view(seat).information_state == other.view(seat).information_state
        assert same == (seat != 0)
