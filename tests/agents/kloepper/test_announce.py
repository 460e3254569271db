"""Each rule of thumb by which `rules` announces, on a position made to show it."""

import pytest

from kloepper_agents.games.kloepper.announce import (
    announce,
    best_call,
    count,
    enemy_has_trick,
    must_take_trick,
    should_knock,
    should_knock_off,
    should_play_alone,
    worth_of_call,
)
from kloepper_env.games.kloepper.record import ACTION_NAMES, CLUBS, HEARTS, SPADES
from kloepper_env.state import State
from tests.agents.positions import cards, features, pass_to, state_of


def announced(state: State) -> str:
    """What the seat that is asked announces."""
    assert "pass" in state.legal()
    return ACTION_NAMES[announce(features(state))]


STRONG = ["QC JC JS JH AD AH", "TC KC 9C TS KS 9S", "QS JD TD KH QH AC", "9D KD QD TH 9H AS"]
WEAK = ["QC TC JS KS KD KH", "9C KC AC TS AS 9S", "QS JD TD JH QH AH", "9D JC QD TH 9H AD"]


def test_count_of_a_hand() -> None:
    own = count(features(state_of(STRONG)))
    assert (own.tops, own.trumps, own.out, own.losers) == (4, 5, 5, 0)  # the other queen is ours


def test_knock_after_trick_1_with_tops_and_no_losers() -> None:
    assert announced(state_of(STRONG)) == "pass"  # trick 1 tells more
    partner = pass_to(state_of(STRONG, "AD 9S TD 9D"), 2)
    assert enemy_has_trick(features(partner))  # it cannot know that the trick is its own side's
    state = pass_to(state_of(STRONG, "JC 9S TD 9D"), 0)
    assert state.hand.plies == 4
    assert should_knock(features(state))
    assert announced(state) == "knock"


def test_no_knock_with_losers_or_a_trick_lost() -> None:
    assert not should_knock(features(pass_to(state_of(WEAK, "KH 9S QH 9H"), 0)))
    hands = [*STRONG[:2], STRONG[2].replace("JD", "9D"), STRONG[3].replace("9D", "JD")]
    state = pass_to(state_of(hands, "AD 9S TD JD"), 0)
    assert count(features(state)).losers == 0
    assert enemy_has_trick(features(state))  # as far as it can know
    assert announced(state) == "pass"


def test_knock_off_with_trumps_that_must_take_a_trick() -> None:
    hands = ["QC TD KD TC KC KS", "JC JS JH QD 9C 9S", "QS JD AD KH QH AC", "9D TH 9H AS TS AH"]
    state = pass_to(state_of(hands, "knock"), 1)
    assert should_knock_off(features(state))
    assert announced(state) == "knock_off"
    state.push("pass")
    assert announced(pass_to(state, 3)) == "pass"


def test_no_knock_off_with_trumps_that_may_all_be_beaten() -> None:
    hands = ["QC TD KD TC KC KS", "JC JH AD QD 9C 9S", "QS JD JS KH QH AC", "9D TH 9H AS TS AH"]
    state = pass_to(state_of(hands, "knock"), 1)
    assert not should_knock_off(features(state))
    assert announced(state) == "pass"


@pytest.mark.parametrize(
    ("own", "certain"),
    [
        ("JC JS JH", True),
        ("JC JS JD", False),
        ("JC JH JD AD", True),
        ("JC JH JD", False),
        ("9D", False),
        ("AS", False),
    ],
)
def test_as_many_trumps_as_there_are_above_the_last_of_them_must_take_a_trick(
    own: str, certain: bool
) -> None:
    others = sum(1 << number for number in range(24)) & ~cards(own)
    assert must_take_trick(cards(own), others) is certain


def test_knock_off_with_a_trick_in_hand() -> None:
    hands = ["QC JS JH TC KC KS", "JC AD KD QD 9C 9S", "QS JD TD KH QH AC", "9D TH 9H AS TS AH"]
    state = pass_to(state_of(hands, "TC 9C AC 9D knock"), 3)
    assert should_knock_off(features(state))


@pytest.mark.parametrize(
    ("hand", "alone"),
    [
        ("QC QS 9D TH KS 9S", False),
        ("QC QS JC JS JD TH", True),
        ("QC QS JD 9D AH TH", True),
        ("QC QS JD 9D TH KS", False),
        ("QC QS 9D AH AS KC", False),
    ],
)
def test_alone_with_many_trumps_jacks_and_aces(hand: str, alone: bool) -> None:
    state = state_of([hand])
    assert should_play_alone(features(state)) is alone
    assert announced(state).startswith("call") is not alone


def test_call_a_suit_that_one_follows_once() -> None:
    seen = features(state_of(["QC QS 9D TC KS 9S"]))
    assert worth_of_call(seen.hand, CLUBS) > worth_of_call(seen.hand, SPADES)
    two_clubs = features(state_of(["QC QS 9D TC 9C KS"]))
    assert worth_of_call(two_clubs.hand, SPADES) > worth_of_call(two_clubs.hand, CLUBS)
    one_each = features(state_of(["QC QS 9D TC KS 9H"]))
    assert ACTION_NAMES[best_call(one_each)] == "call:H"
    assert worth_of_call(one_each.hand, HEARTS) > worth_of_call(one_each.hand, CLUBS)


def test_of_equal_calls_the_first() -> None:
    """Clubs and spades may be worth the same, and then clubs are called."""
    equal = features(state_of(["QC QS AH 9H TC KS"]))
    assert worth_of_call(equal.hand, CLUBS) == worth_of_call(equal.hand, SPADES)
    assert ACTION_NAMES[best_call(equal)] == "call:C"


def test_alone_knocks_only_when_no_card_can_lose() -> None:
    hands = ["QC QS JC JS JH JD", "AC TC KC 9C AS TS", "KS 9S AH TH KH AD", "QH 9H TD KD QD 9D"]
    state = pass_to(state_of(hands, "JD AC AD 9D"), 0)
    seen = features(state)
    assert count(seen).losers == 0
    assert should_knock(seen) is (count(seen).tops >= count(seen).out)
    assert announced(state) == "knock"
