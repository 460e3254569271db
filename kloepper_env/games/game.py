"""What the rest of the package knows about a game: one object, filled in by games/<name>."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray
from kloepper_env.cards import cards_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, listed, shown, whole_number
from kloepper_env.games.action import HEADS, Action, Kind
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


_MOST_KEPT: Final = 64  # objects of options for which something is kept
_MOST_MASKS: Final = 4096  # of cards whose codes are kept
_WORD: Final = (1 << engine.WORD_BITS) - 1
MOST_SAID: Final = 8  # announcements that a message lists

Teams = Sequence[Sequence[int]]
"""The seats of each party."""


def _no_teams(hand: Any) -> None:
    return None


def _nothing_known(hand: Any, seat: int) -> dict[str, list[str]]:
    return {}


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that differs between games outside the compiled kernels.

    Where options change any of these fields, such as the number of seats, `variant` gives the game
    that they make; drivers get it from `games.set_up`.
    """

    name: str
    title: str
    version: int  # of the environments; goes up when a result can change
    n_seats: int
    accounts: tuple[int, ...]  # seat -> its place in the scores of records
    codes: tuple[str, ...]  # card number -> code
    pack: Callable[[Any], tuple[str, ...]]  # options -> codes of the cards that are dealt
    actions: tuple[Action, ...]  # by number; each card's own is first, in the order of `codes`
    dtype: np.dtype[Any]  # of a hand in play
    layout: Layout  # of the observation
    options_type: type[Any]
    allowed: Mapping[str, Any]  # option -> values
    make_tables: Callable[[], IntArray]  # what `deal` looks up
    deal_deck: Callable[[Any, list[str], int], None]  # record, deck, dealer: open this hand
    deck_of: Callable[[Any], list[str]]  # record -> a pack that deals it
    is_public: Callable[[int, Any], bool]  # action, options -> whether other seats learn of it
    turns_are_public: bool  # whether other seats learn whose decision it is
    outcome: Callable[[Any, Any], Outcome]  # record of an ended hand, options
    summary: Callable[[Any, Any], dict[str, Any]]  # the same -> further keys of records
    carries: Callable[[Any], Mapping[str, int]]  # options -> the most of each thing carried over
    taken: Callable[[Any], list[tuple[int, int]]]  # record -> (tricks, card points) of each seat
    worst: Callable[[Any, Mapping[str, int]], float]
    """Options and what is carried over -> a bound that no seat's score, less the mean of all seats,
    can be below."""
    best: Callable[[Any, Mapping[str, int]], float]  # the same -> a bound that none can be above
    match_type: Callable[[Any], Match]  # options -> a game of many hands
    fact_names: tuple[str, ...]  # what may be public beyond the actions
    facts: Callable[[Any], tuple[str, ...]]  # record -> those of them that are so
    wording: Wording
    learning: Learning
    dealt_cards: Callable[[Any], list[int]] | None = None
    """Record -> mask of the cards that each seat was dealt; None: those it holds or has played."""
    teams: Callable[[Any], Teams | None] = _no_teams
    """Record -> the parties drawn for this hand, which everybody knows; None in games that draw
    none. Records of such games have them under the key `teams`."""
    set_teams: Callable[[Any, Any], None] | None = None
    """Write such parties, read from a record or given by a user, into a record not yet dealt.
    Raises ConfigError for what are none."""
    known: Callable[[Any, int], Mapping[str, list[str]]] = _nothing_known
    """Record and seat -> the cards that this seat alone knows beyond its own, by what they are."""
    variant: Callable[[Any], "Game"] | None = None  # options -> the game under them: always one
    rules: Mapping[str, Any] = field(default_factory=dict)  # options that give this variant
    action_names: tuple[str, ...] = field(init=False)  # action -> name
    action_of: Mapping[str, int] = field(init=False)
    action_of_lower: Mapping[str, int] = field(init=False)
    heads: NDArray[np.int64] = field(init=False)  # action -> its place in action.HEADS

    def __post_init__(self) -> None:
        size = self.layout.size
        assert size % 8 == 0, f"the layout of {self.name} has {size} values, no multiple of 8"
        own = [action.card for action in self.actions[: len(self.codes)]]
        assert own == list(self.codes), f"the first actions of {self.name} do not play its cards"
        engine.make_room(self.dtype, self.n_seats, len(self.actions))
        names = tuple(action.name for action in self.actions)
        object.__setattr__(self, "action_names", names)
        actions = {name: action for action, name in enumerate(names)}
        object.__setattr__(self, "action_of", actions)
        lower = {name.lower(): action for name, action in actions.items()}
        object.__setattr__(self, "action_of_lower", lower)
        heads = np.array([HEADS.index(action.head) for action in self.actions])
        object.__setattr__(self, "heads", heads)

    def __reduce__(self) -> tuple[Any, ...]:
        return _found_again, (self.name, dict(self.rules))

    @cached_property
    def tables(self) -> IntArray:
        """What `deal` looks up."""
        return self.make_tables()

    @cached_property
    def n_actions(self) -> int:
        return len(self.actions)

    @property
    def announcements(self) -> tuple[str, ...]:
        """The names of the actions that play no card to a trick."""
        return tuple(action.name for action in self.actions if action.kind is not Kind.PLAY)

    @property
    def said(self) -> str:
        """What can be done beside playing a card, for a message; empty if there is nothing."""
        names = self.announcements
        few = names if len(names) <= MOST_SAID else (*names[:MOST_SAID], "the like")
        return listed(few) if few else ""

    @cached_property
    def max_history(self) -> int:
        """Most actions of a hand."""
        return int(self.dtype["log"].shape[0])

    @property
    def words(self) -> int:
        """Length of an observation in int64 words."""
        return self.layout.size // 8

    @property
    def mask_words(self) -> int:
        """Length of an action mask in int64 words, as `engine.spread` writes it."""
        return 4 * -(-self.n_actions // 32)

    @cached_property
    def legal_words(self) -> int:
        """Length of an action mask in int64 words of 64 actions, M where letters are used."""
        return -(-self.n_actions // engine.WORD_BITS)

    def options(self, rules: Mapping[str, Any] | None) -> Any:
        """Read options; ConfigError names what is wrong."""
        return read_options(self.options_type, self.allowed, rules)

    def setup(self, options: Any) -> "Game":
        """The game as these options make it: its seats, actions, observations and records."""
        return self if self.variant is None else self.variant(options)

    def new_hands(self, n: int, options: Options, key: int) -> Records:
        """`n` records, not yet dealt: hands 0 to n - 1 of a seed."""
        hands = np.zeros(n, self.dtype)
        hands["key"] = key
        hands["serial"] = np.arange(n)
        hands["option_flags"] = options.flags()
        return hands

    def undealt(
        self,
        options: Options,
        key: int = 0,
        *,
        carry: Mapping[str, int] | None = None,
        teams: Any = None,
    ) -> Records:
        """One hand, not yet dealt, with what it takes over and the parties drawn for it.

        Raises ConfigError for what cannot be taken over, and for teams that the game never draws.
        """
        hands = self.new_hands(1, options, key)
        self.carry_over(hands, options, carry)
        if self.set_teams is not None:
            self.set_teams(hands[0], teams)
        elif teams is not None:
            raise ConfigError(f"teams is {shown(teams)}, but {self.name} draws none here")
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
        bits, codes = engine.log_bits(self.n_actions), hand["log"][: hand["log_length"]].tolist()
        return [(code >> bits, code & (1 << bits) - 1) for code in codes]

    @cached_property
    def events(self) -> list[tuple[int, str]]:
        """Seat and name of the action for each number that a log can hold."""
        bits = engine.log_bits(self.n_actions)
        names = self.action_names + ("",) * ((1 << bits) - self.n_actions)
        return [(seat, name) for seat in range(self.n_seats) for name in names]

    def legal_mask(self, hands: Records) -> int:
        """The legal actions of hands[0] as the one bits of a number of any size."""
        if self.legal_words == 1:
            return int(engine.legal_of(hands, 0)) & _WORD
        return mask_of_words([engine.legal_of(hands, word) for word in range(self.legal_words)])

    def names_in(self, mask: int) -> list[str]:
        """The names of the actions in a mask, in the order of their numbers."""
        return cards_of(mask, self.action_names)

    def carry(self, hand: Any, options: Options) -> dict[str, int]:
        """What a hand took over from those before it."""
        return {name: int(hand[name]) for name in self.implied(options).carries}

    def dealt(self, hand: Any) -> list[int]:
        """The mask of the cards that each seat has been dealt."""
        if self.dealt_cards is not None:
            return self.dealt_cards(hand)
        masks: list[int] = (hand["hands"] | hand["played"]).tolist()
        return masks

    def glance(self, hands: Records) -> "Glance":
        """What is asked for most often of hands[0]."""
        n = self.n_seats
        numbers = np.empty(3 + 2 * n, np.int64)
        engine.glance(hands, numbers)
        turn, dealer, late, *masks = numbers.tolist()
        dealt = masks[n:] if self.dealt_cards is None else self.dealt_cards(hands[0])
        return Glance(turn, dealer, late, masks[:n], dealt)

    @cached_property
    def cards_in(self) -> Callable[[int], tuple[str, ...]]:
        """Mask -> the codes of its cards; the last ones are kept, for they are asked for again."""

        @lru_cache(_MOST_MASKS)
        def cards_in(mask: int) -> tuple[str, ...]:
            return tuple(cards_of(mask, self.codes))

        return cards_in

    def implied(self, options: Options) -> "Implied":
        """What follows from some options; kept, for it is asked for with every View."""
        implied = self._implied.get(id(options))
        if implied is None or implied.options is not options:
            if len(self._implied) >= _MOST_KEPT:
                self._implied.clear()
            implied = self._implied[id(options)] = Implied(self, options)
        return implied

    @cached_property
    def _implied(self) -> dict[int, "Implied"]:
        return {}


class Glance(NamedTuple):
    """What is asked for most often of a hand."""

    turn: int  # the seat that decides; -1 when the hand is over
    dealer: int
    late: int  # mask of the cards dealt after the first action
    held: list[int]  # mask by seat
    dealt: list[int]  # the same


class Implied:
    """What follows from the options of a game, for all hands under them."""

    def __init__(self, game: Game, options: Any) -> None:
        self.options = options  # kept alive, so that nothing else gets its id
        self.rules: Mapping[str, Any] = options.changed()
        self.carries = tuple(game.carries(options))
        bits = engine.log_bits(game.n_actions)
        public = [game.is_public(action, options) for action in range(game.n_actions)]
        public += [False] * ((1 << bits) - game.n_actions)
        self.told = [
            [other == seat or is_public for other in range(game.n_seats) for is_public in public]
            for seat in range(game.n_seats)
        ]
        """For each seat, and each number that a log can hold, whether the seat learns of it."""


def mask_of_words(words: Sequence[int]) -> int:
    """One number of int64 words of a mask, the lowest first."""
    mask = 0
    for word in reversed(words):
        mask = mask << engine.WORD_BITS | int(word) & _WORD
    return mask


def _found_again(name: str, rules: Mapping[str, Any]) -> Game:
    from kloepper_env.games import set_up  # noqa: PLC0415  # the registry imports this file

    return set_up(name, rules)[0]
