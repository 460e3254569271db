"""A watchdog says who is at what for much longer than usual."""

import threading

from kloepper_env.watchdog import PATIENCE, USUAL, Watchdog, watching


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_takes_far_longer_than_before_is_named_with_its_worker() -> None:
    clock = Clock()
    watchdog = Watchdog(clock)
    watchdog.begin("process 7", "piece", "piece 1")
    clock.now += 20
    watchdog.end("process 7")
    watchdog.begin("process 7", "piece", "piece 3")
    watchdog.begin("process 8", "piece", "piece 4")
    clock.now += 20 * USUAL - 1
    watchdog.end("process 8")
    assert watchdog.stuck() == []
    clock.now += 1
    sentence = "process 7 is at piece 3 for 200 s now; before it took 199.0 s at most"
    assert watchdog.stuck() == [sentence]
    assert watchdog.stuck() == []
    clock.now += 200
    assert watchdog.stuck()[0].startswith("process 7 is at piece 3 for 400 s now")
    watchdog.end("process 7")
    clock.now += 10_000
    assert watchdog.stuck() == []


def test_what_never_came_to_an_end_is_named_after_a_minute() -> None:
    clock = Clock()
    watchdog = Watchdog(clock)
    with watchdog.at("self-play", "the self-play of update 1"):
        clock.now += PATIENCE - 1
        assert watchdog.stuck() == []
        clock.now += 1
        assert watchdog.stuck() == ["the run is at the self-play of update 1 for 60 s now"]


def test_it_is_said_while_the_work_is_stuck() -> None:
    clock, said, heard = Clock(), list[str](), threading.Event()
    watchdog = Watchdog(clock)

    def tell(sentence: str) -> None:
        said.append(sentence)
        heard.set()

    with watching(watchdog, tell, every=0.001), watchdog.at("learning", "the learning"):
        clock.now += PATIENCE
        assert heard.wait(20)
    assert said == ["the run is at the learning for 60 s now"]
