"""M1 to M12: the pack, the deal, the choice of trump, Kontra and Re."""

from itertools import pairwise
from typing import Any

import pytest

from kloepper_env.state import State
from tests.env.rules.klammern_table import (
    CODES,
    KLAMMERN,
    PLAIN_ORDER,
    TRUMP_ORDER,
    one_trick,
    winner_and_points,
)


def dealt(turned: str = "AH", dealer: int = 3, **rules: Any) -> State:
    """The pack in its order, but for the turned card."""
    deck = [card for card in CODES if card != turned]
    deck.insert(20, turned)
    return State.deal("klammern", rules, deck=deck, dealer=dealer)


def after(state: State, *actions: str) -> State:
    for action in actions:
        state.push(action)
    return state


def test_m1_four_seats_two_teams_and_32_cards() -> None:
    assert KLAMMERN.n_seats == 4
    assert KLAMMERN.accounts == (0, 1, 0, 1)
    assert set(CODES) == {rank + suit for rank in "789TJQKA" for suit in "CSHD"}


@pytest.mark.parametrize("trump", "CSHD")
def test_m2_the_trumps_from_the_strongest_down(trump: str) -> None:
    other = "C" if trump != "C" else "S"
    for stronger, weaker in pairwise(TRUMP_ORDER):
        trick = f"{weaker}{trump} {stronger}{trump} A{other} T{other}"
        assert winner_and_points(trick, trump)[0] == 2


@pytest.mark.parametrize(
    ("card", "points"), list(zip(TRUMP_ORDER, (20, 14, 11, 10, 4, 3, 0, 0), strict=True))
)
def test_m2_what_trumps_are_worth(card: str, points: int) -> None:
    assert winner_and_points(f"{card}H 7C 8C 9C")[1] == points


def test_m3_plain_suits_from_the_strongest_down() -> None:
    for stronger, weaker in pairwise(PLAIN_ORDER):
        assert winner_and_points(f"{weaker}C {stronger}C AS AD")[0] == 2


@pytest.mark.parametrize(
    ("card", "points"), list(zip(PLAIN_ORDER, (11, 10, 4, 3, 2, 0, 0, 0), strict=True))
)
def test_m3_what_plain_cards_are_worth(card: str, points: int) -> None:
    assert winner_and_points(f"{card}C 7S 8S 9S")[1] == points


def test_m4_the_last_trick_is_worth_10() -> None:
    for seed in range(20):
        state = State.deal("klammern", {"meld_declare": "choice"}, seed=seed)
        while not state.is_over:
            take = [action for action in state.legal() if action.startswith("take")]
            state.push(take[0] if take else state.legal()[0])
        assert sum(points for _, points in state.taken()) == 152
        belle = 20 * bool(state.hand.belle)
        assert sum(state.scores()[:2]) in (162 + belle, 262 + belle)


@pytest.mark.parametrize("dealer", range(4))
def test_m5_three_then_two_then_the_turned_card(dealer: int) -> None:
    state = dealt(dealer=dealer)
    deck = state.deck()
    for place in range(4):
        seat = (dealer + 1 + place) % 4
        first = deck[3 * place : 3 * place + 3] + deck[12 + 2 * place : 14 + 2 * place]
        assert set(state.dealt(seat)) == set(first)
        assert state.view(seat).facts == ("turned:AH",)


@pytest.mark.parametrize("dealer", range(4))
def test_m5_deal_at_once_shows_a_card_of_the_dealer(dealer: int) -> None:
    state = State.deal("klammern", {"deal": "3-2-3"}, deck=list(CODES), dealer=dealer)
    for place in range(4):
        seat = (dealer + 1 + place) % 4
        last = CODES[20 + 3 * place : 23 + 3 * place]
        assert len(state.dealt(seat)) == 8
        assert set(last) <= set(state.dealt(seat))
    assert state.view(0).facts == (f"turned:{CODES[30]}",)
    assert CODES[30] in state.dealt(dealer)


def test_m6_each_seat_may_take_the_turned_suit_once() -> None:
    state = dealt()
    for seat in range(4):
        assert (state.turn, state.legal()) == (seat, ["pass", "take:H"])
        taken = after(state.copy(), "take:H")
        assert (taken.hand.taker, taken.hand.trump) == (seat, 2)
        assert taken.legal() == ["pass", "kontra"]
        state.push("pass")


def test_m7_after_four_passes_each_may_take_another_suit() -> None:
    state = after(dealt(), *["pass"] * 4)
    for seat in range(4):
        assert (state.turn, state.legal()) == (seat, ["pass", "take:C", "take:S", "take:D"])
        taken = after(state.copy(), "take:D")
        assert (taken.hand.taker, taken.hand.trump) == (seat, 3)
        assert taken.legal() == ["pass", "kontra"]
        state.push("pass")


@pytest.mark.parametrize(("passout_dealer", "dealer"), [("next", 1), ("same", 0)])
def test_m8_passout_dealer_deals_after_eight_passes(passout_dealer: str, dealer: int) -> None:
    rules: dict[str, Any] = {"passout_dealer": passout_dealer, "first_dealer": 0}
    match = KLAMMERN.match_type(KLAMMERN.options(rules))
    state = after(dealt(dealer=match.dealer(), **rules), *["pass"] * 8)
    assert state.is_over
    assert state.scores() == [0, 0, 0, 0]
    match.add(state.outcome())
    assert match.totals == [0, 0, 0, 0]
    assert match.dealer() == dealer


@pytest.mark.parametrize(
    ("actions", "taker"), [(["pass", "take:H"], 1), ([*["pass"] * 6, "take:C"], 2)]
)
@pytest.mark.parametrize("owner", ["taker", "dealer"])
def test_m9_turnup_owner_gets_the_turned_card_and_two_more(
    actions: list[str], taker: int, owner: str
) -> None:
    state = after(dealt(turnup_owner=owner), *actions)
    seat, deck, start = (taker if owner == "taker" else 3), state.deck(), 21
    for other in (0, 1, 2, 3):
        size = 2 if other == seat else 3
        expected = set(deck[start : start + size]) | ({"AH"} if other == seat else set())
        assert set(state.view(other).late) == expected
        assert len(state.dealt(other)) == 8
        start += size


def test_m9_nothing_is_left_to_deal_where_all_was_dealt_at_once() -> None:
    for owner in ("taker", "dealer"):
        rules = {"deal": "3-2-3", "turnup_owner": owner}
        state = State.deal("klammern", rules, deck=list(CODES), dealer=2)
        before = [state.dealt(seat) for seat in range(4)]
        state.push(state.legal()[1])
        assert [state.dealt(seat) for seat in range(4)] == before
        assert [state.view(seat).late for seat in range(4)] == [()] * 4


@pytest.mark.parametrize("taker", range(4))
def test_m10_the_team_of_the_taker_are_the_takers(taker: int) -> None:
    state = after(dealt(), *["pass"] * taker, "take:H")
    defenders = {seat for seat in range(4) if seat % 2 != taker % 2}
    asked = {state.turn}
    asked.add(after(state, "pass").turn)
    assert asked == defenders


@pytest.mark.parametrize(
    ("taker", "defenders", "takers"), [(0, [1, 3], [0, 2]), (1, [0, 2], [1, 3])]
)
def test_m11_kontra_and_re_in_playing_order(
    taker: int, defenders: list[int], takers: list[int]
) -> None:
    state = after(dealt(), *["pass"] * taker, "take:H")
    for said in range(2):
        asked = state.copy()
        for seat in defenders[:said]:
            assert (asked.turn, asked.legal()) == (seat, ["pass", "kontra"])
            asked.push("pass")
        assert asked.turn == defenders[said]
        after(asked, "kontra")
        assert (asked.turn, asked.legal()) == (takers[0], ["pass", "re"])
        after(asked, "pass")
        assert (asked.turn, asked.legal()) == (takers[1], ["pass", "re"])
        assert after(asked.copy(), "pass").hand.re == -1
        after(asked, "re")
        assert (asked.hand.kontra, asked.hand.re) == (defenders[said], takers[1])
        assert asked.turn == 0
        assert asked.legal()[0] in CODES
    after(state, "pass", "pass")
    assert (state.hand.kontra, state.turn) == (-1, 0)


def test_m12_the_forehand_leads_then_the_winner_for_eight_tricks() -> None:
    state = after(dealt(dealer=1), "take:H", "pass", "pass")
    leaders = []
    while not state.is_over:
        if state.hand.plies % 4 == 0:
            leaders.append(state.turn)
            assert set(state.legal()) == set(state.cards(int(state.hand.turn)))
            winners = [tricks for tricks, _ in state.taken()]
        state.push(state.legal()[-1])
        if state.hand.plies % 4 == 0 and not state.is_over:
            after_it = [tricks for tricks, _ in state.taken()]
            (winner,) = [s for s in range(4) if after_it[s] > winners[s]]
            assert state.turn == winner
    assert leaders[0] == 2
    assert len(leaders) == 8


@pytest.mark.parametrize("passout_dealer", ["next", "same"])
def test_m12_the_deal_passes_to_the_left(passout_dealer: str) -> None:
    rules = {"first_dealer": 2, "passout_dealer": passout_dealer}
    match = KLAMMERN.match_type(KLAMMERN.options(rules))
    state = State.deal("klammern", seed=4, dealer=2)
    while not state.is_over:
        state.push(state.legal()[-1])
    match.add(state.outcome())
    assert match.dealer() == 3


def test_m12_any_card_may_be_led() -> None:
    state = one_trick("AC TC KC QC")
    assert state.turn == 0
    assert set(state.legal()) == set(state.cards(0))
