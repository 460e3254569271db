"""The worked examples of Klammern, MX1 to MX41. Full rounds are read from the rules document."""

import re
from pathlib import Path
from typing import Any

import pytest

from kloepper_env.games.klammern.settlement import settlement
from kloepper_env.records import Record
from kloepper_env.state import State
from tests.env.rules.klammern_table import (
    CODES,
    KLAMMERN,
    augen,
    game,
    may_play,
    meld_scores,
    melds_worth,
    score,
    scores_of,
    settled,
    winner_and_points,
)

DOCUMENT = (Path(__file__).parents[3] / "seeds" / "rules" / "klammern.md").read_text("utf-8")


def test_mx1_the_only_trump_wins() -> None:
    assert winner_and_points("AC TC 7H KC")[0] == 3


def test_mx2_the_jack_of_trump_wins_55_points() -> None:
    assert winner_and_points("9H AH JH TH") == (3, 55)


def test_mx3_the_nine_of_trump_wins() -> None:
    assert winner_and_points("KS TS AS 9H")[0] == 4


def test_mx4_outside_trump_the_nine_is_worth_nothing() -> None:
    assert winner_and_points("QD JD 9D KD") == (4, 9)


def test_mx5_the_suit_led_must_be_played() -> None:
    assert may_play("AC", "7C KH JH") == {"7C"}


def test_mx6_a_void_seat_must_trump() -> None:
    assert may_play("AC", "7S KH JH") == {"KH", "JH"}


def test_mx7_and_overtrump() -> None:
    assert may_play("AC AH", "7S KH JH") == {"JH"}
    assert may_play("AC AH", "7S KH JH", overtrump=False) == {"KH", "JH"}


def test_mx8_the_partner_is_winning() -> None:
    assert may_play("AC AH 7C", "7S KH QH") == {"7S", "KH", "QH"}
    assert may_play("AC AH 7C", "7S KH QH", partner_exempt=False) == {"KH", "QH"}


def test_mx9_undertrumping() -> None:
    assert may_play("AC 7C 9H", "7S KH QH") == {"KH", "QH"}
    assert may_play("AC 7C 9H", "7S KH QH", undertrump="free") == {"7S", "KH", "QH"}


def test_mx10_a_led_trump_must_be_beaten() -> None:
    assert may_play("TH", "7H AH 9H AS") == {"AH", "9H"}
    assert may_play("TH", "7H QH AS") == {"7H", "QH"}
    assert may_play("TH", "7H AH 9H AS", raise_on_trump_lead="never") == {"7H", "AH", "9H"}


def test_mx11_also_the_partners() -> None:
    over_partner = {"raise_on_trump_lead": "unless_partner_winning"}
    assert may_play("TH 8H", "7H AH 9H") == {"AH", "9H"}
    assert may_play("TH 8H", "7H AH 9H", **over_partner) == {"7H", "AH", "9H"}


def test_mx12_a_queen_is_not_used_twice() -> None:
    assert melds_worth("QC QS QH QD KC AC 7S 8D") == 100
    assert melds_worth("QC QS QH QD KC AC 7S 8D", meld_card_reuse=True) == 120


def test_mx13_two_fours_and_a_run_of_eight() -> None:
    assert melds_worth("JC JS JH JD 9C 9S 9H 9D") == 350
    assert melds_worth("7C 8C 9C TC JC QC KC AC") == 100
    assert melds_worth("7C 8C 9C TC JC QC KC AC", split_long_runs=True) == 120


def test_mx14_the_higher_run_prevails() -> None:
    assert meld_scores({1: "QC KC AC", 2: "TD JD QD"}) == (0, 20)


def test_mx15_trump_then_the_earlier_seat() -> None:
    assert meld_scores({1: "TC JC QC", 2: "TH JH QH"}) == (20, 0)
    assert meld_scores({1: "TC JC QC", 2: "TD JD QD"}) == (0, 20)
    assert meld_scores({1: "TC JC QC", 2: "TD JD QD"}, meld_tie="none") == (0, 0)


def test_mx16_both_seats_score() -> None:
    assert meld_scores({1: "7C 8C 9C", 3: "7D 8D 9D TD", 2: "QS KS AS"}) == (0, 70)


def test_mx17_made() -> None:
    assert scores_of(90) == (90, 72)


def test_mx18_eiert_with_81() -> None:
    assert scores_of(81) == (0, 162)
    assert scores_of(81, said="re") == (0, 648)


def test_mx19_made_although_the_defenders_have_more() -> None:
    state = settled(65, melds=(20, 0))
    assert score(state) == (85, 97)
    assert settlement(state.hand).winner == 1


def test_mx20_belle_helps() -> None:
    assert scores_of(61, belle="takers") == (0, 182)
    assert scores_of(62, belle="takers") == (82, 100)


def test_mx21_melds_of_the_defenders() -> None:
    assert scores_of(70, melds=(0, 50), belle="defenders") == (0, 232)
    assert scores_of(95, melds=(0, 100)) == (95, 167)


def test_mx22_durchmarsch() -> None:
    assert scores_of(162, tricks=(8, 0)) == (262, 0)
    assert scores_of(0, tricks=(0, 8)) == (0, 262)


def test_mx23_kontra() -> None:
    assert scores_of(90, said="kontra") == (180, 144)


@pytest.mark.parametrize(
    ("how", "points", "expected"),
    [
        ({"cards": 112}, 50, 5),
        ({"cards": 82, "melds": (0, 30)}, 110, 11),
        ({"cards": 107}, 55, 6),
        ({"cards": 82, "melds": (0, 35)}, 115, 12),
        ({"cards": 98}, 64, 6),
        ({"cards": 81}, 162, 16),
        ({"cards": 90}, 72, 7),
        ({"cards": 162, "tricks": (8, 0)}, 0, 0),
    ],
)
def test_mx24_augen_in_tens(how: dict[str, Any], points: int, expected: int) -> None:
    """The scores are those of the defenders."""
    state = settled(**how, liga=True)
    assert score(state)[1] == points
    assert augen(state)[1] == expected


# --- full rounds -------------------------------------------------------------------------------


def records_of(example: str) -> list[Record]:
    """The records that stand in the section of an example."""
    section = DOCUMENT.split(f"\n### {example}\n")[1].split("\n### ")[0]
    return [Record.parse(line) for line in section.splitlines() if line.startswith('{"v"')]


def tricks_of(example: str) -> list[tuple[str, int, int]]:
    """The tricks that stand there: cards, winner, card points."""
    section = DOCUMENT.split(f"\n### {example}\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| \d \| ([\w: ]+) \| (\d) \| (\d+) \|$", section, re.MULTILINE)
    return [(cards, int(winner), int(points)) for cards, winner, points in rows]


def played(record: Record) -> list[tuple[str, int, int]]:
    """The tricks of a record as the engine plays them."""
    tricks, before = [], record.state(0).taken()
    cards: list[str] = []
    for n, (seat, action) in enumerate(record.state().history, 1):
        if action not in CODES:
            continue
        cards.append(f"{seat}:{action}")
        if len(cards) == 4:
            now = record.state(n).taken()
            (winner,) = [s for s in range(4) if now[s] != before[s]]
            tricks.append((" ".join(cards), winner, now[winner][1] - before[winner][1]))
            cards, before = [], now
    return tricks


def check(record: Record, scores: list[int], **more: Any) -> State:
    record.check()
    assert record.data["scores"] == scores
    state = record.state()
    assert [state.scores()[seat] for seat in (0, 1)] == scores
    assert KLAMMERN.summary(state.hand, state.options) == more
    return state


def test_mx25_the_round_trick_by_trick() -> None:
    for record in records_of("MX25"):
        assert played(record) == tricks_of("MX25")
        assert len(tricks_of("MX25")) == 8


def test_mx25a_the_takers_98_is_enough() -> None:
    state = check(records_of("MX25")[0], [124, 98])
    assert state.hand.taker == 1
    assert settlement(state.hand).winner == 0


def test_mx25b_kontra_and_re() -> None:
    state = check(records_of("MX25")[1], [496, 392])
    assert (state.hand.kontra, state.hand.re) == (1, 0)


def test_mx25c_liga() -> None:
    state = check(records_of("MX25")[2], [124, 98], augen=[12, 10])
    assert state.hand.taker == 0


def test_mx26_more_melds_against_the_higher_one() -> None:
    own = {1: "7C 8C 9C", 3: "7D 8D 9D", 2: "QS KS AS"}
    assert meld_scores(own) == (20, 0)
    assert meld_scores(own, count_over_height=True) == (0, 40)


def test_mx27_four_before_run() -> None:
    """Queens instead of tens, which would share a card with the run."""
    own = {1: "QC QS QH QD", 2: "7C 8C 9C TC JC"}
    assert meld_scores(own) == (0, 100)
    assert meld_scores(own, quad_beats_quint=False) == (100, 0)


def test_mx28_sevens() -> None:
    assert melds_worth("7C 7S 7H 7D 8C 9S TS KD") == 100
    assert melds_worth("7C 7S 7H 7D 8C 9S TS KD", quad_ranks="no_7_8") == 0


def test_mx29_a_stretch_of_a_block() -> None:
    assert melds_worth("9C TC JC QC KC QS QH QD") == 120
    assert melds_worth("9C TC JC QC KC QS QH QD", meld_card_reuse=True) == 200


def test_mx30_litige_and_the_next_round() -> None:
    rules: dict[str, Any] = {"tie81": "litige"}
    first = settled(81, said="kontra", carry=30, **rules)
    assert score(first) == (0, 162)
    left = settlement(first.hand).litige
    assert left == 192
    second = settled(90, carry=left, **rules)
    assert score(second) == (282, 72)
    assert settlement(second.hand).litige == 0


def test_mx31_more_than_the_opponents() -> None:
    rules: dict[str, Any] = {"make_rule": "more_than_opponents"}
    assert scores_of(95, melds=(0, 100), **rules) == (0, 262)
    assert scores_of(91, melds=(0, 20), **rules) == (0, 182)
    litige = settled(91, melds=(0, 20), tie81="litige", **rules)
    assert (score(litige), settlement(litige.hand).litige) == ((0, 91), 91)
    assert scores_of(92, melds=(0, 20), **rules) == (92, 90)


def test_mx32_what_becomes_of_melds_and_belle() -> None:
    assert scores_of(50, melds=(20, 0)) == (0, 182)
    assert scores_of(50, melds=(20, 0), melds_on_loss="owner") == (20, 162)
    assert scores_of(50, melds=(20, 0), melds_on_loss="void") == (0, 162)
    rules = {"melds_on_loss": "void", "belle_on_loss": "owner"}
    assert scores_of(31, melds=(20, 0), belle="takers", **rules) == (20, 162)


def test_mx33_melds_without_a_trick() -> None:
    assert scores_of(0, melds=(100, 0), tricks=(0, 8)) == (100, 262)
    assert scores_of(0, melds=(100, 0), tricks=(0, 8), meld_needs_trick=True) == (0, 262)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"cards": 90}, [1, 0]),
        ({"cards": 65, "melds": (20, 0)}, [0, 1]),
        ({"cards": 81}, [0, 2]),
        ({"cards": 162, "tricks": (8, 0)}, [2, 0]),
        ({"cards": 0, "tricks": (0, 8), "said": "kontra"}, [0, 6]),
        ({"cards": 91, "melds": (0, 20)}, [0, 0]),
    ],
)
def test_mx34_augen_by_outcome(how: dict[str, Any], expected: list[int]) -> None:
    assert augen(settled(**how, liga=True, augen_model="outcome")) == expected


def test_mx35_games() -> None:
    assert game((300, 100)).winners() is None
    assert game((300, 100), (200, 405)).winners() == [1, 3]
    rounds = (300, 300), (210, 210), (80, 82)
    assert [game(*rounds[:n]).winners() for n in (1, 2, 3)] == [None, None, [1, 3]]


def test_mx36_everything_dealt_at_once_and_the_outcome_table() -> None:
    (record,) = records_of("MX36")
    assert played(record) == tricks_of("MX36")
    state = check(record, [604, 0], augen=[6, 0])
    assert state.view(0).facts[0] == "turned:KD"
    assert "KD" in state.dealt(state.dealer)


def test_mx37_melds_by_choice_and_the_dealers_card() -> None:
    (record,) = records_of("MX37")
    assert played(record) == tricks_of("MX37")
    state = check(record, [0, 212])
    assert (state.hand.declared, state.hand.scoring, state.hand.meld_points) == (0b1000, 1, 50)


def test_mx38_passed_out() -> None:
    (record,) = records_of("MX38")
    state = check(record, [0, 0])
    match = KLAMMERN.match_type(KLAMMERN.options({"first_dealer": 2}))
    match.add(state.outcome())
    assert match.dealer() == 3


def test_mx39_every_trick_to_the_defenders() -> None:
    (record,) = records_of("MX39")
    assert played(record) == tricks_of("MX39")
    check(record, [262, 0])


def test_mx40_what_may_be_taken() -> None:
    deck = [card for card in CODES if card != "9H"]
    deck.insert(20, "9H")
    state = State.deal("klammern", deck=deck, dealer=0)
    assert state.legal() == ["pass", "take:H"]
    for _ in range(4):
        state.push("pass")
    assert state.legal() == ["pass", "take:C", "take:S", "take:D"]


def test_mx41_fours_against_fours() -> None:
    def four(rank: str) -> str:
        return " ".join(rank + suit for suit in "CSHD")

    assert meld_scores({1: four("K"), 2: four("T")}) == (100, 0)
    assert meld_scores({1: four("A"), 2: four("T")}) == (0, 100)
    assert meld_scores({1: four("9"), 2: four("J")}) == (200, 0)
