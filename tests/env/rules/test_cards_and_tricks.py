"""K1 to K9: the cards, the deal, and what happens in a trick."""

from itertools import pairwise

import pytest

from kloepper_env.state import State
from tests.env.rules.hands import PAIR
from tests.env.rules.table import (
    KLOEPPER,
    TRUMPS,
    may_play,
    one_trick,
    passed,
    play,
    score,
    seated,
    whole_hand,
    winner_and_points,
)

SPLIT = "QC AC TC AS KD 9H / 9C KC TS KS AH QD / QS TD JC JS TH QH / JH JD AD 9D KH 9S"


def test_k1_four_seats_and_24_cards() -> None:
    assert KLOEPPER.n_seats == 4
    assert len(KLOEPPER.codes) == 24
    assert set(KLOEPPER.codes) == {rank + suit for rank in "ATKQJ9" for suit in "CSHD"}


def test_k1_over_a_game_each_seat_scores_for_itself() -> None:
    match = KLOEPPER.match_type(KLOEPPER.options({}))
    score(match, [2, 0, 2, 0])
    score(match, [0, 4, 4, 0])
    assert match.totals == [2, 4, 6, 0]


@pytest.mark.parametrize(("stronger", "weaker"), list(pairwise(TRUMPS)))
def test_k2_eleven_trumps_in_this_order(stronger: str, weaker: str) -> None:
    assert len(TRUMPS) == 11
    assert winner_and_points(f"{weaker} {stronger} 9S 9H")[0] == 1
    assert winner_and_points(f"{stronger} {weaker} 9S 9H")[0] == 0


@pytest.mark.parametrize("trump", TRUMPS)
def test_k2_trumps_are_one_suit(trump: str) -> None:
    led = "JH" if trump != "JH" else "9D"
    assert may_play(led, f"{trump} AC AH") == {trump}


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [(a + s, b + s) for s in "CS" for a, b in ("AT", "TK", "K9")]
    + [(a + "H", b + "H") for a, b in ("AT", "TK", "KQ", "Q9")],
)
def test_k3_plain_suits_in_this_order(stronger: str, weaker: str) -> None:
    others = "9S 9C 9H".replace(f"9{stronger[1]}", "").split()[:2]
    assert winner_and_points(f"{weaker} {stronger} {' '.join(others)}")[0] == 1
    assert winner_and_points(f"{stronger} {weaker} {' '.join(others)}")[0] == 0


@pytest.mark.parametrize("led", ["9C", "9S", "9H"])
def test_k3_no_plain_suit_ranks_above_another(led: str) -> None:
    aces = [card for card in ("AC", "AS", "AH") if card[1] != led[1]]
    assert winner_and_points(f"{led} {aces[0]} {aces[1]} K{aces[0][1]}")[0] == 0


@pytest.mark.parametrize(
    ("trick", "points"),
    [
        ("AC KS 9H 9S", 15),
        ("AD TD KD QD", 28),
        ("AH TH KH QH", 28),
        ("QC QS JC JS", 10),
        ("JH JD 9S 9H", 4),
        ("TC KC TS KS", 28),
        ("AS 9S 9C 9H", 11),
        ("9C 9S 9H 9D", 0),
    ],
)
def test_k4_card_points(trick: str, points: int) -> None:
    assert winner_and_points(trick)[1] == points


def test_k4_the_pack_holds_120() -> None:
    assert sum(points for _, points in whole_hand(PAIR["60"]).taken()) == 120


@pytest.mark.parametrize("dealer", range(4))
def test_k5_two_packets_of_three_from_the_dealers_left(dealer: int) -> None:
    deck = list(KLOEPPER.codes)
    state = State.deal(deck=deck, dealer=dealer)
    for place in range(4):
        seat = (dealer + 1 + place) % 4
        packets = deck[3 * place : 3 * place + 3] + deck[12 + 3 * place : 15 + 3 * place]
        assert state.dealt(seat) == packets
    assert state.deck() == deck


def test_k6_the_scorekeepers_left_neighbour_deals_first_then_clockwise() -> None:
    match = KLOEPPER.match_type(KLOEPPER.options({}))
    dealers = []
    for _ in range(5):
        dealers.append(match.dealer())
        score(match, [0, 0, 0, 0])
    assert dealers == [1, 2, 3, 0, 1]


@pytest.mark.parametrize(("scorekeeper", "dealer"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_k6_scorekeeper_names_who_keeps_the_score(scorekeeper: int, dealer: int) -> None:
    options = KLOEPPER.options({"scorekeeper": scorekeeper})
    assert KLOEPPER.match_type(options).dealer() == dealer


@pytest.mark.parametrize("seed", range(5))
def test_k5_a_random_deal_gives_each_seat_six_cards(seed: int) -> None:
    state = State.deal(seed=seed)
    hands = [state.dealt(seat) for seat in range(4)]
    assert [len(hand) for hand in hands] == [6, 6, 6, 6]
    assert {card for hand in hands for card in hand} == set(KLOEPPER.codes)


@pytest.mark.parametrize("dealer", range(4))
def test_k7_dealers_left_leads(dealer: int) -> None:
    state = passed(State.deal(seed=1, dealer=dealer))
    assert state.turn == (dealer + 1) % 4


def test_k7_the_winner_of_a_trick_leads_and_there_are_six() -> None:
    state = play(seated(SPLIT), "0:9H 1:AH 2:QH 3:KH")
    assert passed(state).turn == 1
    play(state, "1:9C 2:TH 3:9D 0:AC")
    assert state.turn == 3
    play(state, "3:AD 0:KD 1:QD 2:JC 2:TD 3:JD 0:QC 1:KC 0:TC 1:TS 2:JS 3:9S")
    assert state.turn == 2
    assert play(state, "2:QS 3:JH 0:AS 1:KS").is_over
    assert [tricks for tricks, _ in state.taken()] == [1, 1, 3, 1]


def test_k8_a_card_of_the_suit_led_must_be_played() -> None:
    assert may_play("TS", "AS KS 9S QS AH") == {"AS", "KS", "9S"}


def test_k8_trumps_are_one_suit_to_follow() -> None:
    assert may_play("9D", "QC JH AD AH 9C") == {"QC", "JH", "AD"}


def test_k8_the_queen_of_hearts_is_a_heart_and_the_others_are_not() -> None:
    assert may_play("AH", "QH QC QD JH") == {"QH"}


def test_k8_without_the_suit_any_card_may_be_played() -> None:
    assert may_play("AS", "QC 9D AH KC") == {"QC", "9D", "AH", "KC"}


def test_k8_nobody_must_win_or_trump() -> None:
    state = play(seated(SPLIT), "0:AS 1:KS")
    assert set(passed(state).legal()) == {"QS", "TD", "JC", "JS", "TH", "QH"}
    play(state, "2:TH 3:9S")
    assert state.taken()[0] == (1, 25)


def test_k8_who_leads_may_play_any_card() -> None:
    state = passed(seated(SPLIT))
    assert set(state.legal()) == {"QC", "AC", "TC", "AS", "KD", "9H"}


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("AC TC KC 9D", 3),  # the only trump, however small
        ("AC 9D JD AS", 2),  # the stronger of two trumps
        ("9D QS JC AD", 1),  # trumps led
        ("9H AC AS QH", 3),  # no trump: the strongest of the suit led
        ("9H AC AS KC", 0),  # nobody follows
    ],
)
def test_k9_strongest_trump_or_else_strongest_of_the_suit_led(trick: str, winner: int) -> None:
    assert winner_and_points(trick)[0] == winner


def test_k9_the_trick_goes_to_the_seat_that_played_the_card() -> None:
    assert one_trick("QH 9H KH 9C").taken() == [(0, 0), (0, 0), (1, 7), (0, 0)]
