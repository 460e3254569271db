"""State: a hand in play for people. It converts names to numbers and back; no rule is in it."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from kloepper_env import engine
from kloepper_env.actions import read_action
from kloepper_env.cards import cards_of, parse_card, parse_deck
from kloepper_env.errors import (
    ConfigError,
    IllegalActionError,
    NotationError,
    listed,
    whole_number,
)
from kloepper_env.games import Game, get_game
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
    ) -> Self:
        """Deal a hand: number `serial` of a seed, or a given deck in the order of records.

        Without a dealer it is drawn from the seed (with a deck: seat 0). `carry` is what the hands
        before it in a game have left, where the game knows such a thing. Raises ConfigError or
        NotationError for what cannot be read.
        """
        game = get_game(game)
        options = game.options(rules)
        if dealer is not None:
            dealer = whole_number("dealer", dealer, game.n_seats)
        serial = whole_number("serial", serial, 1 << 63)
        hands = game.new_hands(1, options, engine.seed_key(seed))
        hands["serial"] = serial
        game.carry_over(hands, options, carry)
        if deck is None:
            engine.start(hands, game.tables, -1 if dealer is None else dealer)
        else:
            game.deal_deck(hands[0], parse_deck(deck, game.pack(options)), dealer or 0)
        return cls(game, options, hands)

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(self.game, self.options, self.hands.copy())

    __copy__ = copy

    # --- reading it

    @property
    def hand(self) -> Any:
        """The record itself, true hands of all seats included."""
        return self.hands[0]

    @property
    def is_over(self) -> bool:
        return bool(self.hand.over)

    @property
    def turn(self) -> int | None:
        """The seat that decides; None when the hand is over."""
        return None if self.is_over else int(self.hand.turn)

    @property
    def dealer(self) -> int:
        return int(self.hand.dealer)

    def legal_actions(self) -> list[int]:
        """The legal actions by number, ascending; empty when the hand is over."""
        mask = int(engine.legal_of(self.hands))
        return [action for action in range(self.game.n_actions) if mask >> action & 1]

    def legal(self) -> list[str]:
        """The legal actions by name."""
        return [self.game.action_names[action] for action in self.legal_actions()]

    def cards(self, seat: int) -> list[str]:
        """The cards that a seat holds now."""
        return cards_of(int(self.hand.hands[self._seat(seat)]), self.game.codes)

    def dealt(self, seat: int) -> list[str]:
        """The cards that a seat has been dealt, those before the first action first."""
        first, late = self._packets(seat)
        return first + late

    def _packets(self, seat: int) -> tuple[list[str], list[str]]:
        """The cards that a seat was dealt before the first action, and since."""
        dealt = self.game.dealt(self.hand)[self._seat(seat)]
        late = self.game.dealt_late(self.hand)[seat]
        return cards_of(dealt & ~late, self.game.codes), cards_of(late, self.game.codes)

    def deck(self) -> list[str]:
        """A pack that deals this hand, in the order of records."""
        return self.game.deck_of(self.hand)

    @property
    def history(self) -> list[tuple[int, str]]:
        """Everything done so far: seat and action, passes included."""
        return [(seat, self.game.action_names[a]) for seat, a in self.game.history(self.hand)]

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

    def __repr__(self) -> str:
        done = " ".join(f"{seat}:{action}" for seat, action in self.history)
        deck = " ".join(self.deck())
        head = f"{self.game.name} {self.options.changed()} dealer {self.dealer}"
        head += "".join(f" {name} {left}" for name, left in self._carry().items() if left)
        return f"<State {head} deck {deck!r} after {done!r}>"

    # --- acting

    def action(self, text: str) -> int:
        """The number of an action given by name or as a card in any accepted spelling."""
        number = self.game.action_of_lower.get(text.strip().lower())
        if number is None:
            try:
                number = self.game.action_of[parse_card(text, self.game.codes)]
            except NotationError:
                card, others = "a card such as JS or 10H", self.game.announcements
                not_one = f"neither {card} nor {listed(others)}" if others else f"not {card}"
                raise NotationError(f"{text!r} is no action: it is {not_one}") from None
        return number

    def push(self, action: str | int) -> None:
        """Carry out an action of the seat that decides.

        Raises NotationError for text that is no action and IllegalActionError for one that is not
        legal here; the message names the legal ones. A number is what `read_action` reads.
        """
        number = self.action(action) if isinstance(action, str) else read_action(action)
        if number not in self.legal_actions():
            raise IllegalActionError(self._refusal(number))
        engine.apply_to(self.hands, number)

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
        mask = np.zeros(self.game.n_actions, np.int8)
        if self._seat(seat) == self.turn:
            mask[self.legal_actions()] = 1
        return mask

    def view(self, seat: int) -> View:
        """All that a seat knows."""
        first, late = self._packets(seat)
        names = self.game.action_names
        is_told = seat == self.turn or self.game.turns_are_public
        return View(
            game=self.game.name,
            rules=self.options.changed(),
            seat=seat,
            dealer=self.dealer,
            carry=self._carry(),
            dealt=(*first, *late),
            late=tuple(late),
            cards=tuple(self.cards(seat)),
            history=tuple(
                (actor, names[action])
                for actor, action in self.game.history(self.hand)
                if actor == seat or self.game.is_public(action, self.options)
            ),
            facts=self.game.facts(self.hand),
            over=self.is_over,
            turn=self.turn if is_told else None,
            legal=tuple(self.legal()) if seat == self.turn else (),
            observation=self.observation(seat),
            action_mask=self.action_mask(seat),
            action_names=names,
            fact_names=self.game.fact_names,
            max_history=int(self.game.dtype["log"].shape[0]),
        )
