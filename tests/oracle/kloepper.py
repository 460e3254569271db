"""A slow and plain rule engine for Kloepper, written from the rules text alone.

It exists to be compared with another engine, so every rule stands where it is applied and is
named by its id (K1 to K32); "order 1" to "order 6" are the numbered points of the section
"The order of decisions".
"""

from collections.abc import Mapping

from .kloepper_rules import (
    BLACK_QUEENS,
    CALLS,
    PACK,
    PACKS,
    SEATS,
    Trick,
    card_points,
    clockwise,
    deal,
    dealer_of,
    game_winners,
    hand_scores,
    playable,
    trick_winner,
    tricks_of,
)

__all__ = [
    "Hand",
    "Trick",
    "card_points",
    "dealer_of",
    "game_winners",
    "hand_scores",
    "playable",
    "trick_winner",
]

DEFAULTS: dict[str, object] = {
    "announce": "any_time",
    "prompt_all": False,
    "called_partner_may_knock": False,
    "failed_knock": "stake",
    "stop_when_decided": True,
    "pack": 24,
    "target": 30,
    "scorekeeper": 0,
}
WORDS = {"announce": ["any_time", "own_turn"], "failed_knock": ["stake", "normal", "none"]}

# Options


def checked_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """Fill in the defaults; unknown names and values outside the table are errors."""
    given = dict(options or {})
    for name, value in given.items():
        if name not in DEFAULTS:
            raise ValueError(f"unknown option {name!r}")
        if not allowed(name, value):
            raise ValueError(f"option {name} cannot be {value!r}")
    return {**DEFAULTS, **given}


def allowed(name: str, value: object) -> bool:
    """Say whether the options table allows this value."""
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if name in ["pack", "target", "scorekeeper"]:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        if name == "pack":
            return value in PACKS  # K32
        return value >= 1 if name == "target" else value in SEATS
    return isinstance(value, bool)


# A hand


class Hand:
    """One hand of Kloepper, from the deal to the scores."""

    def __init__(
        self, deck: list[str], dealer: int, options: Mapping[str, object] | None = None
    ) -> None:
        """Deal, and open the round before the first card."""
        self.options = checked_options(options)
        self.pack = next(size for size in PACKS if size == self.options["pack"])  # K32
        if sorted(deck) != sorted(PACKS[self.pack]):
            raise ValueError(f"the deck is not the {self.pack} cards of the pack")
        if dealer not in SEATS:
            raise ValueError("the dealer is not a seat")
        self.dealt = deal(deck, dealer)
        self.hands = [list(cards) for cards in self.dealt]
        self.history: list[tuple[int, str]] = []
        self.tricks: list[Trick] = []
        self.table: list[tuple[int, str]] = []  # the cards of the trick being played
        self.next_player = (dealer + 1) % 4  # K7
        self.called_ace: str | None = None
        self.knocker: int | None = None
        self.knock_is_fresh = False  # a knock was made since the last card
        self.knocked_off = False
        self.to_ask: list[int] = []  # seats the open round has still to consider
        self.turn: int | None = None
        self._open_round()

    # What is known of the cards

    def _cards_played(self) -> list[str]:
        """List all cards played so far."""
        return [action for _seat, action in self.history if action in PACK]

    def _has_played(self, seat: int) -> bool:
        """Say whether the seat has played a card."""
        return any(who == seat and action in PACK for who, action in self.history)

    def _black_queens(self, seat: int) -> int:
        """Count the black queens the seat was dealt."""
        return len([card for card in BLACK_QUEENS if card in self.dealt[seat]])

    def _was_called(self, seat: int) -> bool:
        """Say whether the seat was dealt the called ace."""
        return self.called_ace is not None and self.called_ace in self.dealt[seat]

    def black_side(self) -> set[int]:
        """Name the seats of the black side as things are (K10, K11, K14, K17)."""
        return {seat for seat in SEATS if self._black_queens(seat) > 0 or self._was_called(seat)}

    # What may be done

    def _calls(self, seat: int) -> set[str]:
        """List the calls the seat may make (K11, K12, K13, K17)."""
        if self._black_queens(seat) < 2 or self.called_ace is not None:
            return set()
        if self._has_played(seat) or self.knocker is not None:  # K11, K14; K17
            return set()
        barred = self.dealt[seat] + self._cards_played()  # K12
        callable_aces = [ace for ace in PACKS[self.pack] if ace not in barred]  # K12, K32
        return {call for call, ace in CALLS.items() if ace in callable_aces}

    def _may_knock(self, seat: int) -> bool:
        """Say whether the seat may knock in an open round (K15, K16, K19)."""
        if self.knocker is not None:  # K15: one knock a hand
            return False
        if self._was_called(seat):  # K16
            return self.options["called_partner_may_knock"] is True
        return self._black_queens(seat) > 0  # K15

    def _may_knock_off(self, seat: int) -> bool:
        """Say whether the seat may answer a knock (K18)."""
        if not self.knock_is_fresh or self.knocked_off:
            return False
        black = self.black_side()
        return len(black) == 2 and seat not in black  # none against a lone knocker

    def _announcements(self, seat: int) -> set[str]:
        """List what the seat may announce in an open round."""
        announcements = self._calls(seat)
        if self._may_knock(seat):
            announcements.add("knock")
        if self._may_knock_off(seat):
            announcements.add("knock_off")
        return announcements

    def legal(self) -> set[str]:
        """List the legal actions of the seat to act, none when the hand is over."""
        if self.turn is None:
            return set()
        if self.to_ask:
            return self._announcements(self.turn) | {"pass"}  # order 2
        led = self.table[0][1] if self.table else None
        return playable(self.hands[self.turn], led)  # order 6, K8

    # Doing it

    def push(self, action: str) -> None:
        """Carry out an action of the seat to act."""
        if self.turn is None or action not in self.legal():
            raise ValueError(f"{action!r} is not legal for seat {self.turn}")
        seat = self.turn
        self.history.append((seat, action))
        if action in PACK:
            self._play(seat, action)
        elif action == "pass":
            self.to_ask = self.to_ask[1:]
            self._go_on()
        else:
            self._announce(seat, action)

    def _announce(self, seat: int, action: str) -> None:
        """Note an announcement and start the asking anew, the announcer last (order 3, 4)."""
        if action in CALLS:
            self.called_ace = CALLS[action]  # K11
        elif action == "knock":
            self.knocker = seat  # K15
            self.knock_is_fresh = True
        else:
            self.knocked_off = True  # K18
        self.to_ask = clockwise((seat + 1) % 4)
        self._go_on()

    def _play(self, seat: int, card: str) -> None:
        """Put a card on the table, and gather the trick when it is the fourth (K7)."""
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.knock_is_fresh = False  # K18: until the next card is played
        self.next_player = (seat + 1) % 4
        if len(self.table) == 4:
            self._gather_trick()
        if len(self._cards_played()) <= 4:  # order 1: none after that
            self._open_round()
        else:
            self._go_on()

    def _gather_trick(self) -> None:
        """Give the trick to its winner, who leads next (K4, K7, K9)."""
        cards = [card for _seat, card in self.table]
        winner = self.table[trick_winner(cards)][0]
        points = sum(card_points(card) for card in cards)
        self.tricks.append(Trick(self.table, winner, points))
        self.table = []
        self.next_player = winner

    def _open_round(self) -> None:
        """Open an announcement round at the seat that plays the next card (order 1, 2, 4)."""
        self.to_ask = clockwise(self.next_player)
        if self.options["announce"] == "own_turn" and not self.tricks:
            self.to_ask = [self.next_player]  # order 4
        self._go_on()

    def _go_on(self) -> None:
        """Find the seat to act: the next one to ask, else the next to play, else none."""
        while self.to_ask and not self._is_asked(self.to_ask[0]):
            self.to_ask = self.to_ask[1:]
        if self.to_ask:
            self.turn = self.to_ask[0]
        elif len(self.tricks) == tricks_of(self.pack) or self._is_decided():  # K7, K28
            self.turn = None
        else:
            self.turn = self.next_player

    def _is_asked(self, seat: int) -> bool:
        """Say whether a round that considers the seat asks it (order 2, 5)."""
        return self.options["prompt_all"] is True or bool(self._announcements(seat))

    def _is_decided(self) -> bool:
        """Say whether a knocked hand stops here, no round being open (K28)."""
        if self.knocker is None or self.options["stop_when_decided"] is False:
            return False
        black = self.black_side()
        unanswered_pair = len(black) == 2 and not self.knocked_off
        if self.options["failed_knock"] == "normal" and unanswered_pair:
            return False
        return any(trick.winner not in black for trick in self.tricks)

    # Afterwards

    def _black_tricks(self) -> list[Trick]:
        """List the tricks of the black side."""
        return [trick for trick in self.tricks if trick.winner in self.black_side()]

    def scores(self) -> list[int]:
        """Give the four seats' points for the hand, which must be over."""
        if self.turn is not None:
            raise ValueError("the hand is not over")
        won = self._black_tricks()
        return hand_scores(
            black=self.black_side(),
            points=sum(trick.points for trick in won),
            tricks=len(won),
            knocked=self.knocker is not None,
            answered=self.knocked_off,
            failed_knock=str(self.options["failed_knock"]),
            pack=self.pack,
        )

    def black_points(self) -> int | None:
        """Give the card points of the black side, None unless all tricks were played."""
        if len(self.tricks) < tricks_of(self.pack):
            return None
        return sum(trick.points for trick in self._black_tricks())

    def public_history(self, seat: int) -> list[tuple[int, str]]:
        """List what the seat may know: its own actions and all that is public."""
        if self.options["prompt_all"] is True:  # then passes are public
            return list(self.history)
        return [(who, action) for who, action in self.history if who == seat or action != "pass"]
