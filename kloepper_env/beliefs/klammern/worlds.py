"""Deals of Klammern that a View leaves possible, each as likely as any other.

A deal is possible if the hand played from it with the same actions leaves the seat with the same
View. Cards are dealt so that no seat gets one that it showed not to have; what is public of melds
and Belle is then checked by playing the hand again, and a deal that disagrees is thrown away.
"""

from typing import Final

import numpy as np

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, popcount
from kloepper_env.beliefs.counting import count_ways, nth_split, splits
from kloepper_env.beliefs.klammern.knowledge import FIXED, Knowledge
from kloepper_env.engine import Records, noted_action, noted_seat
from kloepper_env.errors import ConfigError
from kloepper_env.games.klammern.kernels import begin
from kloepper_env.games.klammern.record import HAND, HAND_SIZE, N_CARDS, N_SEATS, Hand
from kloepper_env.view import View

MOST_TRIES: Final = 200_000
"""Deals tried before a sample is cut short: what was announced may be as rare as one in 10**5."""
HOPELESS: Final = 100 * MOST_TRIES
"""Deals tried for a first world before the View is held to be impossible."""

N_HIDDEN: Final = N_SEATS - 1
BARRED: Final = np.arange(1 << N_HIDDEN)[::-1].copy()
"""Cards that the same hidden seats may have are one class: class c those of the seats in mask c."""
_POSITIVE: Final = (1 << 63) - 1


class WorldSource:
    """Draws worlds of one View: records of the game where the View is.

    The `key` and `serial` of a world are 0; its generator goes on from where its deal was drawn.
    """

    def __init__(self, view: View) -> None:
        self._known = known = Knowledge.of(view)
        others = [(view.seat + 1 + k) % N_SEATS for k in range(N_HIDDEN)]
        self._others = np.array(others)
        self._classes = np.zeros(len(BARRED), np.int64)
        self._ways = np.zeros((len(BARRED) + 1, HAND_SIZE + 1, HAND_SIZE + 1), np.int64)
        for card in range(N_CARDS):
            if known.hidden >> card & 1:
                free = [not int(known.barred[seat]) >> card & 1 for seat in others]
                self._classes[sum(is_free << k for k, is_free in enumerate(free))] |= 1 << card
        self._capacity = known.capacity[others] * (known.hidden != 0)
        count_ways(self._classes, BARRED, self._ways)

    def sample(self, n: int, rng: np.random.Generator) -> Records:
        """`n` worlds drawn independently of each other.

        There are fewer, but at least one, where what was announced is so rare that MOST_TRIES run
        out. Raises ConfigError when no deal at all agrees with the View.
        """
        known = self._known
        worlds = np.zeros(n, HAND)
        worlds["option_flags"] = known.option_flags
        worlds["litige"] = known.litige
        worlds["random"] = rng.integers(-(1 << 63), 1 << 63, n)
        found = deal_worlds(
            worlds,
            known.dealer,
            known.deck,
            known.holders,
            known.has,
            self._others,
            self._capacity,
            self._classes,
            self._ways,
            known.actions,
            known.told,
            known.belle,
            known.known,
            np.empty_like(known.has),
        )
        if not found:
            raise ConfigError(f"no deal in {HOPELESS:,} agrees with what seat {known.seat} sees")
        return worlds[:found]


@jit
def _draw(hand: Hand, cards: int, n: int) -> int:
    """`n` of some cards, as a mask."""
    drawn = 0
    for _ in range(n):
        drawn |= 1 << engine.random_bit(hand, cards & ~drawn)
    return drawn


@jit
def _deal_hidden(
    hand: Hand,
    others: IntArray,
    capacity: IntArray,
    classes: IntArray,
    ways: IntArray,
    held: IntArray,
) -> None:
    """Add to `held` [seat] cards that the hidden seats may have, each way equally likely."""
    a, b = int(capacity[0]), int(capacity[1])
    number = (engine.draw(hand) & _POSITIVE) % int(ways[0, a, b])
    for c in range(len(classes)):
        cards, barred = int(classes[c]), int(BARRED[c])
        n, later = popcount(cards), ways[c + 1]
        i, j, number = nth_split(number, n, barred, a, b, later)
        # The number has chosen how many; which ones, the generator draws.
        number //= splits(n, i, j, barred)
        first = _draw(hand, cards, i)
        second = _draw(hand, cards & ~first, j)
        held[others[0]] |= first
        held[others[1]] |= second
        held[others[2]] |= cards & ~first & ~second
        a, b = a - i, b - j


@jit
def _agrees(hand: Hand, actions: IntArray, told: int, belle: int, known: IntArray) -> bool:
    """Play the actions; whether they are legal and as much of melds and Belle becomes public."""
    for code in actions:
        action = noted_action(code)
        if hand.turn != noted_seat(code) or not int(engine.legal(hand)) >> action & 1:
            return False
        engine.apply(hand, action)
        if hand.plies == N_SEATS and hand.told != told:
            return False
    same = hand.told == told and hand.belle_shown == belle
    for seat in range(N_SEATS):
        same = same and hand.known[seat] == known[seat]
    return same


@jit
def deal_worlds(
    worlds: Records,
    dealer: int,
    deck: IntArray,
    holders: IntArray,
    has: IntArray,
    others: IntArray,
    capacity: IntArray,
    classes: IntArray,
    ways: IntArray,
    actions: IntArray,
    told: int,
    belle: int,
    known: IntArray,
    held: IntArray,
) -> int:
    """Draw deals until all `worlds` are filled or the tries run out; returns how many are.

    The arguments are those of Knowledge and WorldSource; `held` [holder] takes the cards.
    """
    found, tries = 0, 0
    while found < len(worlds) and tries < (MOST_TRIES if found else HOPELESS):
        tries += 1
        hand = worlds[found]
        for holder in range(len(has)):
            held[holder] = has[holder]
        _deal_hidden(hand, others, capacity, classes, ways, held)
        for place in range(N_CARDS):
            card = int(deck[place])
            if holders[place] != FIXED:
                card = engine.random_bit(hand, int(held[holders[place]]))
                held[holders[place]] ^= 1 << card
            hand.deck[place] = card
        begin(hand, dealer)
        found += int(_agrees(hand, actions, told, belle, known))
    return found
