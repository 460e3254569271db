"""Foreign values in messages: short, whatever they are."""

from typing import Any

import numpy as np
import pytest

from kloepper_env.errors import LONGEST_SHOWN, shown


@pytest.mark.parametrize(
    "value", [3, "x", None, True, [1, ["QS"]], {"a": [1, 2]}, (1,), 2.5, {"decisions": None}]
)
def test_a_short_value_is_shown_as_python_writes_it(value: Any) -> None:
    assert shown(value) == repr(value)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def bomb(levels: int) -> Any:
    """Lists of nine times the same list: small in memory, endless when written out."""
    value: Any = ["x"]
    for _ in range(levels):
        value = [value] * 9
    return value


HUGE = {
    "text": "x" * 10_000_000,
    "number": 10**10_000,
    "numbers": [10**10_000],
    "list": list(range(1_000_000)),
    "names": {str(i): i for i in range(100_000)},
    "deep": nested(100_000),
    "bomb": bomb(20),
    "array": np.zeros((1000, 1000)),
    "lines": "a\nb" * 100,
}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE.keys())
def test_a_value_of_any_size_is_shown_shortened(value: Any) -> None:
    text = shown(value)  # written out whole the bomb would take years
    assert 0 < len(text) <= LONGEST_SHOWN
    assert "\n" not in text
