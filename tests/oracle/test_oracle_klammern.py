"""Klammern's plain rule engine: the pack, legal cards and melds, by example."""

import random
from itertools import pairwise
from typing import Any

import pytest

from .klammern_melds import Meld, meld_set, prevailing_team, sum_of
from .klammern_rules import (
    PACK,
    RANKS,
    SUITS,
    card_points,
    checked_options,
    deal,
    playable,
    team_of,
    trick_winner,
)

# Cards, tricks, legal cards: trump is hearts


def test_pack() -> None:
    """M1: 32 cards, two teams."""
    assert len(set(PACK)) == 32
    assert [team_of(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_card_points() -> None:
    """M2, M3, M4: what the cards of a suit are worth, and the pack."""
    trumps = [card_points(rank + "H", "H") for rank in "J9ATKQ87"]
    others = [card_points(rank + "C", "H") for rank in "ATKQJ987"]
    assert trumps == [20, 14, 11, 10, 4, 3, 0, 0]
    assert others == [11, 10, 4, 3, 2, 0, 0, 0]
    for trump in SUITS:
        assert sum(card_points(card, trump) for card in PACK) == 152


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        ("AC TC 7H KC", 2, 25),  # MX1
        ("9H AH JH TH", 2, 55),  # MX2
        ("KS TS AS 9H", 3, 39),  # MX3
        ("QD JD 9D KD", 3, 9),  # MX4
        ("7D AS TS AC", 0, 32),
        ("7D 8D 9D JD", 3, 2),  # M3: the jack is above the nine
        ("QH 7H 8H KH", 3, 7),
    ],
)
def test_tricks(cards: str, winner: int, points: int) -> None:
    """MX1 to MX4, M18."""
    assert trick_winner(cards.split(), "H") == winner
    assert sum(card_points(card, "H") for card in cards.split()) == points


def test_order_of_cards() -> None:
    """M2, M3: each card beats the next, whoever plays first."""
    for order, suit in [("J9ATKQ87", "H"), ("ATKQJ987", "S")]:
        for high, low in pairwise(order):
            assert trick_winner([high + suit, low + suit], "H") == 0
            assert trick_winner([low + suit, high + suit], "H") == 1


@pytest.mark.parametrize(
    ("trick", "hand", "expected", "options"),
    [
        ("AC", "7C KH JH", "7C", {}),  # MX5
        ("AC", "7S KH JH", "KH JH", {}),  # MX6
        ("AC AH", "7S KH JH", "JH", {}),  # MX7
        ("AC AH", "7S KH JH", "KH JH", {"overtrump": False}),
        ("AC AH 7C", "7S KH QH", "7S KH QH", {}),  # MX8
        ("AC AH 7C", "7S KH QH", "KH QH", {"partner_exempt": False}),
        ("AC 7C 9H", "7S KH QH", "KH QH", {}),  # MX9
        ("AC 7C 9H", "7S KH QH", "7S KH QH", {"undertrump": "free"}),
        ("TH", "7H AH 9H AS", "AH 9H", {}),  # MX10
        ("TH", "7H QH AS", "7H QH", {}),
        ("TH", "7H AH 9H AS", "7H AH 9H", {"raise_on_trump_lead": "never"}),
        ("TH 8H", "7H AH 9H", "AH 9H", {}),  # MX11
        ("TH 8H", "7H AH 9H", "7H AH 9H", {"raise_on_trump_lead": "unless_partner_winning"}),
        ("TH", "7H AH 9H", "AH 9H", {"raise_on_trump_lead": "unless_partner_winning"}),
        ("TH JH", "7H AH 9H", "7H AH 9H", {"raise_on_trump_lead": "unless_partner_winning"}),
        ("", "7H AH 9S", "7H AH 9S", {}),  # M12
        ("7C", "8C AC JH", "8C AC", {}),  # M13: no duty to beat
        ("AC 7H", "7S 8S", "7S 8S", {}),  # M17
        ("AH", "7S AS", "7S AS", {}),  # M17
        ("AC 9H", "KH JH 8S", "JH", {"undertrump": "free"}),  # M16 (a)
        ("AC 9H", "KH QH 8S", "KH QH 8S", {"undertrump": "free", "overtrump": False}),
        ("AC 9H", "KH JH 8S", "KH JH", {"undertrump": "free", "overtrump": False}),
        ("AC 7C", "7S KH", "7S KH", {}),  # M15: the partner's ace is winning
        ("AC 7C", "7S KH", "KH", {"partner_exempt": False}),
        ("9H JC 7C", "JH 8S", "JH", {}),  # M14
        ("8C 9H AC", "JH KH 8S", "JH", {"partner_exempt": False}),
        ("8C 9H AC", "QH KH 8S", "QH KH 8S", {"partner_exempt": False, "undertrump": "free"}),
    ],
)
def test_playable(trick: str, hand: str, expected: str, options: dict[str, Any]) -> None:
    """MX5 to MX11, M12 to M17."""
    rules = checked_options(options)
    assert playable(hand.split(), trick.split(), "H", rules) == set(expected.split())


def test_deal() -> None:
    """M5, and the table of pack positions."""
    for dealer in range(4):
        seats = [(dealer + 1 + step) % 4 for step in range(4)]
        hands, turned, pack = deal(PACK, dealer, "3-2/turn/3")
        whole, middle, rest = deal(PACK, dealer, "3-2-3")
        for place, seat in enumerate(seats):
            five = PACK[3 * place : 3 * place + 3] + PACK[12 + 2 * place : 14 + 2 * place]
            assert hands[seat] == five
            assert whole[seat] == five + PACK[20 + 3 * place : 23 + 3 * place]
        assert (turned, pack) == (PACK[20], PACK[21:])
        assert (middle, rest) == (PACK[30], [])
        assert middle in whole[dealer]


# Melds


def melds_of(hand: str, trump: str = "H", **options: object) -> list[Meld]:
    return meld_set(hand.split(), trump, checked_options(options))


@pytest.mark.parametrize(
    ("hand", "points", "options"),
    [
        ("QC QS QH QD KC AC 7S 8D", 100, {}),  # MX12
        ("QC QS QH QD KC AC 7S 8D", 120, {"meld_card_reuse": True}),
        ("JC JS JH JD 9C 9S 9H 9D", 350, {}),  # MX13
        ("7C 8C 9C TC JC QC KC AC", 100, {}),
        ("7C 8C 9C TC JC QC KC AC", 120, {"split_long_runs": True}),
        ("7C 7S 7H 7D 8C 9S TS KD", 100, {}),  # MX28
        ("7C 7S 7H 7D 8C 9S TS KD", 0, {"quad_ranks": "no_7_8"}),
        ("8C 8S 8H 8D 7C 7S 7H 7D", 0, {"quad_ranks": "no_7_8"}),
        ("9C TC JC QC KC QS QH QD", 120, {}),  # MX29
        ("9C TC JC QC KC QS QH QD", 200, {"meld_card_reuse": True}),
        ("7C 8C 9C JC QC KC AC 7S", 70, {}),  # M19: two blocks of a suit
        ("9H TH JH 8C 7D AS KD QS", 20, {}),  # M19: the order of runs holds in trump
        ("7C 8C 9C TC JC QC 7S 8S", 100, {"split_long_runs": True}),  # 100 beats 20 + 20
        ("TC TS TH TD KC KS KH KD", 200, {}),  # M20
        ("KC AC 7C 8C 9S TS 8D 7D", 0, {}),  # M19: no run round the corner
        ("7C 8C 8S 9S TH JH QD KD", 0, {}),  # M19: a run has one suit
    ],
)
def test_points_of_melds(hand: str, points: int, options: dict[str, Any]) -> None:
    """MX12, MX13, MX28, MX29, M19 to M21."""
    assert sum_of(melds_of(hand, **options)) == points


def test_points_of_runs_and_fours() -> None:
    """M19, M20: each length and each rank."""
    kinds = {3: ("Terz", 20), 4: ("Quart", 50)}
    for length in range(3, 9):
        run = [rank + "S" for rank in RANKS[:length]]
        (meld,) = meld_set(run, "H", checked_options({}))
        assert (meld.kind, meld.points) == kinds.get(length, ("Quint", 100))
        assert meld.cards == tuple(run)
    for rank in RANKS:
        (meld,) = melds_of(" ".join(rank + suit for suit in SUITS))
        assert (meld.kind, meld.points) == ("Four", {"J": 200, "9": 150}.get(rank, 100))


@pytest.mark.parametrize(
    ("hand", "expected", "options"),
    [
        ("7C 8C 9C TC JC QC KC AC", ["7C 8C 9C TC JC QC KC AC"], {}),
        (
            "7C 8C 9C TC JC QC KC AC",
            ["TC JC QC KC AC", "7C 8C 9C"],
            {"split_long_runs": True},
        ),
        ("9C TC JC QC KC QS QH QD", ["QC QS QH QD", "9C TC JC"], {}),
        ("8C 9C TC JC QC 8S 8H 8D", ["8C 8S 8H 8D", "9C TC JC QC"], {}),
        ("7C 8C 9C TC JC 9S 9H 9D", ["9C 9S 9H 9D"], {}),  # 150 against 100
        ("7C 8C 9C TC JC JS JH JD", ["JC JS JH JD", "7C 8C 9C TC"], {}),
        # M21: 100 each, so the better meld decides
        ("TC JC QC KC AC QS QH QD", ["QC QS QH QD"], {}),
        ("TC JC QC KC AC QS QH QD", ["TC JC QC KC AC"], {"quad_beats_quint": False}),
        ("QC KC AC 7S 8S 9S 9H TH", ["QC KC AC", "7S 8S 9S"], {}),
        ("QC KC AC 7H 8H 9H TS 9S", ["QC KC AC", "7H 8H 9H"], {}),
    ],
)
def test_choice_of_melds(hand: str, expected: list[str], options: dict[str, Any]) -> None:
    """M21, MX12, MX13, MX29: which melds make the set, from the best to the worst by M23."""
    melds = [list(meld.cards) for meld in melds_of(hand, **options)]
    assert melds == [cards.split() for cards in expected]


def contest(hands: dict[int, str], trump: str = "H", **options: object) -> tuple[int | None, int]:
    """Say which team scores melds, and how many points, if seat 0 deals."""
    rules = checked_options(options)
    melds = [meld_set(hands.get(seat, "").split(), trump, rules) for seat in range(4)]
    team = prevailing_team(melds, 0, trump, rules)
    points = 0 if team is None else sum_of(melds[team] + melds[team + 2])
    return team, points


def four(rank: str) -> str:
    return " ".join(rank + suit for suit in SUITS)


@pytest.mark.parametrize(
    ("hands", "expected", "options"),
    [
        ({1: "QC KC AC", 2: "TD JD QD"}, (1, 20), {}),  # MX14
        ({1: "TC JC QC", 2: "TH JH QH"}, (0, 20), {}),  # MX15
        ({1: "TC JC QC", 2: "TD JD QD"}, (1, 20), {}),
        ({1: "TC JC QC", 2: "TD JD QD"}, (None, 0), {"meld_tie": "none"}),
        ({1: "7C 8C 9C", 3: "7D 8D 9D TD", 2: "QS KS AS"}, (1, 70), {}),  # MX16
        ({1: "7C 8C 9C", 3: "7D 8D 9D", 2: "QS KS AS"}, (0, 20), {}),  # MX26
        (
            {1: "7C 8C 9C", 3: "7D 8D 9D", 2: "QS KS AS"},
            (1, 40),
            {"count_over_height": True},
        ),
        ({1: four("T"), 2: "7C 8C 9C TC JC"}, (1, 100), {}),  # MX27
        ({1: four("T"), 2: "7C 8C 9C TC JC"}, (0, 100), {"quad_beats_quint": False}),
        ({1: four("K"), 2: four("T")}, (0, 100), {}),  # MX41
        ({1: four("A"), 2: four("T")}, (1, 100), {}),
        ({1: four("9"), 2: four("J")}, (0, 200), {}),
        ({}, (None, 0), {}),  # M24
        ({0: "7C 8C 9C"}, (0, 20), {}),
        ({3: "7C 8C 9C"}, (1, 20), {"meld_tie": "none"}),
        # M23 (c): six cards before five with a higher top
        ({1: "7C 8C 9C TC JC QC", 2: "TS JS QS KS AS"}, (1, 100), {}),
        # M23: the count looks at the points and the kind of the best meld only
        (
            {1: "7C 8C 9C TC", 3: "7D 8D 9D", 2: "JS QS KS AS"},
            (0, 50),
            {"count_over_height": True},
        ),
        (
            {1: four("7"), 3: "7D 8D 9D TD JD", 2: four("A")},
            (0, 100),
            {"count_over_height": True},
        ),
        # M23: equal counts go on to (c) and (d)
        ({1: "7C 8C 9C", 2: "QS KS AS"}, (0, 20), {"count_over_height": True}),
        ({2: "7C 8C 9C", 3: "7S 8S 9S"}, (0, 20), {"count_over_height": True}),
        # M23 (d): any seat holding such a meld, not only the first of a team
        ({0: "TC JC QC", 3: "TD JD QD", 1: "7S 8S 9S"}, (1, 40), {}),
        ({0: "TC JC QC", 1: "TD JD QD"}, (1, 20), {}),
    ],
)
def test_contest(
    hands: dict[int, str], expected: tuple[int | None, int], options: dict[str, Any]
) -> None:
    """MX14 to MX16, MX26, MX27, MX41, M23, M24."""
    assert contest(hands, **options) == expected


def test_order_of_fours() -> None:
    """M23 (a) and (c): J 9 A T K Q 8 7."""
    for better, worse in zip("J9ATKQ8", "9ATKQ87", strict=True):
        assert contest({1: four(better), 2: four(worse)})[0] == 1
        assert contest({1: four(worse), 2: four(better)})[0] == 0


def test_reuse_and_splitting_never_cost() -> None:
    """M19, M21: more freedom never makes a hand's best set poorer; sets keep to the hand."""
    luck = random.Random(21)
    for _ in range(300):
        start = luck.randrange(25)
        pool = PACK[start : start + 8] + luck.sample(PACK, 8)
        hand = " ".join(luck.sample(list(dict.fromkeys(pool)), 8))
        plain = melds_of(hand)
        cards = [card for meld in plain for card in meld.cards]
        assert len(cards) == len(set(cards))
        assert set(cards) <= set(hand.split())
        assert sum_of(melds_of(hand, meld_card_reuse=True)) >= sum_of(plain)
        assert sum_of(melds_of(hand, split_long_runs=True)) >= sum_of(plain)
