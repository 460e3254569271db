"""Klammern's plain rule engine: full rounds, the order of decisions, what is public, games."""

import json
import random
from pathlib import Path

import pytest

from .klammern import Klammern
from .klammern_match import Game, play_game
from .klammern_melds import sum_of
from .klammern_rules import PACK, playing_order, team_of
from .klammern_scores import Result

RULES = Path(__file__).parents[2] / "seeds" / "rules" / "klammern.md"
RECORDS = [json.loads(line) for line in RULES.read_text("utf-8").splitlines() if line[:4] == '{"v"']
NAMES = ["MX25a", "MX25b", "MX25c", "MX36", "MX37", "MX38", "MX39"]
MX25_TRICKS = [
    ("1:KH 2:7S 3:QH 0:TS", 0, 17),
    ("0:JC 1:TC 2:AC 3:QC", 2, 26),
    ("2:9C 3:JS 0:KC 1:QS", 3, 27),
    ("3:JH 0:9S 1:TH 2:KD", 0, 30),
    ("0:QD 1:JD 2:TD 3:AD", 3, 26),
    ("3:9H 0:8S 1:AH 2:7C", 0, 11),
    ("0:7D 1:KS 2:9D 3:8H", 1, 4),
    ("1:7H 2:8D 3:AS 0:8C", 3, 11),
]
TRICKS = {
    "MX25a": MX25_TRICKS,
    "MX25b": MX25_TRICKS,
    "MX25c": MX25_TRICKS,
    "MX36": [
        ("2:QC 3:JC 0:TC 1:KC", 0, 19),
        ("0:7S 1:8S 2:JS 3:AH", 2, 31),
        ("2:JD 3:9D 0:TD 1:KD", 0, 16),
        ("0:QH 1:JH 2:7H 3:8H", 0, 5),
        ("0:9S 1:KS 2:7D 3:9H", 0, 18),
        ("0:TS 1:QS 2:QD 3:AD", 0, 27),
        ("0:AS 1:8C 2:7C 3:KH", 0, 15),
        ("0:AC 1:8D 2:9C 3:TH", 0, 21),
    ],
    "MX37": [
        ("1:8C 2:7C 3:TC 0:AD", 0, 21),
        ("0:QH 1:JH 2:9H 3:JD", 3, 25),
        ("3:9C 0:KD 1:TD 2:AC", 1, 25),
        ("1:8H 2:7H 3:QD 0:KH", 3, 7),
        ("3:9D 0:7D 1:AS 2:8D", 3, 25),
        ("3:QS 0:KS 1:9S 2:8S", 0, 7),
        ("0:7S 1:TS 2:JS 3:JC", 1, 14),
        ("1:TH 2:KC 3:QC 0:AH", 0, 28),
    ],
    "MX39": [
        ("3:7S 0:8S 1:JS 2:QS", 2, 5),
        ("2:AH 3:8H 0:9H 1:7H", 2, 11),
        ("2:7C 3:QC 0:JC 1:AC", 0, 34),
        ("0:9C 1:JD 2:TC 3:KD", 0, 30),
        ("0:KH 1:8D 2:TH 3:9D", 2, 14),
        ("2:JH 3:TD 0:QH 1:AD", 0, 26),
        ("0:9S 1:KS 2:AS 3:TS", 2, 25),
        ("2:KC 3:QD 0:8C 1:7D", 2, 7),
    ],
    "MX38": [],
}
MX25_HANDS = [
    "8C JC KC 8S 9S TS 7D QD",
    "TC QS KS 7H TH KH AH JD",
    "7C 9C AC 7S 8D 9D TD KD",
    "QC JS AS 8H 9H JH QH AD",
]
HANDS = {
    "MX25a": MX25_HANDS,
    "MX25b": MX25_HANDS,
    "MX25c": MX25_HANDS,
    "MX36": [
        "TC AC 7S 9S TS AS QH TD",
        "8C KC 8S QS KS JH 8D KD",
        "7C 9C QC JS 7H 7D JD QD",
        "JC 8H 9H TH KH AH 9D AD",
    ],
    "MX37": [
        "7S KS QH KH AH 7D KD AD",
        "8C 9S TS AS 8H TH JH TD",
        "7C KC AC 8S JS 7H 9H 8D",
        "9C TC JC QC QS 9D JD QD",
    ],
    "MX39": [
        "8C 9C JC 8S 9S 9H QH KH",
        "AC JS KS 7H 7D 8D JD AD",
        "7C TC KC QS AS TH JH AH",
        "QC 7S TS 8H 9D TD QD KD",
    ],
}
RESULTS = {  # takers, cards, tricks, melds, Belle, factor
    "MX25a": Result(1, [84, 78], [4, 4], [40, 0], [0, 20], 1),
    "MX25b": Result(0, [84, 78], [4, 4], [40, 0], [0, 20], 4),
    "MX25c": Result(0, [84, 78], [4, 4], [40, 0], [0, 20], 1),
    "MX36": Result(1, [162, 0], [8, 0], [0, 20], [0, 20], 2),
    "MX37": Result(0, [66, 96], [3, 5], [0, 50], [0, 0], 1),
    "MX39": Result(1, [162, 0], [8, 0], [0, 0], [0, 0], 1),
}


def opened(name: str, **options: object) -> tuple[Klammern, list[tuple[int, str]]]:
    """Deal a round of the rules text, with some options changed, and list its actions."""
    record = RECORDS[NAMES.index(name)]
    rules = {**record["rules"], **options}
    actions = [(seat, action) for seat, action in record["actions"]]
    return Klammern(rules, record["dealer"], record["deck"]), actions


def do(current: Klammern, actions: list[tuple[int, str]]) -> None:
    """Carry out actions, checking the turns."""
    for seat, action in actions:
        assert current.turn == seat, (current.history, action)
        current.push(action)


def played(name: str, **options: object) -> Klammern:
    """Play a round of the rules text to its end."""
    current, actions = opened(name, **options)
    do(current, actions)
    assert current.over
    return current


# Full rounds


@pytest.mark.parametrize("name", NAMES)
def test_full_rounds(name: str) -> None:
    """MX25, MX36 to MX39: the records, and what the text says about them."""
    record = RECORDS[NAMES.index(name)]
    current = played(name)
    assert current.public_history() == [tuple(step) for step in record["actions"]]
    assert current.scores() == record["scores"]
    assert current.augen() == record.get("augen")
    assert current.carry_out() == 0
    assert (current.turn, current.legal()) == (None, set())
    told = [
        (" ".join(f"{seat}:{card}" for seat, card in trick.cards), trick.winner, trick.points)
        for trick in current.tricks
    ]
    assert told == TRICKS[name]
    if name in RESULTS:
        assert [set(hand) for hand in current.eights] == [set(h.split()) for h in HANDS[name]]
        assert current.result() == RESULTS[name]


def test_winners_of_full_rounds() -> None:
    """MX25a, MX36, M34: defenders with more points, defenders after Eiert."""
    for name, outcome, winner in [("MX25a", "made", 0), ("MX36", "eiert", 0), ("MX39", "eiert", 0)]:
        settlement = played(name).settlement()
        assert (settlement.outcome, settlement.winner) == (outcome, winner)


def test_passed_out() -> None:
    """MX38, M8: nobody scores, seat 3 deals next, or the same dealer; M35: the carry stays."""
    for word, dealer in [("next", 3), ("same", 2)]:
        rules = {"passout_dealer": word, "tie81": "litige", "first_dealer": 2, "liga": True}
        game = Game(rules, drawn=0)
        game.carry = 30
        current = game.deal(RECORDS[NAMES.index("MX38")]["deck"])
        do(current, [(seat, "pass") for seat in [3, 0, 1, 2] * 2])
        assert current.passed_out
        game.add(current)
        assert (game.dealer, game.totals, game.carry, game.winner) == (dealer, [0, 0], 30, None)
        with pytest.raises(ValueError, match="not played"):
            current.settlement()


def test_carry_goes_to_the_winner() -> None:
    """M35: the defenders of MX25a win the round, and with it the carry."""
    record = RECORDS[0]
    current = Klammern({"tie81": "litige"}, 0, record["deck"], carry=30)
    do(current, [(seat, action) for seat, action in record["actions"]])
    assert (current.scores(), current.carry_out()) == ([154, 98], 0)
    for carry, tie in [(30, "eiert"), (-1, "litige")]:
        with pytest.raises(ValueError, match="carry"):
            Klammern({"tie81": tie}, 0, record["deck"], carry=carry)


# The order of decisions


def test_choices() -> None:
    """MX40, M6, M7: what may be chosen, by all four in turn, twice."""
    deck = [card for card in PACK if card != "9H"]
    deck.insert(20, "9H")
    for dealer in range(4):
        current = Klammern({}, dealer, deck)
        for legal in [{"pass", "take:H"}, {"pass", "take:C", "take:S", "take:D"}]:
            for seat in playing_order(dealer):
                assert (current.turn, current.legal()) == (seat, legal)
                assert (current.turned, current.turned_owner()) == ("9H", None)
                current.push("pass")
        assert current.over


@pytest.mark.parametrize("place", range(8))
def test_last_packets(place: int) -> None:
    """M9, M10: two cards to the owner of the turned card, three to the others."""
    for owner_rule in ["taker", "dealer"]:
        current = Klammern({"turnup_owner": owner_rule}, 2, PACK)
        assert current.turned == PACK[20] == "JH"
        five = [list(hand) for hand in current.hands]
        for _ in range(place):
            current.push("pass")
        taker = (3 + place) % 4
        current.push("take:H" if place < 4 else "take:C")
        owner = taker if owner_rule == "taker" else 2
        assert (current.turned_owner(), current.takers()) == (owner, team_of(taker))
        assert "JH" in current.known_cards(owner)
        pack = PACK[21:]
        for seat in [3, 0, 1, 2]:
            size = 2 if seat == owner else 3
            got = pack[:size] + (["JH"] if seat == owner else [])
            pack = pack[size:]
            assert set(current.hands[seat]) == set(five[seat] + got)
            assert len(current.hands[seat]) == 8


def test_whole_deal() -> None:
    """M5, M9: with deal="3-2-3" the turned card is the dealer's from the start."""
    current = Klammern({"deal": "3-2-3", "turnup_owner": "taker"}, 1, PACK)
    assert (current.turned, current.turned_owner()) == (PACK[30], 1)
    assert current.known_cards(1) == {PACK[30]}
    before = [list(hand) for hand in current.hands]
    do(current, [(2, "pass"), (3, "take:" + PACK[30][1])])
    assert current.hands == before
    assert current.turned_owner() == 1


def test_kontra_and_re() -> None:
    """M11: defenders, then takers, in playing order; the first of each ends the asking."""
    start = [(1, "take:S")]
    for answers in [
        [(2, "pass"), (0, "pass")],
        [(2, "kontra"), (1, "pass"), (3, "pass")],
        [(2, "kontra"), (1, "re")],
        [(2, "pass"), (0, "kontra"), (1, "pass"), (3, "re")],
    ]:
        current, _actions = opened("MX25a")
        do(current, start)
        for seat, action in answers:
            wish = "re" if current.kontra is not None else "kontra"
            assert (current.turn, current.legal()) == (seat, {"pass", wish})
            current.push(action)
        assert (current.turn, current.legal()) == (1, set(MX25_HANDS[1].split()))  # M12
        words = [action for _seat, action in answers]
        said = (current.kontra is not None, current.re is not None)
        assert said == ("kontra" in words, "re" in words)


def test_declaring() -> None:
    """M22, step 5: everyone is asked right before its first card, with melds or without."""
    current, actions = opened("MX37")
    asked = []
    for seat, action in actions:
        if current.step == "declaring":
            asked.append((seat, current.legal()))
        do(current, [(seat, action)])
        if action == "declare":
            assert current.announced(seat) is None  # section 5: with its card
    both = {"pass", "declare"}
    assert asked == [(1, {"pass"}), (2, {"pass"}), (3, both), (0, both)]


def test_meld_choice_decides_the_contest() -> None:
    """M22 to M24: who keeps silent has no melds; who declares, declares all."""
    for words, team, points in [("pd", 0, 20), ("dp", 1, 50), ("dd", 1, 50), ("pp", None, 0)]:
        current, actions = opened("MX37")
        spoken = iter(words)
        for seat, action in actions:
            asks = current.legal() == {"pass", "declare"}
            word = {"d": "declare", "p": "pass"}[next(spoken)] if asks else action
            do(current, [(seat, word)])
        assert current.meld_team() == team
        assert sum(current.result().melds) == points


@pytest.mark.parametrize(("declarers", "points"), [({0}, 20), ({2}, 20), ({0, 2}, 40), (set(), 0)])
def test_a_silent_seat_has_nothing_though_its_partner_scores(
    declarers: set[int], points: int
) -> None:
    """M22, M24: a Terz each for seats 0 and 2."""
    current, actions = opened("MX25a", meld_declare="choice")
    for seat, action in actions:
        if current.step == "declaring":
            current.push("declare" if seat in declarers else "pass")
        do(current, [(seat, action)])
    assert current.result().melds == [points, 0]


# What is public


def test_melds_become_public() -> None:
    """M22, section 5: kind and points with the first card, the scorers' cards after trick 1."""
    current, actions = opened("MX25a")
    do(current, actions[:4])
    told = [current.announced(seat) for seat in range(4)]
    assert told == [None, [], None, None]
    do(current, actions[4:6])
    assert [current.announced(seat) for seat in [2, 3, 0]] == [[("Terz", 20)], [], None]
    assert current.meld_team() is None
    assert not current.shown(2)
    do(current, actions[6:7])
    assert current.meld_team() == 0
    cards = [[meld.cards for meld in current.shown(seat)] for seat in range(4)]
    assert cards == [[("8S", "9S", "TS")], [], [("8D", "9D", "TD")], []]
    assert current.known_cards(0) == {"8S", "9S"}  # TS was played
    assert current.known_cards(1) == {"KS"}  # the turned card


def test_silent_melds_stay_unseen() -> None:
    """M22, section 5: a silent seat and the other team show nothing."""
    current = played("MX37")
    assert [current.announced(seat) for seat in range(4)] == [None, None, None, [("Quart", 50)]]
    assert [len(current.shown(seat)) for seat in range(4)] == [0, 0, 0, 1]
    assert sum_of(current.melds[0]) == 20


def test_no_melds_are_shown_without_a_scoring_team() -> None:
    """M23 (d), M22: level melds and meld_tie="none"."""
    hands = [  # dealer 3; runs T-J-Q in clubs and in diamonds
        "TC JC QC 7S 7H 8D AS KH",
        "TD JD QD 8S 8H 9C AH KS",
        "7C AC 9S JS QH 7D AD TH",
        "8C KC TS QS 9H JH 9D KD",
    ]
    split = [hand.split() for hand in hands]
    deck = [card for hand in split for card in hand[:3]]
    deck += [card for hand in split for card in hand[3:5]]
    deck += [card for hand in split for card in hand[5:]]
    for tie, team in [("first", 0), ("none", None)]:
        current = Klammern({"deal": "3-2-3", "meld_tie": tie}, 3, deck)
        do(current, [(seat, "pass") for seat in range(4)])
        do(current, [(0, "take:S"), (1, "pass"), (3, "pass")])
        do(current, [(0, "KH"), (1, "8H"), (2, "QH"), (3, "9H")])
        assert current.announced(0) == current.announced(1) == [("Terz", 20)]
        assert current.meld_team() == team
        assert [len(current.shown(seat)) for seat in range(4)] == [int(team == 0), 0, 0, 0]


def test_belle_becomes_public() -> None:
    """M25: with the second card, or by option with the first; the scores are the same."""
    for word, cards in [("second", 2), ("first", 1)]:
        current, actions = opened("MX25b", belle_announce=word)
        for seat, action in actions:
            gone = 2 - len({"QS", "KS"} & set(current.hands[1]))
            assert current.belle() == (1 if current.tricks and gone >= cards else None)
            assert current.known_cards(1) == (
                {"KS"} if current.belle() == 1 and gone == 1 else set()
            )
            do(current, [(seat, action)])
        assert current.belle() == 1
        assert current.scores() == [496, 392]
        assert played("MX37").belle() is None  # KD and QD lie in two hands


# Games


def test_play_game() -> None:
    """M31, M36: rounds are played until the target, then no more; dealers move on."""
    luck = random.Random(31)
    decks = [luck.sample(PACK, 32) for _ in range(200)]
    for liga, model, target in [
        (False, "tens", 501),
        (True, "tens", 51),
        (True, "outcome", 5),
    ]:
        rules = {"liga": liga, "augen_model": model}
        game, rounds = play_game(rules, decks, lambda now: luck.choice(sorted(now.legal())), 2)
        assert game.winner is not None
        assert [one.dealer for one in rounds] == [(2 + n) % 4 for n in range(len(rounds))]
        totals = [0, 0]
        for one in rounds:
            assert max(totals) < target or totals[0] == totals[1]
            amounts = one.augen() or one.scores()
            totals = [totals[team] + amounts[team] for team in [0, 1]]
        assert game.totals == totals
        assert totals[game.winner] == max(totals) >= target
        with pytest.raises(ValueError, match="over"):
            game.add(rounds[-1])


def test_the_carry_goes_through_a_game() -> None:
    """MX30, M35: a litige is carried to the next round."""
    game = Game({"tie81": "litige"})
    game.add_result([0, 162], 192, passed_out=False)
    current = game.deal(PACK)
    assert (current.carry_in, current.dealer, game.totals) == (192, 1, [0, 162])


def test_errors() -> None:
    """What is not allowed is refused."""
    current = Klammern({}, 0, PACK)
    for action in ["7C", "kontra", "declare", "take:C", "", "PASS"]:
        with pytest.raises(ValueError, match="not legal"):
            current.push(action)
    with pytest.raises(ValueError, match="not played"):
        current.scores()
    with pytest.raises(ValueError, match="deck"):
        Klammern({}, 0, PACK[:31])
    with pytest.raises(ValueError, match="dealer"):
        Klammern({}, 4, PACK)
