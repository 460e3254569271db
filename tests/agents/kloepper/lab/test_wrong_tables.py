"""Tables of hands from elsewhere: damaged or senseless ones are refused with a sentence."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kloepper_agents.games.kloepper.lab.hands.files import SHIPPED, HandTable, load_table
from kloepper_env.errors import ConfigError

SHIPPED_BYTES = SHIPPED.read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"not a table",
        b"",
        SHIPPED_BYTES[:20_000],
        SHIPPED_BYTES[:5_000] + bytes(100) + SHIPPED_BYTES[5_100:],
        SHIPPED_BYTES[:-40] + b"\xff" * 40,
        b"\x93NUMPY\x01\x00",
        SHIPPED_BYTES + bytes(9 << 20),
    ],
    ids=["missing", "text", "empty", "cut", "changed", "directory", "npy", "too large"],
)
def test_what_is_no_table_is_refused(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"x\.npz"):
        load_table(path)


def columns_of_table() -> dict[str, Any]:
    """Some rows of the table of the package, coded as in its file."""
    with np.load(SHIPPED) as columns:
        return {
            name: columns[name] if name == "setting" else columns[name][::1500] for name in columns
        }


SETTING = json.loads(str(columns_of_table()["setting"]))
WRONG_COLUMNS: dict[str, tuple[str, Any, str]] = {
    "one too few": ("quiet", lambda c: c[1:], "column quiet is no list"),
    "fractions": ("quiet", lambda c: c.astype(float), "or damaged"),
    "objects": ("quiet", lambda c: c.astype(object), "or damaged"),
    "two dimensions": ("hand", lambda c: c[:, None], "column hand is no list"),
    "a number": ("hand", lambda c: c[0], "column hand is no list"),
    "too many": ("hand", lambda c: np.zeros(1 << 21, np.int8), "or damaged"),
    "text": ("deals", lambda c: c.astype(str), "column deals is no list"),
    "no hand": ("hand", lambda c: c * 0, "its hands are not those that stand for a class"),
    "beyond the cards": ("hand", lambda c: c + (1 << 30), "its hands are not"),
    "sizes": ("size", lambda c: c + 1, "the sizes of its classes are wrong"),
    "unknown": ("quiet", lambda c: c * 0 + np.iinfo(c.dtype).min, "column quiet is known where"),
    "known": ("call_C_gain", lambda c: c * 0, "column call_C_gain is known where it cannot be"),
    "share": ("all_tricks", lambda c: c * 0 + 1001, "column all_tricks holds a share outside"),
    "error": ("quiet_error", lambda c: c * 0 - 1, "column quiet_error holds a number below 0"),
    "deals": ("knock_now_deals", lambda c: c * 0 - 1, "column knock_now_deals holds a number"),
}
WRONG_SETTINGS: dict[str, tuple[Any, str]] = {
    "object": ({}, "its setting is {}, but must hold kloepper, queens_only"),
    "list": ([], "its setting is []"),
    "null": (None, "its setting is None"),
    "rules": (SETTING | {"rules": {"knock": 1}}, "unknown option 'knock'"),
    "no rules": (SETTING | {"rules": None}, "the rules are None, but must be"),
    "seed": (SETTING | {"seed": -1}, "seed is -1"),
    "effort": (SETTING | {"effort": {"most": 1}}, "its effort is {'most': 1}, but must hold"),
    "least": (SETTING | {"effort": SETTING["effort"] | {"least": "x"}}, "effort least is 'x'"),
    "queens": (SETTING | {"queens_only": 1}, "which no table is made with"),
}


def load_changed(folder: Path, name: str, column: Any) -> HandTable:
    np.savez_compressed(folder / "x.npz", **(columns_of_table() | {name: column}))
    return load_table(folder / "x.npz")


@pytest.mark.parametrize(
    ("name", "change", "sentence"), WRONG_COLUMNS.values(), ids=WRONG_COLUMNS.keys()
)
def test_a_table_with_a_wrong_column_is_refused(
    tmp_path: Path, name: str, change: Any, sentence: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        load_changed(tmp_path, name, change(columns_of_table()[name]))


@pytest.mark.parametrize(
    ("setting", "sentence"), WRONG_SETTINGS.values(), ids=WRONG_SETTINGS.keys()
)
def test_a_table_with_a_wrong_setting_is_refused(
    tmp_path: Path, setting: Any, sentence: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        load_changed(tmp_path, "setting", np.array(json.dumps(setting)))


def test_a_setting_that_is_no_sound_json_is_refused(tmp_path: Path) -> None:
    twice = json.dumps(SETTING)[:-1] + ', "seed": 2}'
    for text in (twice, "{", "[" * 100_000):
        with pytest.raises(ConfigError, match=r"x\.npz is no table of hands"):
            load_changed(tmp_path, "setting", np.array(text))
    assert load_changed(tmp_path, "setting", np.array(json.dumps(SETTING))).setting == SETTING
