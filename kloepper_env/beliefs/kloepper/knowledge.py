"""A View as numbers: what happened, which cards are unseen, and who cannot hold them."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from kloepper_env._jit import IntArray
from kloepper_env.engine import noted
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper import LONE
from kloepper_env.games.kloepper.options import PACKS
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALL,
    FIRST_OF_SUIT,
    FOLLOW,
    N_CARDS,
    N_SEATS,
    PACK_CARDS,
    PACK_HANDS,
    SUIT,
)
from kloepper_env.view import View, require_view

N_SUITS: Final = 4
N_HIDDEN: Final = N_SEATS - 1


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What a seat knows, in the numbers of the records.

    The hidden seats are 0, 1 and 2 here: the left, the opposite and the right of the observer.
    """

    seat: int
    dealer: int
    option_flags: int
    known: IntArray  # int64 [n], the actions that the seat knows of, coded as in the log of records
    legal: int  # mask of the seat's legal actions; 0 while it does not decide
    over: bool
    lone: bool
    held: int  # mask of the seat's cards
    played: IntArray  # int64 [seat], masks
    telling: tuple[int, ...]  # unseen cards that make their holder black
    others: IntArray  # int64 [suit], masks of the other unseen cards
    barred: IntArray  # int64 [suit], mask of the hidden seats that have not followed the suit
    capacity: IntArray  # int64 [hidden seat], how many cards it holds

    @property
    def hidden(self) -> list[int]:
        """The hidden seats as absolute ones."""
        return [(self.seat + 1 + k) % N_SEATS for k in range(N_HIDDEN)]

    @classmethod
    def of(cls, view: View) -> "Knowledge":
        """Read a View. Raises ConfigError unless it is one of Kloepper."""
        require_view(view)
        if view.game != "kloepper":
            raise ConfigError(f"beliefs are about kloepper only, not {view.game}")
        game = get_game(view.game)
        number = game.action_of
        events = [(seat, number[action]) for seat, action in view.history]
        plays = [(seat, card) for seat, card in events if card < N_CARDS]
        played = np.zeros(N_SEATS, np.int64)
        for seat, card in plays:
            played[seat] |= 1 << card
        dealt = sum(1 << number[code] for code in view.dealt)
        options = game.options(view.rules)
        pack = PACKS.index(options.pack)
        unseen = int(PACK_CARDS[pack]) & ~dealt & ~int(np.bitwise_or.reduce(played))
        telling = BLACK_QUEENS
        for _, action in events:
            if action >= CALL:
                telling |= 1 << FIRST_OF_SUIT[action - CALL]
        return cls(
            seat=view.seat,
            dealer=view.dealer,
            option_flags=options.flags(),
            known=np.array([noted(seat, action) for seat, action in events], np.int64),
            legal=sum(1 << number[action] for action in view.legal),
            over=view.over,
            lone=LONE in view.facts,
            held=dealt & ~int(played[view.seat]),
            played=played,
            telling=tuple(c for c in range(N_CARDS) if unseen & telling & 1 << c),
            others=unseen & ~telling & FOLLOW[:N_SUITS],
            barred=_barred(plays, view.seat),
            capacity=np.array(
                [
                    PACK_HANDS[pack] - int(played[(view.seat + 1 + k) % N_SEATS]).bit_count()
                    for k in range(N_HIDDEN)
                ]
            ),
        )


def _barred(plays: list[tuple[int, int]], me: int) -> IntArray:
    """The hidden seats that did not follow a suit and so hold none of it (K8), int64 [suit]."""
    barred = np.zeros(N_SUITS, np.int64)
    for i, (seat, card) in enumerate(plays):
        led = int(SUIT[plays[i - i % N_SEATS][1]])
        if SUIT[card] != led and seat != me:
            barred[led] |= 1 << (seat - me - 1) % N_SEATS
    return barred
