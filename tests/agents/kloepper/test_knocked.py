"""How `rules` plays knocked hands, on positions whose answer is known."""

import pytest

from kloepper_agents.games.kloepper.cards import play_card
from kloepper_agents.games.kloepper.holding import beats, holding_of, wins
from kloepper_agents.games.kloepper.knocked import guards, is_lost, play_knocked
from kloepper_agents.kinds import make_agent
from kloepper_env.games.kloepper.record import HEARTS, SPADES, TRUMPS, packets
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.agents.positions import CODES, card, cards, features, state_of, to_card


def chosen(state: State) -> str:
    """The card that `rules` plays."""
    assert state.turn is not None
    return CODES[make_agent("rules").act(state.view(state.turn), 0)]


def after(state: State, plays: str) -> State:
    """The state after some cards and announcements; passes go unsaid."""
    for action in plays.split():
        while action not in state.legal():
            state.push("pass")
        state.push(action)
    return to_card(state)


# Two hands from the report of the fault.
PARTNERS = ["QC JS JH JD TD KD", "AD 9D AS 9S TH KH", "QS AC KC 9C TS QH", "JC QD TC KS AH 9H"]
LONE = ["TD JH QD AS 9S 9H", "JD KD AC TC TH QH", "AD 9D KC 9C TS KS", "QC QS JC JS AH KH"]


def test_a_knocker_does_not_lead_its_queen_into_that_of_its_partner() -> None:
    state = after(state_of(PARTNERS, dealer=3), "knock")
    assert Solver().scores(state)["QC"] == -12
    assert Solver().scores(state)[chosen(state)] == 12


def test_a_defender_keeps_the_guard_that_breaks_the_sweep() -> None:
    hidden = "QD KD 9D QS knock QC TD JD AD JS JH"
    state = after(state_of(LONE, dealer=3), hidden)
    assert state.turn == 1
    scores = Solver().scores(state)
    assert (scores["TH"], scores["TC"]) == (30, -30)
    assert Solver().scores(state)[chosen(state)] == -30


def test_a_lone_knocker_leads_trumps_and_then_each_suit_from_the_top() -> None:
    hands = ["QC QS JS JH AS KS", "JC JD TC KC 9C AC", "AD TD TS 9S AH TH"]
    state = after(state_of(hands, dealer=3), "knock")
    played = []
    while not state.is_over:
        if state.turn == 0:
            played.append(chosen(state))
            state.push(played[-1])
        else:
            state.push(state.legal()[-1])
    assert played == ["QC", "QS", "JS", "JH", "AS", "KS"][: len(played)]
    assert len(played) >= 4


def test_a_suit_that_the_others_are_void_in_lies_with_the_third() -> None:
    """Seats 1 and 2 do not follow in trumps, so seat 3 has all that are left."""
    hands = ["QC QS JC JS TC AS", "AC KC 9C KS 9S TS", "AH KH QH 9H TH JH"]
    state = after(state_of(hands, dealer=3), "JC AC JH QD QC KC AH KD")
    seen = features(state)
    assert state.turn == 0
    third, first = holding_of(seen, 3, 0b0001), holding_of(seen, 1, 0b0001)
    assert (third.sure, third.n) == (cards("JD AD TD 9D"), 0)
    assert not (first.sure | first.maybe) & cards("JD AD TD 9D JS")


def test_a_trump_lead_is_won_while_the_partner_has_the_other_queen() -> None:
    state = after(state_of(PARTNERS, dealer=3), "knock")
    seen = features(state)
    for partner in (1, 2, 3):
        allies = 1 | 1 << partner
        held = tuple(holding_of(seen, k, allies) for k in range(4))
        assert held[partner].sure & cards("QS")
        assert wins(seen, held, card("KD"), allies) == pytest.approx(1.0)  # type: ignore[arg-type]  # four of them


def test_guards_of_a_suit() -> None:
    """The ten of hearts with a nine, against the ace and the king that lie somewhere."""
    seen = features(
        after(state_of(["QC QS JC JS JH AS", "TH 9H 9S TC KC 9C"], dealer=3), "knock JH")
    )
    knocker = holding_of(seen, 3, 0b111)
    guarded, bare = (guards(knocker, cards(own), HEARTS) for own in ("TH 9H", "TH"))
    assert 0 < bare < guarded < 1
    assert guards(knocker, cards("9S"), SPADES) == 0.0  # nothing is below it
    assert guards(knocker, 0, HEARTS) == 0.0


def test_who_has_a_card_of_the_suit_led_cannot_ruff() -> None:
    state = after(state_of(["QC AS", "QS KS"], dealer=3), "knock")
    seen = features(state)
    held = holding_of(seen, 1, 0b11)
    assert held.sure & cards("QS")
    assert beats(held, card("JC"), TRUMPS) == 1.0
    assert beats(held, card("AS"), SPADES) < 1.0


def test_choices_are_legal() -> None:
    state = after(state_of(PARTNERS, dealer=3), "knock JD")
    while not state.is_over:
        assert CODES[play_knocked(features(state))] in state.legal()
        state.push(chosen(state))
        to_card(state)


def test_a_hand_that_goes_on_after_a_lost_trick_is_played_for_points() -> None:
    """With failed_knock="normal" an unanswered knock of two is played to the end (K28)."""
    hands = ["QC JS JH JD TD KS", "JC 9D AS 9S TH KH", "QS AC KC 9C TS QH", "AD QD TC KD AH 9H"]
    deck = packets([hand.split() for hand in hands], 3)
    state = State.deal(deck=deck, dealer=3, rules={"failed_knock": "normal"})
    state = after(state, "knock KS AS TS AH")
    seen = features(state)
    assert state.turn == 1
    assert is_lost(seen)
    assert CODES.index(chosen(state)) == play_card(seen)
    assert not is_lost(features(after(state_of(hands, dealer=3), "knock KS")))
