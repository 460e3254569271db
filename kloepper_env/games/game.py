"""What the rest of the package knows about a game: one object, filled in by games/<name>."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.engine import Records, noted_action, noted_seat
from kloepper_env.errors import ConfigError, listed, shown, whole_number
from kloepper_env.games.options import read_options
from kloepper_env.games.wording import Wording
from kloepper_env.layout import Layout


class Options(Protocol):
    """What drivers need of a game's frozen dataclass of options."""

    def flags(self) -> int: ...
    def changed(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand that ended means for the game of hands it belongs to."""

    dealer: int
    scores: list[int]  # of each seat
    gains: list[int]  # what each account is credited with towards the target
    played: bool = True  # whether it was played, and not passed out
    carry: Mapping[str, int] = field(default_factory=dict)  # what is left for the next hand


class Match(Protocol):
    """A game of many hands: who deals, what everybody has, and who has won."""

    @property
    def totals(self) -> list[int]:
        """What each seat has so far."""

    def dealer(self) -> int:
        """The dealer of the next hand; -1 if the seed is to draw it."""

    def carry(self) -> dict[str, int]:
        """What the next hand takes over from those before, by field of its record."""

    def add(self, outcome: Outcome) -> None:
        """Write down a hand that ended."""

    def winners(self) -> list[int] | None:
        """The seats that have won; None while the game goes on."""

    def needs(self) -> list[int]:
        """What each seat still lacks to the target, in a unit that suits an observation."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """K ways to rename the cards of a game that leave its rules as they are.

    Players who learn see a decision under the way that `choose` picks, so that decisions which
    differ in names alone are the same to them. Letters as above: W, H, A entries of an observation,
    of the hidden facts and of a mask.
    """

    choose: Callable[[NDArray[np.int8]], NDArray[np.int64]]  # observations [N, W] -> ways [N]
    observation: NDArray[np.int64]  # [K, W] place, after renaming -> before
    hidden: NDArray[np.int64]  # [K, H] the same
    actions: NDArray[np.int64]  # [K, A] the same
    renamed_actions: NDArray[np.int64] = field(init=False)  # [K, A] place, before -> after

    def __post_init__(self) -> None:
        object.__setattr__(self, "renamed_actions", self.actions.argsort(axis=1))


@dataclass(frozen=True, eq=False)
class Learning:
    """What those who learn a game need to know of it, and those who play it do not."""

    unit: float  # points that rewards are divided by: a large result without doubling
    counts: Mapping[str, float]  # parts of the observation that count -> what they are divided by
    hidden: Layout  # of the hidden facts, zeros and ones
    hidden_facts: Callable[[Records], NDArray[np.int8]]
    """Hands [N] in play -> [N, H] what the seat that decides cannot see."""
    rates: Callable[[Records, NDArray[np.int64]], dict[str, float]]
    """Hands [N] that are over and their scores [N, seat] -> how often what was done."""
    symmetry: Symmetry | None = None


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that differs between games outside the compiled kernels."""

    name: str
    title: str
    version: int  # of the environments; goes up when a result can change
    n_seats: int
    accounts: tuple[int, ...]  # seat -> its place in the scores of records
    codes: tuple[str, ...]  # card number -> code
    pack: Callable[[Any], tuple[str, ...]]  # options -> codes of the cards that are dealt
    action_names: tuple[str, ...]  # action -> name; the cards come first
    dtype: np.dtype[Any]  # of a hand in play
    layout: Layout  # of the observation
    options_type: type[Any]
    allowed: Mapping[str, Any]  # option -> values
    make_tables: Callable[[], IntArray]  # what `deal` looks up
    deal_deck: Callable[[Any, list[str], int], None]  # record, deck, dealer: open this hand
    deck_of: Callable[[Any], list[str]]  # record -> a pack that deals it
    dealt_late: Callable[[Any], list[int]]  # record -> masks of what came after the first action
    is_public: Callable[[int, Any], bool]  # action, options -> whether other seats learn of it
    turns_are_public: bool  # whether other seats learn whose decision it is
    outcome: Callable[[Any, Any], Outcome]  # record of an ended hand, options
    summary: Callable[[Any, Any], dict[str, Any]]  # the same -> further keys of records
    carries: Callable[[Any], Mapping[str, int]]  # options -> the most of each thing carried over
    taken: Callable[[Any], list[tuple[int, int]]]  # record -> (tricks, card points) of each seat
    worst: Callable[[Any, Mapping[str, int]], float]
    """Options and what is carried over -> a bound that no seat's score, less the mean of all seats,
    can be below."""
    match_type: Callable[[Any], Match]  # options -> a game of many hands
    fact_names: tuple[str, ...]  # what may be public beyond the actions
    facts: Callable[[Any], tuple[str, ...]]  # record -> those of them that are so
    wording: Wording
    learning: Learning
    action_of: Mapping[str, int] = field(init=False)
    action_of_lower: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        size = self.layout.size
        assert size % 8 == 0, f"the layout of {self.name} has {size} values, no multiple of 8"
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
    def announcements(self) -> tuple[str, ...]:
        """The names of the actions that play no card."""
        return self.action_names[len(self.codes) :]

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

    def carry_over(self, hands: Records, options: Any, carry: Mapping[str, int] | None) -> None:
        """Write what is carried over into hands not yet dealt; ConfigError for what cannot be."""
        most = self.carries(options)
        if not isinstance(carry, Mapping | None):
            raise ConfigError(f"carry is {shown(carry)}, but must be a mapping")
        for name, value in (carry or {}).items():
            if name not in most:
                raise ConfigError(f"unknown carry {shown(name)}; there is {listed(most)}")
            hands[name] = whole_number(f"carry {name}", value, most[name] + 1)

    def history(self, hand: Any) -> list[tuple[int, int]]:
        """Everything done in a hand: seat and action, in order."""
        codes = [int(code) for code in hand.log[: int(hand.log_length)]]
        return [(noted_seat(code), noted_action(code)) for code in codes]

    def carry(self, hand: Any, options: Options) -> dict[str, int]:
        """What a hand took over from those before it."""
        return {name: int(hand[name]) for name in self.carries(options)}

    def dealt(self, hand: Any) -> list[int]:
        """The mask of the cards that each seat has been dealt."""
        masks: NDArray[Any] = hand.hands | hand.played
        return [int(mask) for mask in masks]
