"""All deals of a short pack (K32): the ground on which exact methods stand."""

from collections.abc import Mapping
from itertools import combinations
from math import prod
from typing import Any, Final

import numpy as np

from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, whole_number
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.kernels import begin
from kloepper_env.games.kloepper.options import PACKS
from kloepper_env.games.kloepper.record import N_SEATS, PACK_CARDS, PACK_HANDS, PACK_SUBSETS

MOST_DEALS: Final = 1_000_000
"""Most deals that are listed at once; the full pack has 2,308,743,493,056."""


def all_deals(rules: Mapping[str, Any], dealer: int = 0) -> Records:
    """Every deal of a pack, each once, as hands [N] opened for their first decision.

    Every one is as likely as any other. Of 8 cards there are 2,520 deals, of 12 cards 369,600 (60
    MB). The other three dealers give the same deals with the seats turned. Raises ConfigError for
    the full pack, and for options or a dealer that cannot be read.

    >>> len(all_deals({"pack": 8}))
    2520
    """
    game = get_game("kloepper")
    options, dealer = game.options(rules), whole_number("dealer", dealer, N_SEATS)
    pack = PACKS.index(options.pack)
    n = prod(PACK_SUBSETS[pack].tolist())
    if n > MOST_DEALS:
        raise ConfigError(
            f"option pack is {options.pack}, but only the deals of 12 or 8 cards can be listed: "
            f"there would be {n:,}"
        )
    hands = game.new_hands(n, options, 0)
    hands["hands"] = _dealt(int(PACK_CARDS[pack]), PACK_HANDS[pack])
    _begin(hands, dealer)
    return hands


def _dealt(cards: int, size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Every way to give out the cards of a mask, `size` to each seat, int64 [N, seat] of masks."""
    whole = [1 << card for card in range(cards.bit_length()) if cards >> card & 1]
    ways: list[tuple[int, ...]] = [()]
    for _ in range(N_SEATS):
        ways = [
            (*dealt, sum(hand))
            for dealt in ways
            for hand in combinations([bit for bit in whole if not bit & sum(dealt)], size)
        ]
    return np.array(ways, np.int64)


@jit
def _begin(hands: Records, dealer: int) -> None:
    for i in range(len(hands)):
        begin(hands[i], dealer)
