"""Who plays the other seats of a single-seat environment, and their random numbers."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from reprlib import repr as shortened
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, mix, wrapping_add
from kloepper_env.actions import action_number, read_actions
from kloepper_env.engine import GOLDEN, Records
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.games.game import Game
from kloepper_env.state import State
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

    Raises ConfigError when nobody offers it or the name is unknown there, and for an object that
    cannot `act`.
    """
    if not isinstance(opponent, str):
        if isinstance(opponent, type) or not callable(getattr(opponent, "act", None)):
            raise ConfigError(
                f"opponent is {opponent!r}, but must be a name or an object with act(view, random)"
            )
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
    named: list[str | Opponent]
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        named = list(opponents)
    else:
        named = [opponents] * (game.n_seats - 1)
    if len(named) != game.n_seats - 1:
        raise ConfigError(
            f"opponents has {len(named)} entries, but must be one name or {game.n_seats - 1}"
        )
    keys = [one if isinstance(one, str) else id(one) for one in named]  # objects need no hash
    different = dict(zip(keys, named, strict=True))
    made = {key: make_opponent(one, game) for key, one in different.items()}
    return [made[key] for key in keys]


def choose(opponent: Opponent, game: Game, options: Any, hands: Records) -> IntArray:
    """What an opponent does in each hand, for the seat that decides there: actions [N].

    Raises IllegalActionError when it does what is not legal.
    """
    words = decision_words(hands)
    if hasattr(opponent, "act_many"):
        seen = np.zeros((len(hands), game.words), np.int64)
        masks = np.zeros((len(hands), game.mask_words), np.int64)
        engine.look(hands, seen, masks)
        mask = masks.view(np.int8)[:, : game.n_actions]
        answers = opponent.act_many(seen.view(np.int8), mask, words)
        actions = read_actions(f"the actions of opponent {_name(opponent)}", answers, len(hands))
    else:
        states = [State(game, options, hands[i : i + 1]) for i in range(len(hands))]
        views = [state.view(int(state.hand.turn)) for state in states]
        pairs = zip(views, words, strict=True)
        answers = [_answer(opponent, view, int(word)) for view, word in pairs]
        actions = np.array(answers, np.int64)
    wrong = engine.first_illegal(hands, actions)
    if wrong >= 0:
        try:
            State(game, options, hands[wrong : wrong + 1]).push(int(actions[wrong]))
        except IllegalActionError as error:
            raise IllegalActionError(f"opponent {_name(opponent)}: {error}") from None
    return actions


def _answer(opponent: Opponent, view: View, random: int) -> int:
    answer = opponent.act(view, random)
    number = action_number(answer)
    n_actions = len(view.action_names)
    if number is None or not 0 <= number < n_actions:
        raise IllegalActionError(
            f"opponent {_name(opponent)} answered {shortened(answer)}, which is no action: actions "
            f"are numbers from 0 to {n_actions - 1}"
        )
    return number


def _name(opponent: Opponent) -> str:
    return str(getattr(opponent, "name", type(opponent).__name__))


@jit
def _random_words(hands: Records, decisions: IntArray, words: IntArray) -> None:
    """Write 64 random bits for a decision of each hand, fixed by its seed and serial number."""
    for i in range(len(hands)):
        hand = hands[i]
        word = mix(wrapping_add(int(hand.key), mix(wrapping_add(int(hand.serial), GOLDEN))))
        words[i] = mix(wrapping_add(~word, mix(wrapping_add(int(decisions[i]), GOLDEN))))


def _words(hands: Records, decisions: IntArray) -> NDArray[np.uint64]:
    words = np.empty(len(hands), np.int64)
    _random_words(hands, decisions, words)
    return words.view(np.uint64)


def decision_words(hands: Records) -> NDArray[np.uint64]:
    """64 random bits [N] for the decision that each hand is at."""
    return _words(hands, hands["log_length"].astype(np.int64))


def drawn_seats(hands: Records, n_seats: int) -> IntArray:
    """The learner's seat [N] in each hand, drawn from its seed."""
    words = _words(hands, np.full(len(hands), SEAT_DRAW, np.int64))
    high = words >> np.uint64(32)
    return (high * np.uint64(n_seats) >> np.uint64(32)).astype(np.int64)
