"""Each rule of thumb by which `rules` plays cards, on a position made to show it."""

import numpy as np
import pytest

from kloepper_agents.games.kloepper.cards import (
    play_card,
    probability_with,
    steps_between,
    trick_probability,
    value_of,
    worth_of_lead,
    worth_of_plain,
    worth_of_steps,
    worth_of_trick,
    worth_of_trump,
)
from kloepper_agents.games.kloepper.features import Features
from kloepper_env.games.kloepper.record import HEARTS, TRUMPS
from kloepper_env.state import State
from tests.agents.positions import CODES, card, features, state_of, to_card


def chosen(state: State) -> str:
    """The card that the seat to play chooses."""
    return CODES[play_card(features(to_card(state)))]


def test_trick_probability_is_certain_for_the_highest_trump_and_falls_with_seats_behind() -> None:
    seen = features(to_card(state_of(["QC JD AH 9H 9C 9S"])))
    assert trick_probability(seen, card("QC"), TRUMPS, 1.0) == 1.0
    last = features(to_card(state_of(["AH", "TH", "KH", "QH JD"], "AH TH KH")))
    first = features(to_card(state_of(["AH QH JD 9H 9C 9S"])))
    assert trick_probability(last, card("AH"), HEARTS, 1.0) == 1.0
    assert trick_probability(first, card("AH"), HEARTS, 1.0) < 1.0


def test_probability_counts_on_an_ally_behind() -> None:
    seen = features(to_card(state_of(["QS JD AH 9H 9C 9S"])))
    assert trick_probability(seen, card("JD"), TRUMPS, 0.0) > 0.0
    last = features(to_card(state_of(["AH", "TH", "KH", "QH JD"], "AH TH KH")))
    assert trick_probability(last, card("AH"), HEARTS, 0.0) == 0.0


# The black queens meet in trick 1; seats 1 and 2 are red and know it.
QUEENS_MEET = ["QS JD JS KC KS 9H", "JC TD AC AS TH 9C", "QD AD KD TC TS 9S", "QC 9D JH KH QH AH"]


def test_feed_a_partner_who_surely_wins() -> None:
    state = state_of(QUEENS_MEET, "QS TD QD QC 9D JD JC")
    assert state.turn == 2
    assert probability_with(features(state), card("AD"), False) == 1.0
    assert chosen(state) == "AD"


def test_give_nothing_to_an_enemy_who_surely_wins() -> None:
    leader, partner, own, taker = QUEENS_MEET
    hands = [leader, partner.replace("JC", "9D"), own, taker.replace("9D", "JC")]
    state = state_of(hands, "QS 9D QD QC JC JD TD")
    assert state.turn == 2
    assert chosen(state) == "KD"


def test_save_trumps() -> None:
    seen = features(to_card(state_of(["JC JH 9D AH 9H 9C"])))
    worths = [worth_of_trump(seen, card(code)) for code in ("JC", "JH", "9D")]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > worths[1]
    black = features(to_card(state_of(["QS JC JH AH 9H 9C"])))
    assert worth_of_trump(black, card("QS")) == worth_of_trump(
        features(to_card(state_of(["QC JC JH AH 9H 9C"]))), card("QC")
    )


def test_keep_the_master_of_a_plain_suit() -> None:
    seen = features(to_card(state_of(["AH 9H TC KC JC 9D"])))
    assert worth_of_plain(seen, card("AH")) > worth_of_plain(seen, card("9H"))


def test_make_void() -> None:
    seen = features(to_card(state_of(["9H TC 9C JC JD 9D"])))
    assert worth_of_plain(seen, card("9H")) < worth_of_plain(seen, card("9C"))
    without = features(to_card(state_of(["9H TC 9C KC KS TS"])))
    assert worth_of_plain(without, card("9H")) == worth_of_plain(without, card("9C"))


def test_red_leads_trumps_rather_than_black() -> None:
    red = features(to_card(state_of(["JC JS TC 9C AH 9H"])))
    black = features(to_card(state_of(["QC JS TC 9C AH 9H"])))
    assert worth_of_lead(red, card("JS")) > 0 > worth_of_lead(black, card("JS"))
    assert worth_of_lead(red, card("AH")) == worth_of_lead(black, card("AH")) == 0.0


@pytest.mark.parametrize(
    ("points", "more", "black", "expected"),
    [(20, 9, 1, 0), (20, 10, 1, 1), (59, 1, 1, 0), (59, 1, 0, 1), (59, 2, 1, 1), (29, 62, 1, 3)],
)
def test_steps_of_the_score(points: int, more: int, black: int, expected: int) -> None:
    assert steps_between(points, more, black) == expected


def test_at_the_end_a_trick_that_reaches_a_step_is_worth_more() -> None:
    early = features(to_card(state_of(["QC JS TC 9C AH 9H"])))
    assert worth_of_steps(early, 30.0, 0.7) == 0.0
    late = early._replace(trick=4, with_me=(1.0, 0.0, 1.0, 0.0), points=(10, 20, 20, 20))
    assert worth_of_steps(late, 19.0, 1.0) == 0.0  # 49
    assert worth_of_steps(late, 31.0, 1.0) > 0.0  # 61
    assert worth_of_steps(late, 19.0, 0.0) == 0.0  # they reach 59
    assert worth_of_steps(late, 20.0, 0.0) < 0.0  # 60 are enough for the red side


def test_a_trick_is_worth_its_points_to_whoever_wins_it() -> None:
    seen = features(to_card(state_of(["AH", "TH", "KH", "QH JD"], "AH TH KH")))
    assert worth_of_trick(seen, 28.0, 1.0) == 28.0 == -worth_of_trick(seen, 28.0, 0.0)
    leading = features(to_card(state_of(["AH QH JD 9H 9C 9S"])))
    assert -worth_of_trick(leading, 11.0, 0.0) > 11.0  # the others feed each other


def test_last_seat_takes_a_rich_trick_with_a_card_that_is_not_missed() -> None:
    hands = ["TH 9C KC 9S KS JD", "AH QC TS KD JH QD", "KH QH AS TD JS AC", "JC 9D AD TC QS 9H"]
    with_heart = state_of(hands, "TH AH KH")
    assert chosen(with_heart) == "9H"
    hands[3], hands[0] = "JC 9D AD TC QS KC", "TH 9C 9H 9S KS JD"
    assert chosen(state_of(hands, "TH AH KH")) == "AD"
    hands[3], hands[0] = "JC 9D TC KC QS AC", "TH 9C 9H 9S KS JD"
    hands[2] = "KH QH AS TD JS AD"
    assert chosen(state_of(hands, "TH AH KH")) == "9D"


def swapped(state: State) -> State:
    """The same hand with the plain cards of clubs and spades exchanged."""
    names = str.maketrans({"C": "S", "S": "C"})
    deck = [code.translate(names) if code[0] in "ATK9" else code for code in state.deck()]
    twin = State.deal(deck=deck, dealer=state.dealer)
    for _, action in state.history:
        plain = action[0] in "ATK9" or action.startswith("call")
        twin.push(action.translate(names) if plain else action)
    return twin


def values(state: State, seen: Features) -> dict[str, float]:
    return {name: value_of(seen, state.action(name)) for name in state.legal()}


def test_values_are_the_same_with_clubs_and_spades_exchanged() -> None:
    """The values are; of equal cards the choice may fall on the other suit, by card number."""
    rng = np.random.default_rng(12)
    names = str.maketrans({"C": "S", "S": "C"})
    compared = 0
    for serial in range(40):
        state = State.deal(seed=15, serial=serial)
        while not state.is_over:
            if "pass" not in state.legal():
                twin = swapped(state)
                ours = values(state, features(state))
                theirs = values(twin, features(twin))
                for name, value in ours.items():
                    other = name.translate(names) if name[0] in "ATK9" else name
                    assert theirs[other] == pytest.approx(value, abs=1e-9)
                    compared += 1
            state.push(str(rng.choice(state.legal())) if "pass" not in state.legal() else "pass")
    assert compared > 1_000


def test_of_equals_the_weakest() -> None:
    state = to_card(state_of(["KC KS QC QS JC JS"]))
    seen = features(state)
    best = max(value_of(seen, number) for number in state.legal_actions())
    assert value_of(seen, play_card(seen)) == pytest.approx(best, abs=1e-3)
