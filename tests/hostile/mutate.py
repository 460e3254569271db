"""Changes that make a sound file a senseless one, drawn from a generator."""

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRANGE: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 7, 1 << 31, 1 << 53, 1 << 63, -(1 << 63), 10**400, 0.5, -0.0,
    1e308, float("nan"), float("inf"), "", "x", "kloepper", "klammern", "\x00", "\ud800", "é" * 300,
    "net:/dev/zero", "[red]", "[/x]", "x" * 20_000, [], {}, [[]], [{}], {"": 0}, {"a": {"b": []}},
    [0] * 3000, ["AS"] * 300, [1, "pass"], {"start": 1, "end": float("nan")},
]  # fmt: skip


def deep(levels: int) -> Any:
    """Lists in lists."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def changed(value: Any, rng: np.random.Generator) -> Any:
    """A copy of a JSON value with something in it replaced, dropped, doubled or added."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return _strange(rng)
    result = copy.copy(value)
    keys = list(result) if isinstance(result, dict) else list(range(len(result)))
    key = keys[rng.integers(len(keys))]
    match rng.integers(8):
        case 0:
            del result[key]
        case 1 if isinstance(result, dict):
            result[str(_strange(rng))[:50]] = result[key]
        case 1 if isinstance(result, list):
            result.insert(int(rng.integers(len(result) + 1)), copy.copy(result[key]))
        case 2:
            result[key] = result[keys[rng.integers(len(keys))]]
        case 3 if isinstance(result[key], int | float):
            result[key] = result[key] * 2 + int(rng.integers(-3, 4))
        case _:
            result[key] = changed(result[key], rng)
    return result


def _strange(rng: np.random.Generator) -> Any:
    if rng.random() < 0.05:
        return deep(int(rng.integers(1, 400)))
    return copy.deepcopy(STRANGE[rng.integers(len(STRANGE))])


def changed_array(array: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """An array of another type, shape or with other numbers."""
    match rng.integers(7):
        case 0:
            types = ["f8", "f2", "i1", "i2", "i4", "i8", "u1", "u8", "?"]
            with np.errstate(all="ignore"):
                return array.astype(types[rng.integers(len(types))])
        case 1:
            return array.T.copy() if array.ndim > 1 else array[None]
        case 2:
            return array[: len(array) // 2] if array.ndim else array
        case 3:
            return np.concatenate([array, array]) if array.ndim else array
        case 4:
            return np.zeros((0,) * max(array.ndim, 1), array.dtype)
        case 5:
            return array.reshape(-1)
    result = array.copy()
    extremes = (
        [np.nan, np.inf, -np.inf, 1e38, -3e38, 1e20, -1.0, 0.0]
        if result.dtype.kind == "f"
        else [-1, 0, 1, np.iinfo(result.dtype).min, np.iinfo(result.dtype).max]
    )
    places = rng.random(result.shape) < rng.choice([0.01, 0.5, 1.0])
    if result.size:
        places.flat[rng.integers(result.size)] = True
    return np.where(places, np.array(extremes[rng.integers(len(extremes))], result.dtype), result)


def changed_arrays(
    arrays: dict[str, NDArray[Any]], rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Arrays of which one is changed, dropped, renamed, exchanged or added."""
    result = dict(arrays)
    names = list(result)
    name, other = names[rng.integers(len(names))], names[rng.integers(len(names))]
    match rng.integers(8):
        case 0:
            del result[name]
        case 1:
            result[f"{name}.1"] = result.pop(name)
        case 2:
            result[name], result[other] = result[other], result[name]
        case 3:
            result[["x", "weight.9", "adam.99.step", "adam.x.y"][rng.integers(4)]] = result[name]
        case _:
            result[name] = changed_array(result[name], rng)
    return result


def changed_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Bytes cut off, changed, doubled or with something in between."""
    at = int(rng.integers(len(data) + 1))
    match rng.integers(5):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes([int(rng.integers(256))]) + data[at + 1 :]
        case 2:
            return data[:at] + data
        case 3:
            return data[:at] + rng.bytes(int(rng.integers(1, 200))) + data[at:]
        case _:
            snippets = [b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"[" * 500, b"&a *a"]
            snippets += [b"<<: ", b"!!python/object:x ", b": ", b"\t", b'"', b"{", b"1:30", b"010"]
            return data[:at] + snippets[rng.integers(len(snippets))] + data[at:]
