"""Records: a hand and its line are the same thing, and a bad line is named."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kloepper_env.errors import (
    ConfigError,
    KloepperError,
    NotationError,
    RecordMismatchError,
)
from kloepper_env.games import get_game
from kloepper_env.records import (
    Record,
    RecordWriter,
    legal_masks,
    read_record,
    read_records,
    replay_file,
    to_record,
)
from kloepper_env.state import State
from tests.env.cases import CASES, Case
from tests.env.hands import finished, positions

KLOEPPER = CASES[0]
DOCUMENTED = """
{"v": 1, "game": "kloepper", "rules": {}, "dealer": 3, "deck": ["AS", "JS", "9C", "QS", "QC", "KC",
"AC", "AD", "AH", "TC", "TS", "JD", "JC", "TD", "QH", "KH", "TH", "KD", "9S", "KS", "QD", "9H",
"JH", "9D"], "actions": [[1, "call:H"], [1, "pass"], [0, "JS"], [1, "pass"], [1, "QS"],
[1, "pass"], [2, "QD"], [1, "pass"], [3, "JD"], [1, "pass"], [1, "KH"], [2, "AH"], [3, "9H"],
[0, "QH"], [2, "AC"], [3, "TC"], [0, "9C"], [1, "KC"], [2, "KS"], [3, "TS"], [0, "AS"], [1, "TH"],
[0, "JC"], [1, "QC"], [2, "AD"], [3, "9D"], [1, "KD"], [2, "9S"], [3, "JH"], [0, "TD"]],
"scores": [0, 2, 2, 0], "black_points": 69}
""".replace("\n", " ")


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def recorded(case: Case, tmp_path: Path) -> Path:
    """A file of five hands with their legal actions."""
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path, case.game) as writer:
        for seed in range(5):
            state = finished(seed, game=case.name)
            writer.write(state, legal_masks=legal_masks(state), agents=["random"] * 4)
    return path


# --- there and back ------------------------------------------------------------------------------


def test_the_documented_record_replays() -> None:
    record = Record.parse(DOCUMENTED)
    record.check()
    state = record.state()
    assert state.scores() == [0, 2, 2, 0]
    assert to_record(state).keys() == json.loads(DOCUMENTED).keys()
    assert to_record(state)["actions"] == json.loads(DOCUMENTED)["actions"]


@pytest.mark.parametrize("is_default", [True, False])
def test_what_is_written_replays_to_the_same_hand(
    case: Case, is_default: bool, tmp_path: Path
) -> None:
    rules = {} if is_default else case.unusual
    path = tmp_path / "hands.jsonl"
    states = [finished(s, rules, boldness=0.6, game=case.name) for s in range(60)]
    with RecordWriter(path, case.game, rules) as writer:
        for state in states:
            writer.write(state.hand, legal_masks=legal_masks(state))
    assert replay_file(path).hands == 60
    assert replay_file(path).problems == []
    for (_, record), state in zip(read_records(path), states, strict=True):
        assert isinstance(record, Record)
        again = record.state()
        assert again.history == state.history
        assert again.scores() == state.scores()
        assert record.options == state.options
        assert record.data["rules"] == rules
        seats = range(state.game.n_seats)
        assert [again.dealt(seat) for seat in seats] == [state.dealt(seat) for seat in seats]


def test_legal_actions_are_those_of_the_state(case: Case) -> None:
    legal = [state.legal() for state in positions(3, game=case.name)]
    recorded = to_record(finished(3, game=case.name), legal=True)["legal"]
    assert [list(names) for names in recorded] == legal[:-1]


def test_a_carry_stands_in_the_record_and_is_checked() -> None:
    """M35: what a hand takes over counts for its winner, else it goes on with the suspended."""
    rules, carry = {"tie81": "litige"}, {"litige": 30}
    for seed in range(40):
        state = State.deal("klammern", rules, seed=seed, carry=carry)
        while not state.is_over:
            state.push(state.legal()[-1] if seed % 8 else state.legal()[0])
        record = json.loads(json.dumps(to_record(state)))
        assert record["carry"] == carry
        left = record.get("carry_out", {"litige": 0})
        assert (left == carry) == (sum(record["scores"]) == 0)
        Record.parse(json.dumps(record | {"carry_out": left})).check()
        with pytest.raises(RecordMismatchError, match="carry_out is"):
            Record.parse(json.dumps(record | {"carry_out": {"litige": 7}})).check()
    with pytest.raises(ConfigError, match="carry litige is -1"):
        Record.parse(json.dumps(record | {"carry": {"litige": -1}}))


def test_augen_stand_in_records_of_liga_alone() -> None:
    for model, target in (("tens", 51), ("outcome", 5)):
        rules = {"liga": True, "augen_model": model}
        state = finished(3, rules, game="klammern")
        assert state.game.match_type(state.options).needs() == [target] * state.game.n_seats
        record = to_record(state)
        assert record["augen"] == state.outcome().gains
        with pytest.raises(RecordMismatchError, match="augen is"):
            Record.parse(json.dumps(record | {"augen": [99, 99]})).check()
    assert "augen" not in to_record(finished(3, game="klammern"))


def test_black_points_are_null_exactly_when_the_hand_ended_early() -> None:
    for seed in range(80):
        state = finished(seed, boldness=1.0)
        assert (to_record(state)["black_points"] is None) == (int(state.hand.plies) < 24)


def test_a_hand_can_be_looked_at_after_any_action() -> None:
    record = Record.parse(DOCUMENTED)
    assert record.state(0).history == []
    assert record.state(3).history == [(1, "call:H"), (1, "pass"), (0, "JS")]
    for beyond in (31, -1):
        with pytest.raises(ConfigError, match=f"after is {beyond}, but must be 0 to 30"):
            record.state(beyond)


def test_unknown_keys_are_kept_and_ignored() -> None:
    record = Record.parse(json.dumps(json.loads(DOCUMENTED) | {"table": 7, "agents": ["a"] * 4}))
    record.check()
    assert record.data["table"] == 7


def test_optional_keys_may_be_missing() -> None:
    data = json.loads(DOCUMENTED)
    del data["scores"], data["black_points"]
    Record.parse(json.dumps(data)).check()


def test_a_hand_in_play_has_no_record(case: Case, tmp_path: Path) -> None:
    with pytest.raises(KloepperError, match="not over"):
        to_record(case.deal())
    with (
        RecordWriter(tmp_path / "f.jsonl", case.game) as writer,
        pytest.raises(KloepperError, match="not over"),
    ):
        writer.write(case.deal())
    assert (tmp_path / "f.jsonl").read_bytes() == b""


def test_each_line_is_in_the_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        for seed in range(3):
            writer.write(finished(seed))
            assert [line[-1:] for line in lines_of(path)] == [b"\n"] * (seed + 1)


def test_a_state_is_written_with_its_own_rules(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        writer.write(finished(1, KLOEPPER.unusual))
    assert json.loads(path.read_text())["rules"] == KLOEPPER.unusual


# --- lines that cannot be read -------------------------------------------------------------------

Change = Callable[[dict[str, Any]], Any]

UNREADABLE: list[tuple[Change, type[KloepperError], str]] = [
    (lambda r: r.pop("deck"), NotationError, "the record has no 'deck'"),
    (lambda r: r.update(v=2), NotationError, "record version 2 is not 1"),
    (lambda r: r.update(v=True), NotationError, "record version True is not 1"),
    (lambda r: r.update(game="whist"), ConfigError, "unknown game 'whist'"),
    (lambda r: r.update(game=3), NotationError, "'game' is 3, but must be a name"),
    (lambda r: r.update(rules={"knock": 1}), ConfigError, "unknown option 'knock'"),
    (lambda r: r.update(rules={"target": 0}), ConfigError, "option target is 0"),
    (lambda r: r.update(rules=[]), NotationError, "'rules' is [], but must be an object"),
    (lambda r: r.update(dealer=4), ConfigError, "dealer is 4, but must be 0 to 3"),
    (lambda r: r.update(dealer=True), ConfigError, "dealer is True"),
    (lambda r: r["deck"].pop(), NotationError, "23 cards instead of 24: 9D missing"),
    (lambda r: r["deck"].__setitem__(0, "JS"), NotationError, "holds JS more than once"),
    (lambda r: r["deck"].__setitem__(0, "7S"), NotationError, "'7S' is not a card of this pack"),
    (lambda r: r["deck"].__setitem__(0, [1]), NotationError, "[1] is not a card of this pack"),
    (lambda r: r.update(deck="AS"), NotationError, "'deck' is \"AS\", but must be a list"),
    (lambda r: r.update(actions={}), NotationError, "'actions' is {}, but must be a list"),
    (lambda r: r["actions"].__setitem__(4, [1, "Q5"]), NotationError, 'action 5 is [1, "Q5"]'),
    (lambda r: r["actions"].__setitem__(4, ["1", "QS"]), NotationError, 'action 5 is ["1"'),
    (lambda r: r["actions"].__setitem__(4, [True, "QS"]), NotationError, "action 5 is [true"),
    (lambda r: r["actions"].__setitem__(4, [4, "QS"]), NotationError, "a seat from 0 to 3"),
    (lambda r: r["actions"].__setitem__(4, [1, ["QS"]]), NotationError, 'is [1, ["QS"]]'),
    (lambda r: r["actions"].__setitem__(4, 7), NotationError, "action 5 is 7"),
    (lambda r: r["actions"].__setitem__(4, [1, "QS", 0]), NotationError, 'is [1, "QS", 0]'),
]


@pytest.mark.parametrize(
    ("change", "error", "message"), UNREADABLE, ids=[m for *_, m in UNREADABLE]
)
def test_a_record_that_cannot_be_read_is_refused(
    change: Change, error: type[KloepperError], message: str
) -> None:
    data = json.loads(DOCUMENTED)
    change(data)
    with pytest.raises(error, match=re.escape(message)) as caught:
        Record.parse(json.dumps(data))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line", [b"{", b"\xff\xfe", b"[1, 2]", b"17", b"[" * 100_000, b"1" * 5_000, b'{"v": 1,}']
)
def test_a_line_that_is_no_json_object_is_refused(line: bytes) -> None:
    with pytest.raises(NotationError, match="JSON"):
        Record.parse(line)


# --- records that replay to something else -------------------------------------------------------

MISMATCH: list[tuple[Change, str]] = [
    (
        lambda r: r["actions"].__setitem__(4, [1, "KH"]),
        "action 5: KH is not legal for seat 1; legal: QC, QS or KD",
    ),
    (
        lambda r: r["actions"].__setitem__(2, [2, "QD"]),
        "action 3: seat 2 acts, but it is the turn of seat 0",
    ),
    (lambda r: r["actions"].pop(), "the record stops after 29 actions, before the hand is over"),
    (
        lambda r: r["actions"].append([0, "QC"]),
        'action 31: [0, "QC"] comes after the end of the hand',
    ),
    (lambda r: r.update(scores=[0, 2, 2, 2]), "scores is [0, 2, 2, 2], but the hand gives [0, 2"),
    (lambda r: r.update(scores=[False, 2, 2, 0]), "scores is [false, 2, 2, 0]"),
    (lambda r: r.update(scores=None), "scores is null, but the hand gives [0, 2, 2, 0]"),
    (lambda r: r.update(black_points=None), "black_points is null, but the hand gives 69"),
    (lambda r: r.update(dealer=2), "action 1: "),
]


@pytest.mark.parametrize(("change", "message"), MISMATCH, ids=[m for _, m in MISMATCH])
def test_a_record_that_says_something_else_is_a_mismatch(change: Change, message: str) -> None:
    data = json.loads(DOCUMENTED)
    change(data)
    with pytest.raises(RecordMismatchError, match=re.escape(message)):
        Record.parse(json.dumps(data)).check()


def test_wrong_legal_actions_are_a_mismatch() -> None:
    data = json.loads(json.dumps(to_record(Record.parse(DOCUMENTED).state(), legal=True)))
    data["legal"][4].reverse()
    Record.parse(json.dumps(data)).check()
    data["legal"][4].remove("QS")
    with pytest.raises(RecordMismatchError, match=r"action 5: 'legal' is .*legal are QC, QS or KD"):
        Record.parse(json.dumps(data)).check()
    data["legal"].pop()
    with pytest.raises(RecordMismatchError, match="'legal' must list 30 times"):
        Record.parse(json.dumps(data)).check()
    with pytest.raises(RecordMismatchError, match="'legal' must list 30 times"):
        Record.parse(json.dumps(data | {"legal": None})).check()
    data["legal"] = [[1]] * 30
    with pytest.raises(RecordMismatchError, match="action 1: 'legal' is"):
        Record.parse(json.dumps(data)).check()


# --- files ---------------------------------------------------------------------------------------


def test_a_file_cut_anywhere_in_its_last_line_reports_it_and_checks_the_others(
    recorded: Path, tmp_path: Path
) -> None:
    lines = lines_of(recorded)
    cut = tmp_path / "cut.jsonl"
    for length in range(1, len(lines[-1]) - 1):
        cut.write_bytes(b"".join(lines[:-1]) + lines[-1][:length])
        report = replay_file(cut)
        assert report.hands == 4
        assert [str(problem) for problem in report.problems] == [
            "line 5: the file ends in the middle of this line"
        ]
        assert report.problems[0].unreadable
    for whole in (lines[-1][:-1], lines[-1]):
        cut.write_bytes(b"".join(lines[:-1]) + whole)
        assert (replay_file(cut).hands, replay_file(cut).problems) == (5, [])


def test_problems_carry_their_line_and_the_others_are_checked(recorded: Path) -> None:
    lines = lines_of(recorded)
    wrong = json.loads(lines[1])
    wrong["scores"][0] += 1
    lines[1] = json.dumps(wrong).encode() + b"\n"
    lines[3] = b"{nonsense\n"
    lines.insert(2, b"\n")  # passed over, but counted as a line
    recorded.write_bytes(b"".join(lines))
    report = replay_file(recorded)
    assert (report.hands, report.mismatches) == (4, 1)
    assert [(p.line, p.unreadable) for p in report.problems] == [(2, False), (5, True)]
    assert str(report.problems[1]).startswith("line 5: the line is not JSON")


def test_one_record_is_read_by_its_line(recorded: Path) -> None:
    lines = lines_of(recorded)
    recorded.write_bytes(b"".join([lines[0], b"\n", b"{nonsense\n", *lines[1:]]))

    assert read_record(recorded, 4).deck == Record.parse(lines[1]).deck
    with pytest.raises(NotationError, match="the line is not JSON"):
        read_record(recorded, 3)
    for line in (2, 8):
        with pytest.raises(ConfigError, match=f"hands.jsonl has no hand in line {line}"):
            read_record(recorded, line)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(KloepperError, match=r"cannot read .*nowhere.jsonl: No such file"):
        replay_file(tmp_path / "nowhere.jsonl")
    with pytest.raises(KloepperError, match=r"cannot write .*: No such file"):
        RecordWriter(tmp_path / "no" / "folder.jsonl", get_game("kloepper"))
