"""Benchmarks of the engine below the environments, and of starting up.

Each function does its work once and returns one figure; `kloepper bench` repeats them. Rates are
per second of CPU time of this process, which leaves out what the neighbours take.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from kloepper_env import engine
from kloepper_env.batch import Batch
from kloepper_env.games import get_game

LANES = 4096

_START = """
import time
begin = time.perf_counter()
import kloepper_env
if {first_step}:
    from kloepper_env import Batch, kloepper_v0
    env = kloepper_v0.env()
    env.reset(seed=1)
    observation, *_ = env.last()
    env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
    batch = Batch(n=64)
    batch.step(batch.sample())
print(time.perf_counter() - begin)
"""
_PEAK = """
from kloepper_env.bench.engine import peak_memory
print(peak_memory())
"""


def hands(n: int, game_name: str) -> float:
    """Whole hands a second: dealt and played at random one by one, announcements on."""
    game = get_game(game_name)
    record = game.new_hands(1, game.options(None), engine.seed_key(1))
    totals = np.zeros(game.n_seats, np.int64)
    engine.play_random(record, game.tables, 1, totals)
    begin = time.process_time()
    engine.play_random(record, game.tables, n, totals)
    return n / (time.process_time() - begin)


def batch_step(n: int, game: str) -> float:
    """Env-steps a second in a batch of 4096: observation, mask, scores, dealing anew.

    The time to choose the actions is not counted: it is the player's.
    """
    return _steps(Batch(game, LANES), n)


def batch_same(n: int, game: str) -> float:
    """`batch_step` with the same hand, played the same way, in every lane.

    The work is the same, but the processor can foresee it: the difference is what random play
    costs in branches that go the other way.
    """
    return _steps(Batch(game, LANES, seeds=[1] * LANES), n)


def _steps(batch: Batch, n: int) -> float:
    batch.step_unchecked(batch.sample())
    spent, rounds = 0.0, max(1, n // LANES)
    for _ in range(rounds):
        actions = batch.sample()
        begin = time.process_time()
        batch.step_unchecked(actions)
        spent += time.process_time() - begin
    return rounds * LANES / spent


def scalar(n: int, game_name: str) -> float:
    """Decisions a second through one call a decision that writes observation and mask."""
    game = get_game(game_name)
    record = game.new_hands(1, game.options(None), engine.seed_key(1))
    words, mask_words = np.zeros(game.words, np.int64), np.zeros(game.mask_words, np.int64)
    engine.start(record, game.tables, -1)
    play_single, start, tables = engine.play_single, engine.start, game.tables
    play_single(record, -1, words, mask_words)
    begin = time.process_time()
    for _ in range(n):
        if play_single(record, -1, words, mask_words) < 0:
            record["serial"] += 1
            start(record, tables, -1)
    return n / (time.process_time() - begin)


def _in_new_process(code: str, cache: str | None = None) -> float:
    environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(answer.stdout.split()[-1])


def import_s(_: int) -> float:
    """Seconds that `import kloepper_env` takes in a new process."""
    return _in_new_process(_START.format(first_step=False))


def cold_s(_: int) -> float:
    """Seconds to the first step of an AEC environment and a batch, nothing compiled before."""
    with tempfile.TemporaryDirectory() as cache:
        return _in_new_process(_START.format(first_step=True), cache)


def warm_s(_: int) -> float:
    """The same in a second process, which finds the compiled code."""
    with tempfile.TemporaryDirectory() as cache:
        _in_new_process(_START.format(first_step=True), cache)
        return _in_new_process(_START.format(first_step=True), cache)


def peak_memory() -> float:
    """Peak resident memory of this process in MB.

    Linux keeps it in /proc for the program alone; what getrusage tells counts the process that
    started this one too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource  # noqa: PLC0415  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)  # bytes on macOS


def memory_env(_: int) -> float:
    """Peak memory (MB) of a process that steps an environment and a batch."""
    return _in_new_process(_START.format(first_step=True) + _PEAK)
