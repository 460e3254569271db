"""The players of Klammern: what they read, and each rule of thumb on a position that shows it."""

import pytest

from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.klammern.announce import announce, best_take, count, should_double
from kloepper_agents.games.klammern.beating import can_beat, wins_now
from kloepper_agents.games.klammern.cards import (
    hidden_trumps,
    play_card,
    probability_with,
    worth_of_lead,
    worth_of_plain,
    worth_of_trump,
)
from kloepper_agents.games.klammern.features import ABOVE, features_of, points_of
from kloepper_agents.games.klammern.greedy import greedy_action
from kloepper_agents.kinds import make_agent
from kloepper_env.batch import Batch
from kloepper_env.games.klammern.record import ACTION_NAMES
from kloepper_env.state import State
from tests.agents.klammern.positions import card, cards, features, sight_from, state_of, to_card

CLUBS, SPADES, HEARTS, DIAMONDS = range(4)


def named(action: int) -> str:
    return ACTION_NAMES[action]


# --- what a seat sees --------------------------------------------------------------------------


def test_sight_agrees_with_the_record_on_random_positions() -> None:
    batch = Batch("klammern", n=200, seed=77)
    steps = set()
    for _ in range(45):
        batch.step(batch.sample())
        for lane in range(0, 200, 20):
            hand, seat = batch.hands[lane], int(batch.turn[lane])
            seen = features_of(
                words_of(batch.observation[lane : lane + 1], batch.game.words)[0],
                bits_of(words_of(batch.action_mask[lane : lane + 1], 5)[0], 0, 5),
            )
            order = [(seat + k) % 4 for k in range(4)]
            steps.add(seen.step)
            assert seen.hand == hand.hands[seat]
            assert list(seen.played) == [int(hand.played[s]) for s in order]
            assert seen.step == hand.step
            assert seen.turned == hand.turned
            assert seen.trump == hand.trump
            for name in ("taker", "kontra", "dealer"):
                absolute = int(hand[name])
                expected = (absolute - seat) % 4 if absolute >= 0 else -1
                assert getattr(seen, name) == expected
            voids = int(hand.voids)
            assert list(seen.voids[1:]) == [voids >> 4 * s & 15 for s in order[1:]]
            if hand.trump >= 0:
                assert seen.on_table == points_of(int(hand.table), int(hand.trump))
                assert (seen.best == -1) == (seen.winning == -1) == (hand.table == 0)
    assert steps == {0, 1, 2, 3, 5}


def test_above_follows_the_order_of_trumps_and_of_plain_suits() -> None:
    assert ABOVE[CLUBS, card("AC")] == cards("JC 9C")
    assert ABOVE[SPADES, card("TC")] == cards("AC")
    assert ABOVE[SPADES, card("JC")] == cards("AC TC KC QC")


# --- probabilities ---------------------------------------------------------------------------


def test_nobody_beats_the_highest_trump_and_only_hidden_trumps_beat_another() -> None:
    hands = ["JC 9C AC TC KC AS KS", "AH TH KH QH JH 9H 8H 7H"]
    state = to_card(state_of(hands, "take:C", turned="QC"))
    assert hidden_trumps(features(state)) == cards("8C 7C")
    assert can_beat(features(state), 1, card("JC"), CLUBS) == 0.0
    assert can_beat(features(state), 1, card("QC"), CLUBS) == 0.0
    assert 0.0 < can_beat(features(state), 1, card("KS"), SPADES) < 1.0  # only by a ruff


def test_a_seat_that_is_void_in_the_suit_and_in_trumps_beats_nothing() -> None:
    hands = ["JC 9C AC TC KC 7S AS", "AH TH KH QH JH 9H 8H 7H"]
    state = to_card(state_of(hands, "take:C", turned="8C"))
    for action in ("JC", "7H"):
        state.push(action)
    seen = sight_from(state, 0)
    assert seen.voids[1] >> CLUBS & 1
    assert can_beat(seen, 1, card("8C"), CLUBS) == 0.0


def test_a_known_card_is_counted_as_held() -> None:
    hands = ["8C KC AS TS KS QH 8D 9D", "AC TC JS 7S 8H 9H TD"]
    state = to_card(state_of(hands, "pass take:C", turned="JC"))
    seen = features(state)
    assert seen.known[1] == cards("JC")
    assert can_beat(seen, 1, card("KC"), CLUBS) == 1.0


# --- announcements -----------------------------------------------------------------------------


def test_count_of_a_hand() -> None:
    own = count(cards("JC 9C KC QC AS TS 9S TH"), CLUBS)
    assert (own.jack, own.nine, own.ace, own.ten, own.low, own.belle) == (1, 1, 0, 0, 2, 1)
    assert (own.aces, own.tens, own.voids, own.melds) == (1, 1, 1, 20)  # J-Q-K of clubs


@pytest.mark.parametrize(
    ("hand", "choice"),
    [
        ("JC 9C AC AS TS", "take:C"),
        ("JC AC TC AS AH", "take:C"),
        ("7S 8S 9H TH 7D", "pass"),
        ("AS TS KS AH TH", "pass"),  # side aces alone are no trumps
    ],
)
def test_first_choice_by_trumps_and_aces(hand: str, choice: str) -> None:
    state = state_of([hand], turned="8C")
    assert state.turn == 0
    assert named(announce(features(state))) == choice


def test_second_choice_takes_the_best_of_the_other_suits() -> None:
    state = state_of(["JS 9S AS TH 7D"], turned="8C")
    for _ in range(4):
        state.push("pass")
    assert named(best_take(features(state))) == "take:S"


def test_kontra_with_the_trumps_that_the_takers_lack() -> None:
    strong = "JC 9C AC TC KC AS AH TS"
    weak = "7S 8S 9H TH 7D 8D 9D QD"
    for hand, said in ((strong, True), (weak, False)):
        state = state_of(["", hand], "take:C", turned="8C")
        assert state.turn == 1
        assert should_double(features(state)) == said
        assert named(announce(features(state))) == ("kontra" if said else "pass")


def test_melds_are_declared() -> None:
    agent, said = make_agent("rules", "klammern"), 0
    for serial in range(20):
        state = State.deal("klammern", {"meld_declare": "choice"}, seed=1, serial=serial)
        while (seat := state.turn) is not None:
            action = agent.act(state.view(seat), 0)
            if "declare" in state.legal():
                assert named(action) == "declare"
                said += 1
            state.push(action)
    assert said > 5


# --- cards -------------------------------------------------------------------------------------


SPADES_LED = ["AS 7C 8C 9C 7D 8D QD JD", "7S 8S JS 7H 8H 9H 9D AD"]


def test_the_partner_who_is_winning_gets_points() -> None:
    hands = [*SPADES_LED, "TH TD KD QH JH 9S QS TS", "KS AC TC KC QC AH KH"]
    state = to_card(state_of(hands, "pass pass pass take:C", turned="JC"))
    for action in ("AS", "7S"):
        state.push(action)
    assert state.turn == 2
    assert features(state).winning == 2
    assert named(play_card(features(state))) == "TS"


def test_an_opponent_who_is_winning_gets_none() -> None:
    hands = ["7S AC 8C 9C 7D 8D QD JD", "AS 8S JS 7H 8H 9H 9D AD", "TH TD KD QH JH 9S QS TS"]
    state = to_card(state_of(hands, "pass pass pass take:C", turned="JC"))
    for action in ("7S", "AS"):
        state.push(action)
    assert named(play_card(features(state))) == "9S"


def test_the_last_seat_takes_with_the_cheapest_card_that_wins() -> None:
    hands = ["7S AC 8C 9C 7D 8D QD JD", "QS 8S JS 7H 8H 9H 9D AD", "TH TD KD QH JH 9S 7C"]
    hands.append("KS AS TS TC KC QC AH KH")
    state = to_card(state_of(hands, "pass pass take:C", turned="JC"))
    for action in ("7S", "QS", "9S"):
        state.push(action)
    assert state.turn == 3
    assert named(play_card(features(state))) != "KS"  # takes home what might be lost
    assert wins_now(features(state), play_card(features(state)))


def test_a_trump_is_worth_more_the_fewer_hidden_ones_beat_it() -> None:
    seen = features(to_card(state_of(["JC AC KC 7S 8S 9H 7H"], "take:C", turned="7C")))
    assert hidden_trumps(seen) == cards("9C TC QC 8C")
    worths = [worth_of_trump(seen, card(code)) for code in ("JC", "AC", "KC", "7C")]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > worths[1] + 5


def test_a_guarded_ten_is_kept_and_the_last_card_of_a_suit_goes() -> None:
    hands = ["JC 9C TS 8S 7S TH 7D"]
    seen = features(to_card(state_of(hands, "take:C", turned="7C")))
    assert worth_of_plain(seen, card("TS")) > worth_of_plain(seen, card("8S"))
    assert worth_of_plain(seen, card("TH")) < worth_of_plain(seen, card("TS"))


def test_the_takers_partner_draws_trumps() -> None:
    hands = ["7C 8C AS KS 7H 8H TD 9D", "", "JC 9C AC KD QD JD AH"]
    state = to_card(state_of(hands, "pass pass take:C", turned="TC", dealer=3))
    assert state.turn == 0
    seen = features(state)
    assert seen.taker == 2
    assert worth_of_lead(seen, card("8C")) > 0
    assert worth_of_lead(seen, card("AS")) == 0
    assert worth_of_lead(sight_from(state, 2), card("JC")) == 0


def test_probability_of_a_trick_is_certain_for_the_last_seat() -> None:
    state = to_card(State.deal("klammern", seed=4))
    while not state.is_over:
        seen = features(state)
        if seen.winning >= 0 and seen.behind == 0:
            for code in state.legal():
                wins = wins_now(seen, card(code))
                expected = 1.0 if wins or seen.winning == 2 else 0.0
                assert probability_with(seen, card(code), wins) == expected
        state.push(state.legal()[-1])


# --- greedy ------------------------------------------------------------------------------------


def greedy(state: State) -> str:
    seen = features(state)
    words = words_of(state.observation(int(state.hand.turn))[None], state.game.words)[0]
    action = greedy_action(words, seen.legal)
    assert seen.legal >> action & 1
    return named(action)


def test_greedy_takes_with_the_jack_and_two_more() -> None:
    assert greedy(state_of(["JC 9C 7S 8S 9H"], turned="8C")) == "take:C"
    assert greedy(state_of(["JC 9D 7S 8S 9H"], turned="8C")) == "pass"
    assert greedy(state_of(["9C AC TC KC 9H"], turned="8C")) == "pass"


def test_greedy_leads_an_ace_and_never_doubles() -> None:
    hands = ["JC 9C 8C AS 8H 9H 7D", "AC TC KC QC AH AD TD TS"]
    state = state_of(hands, "take:C", turned="7C")
    assert greedy(state) == "pass"
    assert greedy(to_card(state)) == "AS"
