"""State: a hand in play for people. It converts names to numbers and back; no rule is in it."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from kloepper_env import engine
from kloepper_env.actions import read_action
from kloepper_env.cards import bits_of, cards_of, parse_card, parse_deck
from kloepper_env.errors import (
    ConfigError,
    IllegalActionError,
    NotationError,
    listed,
    whole_number,
)
from kloepper_env.games import Game, set_up
from kloepper_env.games.game import Outcome
from kloepper_env.view import Int8Array, View


class State:
    """A hand in play: `legal()`, `push(action)`, `scores()`.

    >>> state = State.deal(seed=1)
    >>> while not state.is_over:
    ...     state.push(state.legal()[0])
    >>> len(state.scores())
    4
    """

    __slots__ = ("game", "hands", "options")

    def __init__(self, game: Game, options: Any, hands: engine.Records) -> None:
        if hands.dtype != game.dtype or hands.shape != (1,):
            raise ConfigError(f"a state of {game.name} is made of one record of a hand of it")
        self.game = game
        self.options = options
        self.hands = hands  # [1], the record of the hand

    # --- making one

    @classmethod
    def deal(
        cls,
        game: str | Game = "kloepper",
        rules: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        serial: int = 0,
        deck: str | Sequence[str] | None = None,
        dealer: int | None = None,
        carry: Mapping[str, int] | None = None,
        teams: Sequence[Sequence[int]] | None = None,
        actions: str | Sequence[str] = (),
    ) -> Self:
        """Deal a hand: number `serial` of a seed, or a given deck in the order of records.

        Without a dealer it is drawn from the seed (with a deck: seat 0). `carry` is what the hands
        before it in a game have left, where the game knows such a thing; `teams`, the seats of each
        party, comes with a deck in games that draw the parties for every hand. `actions`, names
        with blanks between them or a sequence, are carried out.

        Raises ConfigError or NotationError for what cannot be read, and IllegalActionError for an
        action that is not legal.
        """
        game, options = set_up(game, rules)
        if dealer is not None:
            dealer = whole_number("dealer", dealer, game.n_seats)
        serial = whole_number("serial", serial, 1 << 63)
        key = engine.seed_key(seed)
        if deck is None:
            if teams is not None:
                raise ConfigError("teams are given without a deck, but then the seed draws them")
            hands = game.new_hands(1, options, key)
            game.carry_over(hands, options, carry)
        else:
            hands = game.undealt(options, key, carry=carry, teams=teams)
        hands["serial"] = serial
        if deck is None:
            engine.start(hands, game.tables, -1 if dealer is None else dealer)
        else:
            game.deal_deck(hands[0], parse_deck(deck, game.pack(options)), dealer or 0)
        state = cls(game, options, hands)
        for action in actions.split() if isinstance(actions, str) else actions:
            state.push(action)
        return state

    def copy(self) -> Self:
        """An independent copy. To take actions back, keep one before you `push`."""
        twin = object.__new__(type(self))
        twin.game, twin.options = self.game, self.options
        hands = self.hands  # NumPy copies records field by field, which takes ten times as long
        twin.hands = np.ndarray((1,), hands.dtype, bytearray(hands.tobytes()))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    # --- reading it

    @property
    def hand(self) -> Any:
        """The record itself, true hands of all seats included."""
        return self.hands[0]

    @property
    def is_over(self) -> bool:
        return bool(self.hands["over"][0])

    @property
    def turn(self) -> int | None:
        """The seat that decides; None when the hand is over."""
        return None if self.hands["over"][0] else int(self.hands["turn"][0])

    @property
    def dealer(self) -> int:
        return int(self.hands["dealer"][0])

    @property
    def rules(self) -> dict[str, Any]:
        """The options that differ from their default."""
        return dict(self.game.implied(self.options).rules)

    def legal_actions(self) -> list[int]:
        """The legal actions by number, ascending; empty when the hand is over."""
        return bits_of(self.game.legal_mask(self.hands))

    def legal(self) -> list[str]:
        """The legal actions by name."""
        return self.game.names_in(self.game.legal_mask(self.hands))

    def cards(self, seat: int) -> list[str]:
        """The cards that a seat holds now."""
        return cards_of(self.hands["hands"][0, self._seat(seat)], self.game.codes)

    def dealt(self, seat: int) -> list[str]:
        """The cards that a seat has been dealt, those before the first action first."""
        glance, codes = self.game.glance(self.hands), self.game.cards_in
        dealt = glance.dealt[self._seat(seat)]
        return [*codes(dealt & ~glance.late), *codes(dealt & glance.late)]

    def deck(self) -> list[str]:
        """A pack that deals this hand, in the order of records."""
        return self.game.deck_of(self.hand)

    @property
    def history(self) -> list[tuple[int, str]]:
        """Everything done so far: seat and action, passes included."""
        events = self.game.events
        return [events[code] for code in self._log()]

    def _log(self) -> list[int]:
        hands = self.hands
        codes: list[int] = hands["log"][0, : hands["log_length"][0]].tolist()
        return codes

    def _carry(self) -> dict[str, int]:
        return self.game.carry(self.hand, self.options)

    def taken(self) -> list[tuple[int, int]]:
        """What each seat has taken so far: tricks, and card points in them."""
        return self.game.taken(self.hand)

    def scores(self) -> list[int]:
        """What each seat scores; the hand must be over."""
        return self.outcome().scores

    def outcome(self) -> Outcome:
        """What the hand, which must be over, means for a game of hands."""
        if not self.is_over:
            raise IllegalActionError("the hand is not over, so it has no scores yet")
        return self.game.outcome(self.hand, self.options)

    def utility_bounds(self) -> tuple[float, float]:
        """The least and the most that a seat can score less the mean of all seats."""
        game, carry = self.game, self._carry()
        return game.worst(self.options, carry), game.best(self.options, carry)

    def __repr__(self) -> str:
        """The call that makes an equal state."""
        carry = {name: left for name, left in self._carry().items() if left}
        teams = self.game.teams(self.hand) if self.game.set_teams else None
        settings = {
            "rules": self.rules or None,
            "deck": " ".join(self.deck()),
            "dealer": self.dealer,
            "carry": carry or None,
            "teams": teams,
            "actions": " ".join(action for _, action in self.history) or None,
        }
        given = (f"{name}={value!r}" for name, value in settings.items() if value is not None)
        return f"State.deal({self.game.name!r}, {', '.join(given)})"

    def _position(self) -> bytes:
        """All that matters for how the hand can go on and what it scores."""
        twin = self.copy()
        for name in ("key", "serial", "random"):  # where it came from, and chance yet to be drawn
            twin.hands[name] = 0
        return twin.hands.tobytes()

    def __eq__(self, other: object) -> bool:
        """Whether both are the same hand at the same point, under the same options."""
        if not isinstance(other, State):
            return NotImplemented
        same = self.game is other.game and self.options == other.options
        return same and self._position() == other._position()

    def __hash__(self) -> int:
        """It changes with `push`: keep copies in sets and dicts."""
        return hash((self.game.name, self._position()))

    # --- acting

    def action(self, text: str) -> int:
        """The number of an action given by name or as a card in any accepted spelling."""
        number = self.game.action_of_lower.get(text.strip().lower())
        if number is None:
            try:
                number = self.game.action_of[parse_card(text, self.game.codes)]
            except NotationError:
                card, others = "a card such as JS or 10H", self.game.said
                not_one = f"neither {card} nor {others}" if others else f"not {card}"
                raise NotationError(f"{text!r} is no action: it is {not_one}") from None
        return number

    def push(self, action: str | int) -> None:
        """Carry out an action of the seat that decides.

        Raises NotationError for text that is no action and IllegalActionError for one that is not
        legal here; the message names the legal ones. A number is what `read_action` reads.
        """
        number = self.action(action) if isinstance(action, str) else read_action(action)
        if not 0 <= number < self.game.n_actions or not engine.push(self.hands, number):
            raise IllegalActionError(self._refusal(number))

    def _refusal(self, number: int) -> str:
        names = self.game.action_names
        name = names[number] if 0 <= number < len(names) else f"action {number}"
        if self.is_over:
            return f"{name} is not legal: the hand is over"
        return f"{name} is not legal for seat {self.turn}; legal: {listed(self.legal())}"

    # --- what a seat sees

    def _seat(self, seat: int) -> int:
        return whole_number("seat", seat, self.game.n_seats)

    def observation(self, seat: int) -> Int8Array:
        """The observation of a seat, int8 [W] (new memory)."""
        words = np.zeros(self.game.words, np.int64)
        engine.observe_from(self.hands, self._seat(seat), words)
        return words.view(np.int8)

    def action_mask(self, seat: int) -> Int8Array:
        """The mask of a seat, int8 [A] (new memory); zeros unless it decides."""
        return self._see(self._seat(seat))[1]

    def _see(self, seat: int) -> tuple[Int8Array, Int8Array]:
        game = self.game
        words = np.empty(game.words + game.mask_words, np.int64)
        engine.see(self.hands, seat, words[: game.words], words[game.words :])
        values, width = words.view(np.int8), game.layout.size
        return values[:width], values[width : width + game.n_actions]

    def _known_log(self, seat: int) -> list[int]:
        """What of the log a seat knows: its own actions and the public ones."""
        told = self.game.implied(self.options).told[seat]
        return [code for code in self._log() if told[code]]

    def view(self, seat: int) -> View:
        """All that a seat knows."""
        game, hand, seat = self.game, self.hand, self._seat(seat)
        turn, dealer, late_cards, held, dealt = game.glance(self.hands)
        first = game.cards_in(dealt[seat] & ~late_cards)
        late = game.cards_in(dealt[seat] & late_cards)
        teams, events = game.teams(hand), game.events
        observation, action_mask = self._see(seat)
        return View(
            game=game.name,
            rules=self.rules,
            seat=seat,
            dealer=dealer,
            carry=self._carry(),
            dealt=first + late,
            late=late,
            cards=game.cards_in(held[seat]),
            history=tuple([events[code] for code in self._known_log(seat)]),
            facts=game.facts(hand),
            over=turn < 0,
            turn=turn if seat == turn or (game.turns_are_public and turn >= 0) else None,
            legal=tuple(game.names_in(game.legal_mask(self.hands))) if seat == turn else (),
            observation=observation,
            action_mask=action_mask,
            action_names=game.action_names,
            fact_names=game.fact_names,
            max_history=game.max_history,
            counts=tuple([mask.bit_count() for mask in held]),
            teams=None if teams is None else tuple(map(tuple, teams)),
            known={name: tuple(seen) for name, seen in game.known(hand, seat).items()},
        )

    def information_key(self, seat: int) -> tuple[Any, ...]:
        """What a seat knows, to be looked up: among states of a game under the same options equal
        exactly when the `information_state` of their Views is."""
        game, hand, seat = self.game, self.hand, self._seat(seat)
        turn, dealer, late, _, dealt = game.glance(self.hands)
        teams, known = game.teams(hand), game.known(hand, seat)
        return (
            seat,
            dealer,
            dealt[seat],
            dealt[seat] & late,
            tuple(self._known_log(seat)),
            game.facts(hand),
            game.legal_mask(self.hands) if seat == turn else turn < 0,
            *self._carry().values(),
            *(() if teams is None else map(tuple, teams)),
            *((name, *cards) for name, cards in known.items()),
        )
