"""Work on several processes: results in order, failures told, and nobody outlives the first."""

import operator
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from kloepper_agents.lab.processes import each
from kloepper_env.errors import KloepperError

SLEEPERS = """
import sys, time
from multiprocessing import active_children
from threading import Timer
from kloepper_agents.lab.processes import each

def tell():
    print(*(child.pid for child in active_children()), flush=True)

Timer(float(sys.argv[1]), tell).start()
list(each(time.sleep, [60, 60], 2))
"""


def test_results_come_in_the_order_of_the_pieces() -> None:
    assert list(each(operator.neg, range(7), 2)) == [0, -1, -2, -3, -4, -5, -6]
    assert list(each(operator.neg, [], 2)) == []


def test_what_the_work_raises_is_raised_with_its_place() -> None:
    pieces: list[Any] = [1, "two", 3]
    with pytest.raises(TypeError, match="interpreted as an integer") as caught:
        list(each(operator.index, pieces, 2))
    assert "_serve" in caught.value.__notes__[0]


def test_a_process_that_dies_is_named() -> None:
    with pytest.raises(KloepperError, match=r"process \d+ ended at piece [12] \(status 3\)"):
        list(each(os._exit, [3, 3], 2))


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("ending", "wait"),
    [
        ("SIGKILL", 3.0),
        pytest.param("SIGTERM", 3.0, marks=pytest.mark.slow),
        pytest.param("SIGKILL", 0.6, marks=pytest.mark.slow),
        pytest.param("SIGINT", 3.0, marks=pytest.mark.slow),
    ],
)
def test_no_process_outlives_the_first(ending: str, wait: float) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", SLEEPERS, str(wait)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert first.stdout is not None
    others = [int(word) for word in first.stdout.readline().split()]
    assert len(others) == 2
    first.send_signal(getattr(signal, ending))
    first.communicate(timeout=20)
    deadline = time.monotonic() + 20
    while any(map(lives, others)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(lives, others))
