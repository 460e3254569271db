"""Speed and memory of training, for `kloepper bench`."""

import subprocess
import sys

from kloepper_training.config import check_config
from kloepper_training.selfplay import Run

LARGE = {
    "budget": {"decisions": 1},
    "lanes": 4096,
    "network": {"actor": [256, 256], "critic": [256, 256]},
    "ppo": {"epochs": 4, "minibatch": 4096},
    "threads": 1,
}
"""Settings for throughput; the default ones take smaller steps, which learn more a minute."""


def ppo(decisions: int, game: str) -> float:
    """Decisions a second, forced ones included, of playing and learning with 4 epochs of 256x2."""
    run = Run(check_config({**LARGE, "game": game}))
    run.advance()  # compiles, and fills the caches
    before = run.counters.decisions, run.counters.seconds
    while run.counters.decisions - before[0] < decisions:
        run.advance()
    return (run.counters.decisions - before[0]) / (run.counters.seconds - before[1])


def memory_ppo(updates: int) -> float:
    """Peak resident memory in MB of a process that does some updates with default settings."""
    code = (
        "from kloepper_env.bench.engine import peak_memory\n"
        "from kloepper_training import bench\n"
        "run = bench.Run(bench.check_config({'budget': bench.LARGE['budget']}))\n"
        f"for _ in range({updates}): run.advance()\n"
        "print(peak_memory())"
    )
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
