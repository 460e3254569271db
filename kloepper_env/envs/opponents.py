"""Who plays the other seats of a single-seat environment, and whose chance it is."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import jit, mix, wrapping_add
from kloepper_env.engine import GOLDEN, Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import Game
from kloepper_env.view import View

SEAT_DRAW = -1  # the "decision" that draws the learner's seat


class Opponent(Protocol):
    """What an environment asks of those who play against the learner.

    One that also has `act_many(observations [N, W], masks [N, A], random [N]) -> actions [N]` is
    asked for many seats at once.
    """

    def act(self, view: View, random: int) -> int:
        """The number of a legal action, given 64 random bits."""
        ...


def make_opponent(opponent: str | Opponent, game: Game) -> Opponent:
    """An opponent by name, made by whoever offers the entry point group "kloepper.agents".

    Raises ConfigError when nobody offers it or the name is unknown there.
    """
    if not isinstance(opponent, str):
        return opponent
    offers = entry_points(group="kloepper.agents", name="make_agent")
    if not offers:
        raise ConfigError(
            f"opponent {opponent!r} needs a package that offers the entry point make_agent in the "
            "group kloepper.agents; or give an object with act(view, random)"
        )
    made: Opponent = next(iter(offers)).load()(opponent, game.name)
    return made


def make_opponents(
    opponents: str | Opponent | Sequence[str | Opponent], game: Game
) -> list[Opponent]:
    """Those at the learner's left, opposite and right, ...: one for all, or one each.

    The same name gives the same object, so that it can be asked for all its seats at once.
    """
    many = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    named: Any = list(opponents) if many else [opponents] * (game.n_seats - 1)
    if len(named) != game.n_seats - 1:
        raise ConfigError(
            f"opponents has {len(named)} entries, but must be one name or {game.n_seats - 1}"
        )
    made = {name: make_opponent(name, game) for name in dict.fromkeys(named)}
    return [made[name] for name in named]


@jit
def chance(hands: Records, decisions: NDArray[np.int64], words: NDArray[np.int64]) -> None:
    """Write 64 random bits for a decision of each hand, fixed by its seed and serial number."""
    for i in range(len(hands)):
        hand = hands[i]
        word = mix(wrapping_add(int(hand.key), mix(wrapping_add(int(hand.serial), GOLDEN))))
        words[i] = mix(wrapping_add(~word, mix(wrapping_add(int(decisions[i]), GOLDEN))))


def decision_words(hands: Records) -> NDArray[np.uint64]:
    """64 random bits for the decision that each hand is at."""
    words = np.empty(len(hands), np.int64)
    chance(hands, hands["log_length"].astype(np.int64), words)
    return words.view(np.uint64)


def drawn_seats(hands: Records, n_seats: int) -> NDArray[np.int64]:
    """The learner's seat in each hand, drawn from its seed."""
    words = np.empty(len(hands), np.int64)
    chance(hands, np.full(len(hands), SEAT_DRAW, np.int64), words)
    return ((words.view(np.uint64) >> np.uint64(32)) * np.uint64(n_seats) >> np.uint64(32)).astype(
        np.int64
    )
