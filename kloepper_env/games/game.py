"""What the rest of the package knows about a game: one object, filled in by games/<name>."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records
from kloepper_env.games.options import read_options
from kloepper_env.layout import Layout


class Options(Protocol):
    """What drivers need of a game's frozen dataclass of options."""

    def flags(self) -> int: ...
    def changed(self) -> dict[str, Any]: ...


class Match(Protocol):
    """A game of many hands: who deals, what everybody has, and who has won."""

    @property
    def totals(self) -> list[int]: ...

    def dealer(self) -> int: ...
    def add(self, scores: list[int]) -> None: ...
    def winners(self) -> list[int] | None: ...
    def needs(self) -> list[int]: ...
    def copy(self) -> Self: ...


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that differs between games outside the compiled kernels."""

    name: str
    title: str
    version: int  # of the environments; goes up when a result can change
    n_seats: int
    codes: tuple[str, ...]  # card number -> code
    action_names: tuple[str, ...]  # action -> name; the cards come first
    dtype: np.dtype[Any]  # of a hand in play
    layout: Layout  # of the observation
    options_type: type[Any]
    allowed: Mapping[str, Any]  # option -> values
    make_tables: Callable[[], IntArray]  # what `deal` looks up
    begin: Callable[[Any, int], None]  # open a hand whose cards lie in `hands`
    hands_of: Callable[[list[str], int], list[int]]  # deck, dealer -> mask of each seat
    packets: Callable[[list[list[Any]], int], list[Any]]  # dealt cards of each seat, dealer -> deck
    is_public: Callable[[int, Any], bool]  # action, options -> whether other seats learn of it
    summary: Callable[[Any], dict[str, Any]]  # record of an ended hand -> further keys of records
    taken: Callable[[Any], list[tuple[int, int]]]  # record -> (tricks, card points) of each seat
    match_type: Callable[[Any], Match]  # options -> a game of many hands
    fact_names: tuple[str, ...]  # what may be public beyond the actions
    facts: Callable[[Any], tuple[str, ...]]  # record -> those of them that are so
    action_of: Mapping[str, int] = field(init=False)
    action_of_lower: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        actions = {name: action for action, name in enumerate(self.action_names)}
        object.__setattr__(self, "action_of", actions)
        lower = {name.lower(): action for name, action in actions.items()}
        object.__setattr__(self, "action_of_lower", lower)

    def __reduce__(self) -> tuple[Any, ...]:
        from kloepper_env.games import get_game  # noqa: PLC0415  # the registry imports this file

        return get_game, (self.name,)

    @cached_property
    def tables(self) -> IntArray:
        """What `deal` looks up."""
        return self.make_tables()

    @property
    def n_actions(self) -> int:
        return len(self.action_names)

    @property
    def words(self) -> int:
        """Length of an observation in int64 words."""
        return self.layout.size // 8

    @property
    def mask_words(self) -> int:
        """Length of an action mask in int64 words, as `engine.spread` writes it."""
        return 4 * -(-self.n_actions // 32)

    def options(self, rules: Mapping[str, Any] | None) -> Any:
        """Read options; ConfigError names what is wrong."""
        return read_options(self.options_type, self.allowed, rules)

    def new_hands(self, n: int, options: Options, key: int) -> Records:
        """`n` records, not yet dealt: hands 0 to n - 1 of a seed."""
        hands = np.zeros(n, self.dtype)
        hands["key"] = key
        hands["serial"] = np.arange(n)
        hands["option_flags"] = options.flags()
        return hands

    def history(self, hand: Any) -> list[tuple[int, int]]:
        """Everything done in a hand: seat and action, in order."""
        return [(int(code) >> 5, int(code) & 31) for code in hand.log[: int(hand.log_length)]]

    def dealt(self, hand: Any) -> list[int]:
        """The mask of the cards that each seat was dealt."""
        masks: NDArray[Any] = hand.hands | hand.played
        return [int(mask) for mask in masks]
