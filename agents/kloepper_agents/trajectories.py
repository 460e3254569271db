"""What each seat saw, could do, did and got: arrays for imitation and offline learning.

A file of trajectories is an .npy file of records, one for each decision, which `np.load(path,
mmap_mode="r")` reads without loading it whole:

    hand         i8       number of the hand in the seed
    seat         i1       whose decision it is
    decision     i2       0, 1, ... of this seat in this hand
    observation  i1 [W]   as the environment gives it
    mask         i1 [A]   what is legal
    action       i2       what was done
    score        i4       what this seat scores in the end
    reward       f4       the same less the mean of all seats

The decisions of one seat in one hand stand together, in order: an episode. Beside it stands a JSON
file of the same name that says what was played.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from kloepper_agents.base import Agent, Int8Array, IntArray
from kloepper_agents.recorder import Table, claimed
from kloepper_env.errors import ConfigError
from kloepper_env.files import whole_file
from kloepper_env.games.game import Game
from kloepper_env.payoff import hand_rewards

SUFFIX: Final = ".npy"


def record_type(game: Game) -> np.dtype[Any]:
    """The record of a decision of a game."""
    return np.dtype(
        [
            ("hand", "<i8"),
            ("seat", "i1"),
            ("decision", "<i2"),
            ("observation", "i1", (game.layout.size,)),
            ("mask", "i1", (game.n_actions,)),
            ("action", "<i2"),
            ("score", "<i4"),
            ("reward", "<f4"),
        ]
    )


def record_trajectories(
    path: Path,
    names: Sequence[Agent | str] | None = None,
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    hands: int,
    seed: int = 0,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write what the seats did in hands 0 to `hands` - 1 of a seed; arguments as in `record_hands`.

    The hands are the same, too. Memory does not grow with their number. Raises ConfigError, with
    nothing written, for what cannot be done.
    """
    if path.suffix != SUFFIX:
        raise ConfigError(f"trajectories go to a file that ends in {SUFFIX}, not to {path.name}")
    table = Table(names, game=game, rules=rules, hands=hands, seed=seed)
    about = {
        "format": 1,
        "game": table.game.name,
        "game_version": table.game.version,
        "rules": table.options.changed(),
        "seed": seed,
        "hands": hands,
        "agents": table.called,
        "observation_layout": [list(part) for part in table.game.layout.parts],
        "action_names": list(table.game.action_names),
    }
    with claimed(path, force) as file, whole_file(path.with_suffix(".json")) as notes:
        notes.write_text(json.dumps(about, indent=1) + "\n")
        with file.open("w+b") as stream:
            _write(stream, table, progress)


def _write(stream: Any, table: Table, progress: Callable[[int], None] | None) -> None:
    dtype, rows = record_type(table.game), 0
    _write_header(stream, dtype, 0)
    steps = Steps(dtype)
    for numbers, played in table.play(watch=steps.add):
        episodes = steps.episodes(numbers, played.scores)
        stream.write(episodes.tobytes())
        rows += len(episodes)
        if progress is not None:
            progress(len(numbers))
    stream.seek(0)
    _write_header(stream, dtype, rows)


def _write_header(stream: Any, dtype: np.dtype[Any], rows: int) -> None:
    """The header for so many rows: NumPy leaves room in it for the number to grow."""
    header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows,)}
    npy.write_array_header_1_0(stream, header)


class Steps:
    """The decisions of some hands that are played side by side."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._steps: list[NDArray[Any]] = []

    def add(
        self,
        rows: IntArray,
        seats: IntArray,
        observations: Int8Array,
        masks: Int8Array,
        actions: IntArray,
    ) -> None:
        """Take in what `play_out` shows; rows are hands by their place."""
        step = np.zeros(len(rows), self._dtype)
        step["hand"], step["seat"], step["action"] = rows, seats, actions
        step["observation"], step["mask"] = observations, masks
        self._steps.append(step)

    def episodes(self, numbers: IntArray, scores: IntArray) -> NDArray[Any]:
        """All of them, episode by episode, each with what its own seat scores; begins anew.

        `numbers` [N] and `scores` [N, seat] are those of the hands.
        """
        taken = np.concatenate(self._steps)
        self._steps.clear()
        taken = taken[np.lexsort((taken["seat"], taken["hand"]))]  # stable: in order of time
        place, seat = taken["hand"], taken["seat"]
        begins = np.flatnonzero(np.diff(place * scores.shape[1] + seat, prepend=-1))
        lengths = np.diff(begins, append=len(taken))
        taken["decision"] = np.arange(len(taken)) - np.repeat(begins, lengths)
        taken["score"] = scores[place, seat]
        taken["reward"] = hand_rewards(scores, "relative")[place, seat]
        taken["hand"] = numbers[place]
        return taken
