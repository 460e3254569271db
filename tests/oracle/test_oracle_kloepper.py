"""Checks of the plain rule engine: worked examples, a record, the order of asking, random hands."""

import random
from typing import Any

import pytest

from .kloepper import (
    Hand,
    card_points,
    dealer_of,
    game_winners,
    hand_scores,
    playable,
    trick_winner,
)
from .kloepper_rules import PACK, PACKS, points_of

KX22_HANDS = [
    "KD 9S 9D 9H QD TH",
    "9C JS QS AS AC TS",
    "TC TD JH AH JD KH",
    "QH QC KS KC AD JC",
]
KX22_TRICKS = [
    ("2:JD 3:AD 0:9D 1:JS", 1, 15),
    ("1:QS 2:JH 3:QC 0:QD", 3, 11),
    ("3:KC 0:9H 1:9C 2:TC", 2, 14),
    ("2:KH 3:QH 0:TH 1:AS", 0, 28),
    ("0:KD 1:AC 2:TD 3:JC", 3, 27),
    ("3:KS 0:9S 1:TS 2:AH", 1, 25),
]
RECORD_DECK = "AS JS 9C QS QC KC AC AD AH TC TS JD JC TD QH KH TH KD 9S KS QD 9H JH 9D"  # dealer 3
RECORD_ACTIONS = """1 call:H, 1 pass, 0 JS, 1 pass, 1 QS, 1 pass, 2 QD, 1 pass, 3 JD, 1 pass, 1 KH,
2 AH, 3 9H, 0 QH, 2 AC, 3 TC, 0 9C, 1 KC, 2 KS, 3 TS, 0 AS, 1 TH, 0 JC, 1 QC, 2 AD, 3 9D, 1 KD,
2 9S, 3 JH, 0 TD"""
# seat 0 holds the trumps, its partner's QS can only help; seat 0 leads
PAIR_WINS_ALL = [
    "QC JC JS JH JD AD",
    "TD KD AC TC KC 9C",
    "QS AS TS KS AH TH",
    "QD 9D 9S KH QH 9H",
]
LONER_WINS_ALL = [
    "QC QS JC JS JH JD",
    "TD KD AC TC KC 9C",
    "AD AS TS KS AH TH",
    "QD 9D 9S KH QH 9H",
]
LONER_LOSES = [
    "QC QS 9C 9S 9H KH",
    "TD KD AC TC KC JC",
    "AD AS TS KS AH TH",
    "QD 9D JS JH QH JD",
]
CALLER = [  # seat 0 may call, seat 1 holds AC, seat 2 AS and AH
    "QC QS 9C KH 9H 9D",
    "TD KD AC TC KC JC",
    "AD AS TS KS AH TH",
    "QD 9S JS JH QH JD",
]


def packed(hands: list[str], leader: int) -> list[str]:
    """Arrange a deck that deals these hands, the leader sitting at dealer's left."""
    order = [hands[(leader + step) % 4].split() for step in range(4)]
    return [card for cards in order for card in cards[:3]] + [
        card for cards in order for card in cards[3:]
    ]


def seated(hands: list[str], leader: int = 0, **options: object) -> Hand:
    """Deal these hands with the given seat to lead."""
    return Hand(packed(hands, leader), (leader - 1) % 4, options)


def do(hand: Hand, actions: str) -> None:
    """Carry out actions written "seat action, seat action", checking the turns."""
    for step in actions.split(","):
        seat, action = step.split()
        assert hand.turn == int(seat), (hand.history, step)
        hand.push(action)


def pass_all(hand: Hand) -> None:
    """Pass until a card is due or the hand is over."""
    while "pass" in hand.legal():
        hand.push("pass")


def play_out(hand: Hand) -> None:
    """Pass and play the first legal card until the hand is over."""
    while hand.turn is not None:
        legal = hand.legal()
        hand.push("pass" if "pass" in legal else min(legal, key=hand.dealt[hand.turn].index))


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        ("KH 9H AD JS", 3, 17),  # KX1
        ("QH TH KH 9D", 3, 17),  # KX2
        ("QH 9H KH 9C", 2, 7),  # KX3
        ("QD KD 9D JD", 3, 9),  # KX4
        ("TC AC KS AH", 1, 36),  # KX5
    ],
)
def test_tricks(cards: str, winner: int, points: int) -> None:
    """KX1 to KX5."""
    assert trick_winner(cards.split()) == winner
    assert sum(card_points(card) for card in cards.split()) == points


@pytest.mark.parametrize(
    ("led", "hand", "expected"),
    [
        ("QD", "JH AC QH", "JH"),  # KX6
        ("TC", "QC JC AS", "QC JC AS"),  # KX7
        ("AS", "9S QS", "9S"),  # KX8
        ("9D", "QS QC 9H", "QS QC"),  # KX9
        (None, "QS QC 9H", "QS QC 9H"),
    ],
)
def test_playable(led: str | None, hand: str, expected: str) -> None:
    """KX6 to KX9."""
    assert playable(hand.split(), led) == set(expected.split())


@pytest.mark.parametrize(
    ("points", "tricks", "black", "red"),
    [
        (61, 3, 2, 0),  # KX10
        (60, 3, 0, 2),
        (59, 3, 0, 4),
        (30, 3, 0, 4),
        (29, 3, 0, 6),
        (120, 5, 4, 0),  # KX11
        (120, 6, 6, 0),
        (90, 4, 2, 0),
        (91, 4, 4, 0),
    ],
)
def test_scores_of_pairs(points: int, tricks: int, black: int, red: int) -> None:
    """KX10 and KX11."""
    assert hand_scores({1, 3}, points, tricks) == [red, black, red, black]


@pytest.mark.parametrize(
    ("points", "tricks", "black", "red"),
    [
        (61, 3, 6, 0),  # KX12
        (91, 5, 12, 0),
        (120, 6, 18, 0),
        (60, 3, 0, 4),  # KX13
        (59, 3, 0, 6),
        (29, 3, 0, 12),
        (30, 3, 0, 6),
    ],
)
def test_scores_of_loners(points: int, tricks: int, black: int, red: int) -> None:
    """KX12 and KX13."""
    assert hand_scores({2}, points, tricks) == [red, red, black, red]


@pytest.mark.parametrize(
    ("points", "black", "red"), [(48, 2, 0), (47, 0, 2), (46, 0, 4), (71, 4, 0), (70, 2, 0)]
)
def test_scores_of_twelve_cards(points: int, black: int, red: int) -> None:
    """KX23."""
    assert hand_scores({0, 2}, points, 2, pack=12) == [black, red, black, red]


@pytest.mark.parametrize(
    ("points", "black", "red"),
    [(46, 4, 0), (45, 2, 0), (31, 2, 0), (30, 0, 4), (16, 0, 4), (15, 0, 6)],
)
def test_scores_of_eight_cards(points: int, black: int, red: int) -> None:
    """K32: the pack holds 61 points; half of them and three quarters are no whole numbers."""
    assert hand_scores({1, 3}, points, 1, pack=8) == [red, black, red, black]
    assert hand_scores({0}, points, 1, pack=8)[:2] == [
        3 * black,
        [0, 6, 12][red // 2 - 1] * (red > 0),
    ]


def test_short_packs() -> None:
    """K32: points, packets, calls and the number of tricks."""
    assert [points_of(pack) for pack in PACKS] == [120, 94, 61]
    eight = Hand(["AH", "TH", "QC", "QS", "AC", "TC", "JD", "AD"], 0, {"pack": 8})
    assert eight.dealt[1:] + eight.dealt[:1] == [
        ["AH", "TH"],
        ["QC", "QS"],
        ["AC", "TC"],
        ["JD", "AD"],
    ]
    do(eight, "2 pass, 1 AH, 2 pass, 2 QC, 2 pass, 3 AC, 2 pass, 0 JD")
    assert eight.legal() == {"knock", "pass"}
    do(eight, "2 pass, 2 QS, 3 TC, 0 AD, 1 TH")
    assert (eight.turn, eight.scores(), eight.black_points()) == (None, [0, 0, 18, 0], 61)
    called = Hand(["AH", "TH", "QC", "QS", "AC", "TC", "JD", "AD"], 0, {"pack": 8})
    assert called.legal() == {"call:C", "call:H", "knock", "pass"}
    twelve = Hand(
        ["QC", "QS", "AS", "AC", "TC", "AH", "JC", "JD", "AD", "TD", "TS", "TH"], 3, {"pack": 12}
    )
    assert twelve.dealt[0] == ["QC", "QS", "AS"]
    assert twelve.legal() == {"call:C", "call:H", "knock", "pass"}
    for pack, deck in [(8, PACK), (24, PACKS[8]), (12, PACKS[8])]:
        with pytest.raises(ValueError, match="deck"):
            Hand(deck, 0, {"pack": pack})


def test_scores_of_knocks() -> None:
    """KX14 to KX16 by amounts."""
    pair = {0, 1}
    assert hand_scores(pair, 120, 6, True) == [12, 12, 0, 0]
    assert hand_scores(pair, 100, 5, True) == [0, 0, 12, 12]
    assert hand_scores(pair, 100, 5, True, failed_knock="normal") == [4, 4, 0, 0]
    assert hand_scores(pair, 120, 6, True, failed_knock="normal") == [12, 12, 0, 0]
    assert hand_scores(pair, 100, 5, True, failed_knock="none") == [0, 0, 0, 0]
    for failed in ["stake", "normal", "none"]:
        assert hand_scores(pair, 120, 6, True, True, failed) == [24, 24, 0, 0]
        assert hand_scores(pair, 100, 5, True, True, failed) == [0, 0, 24, 24]
        assert hand_scores({0}, 120, 6, True, False, failed) == [30, 0, 0, 0]
        assert hand_scores({0}, 100, 5, True, False, failed) == [0, 30, 30, 30]


def test_pair_knocks_and_wins() -> None:
    """KX14 and KX15, all tricks, played out."""
    for answer, amount in [("pass", 12), ("knock_off", 24)]:
        hand = seated(PAIR_WINS_ALL)
        do(hand, "0 knock")
        assert (hand.turn, hand.legal()) == (1, {"knock_off", "pass"})
        hand.push(answer)
        play_out(hand)
        assert hand.scores() == [amount, 0, amount, 0]
        assert hand.black_points() == 120


def test_loner_wins() -> None:
    """KX12 and KX16, all tricks, played out."""
    hand = seated(LONER_WINS_ALL)
    play_out(hand)
    assert hand.scores() == [18, 0, 0, 0]
    hand = seated(LONER_WINS_ALL)
    do(hand, "0 knock, 0 QC")  # nobody may answer, nobody is asked again
    assert hand.black_side() == {0}
    play_out(hand)
    assert hand.scores() == [30, 0, 0, 0]


def test_lone_knock_fails() -> None:
    """KX16, a trick lost, and K28: the hand stops there, or not by option."""
    hand = seated(LONER_LOSES)
    assert hand.legal() == {"call:C", "call:S", "call:H", "knock", "pass"}
    do(hand, "0 knock, 0 9C, 1 AC, 2 AD, 3 QD")  # 2 and 3 have no plain club
    assert hand.turn is None
    assert hand.scores() == [0, 30, 30, 30]
    assert hand.black_points() is None
    hand = seated(LONER_LOSES, stop_when_decided=False)
    do(hand, "0 knock, 0 9C, 1 AC, 2 AD, 3 QD")
    assert hand.turn == 2
    play_out(hand)
    assert len(hand.tricks) == 6
    assert hand.scores() == [0, 30, 30, 30]
    assert hand.black_points() is not None


KX22_LOST_TRICK = "2 KH, 3 pass, 1 pass, 3 QH, 1 pass, 3 pass, 0 TH, 1 pass, 3 pass, 1 AS"


def test_knock_after_a_lost_trick() -> None:
    """KX14 and KX15, a trick lost, by a knock that is legal and simply fails (K19)."""
    start = "3 pass, 1 pass, " + KX22_LOST_TRICK
    for answer, amount in [("0 pass, 2 pass", 12), ("0 pass, 2 knock_off", 24)]:
        hand = seated(KX22_HANDS, 2)
        do(hand, start + ", 1 pass, 3 knock, " + answer)
        assert hand.turn is None
        assert hand.scores() == [amount, 0, amount, 0]
        assert hand.black_points() is None
    hand = seated(KX22_HANDS, 2, failed_knock="normal")
    do(hand, start + ", 1 knock, 2 pass, 0 pass")
    assert hand.turn == 0
    play_out(hand)
    points = hand.black_points()
    assert points is not None
    assert hand.scores() == hand_scores({1, 3}, points, 0)
    hand = seated(KX22_HANDS, 2, failed_knock="normal")
    do(hand, start + ", 1 knock, 2 knock_off")
    assert hand.turn is None
    hand = seated(KX22_HANDS, 2, failed_knock="none")
    do(hand, start + ", 1 knock, 2 pass, 0 pass")
    assert (hand.turn, hand.scores()) == (None, [0, 0, 0, 0])


def test_no_ace_to_call() -> None:
    """KX17."""
    hands = ["QC QS AC AS AH 9D", "TD KD TC KC 9C JC", "AD TS KS 9S TH KH", "QD 9H JS JH QH JD"]
    hand = seated(hands)
    assert hand.legal() == {"knock", "pass"}
    do(hand, "0 pass, 0 9D")
    assert hand.black_side() == {0}


def test_games() -> None:
    """KX18 to KX21, and games that go on."""
    assert game_winners([[26, 28, 20, 4], [30, 30, 20, 4]]) == [1]
    assert game_winners([[29, 25, 10, 0], [31, 37, 10, 0]]) == [0]
    assert game_winners([[4, 6, 0, 0], [26, 26, 12, 0], [30, 30, 16, 0]]) == [1]
    assert game_winners([[0, 30, 30, 30]]) == [1, 2, 3]
    assert game_winners([]) is None
    assert game_winners([[29, 0, 0, 0]]) is None
    assert game_winners([[29, 0, 0, 0]], 29) == [0]


def test_dealers() -> None:
    """K6."""
    assert [dealer_of(number) for number in range(5)] == [1, 2, 3, 0, 1]
    assert dealer_of(0, 3) == 0


def test_a_whole_hand() -> None:
    """KX22."""
    hand = seated(KX22_HANDS, 2)
    for number, (plays, winner, points) in enumerate(KX22_TRICKS):
        for play in plays.split():
            pass_all(hand)
            do(hand, play.replace(":", " "))
        pass_all(hand)
        assert (hand.tricks[number].winner, hand.tricks[number].points) == (winner, points)
    assert hand.turn is None
    assert hand.black_side() == {1, 3}
    assert hand.black_points() == 78
    assert hand.scores() == [0, 2, 0, 2]


def test_the_record() -> None:
    """The example record replays to its scores."""
    hand = Hand(RECORD_DECK.split(), 3)
    do(hand, RECORD_ACTIONS.replace("\n", " "))
    assert hand.turn is None
    assert hand.scores() == [0, 2, 2, 0]
    assert hand.black_points() == 69
    assert len(hand.public_history(1)) == len(hand.history)
    assert len(hand.public_history(0)) == 25
    assert hand.public_history(0)[0] == (1, "call:H")


def test_asking_anew() -> None:
    """Order 3: after an announcement at the announcer's left, the announcer last."""
    hand = seated(KX22_HANDS, 2)
    do(hand, "3 pass, 1 knock, 2 pass, 0 pass, 2 KH")  # seats 1 and 3 have nothing left
    hand = seated(KX22_HANDS, 2)
    do(hand, "3 pass, 1 knock, 2 knock_off, 2 KH")
    hand = seated(CALLER, 3, called_partner_may_knock=True)
    do(hand, "0 call:C, 1 knock, 2 pass, 3 pass, 3 9S")
    hand = seated(CALLER, 3)
    do(hand, "0 call:C, 0 knock, 2 pass, 3 pass, 3 9S")


def test_knock_off_lapses() -> None:
    """K18: a knock may be answered until the next card only."""
    hand = seated(KX22_HANDS, 2)
    do(hand, "3 knock, 0 pass, 2 pass, 2 KH, 3 QH, 0 TH, 1 AS")
    assert hand.turn is None


def test_own_turn() -> None:
    """Order 4: only the seat about to play, everybody after an announcement and after trick 1."""
    hand = seated(KX22_HANDS, 2, announce="own_turn")
    do(hand, "2 KH, 3 pass, 3 QH, 0 TH, 1 pass, 1 AS, 1 pass, 3 pass, 0 KD")
    hand = seated(KX22_HANDS, 2, announce="own_turn")
    do(hand, "2 KH, 3 knock, 0 pass, 2 knock_off, 3 QH")


def test_prompt_all() -> None:
    """Order 5: also those are asked who can only pass."""
    hand = seated(KX22_HANDS, 2, prompt_all=True)
    do(hand, "2 pass, 3 knock, 0 pass, 1 pass, 2 pass, 3 pass, 2 KH")
    do(hand, "3 pass, 0 pass, 1 pass, 2 pass, 3 QH, 0 pass, 1 pass, 2 pass, 3 pass, 0 TH")
    do(hand, "1 pass, 2 pass, 3 pass, 0 pass, 1 AS")
    do(hand, "0 pass, 1 pass, 2 pass, 3 pass")  # the round after trick 1, then K28
    assert hand.turn is None
    assert hand.public_history(0) == hand.history
    hand = seated(KX22_HANDS, 2, prompt_all=True, announce="own_turn")
    do(hand, "2 pass, 2 KH, 3 knock, 0 pass, 1 pass, 2 pass, 3 pass, 3 QH, 0 pass, 0 TH, 1 pass")


def test_calls() -> None:
    """K11 to K14, K16: who may call what, and what follows."""
    hand = seated(CALLER, 1)
    do(hand, "0 pass, 1 AC, 0 pass, 2 AS, 0 pass, 3 QD")
    assert hand.turn == 0
    assert hand.legal() == {"call:H", "knock", "pass"}  # the two aces on the table are gone
    do(hand, "0 call:H, 0 pass, 0 9C")
    assert hand.black_side() == {0, 2}
    hand = seated(CALLER, 0)
    do(hand, "0 pass, 0 9C")
    assert hand.legal() == {"knock", "pass"}  # alone (K14)
    do(hand, "0 knock, 1 AC")  # K18: no answer to a lone knock


def test_errors() -> None:
    """What is not allowed is refused."""
    hand = seated(KX22_HANDS, 2)
    for action in ["2", "JD", "knock_off", "call:C", "call:D", ""]:
        with pytest.raises(ValueError, match="not legal"):
            hand.push(action)
    with pytest.raises(ValueError, match="not over"):
        hand.scores()
    bad: list[dict[str, object]] = [
        {"anounce": "any_time"},
        {"announce": "never"},
        {"prompt_all": 1},
        {"target": 0},
        {"target": True},
        {"scorekeeper": 4},
        {"pack": 16},
        {"pack": True},
        {"pack": "8"},
    ]
    for options in bad:
        with pytest.raises(ValueError, match="option"):
            Hand(PACK, 0, options)
    with pytest.raises(ValueError, match="deck"):
        Hand(PACK[:23], 0)


def random_options(luck: random.Random) -> dict[str, Any]:
    """Draw options for a hand."""
    return {
        "pack": luck.choice([24, 12, 8]),
        "announce": luck.choice(["any_time", "own_turn"]),
        "prompt_all": luck.choice([True, False]),
        "called_partner_may_knock": luck.choice([True, False]),
        "failed_knock": luck.choice(["stake", "normal", "none"]),
        "stop_when_decided": luck.choice([True, False]),
    }


def possible_scores(hand: Hand) -> set[tuple[int, int]]:
    """List the amounts (black, red) a finished hand may have brought."""
    actions = [action for _seat, action in hand.history]
    alone = len(hand.black_side()) == 1
    if "knock" in actions and alone:
        return {(30, 0), (0, 30)}
    if "knock_off" in actions:
        return {(24, 0), (0, 24)}
    if alone:
        return {(18, 0), (12, 0), (6, 0), (0, 4), (0, 6), (0, 12)}
    ordinary = {(4, 0), (2, 0), (0, 2), (0, 4), (0, 6)}
    if "knock" not in actions:
        return ordinary | {(6, 0)}
    failed = {"stake": {(0, 12)}, "normal": ordinary, "none": {(0, 0)}}
    return {(12, 0)} | failed[str(hand.options["failed_knock"])]


def check_finished(hand: Hand) -> None:
    """Check what must hold of every finished hand."""
    assert hand.legal() == set()
    actions = [action for _seat, action in hand.history]
    for once in ["knock", "knock_off"]:
        assert actions.count(once) <= 1
    cards = [action for action in actions if action in PACK]
    assert len(cards) == len(set(cards)) == 4 * len(hand.tricks)
    black = hand.black_side()
    amounts = {(seat in black, hand.scores()[seat]) for seat in range(4)}
    assert len(amounts) == 2  # the same for all of a side
    assert (dict(amounts)[True], dict(amounts)[False]) in possible_scores(hand)
    assert (hand.black_points() is None) == (len(hand.tricks) < hand.pack // 4)
    if len(hand.tricks) < hand.pack // 4:
        assert "knock" in actions
    else:
        assert sum(trick.points for trick in hand.tricks) == points_of(hand.pack)
    for seat in range(4):
        known = hand.public_history(seat)
        passes = [who for who, action in known if action == "pass"]
        assert hand.options["prompt_all"] or set(passes) <= {seat}
        assert [step for step in known if step[1] != "pass"] == [
            step for step in hand.history if step[1] != "pass"
        ]


def test_random_hands() -> None:
    """Random hands over random options always end with a result the rules know."""
    luck = random.Random(20)
    seen: set[str] = set()
    for number in range(600):
        options = random_options(luck)
        deck = luck.sample(PACKS[options["pack"]], k=options["pack"])
        hand = Hand(deck, number % 4, options)
        for _step in range(200):
            if hand.turn is None:
                break
            legal = sorted(hand.legal())
            assert legal
            hushed = "pass" in legal and luck.random() < 0.5
            hand.push("pass" if hushed else luck.choice(legal))
            seen.update(legal)
        check_finished(hand)
    assert seen == set(PACK) | {"pass", "knock", "knock_off", "call:C", "call:S", "call:H"}
