"""A View of Klammern as numbers: what happened, and which cards a hidden seat may hold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records, noted, noted_action, noted_seat
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.game import Game
from kloepper_env.games.klammern.kernels import playable
from kloepper_env.games.klammern.observe import FACT_NAMES
from kloepper_env.games.klammern.record import (
    ALL_CARDS,
    CODES,
    KING_QUEEN,
    KONTRA,
    N_CARDS,
    N_RANKS,
    N_SEATS,
    TAKE,
)
from kloepper_env.view import View, require_view

ANYBODY: Final = N_SEATS  # holder of the cards not seen while some are still in the pack
FIXED: Final = N_SEATS + 1  # holder of those whose place in the pack the observer knows
_FIRST_MELD: Final = FACT_NAMES.index("meld:0:terz")
_FIRST_SHOWN: Final = FACT_NAMES.index("shown:0:" + CODES[0])
_FIRST_BELLE: Final = FACT_NAMES.index("belle:0")


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What a seat knows, in the numbers of the records."""

    seat: int
    dealer: int
    option_flags: int
    litige: int
    actions: IntArray  # int64 [n], all that was done, coded as in the log of records
    told: int  # melds announced, as records hold them
    belle: int  # mask of the seats that have shown Belle
    known: IntArray  # int64 [seat], cards that all know to have been dealt to it
    deck: IntArray  # int64 [place], the card at each place of the pack, where it is known
    holders: IntArray  # int64 [place], hidden seat that got it, ANYBODY or FIXED
    has: IntArray  # int64 [holder], cards that surely lie at its places
    capacity: IntArray  # int64 [seat], how many further cards it was dealt
    hidden: int  # mask of these, of which the observer does not know who has them
    barred: IntArray  # int64 [seat], those that it cannot have been dealt

    @classmethod
    def of(cls, view: View) -> "Knowledge":
        """Read a View. Raises ConfigError unless it is one of Klammern."""
        require_view(view)
        if view.game != "klammern":
            raise ConfigError(f"these worlds are of klammern only, not of {view.game}")
        game = get_game(view.game)
        number, options = game.action_of, game.options(view.rules)
        done = [(seat, number[action]) for seat, action in view.history]
        hands = game.new_hands(1, options, 0)
        places = _Places.of(game, hands, view.dealer, done)
        turned, told, belle, shown = _public(view)
        known = shown | places.owner_of_turned * (1 << turned)
        trump = int(hands[0].trump)
        for seat in range(N_SEATS):
            if belle >> seat & 1:
                known[seat] |= KING_QUEEN << N_RANKS * trump
        deck, holders = places.pack(view, turned)
        actions = np.array([noted(seat, action) for seat, action in done], np.int64)
        barred = np.zeros(N_SEATS, np.int64)
        bar(hands, actions[places.choices :], barred)
        others = np.arange(N_SEATS) != view.seat
        has = np.zeros(FIXED, np.int64)
        has[:N_SEATS] = others * (known | hands["played"][0]) & ~(1 << turned)
        dealt = np.bincount(holders, minlength=N_SEATS)[:N_SEATS]
        capacity = dealt - np.bitwise_count(has[:N_SEATS])
        own = sum(1 << number[code] for code in view.dealt)
        hidden = ALL_CARDS & ~own & ~int(np.bitwise_or.reduce(has)) & ~(1 << turned)
        if ANYBODY in holders:  # before a take nobody has shown anything
            has[ANYBODY], hidden = hidden, 0
        return cls(
            seat=view.seat,
            dealer=view.dealer,
            option_flags=options.flags(),
            litige=view.carry["litige"],
            actions=actions,
            told=told,
            belle=belle,
            known=known,
            deck=deck,
            holders=holders,
            has=has,
            capacity=capacity,
            hidden=hidden,
            barred=barred,
        )


def _public(view: View) -> tuple[int, int, int, IntArray]:
    """The turned card, melds announced, seats that showed Belle, and cards of melds [seat]."""
    facts = [view.fact_names.index(fact) for fact in view.facts]
    told = sum(1 << fact - _FIRST_MELD for fact in facts if _FIRST_MELD <= fact < _FIRST_SHOWN)
    belle = sum(1 << fact - _FIRST_BELLE for fact in facts if fact >= _FIRST_BELLE)
    shown = np.zeros(N_SEATS, np.int64)
    for fact in facts:
        if _FIRST_SHOWN <= fact < _FIRST_BELLE:
            seat, card = divmod(fact - _FIRST_SHOWN, N_CARDS)
            shown[seat] |= 1 << card
    return facts[0], told, belle, shown


@dataclass(frozen=True, eq=False)
class _Places:
    """Which places of the pack each seat gets: those it is dealt from a pack of their numbers."""

    turned: int  # place of the turned card
    early: IntArray  # int64 [seat], places dealt before the choice of trump, as masks
    all: IntArray  # int64 [seat], those dealt by now, the turned card with its owner
    owner_of_turned: NDArray[np.bool_]  # [seat]
    choices: int  # actions up to the take, or all so far

    @classmethod
    def of(cls, game: Game, hands: Records, dealer: int, done: list[tuple[int, int]]) -> "_Places":
        """Deal in hands[0] and make the choice of trump there."""
        game.deal_deck(hands[0], list(CODES), dealer)
        early = hands["hands"][0].copy()
        takes = (i + 1 for i, (_, action) in enumerate(done) if TAKE <= action < KONTRA)
        choices = next(takes, len(done))
        for _, action in done[:choices]:
            engine.apply_to(hands, action)
        return cls(
            turned=int(hands[0].turned),
            early=early,
            all=hands["hands"][0].copy(),
            owner_of_turned=hands["known"][0] != 0,
            choices=choices,
        )

    def pack(self, view: View, turned: int) -> tuple[IntArray, IntArray]:
        """The card of each place [N_CARDS] where it is known, and its holder as in Knowledge."""
        deck = np.zeros(N_CARDS, np.int64)
        holders = np.full(N_CARDS, ANYBODY)
        complete = int(np.bitwise_or.reduce(self.all)) == ALL_CARDS
        for seat in range(N_SEATS):
            if complete or seat == view.seat:
                holders[_places(int(self.all[seat]))] = seat
        deck[self.turned] = turned
        early, own = int(self.early[view.seat]), int(self.all[view.seat])
        first = view.dealt[: len(view.dealt) - len(view.late)]
        for places, codes in ((early, first), (own & ~early, view.late)):
            cards = [card for card in map(CODES.index, codes) if card != turned]
            deck[_places(places & ~(1 << self.turned))] = cards
        holders[(holders == view.seat) | (np.arange(N_CARDS) == self.turned)] = FIXED
        return deck, holders


def _places(mask: int) -> list[int]:
    return [place for place in range(N_CARDS) if mask >> place & 1]


@jit
def bar(hands: Records, actions: IntArray, barred: IntArray) -> None:
    """Go on in hands[0] and note in `barred` [seat] which cards a seat showed not to have.

    What may be played follows from each pair of cards alone (M13 to M17): a card that would have
    forbidden the one that was played was not there.
    """
    hand = hands[0]
    for code in actions:
        seat, action = noted_seat(code), noted_action(code)
        if action < N_CARDS:
            held = int(hand.hands[seat])
            for other in range(N_CARDS):
                hand.hands[seat] = 1 << action | 1 << other
                if not int(playable(hand, seat)) >> action & 1:
                    barred[seat] |= 1 << other
            hand.hands[seat] = held
        engine.apply(hand, action)
