"""Records from elsewhere: whatever stands in them, they are read in bounds or refused shortly."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kloepper_env.errors import KloepperError, NotationError
from kloepper_env.reading import LONGEST_LINE
from kloepper_env.records import Record, replay_file, to_record
from tests.env.hands import finished

LINE = json.dumps(to_record(finished(3)))


@pytest.mark.parametrize(
    ("line", "twice"),
    [
        (LINE.replace('"dealer": ', '"dealer": 2, "dealer": '), "dealer"),
        (LINE.replace('"rules": {}', '"rules": {"target": 5, "target": 6}'), "target"),
        (LINE.replace('"v": 1', '"v": 1, "note": [{"a": 1, "a": 1}]'), "a"),
    ],
)
def test_a_record_that_names_something_twice_is_refused(line: str, twice: str) -> None:
    with pytest.raises(NotationError, match=f"the line names '{twice}' twice in one object"):
        Record.parse(line)


HUGE = "x" * 100_000
DEEP: Any = json.loads("[" * 300 + "]" * 300)


VALUES = {
    "text": HUGE,
    "list": [HUGE] * 3,
    "object": {HUGE: HUGE},
    "number": 10**4000,
    "deep": DEEP,
    "deep list": [[DEEP]] * 99,
}
CHANGES: dict[str, Callable[[dict[str, Any], Any], Any]] = {
    "version": lambda r, value: r.update(v=value),
    "game": lambda r, value: r.update(game=value),
    "rules": lambda r, value: r.update(rules=value),
    "rule": lambda r, value: r.update(rules={"target": value}),
    "rule name": lambda r, value: r.update(rules={HUGE: value}),
    "dealer": lambda r, value: r.update(dealer=value),
    "deck": lambda r, value: r.update(deck=value),
    "card": lambda r, value: r["deck"].__setitem__(3, value),
    "cards": lambda r, value: r.update(deck=["AS"] * 40_000),
    "actions": lambda r, value: r.update(actions=value),
    "action": lambda r, value: r["actions"].__setitem__(3, value),
    "seat": lambda r, value: r["actions"].__setitem__(3, [value, "pass"]),
    "name": lambda r, value: r["actions"].__setitem__(3, [1, value]),
    "carry": lambda r, value: r.update(carry=value),
    "carried": lambda r, value: r.update(carry={"litige": value}),
    "scores": lambda r, value: r.update(scores=value),
    "legal": lambda r, value: r.update(legal=value),
    "legal each": lambda r, value: r.update(legal=[value] * 30),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_huge_value_gets_a_short_sentence(
    change: Callable[[dict[str, Any], Any], Any], value: Any
) -> None:
    data = json.loads(LINE)
    change(data, value)
    with pytest.raises(KloepperError) as caught:
        Record.parse(json.dumps(data)).check()
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_a_line_without_end_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    line = LINE.encode() + b"\n"
    path.write_bytes(line + b"x" * LONGEST_LINE + b"\n" + line)
    report = replay_file(path)
    assert report.hands == 1
    sentence = "line 2: the line is longer than 1,048,576 bytes; the file is read no further"
    assert [str(problem) for problem in report.problems] == [sentence]
    assert [p.line for p in replay_file("/dev/zero").problems] == [1]


def test_a_file_of_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    line = LINE.encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n" + line + b"\r\n")
    assert (replay_file(path).hands, replay_file(path).problems) == (2, [])


@pytest.mark.parametrize("line", [b"\xff\xfe{}", b"\x00", b'{"v": "\xe4"}', b"\x00" * 99])
def test_bytes_that_are_no_text_are_one_problem(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes(line + b"\n")
    (problem,) = replay_file(path).problems
    assert str(problem).startswith("line 1: the line is not JSON (")
    with pytest.raises(KloepperError, match=r"cannot read .*: Is a directory"):
        replay_file(tmp_path)
