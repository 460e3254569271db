"""What the environments of this version do, in files that nobody edits: tests/env/golden.

    python -m tests.env.play_golden    writes the file of every version that has none yet

A file has a line a hand: its record with the legal actions, which `kloepper replay` reads, and
beside it the seed and a digest of all that all seats saw; then a line a stream of hands, played as
learners play them. A file that differs from what is played is never written over: another result
is another version of the environment.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np

from kloepper_env import Batch, State
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.records import to_record
from tests.env.cases import CASES, Case
from tests.env.loops import Env

FOLDER: Final = Path(__file__).parent / "golden"
SEED: Final = 1
HANDS: Final = 12  # whole in the file
MORE_HANDS: Final = 200  # of which the file has a digest
STEPS: Final = 300  # of a stream


def golden_file(case: Case) -> Path:
    """The file of the version that a game has now."""
    return FOLDER / f"{case.name}_v{case.game.version}.jsonl"


def lines(case: Case) -> Iterator[dict[str, Any]]:
    """What stands in the file, made anew."""
    for serial in range(HANDS):
        yield _hand(case, serial)
    some = range(HANDS, HANDS + MORE_HANDS)
    records = [to_record(_moments(case, serial)[-1], legal=True) for serial in some]
    yield {"hands": [some.start, some.stop], "digest": _digest(records)}
    for name, play in STREAMS.items():
        yield {"stream": name, "steps": STEPS, "digest": _digest(play(case))}


def difference(case: Case) -> str:
    """What is played otherwise than in the file, in words; empty when nothing is."""
    if not golden_file(case).exists():
        return "there is no such file yet"
    written = map(json.loads, golden_file(case).read_text("utf-8").splitlines())
    nothing: dict[str, Any] = {}
    pairs = zip_longest(written, lines(case), fillvalue=nothing)
    for number, (then, now) in enumerate(pairs, 1):
        played = json.loads(json.dumps(now))
        for key in sorted(then.keys() | played.keys()):
            was, is_now = then.get(key), played.get(key)
            if was != is_now:
                return f"line {number}: {key} was {_short(was)}, is {_short(is_now)}"
    return ""


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _digest(content: Any) -> str:
    """Of anything that JSON holds; of arrays, their bytes."""
    text = json.dumps(content, default=lambda array: hashlib.sha256(array.tobytes()).hexdigest())
    return hashlib.sha256(text.encode()).hexdigest()


def _choice(*place: int | str, among: int) -> int:
    """A choice that depends on its place alone, whatever generators do in later Pythons."""
    return int(hashlib.sha256(repr(place).encode()).hexdigest(), 16) % among


def _moments(case: Case, serial: int) -> list[State]:
    """A hand of the seed at all its decisions, played at random, and at its end."""
    state = case.deal(seed=SEED, serial=serial)
    moments = [state.copy()]
    while not state.is_over:
        legal, step = state.legal(), len(moments)
        is_shy = "pass" in legal and _choice("pass", serial, step, among=4) > 0
        state.push("pass" if is_shy else legal[_choice(serial, step, among=len(legal))])
        moments.append(state.copy())
    return moments


def _hand(case: Case, serial: int) -> dict[str, Any]:
    """The record of a hand, and a digest of what the seats saw of it."""
    moments = _moments(case, serial)
    seen = _digest([_seen(state) for state in moments])
    return {"seed": SEED, "serial": serial, "seen": seen, **to_record(moments[-1], legal=True)}


def _seen(state: State) -> list[Any]:
    views = [state.view(seat) for seat in range(state.game.n_seats)]
    return [
        [view.observation, view.action_mask, view.information_state, view.information_tensor]
        for view in views
    ]


# --- streams -------------------------------------------------------------------------------------


def _batch(case: Case) -> list[Any]:
    """Hands of one seed in lanes, with the actions that a batch itself draws."""
    batch, seen = Batch(case.game, n=32, seed=SEED), []
    for _ in range(STEPS):
        batch.step(batch.sample())
        arrays = (batch.observation, batch.action_mask, batch.turn, batch.rewards, batch.ended)
        seen.append([array.astype(np.int64) for array in arrays])
    return seen


def _vector(case: Case) -> list[Any]:
    """Single seats side by side against `random`, whose chance is the environment's."""
    vector = SeatVectorEnv(8, case.name)
    observation, _ = vector.reset(seed=SEED)
    seen: list[Any] = []
    for step in range(STEPS):
        actions = [
            np.flatnonzero(mask)[_choice(step, lane, among=int(mask.sum()))]
            for lane, mask in enumerate(observation["action_mask"])
        ]
        observation, rewards, ended, _, info = vector.step(np.array(actions))
        seen.append([observation["observation"], observation["action_mask"], rewards])
        seen.append([ended, info["seat"].astype(np.int64)])
    return seen


def _aec(case: Case, **settings: Any) -> list[Any]:
    """The agents of the AEC environment, one episode after the other."""
    env: Env = case.env(**settings)
    env.reset(seed=SEED)
    seen: list[Any] = []
    for step in range(STEPS):
        if not env.agents:
            env.reset()
        agent = env.agent_selection
        observation, reward, terminated, _, _ = env.last()
        seen.append([agent, *observation.values(), reward, terminated])
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated else int(legal[_choice(step, among=len(legal))]))
    return seen


STREAMS: Final[dict[str, Callable[[Case], list[Any]]]] = {
    "batch": _batch,
    "vector": _vector,
    "hands": _aec,
    "games": lambda case: _aec(case, episode="game", reward="relative"),
}


def main() -> int:
    """Write the file of every version that has none yet; 1 where another does not hold any more."""
    status = 0
    for case in CASES:
        path = golden_file(case)
        if not path.exists():
            path.write_text("".join(json.dumps(line) + "\n" for line in lines(case)), "utf-8")
            print(f"{path.name} written")
        elif found := difference(case):
            print(f"{path.name} stays as it is, but {found}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
