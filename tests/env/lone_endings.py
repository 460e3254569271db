"""Endings of few cards: every pack up to the names of the suits, every distribution of it."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from kloepper_env._jit import IntArray, deposit, jit
from kloepper_env.beliefs.kloepper.lone_knock import lone_sweep
from kloepper_env.games.kloepper.record import FIRST_OF_SUIT, SUIT_SIZE, TRUMPS
from kloepper_env.solver.kloepper.position import NO_WINNER
from kloepper_env.solver.kloepper.sweep import sweep

ALONE = 0b0001  # the side of the seat that leads


def packs(cards: int) -> Iterator[int]:
    """Masks of so many cards, one for each way to divide them among trumps and plain suits.

    Who wins a trick depends on the order of the cards within their suits alone, so a suit of n is
    its n highest cards, and plain suits of the same lengths are the same in whatever order.
    """
    for trumps in range(min(cards, SUIT_SIZE[TRUMPS]) + 1):
        for plain in product(*(range(size + 1) for size in SUIT_SIZE[:TRUMPS])):
            clubs, spades, hearts = plain
            if trumps + sum(plain) == cards and clubs <= spades <= hearts:
                lengths = (*plain, trumps)
                yield sum(
                    (1 << n) - 1 << first for first, n in zip(FIRST_OF_SUIT, lengths, strict=True)
                )


def subsets(size: int, of: int) -> IntArray:
    """All masks of `size` bits among `of`."""
    chosen = combinations(range(of), size)
    return np.array([sum(1 << bit for bit in bits) for bits in chosen], np.int64)


@jit
def differences(
    pack: int, firsts: IntArray, seconds: IntArray, thirds: IntArray, table: IntArray
) -> tuple[int, int, int]:
    """Deal a pack in every way: how many there are, sweep, and are judged otherwise by the search.

    `firsts`, `seconds` and `thirds` are the subsets of a hand of the whole, of what then is left,
    and of what is left after two hands.
    """
    deals, swept, wrong = 0, 0, 0
    for one in firsts:
        own = deposit(int(one), pack)
        for two in seconds:
            h1 = deposit(int(two), pack ^ own)
            for three in thirds:
                h2 = deposit(int(three), pack ^ own ^ h1)
                h3 = pack ^ own ^ h1 ^ h2
                closed = lone_sweep(own, h1, h2, h3)
                searched = sweep(table, own, h1, h2, h3, ALONE, 3, 0, NO_WINNER, 0)
                deals += 1
                swept += searched
                wrong += closed != searched
    return deals, swept, wrong
