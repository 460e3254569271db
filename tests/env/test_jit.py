"""Words of 64 bits, compiled and plain, and whole hands both ways."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kloepper_env import _jit, engine
from kloepper_env._jit import IntArray, jit
from kloepper_env._jit.words import _loop_deposit
from kloepper_env.errors import KloepperError

WORDS = [
    0,
    1,
    2,
    3,
    0xFFFF,
    1 << 31,
    1 << 32,
    (1 << 47) - 1,
    (1 << 62) + 5,
    2**63 - 1,
    -1,
    -(2**63),
]
UNSIGNED = (1 << 64) - 1

# The outputs of SplitMix64 as published with its reference code, for two seeds.
SPLITMIX64 = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423],
}

DIGEST_OF_HANDS = """
import hashlib
from kloepper_env.batch import Batch
digest, n_hands = hashlib.sha256(), 0
for rules in ({}, {"prompt_all": True, "announce": "own_turn", "failed_knock": "normal"}):
    batch = Batch(n=16, seed=5, rules=rules)
    for _ in range(300):
        actions = batch.sample()
        batch.step(actions)
        n_hands += int(batch.ended.sum())
        for array in (actions, batch.observation, batch.action_mask, batch.rewards, batch.ended):
            digest.update(array.tobytes())
print(digest.hexdigest(), n_hands)
"""
COUNT_COMPILED = """
from kloepper_env import engine
print(sum(engine.step.stats.cache_hits.values()), sum(engine.step.stats.cache_misses.values()))
"""


@jit
def popcount(word: int) -> int:
    return _jit.popcount(word)


@jit
def lowest(word: int) -> int:
    return _jit.lowest(word)


@jit
def deposit(bits: int, mask: int) -> int:
    return _jit.deposit(bits, mask)


@jit
def spread64(words: IntArray, at: int, mask: int) -> None:
    _jit.spread64(words, at, mask)


def plain_deposit(bits: int, mask: int) -> int:
    places = [place for place in range(64) if mask >> place & 1]
    return sum((bits >> k & 1) << place for k, place in enumerate(places))


def python(script: str, **environment: str) -> str:
    """Run a script in a process of its own; returns what it prints."""
    inherited = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", script],  # -P: not from this directory
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# --- words of 64 bits


@pytest.mark.parametrize("word", WORDS)
def test_popcount(word: int) -> None:
    assert popcount(word) == f"{word & UNSIGNED:b}".count("1")


@pytest.mark.parametrize("word", WORDS[1:])
def test_lowest(word: int) -> None:
    text = f"{word & UNSIGNED:b}"
    assert lowest(word) == len(text) - 1 - text.rindex("1")


@pytest.mark.parametrize("way", [deposit, _loop_deposit])
def test_deposit(way: Callable[[int, int], int]) -> None:
    rng = random.Random(1)
    assert way(0b101, 0b11010) == 0b10010
    for _ in range(200):
        bits, mask = rng.getrandbits(63), rng.getrandbits(63) & rng.getrandbits(63)
        assert way(bits, mask) == plain_deposit(bits, mask)


@pytest.mark.parametrize("seed", SPLITMIX64)
def test_mix_gives_the_published_numbers(seed: int) -> None:
    state, numbers = seed, []
    for _ in range(3):
        state = _jit.wrapping_add(state, engine.GOLDEN)
        numbers.append(_jit.mix(state) & UNSIGNED)
    assert numbers == SPLITMIX64[seed]


@pytest.mark.parametrize("word", WORDS)
def test_high_half(word: int) -> None:
    assert _jit.high_half(word) == (word & UNSIGNED) // 2**32


@pytest.mark.parametrize(("a", "b"), [(1, 2), (2**63 - 1, 1), (-(2**63), -1), (-1, -1)])
def test_wrapping_add(a: int, b: int) -> None:
    assert (_jit.wrapping_add(a, b) - a - b) % 2**64 == 0
    assert -(2**63) <= _jit.wrapping_add(a, b) < 2**63


@pytest.mark.parametrize("word", WORDS)
def test_spread64_writes_a_byte_for_each_bit_and_nothing_else(word: int) -> None:
    words = np.full(10, -1, np.int64)
    spread64(words, 1, word)
    assert words.view(np.int8)[8:72].tolist() == [word >> bit & 1 for bit in range(64)]
    assert (words[0], words[9]) == (-1, -1)


# --- compiled or not, the same hands


def test_the_same_hands_with_and_without_the_compiler() -> None:
    compiled, n_hands = python(DIGEST_OF_HANDS).split()
    plain, _ = python(DIGEST_OF_HANDS, NUMBA_DISABLE_JIT="1").split()
    assert compiled == plain
    assert int(n_hands) > 200


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """Also: without the deposit instruction the hands are the same."""
    way = {"XDG_CACHE_HOME": str(tmp_path), "KLOEPPER_NO_PDEP": "1"}
    first, second = (python(DIGEST_OF_HANDS + COUNT_COMPILED, **way).split() for _ in range(2))
    assert first[2:] == ["0", "1"]  # hits, misses
    assert second[2:] == ["1", "0"]
    assert first[:2] == second[:2] == python(DIGEST_OF_HANDS).split()


# Whether pdep may be used is asked of the target that numba compiles for, not of this machine.
@pytest.mark.parametrize(
    "target",
    [
        {"NUMBA_CPU_NAME": "generic"},
        {"NUMBA_CPU_NAME": "core2", "NUMBA_CPU_FEATURES": "+sse2"},
        {"NUMBA_CPU_FEATURES": "-bmi2"},
        {"NUMBA_CPU_FEATURES": "+bmi2,-bmi2"},
        {"NUMBA_ENABLE_AVX": "0"},
    ],
    ids=str,
)
def test_words_on_another_target(target: dict[str, str], tmp_path: Path) -> None:
    script = """
from kloepper_env._jit import deposit, extract, jit
@jit
def there_and_back(bits: int, mask: int) -> int:
    return extract(deposit(bits, mask), mask) * 1000 + deposit(bits, mask)
print(there_and_back(0b101, 0b11010))
"""
    assert python(script, XDG_CACHE_HOME=str(tmp_path), **target) == str(5000 + 0b10010)


@pytest.mark.slow
def test_the_same_hands_on_another_target(tmp_path: Path) -> None:
    way = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CPU_NAME": "generic"}
    assert python(DIGEST_OF_HANDS, **way) == python(DIGEST_OF_HANDS)


# --- what a game brings


@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_kernel_that_a_game_has_not_defined_is_named(is_compiled: bool) -> None:
    hands = np.zeros(1, np.dtype((np.record, [("over", "i8")])))
    with pytest.raises(KloepperError) as raised:
        engine.apply_to(hands, 0) if is_compiled else engine.apply(hands[0], 0)
    assert str(raised.value) == (
        "apply is not defined for this record: a game says define(engine.apply, HAND, apply)"
    )
