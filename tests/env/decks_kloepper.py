"""Random packs of Kloepper."""

import random
from collections.abc import Mapping
from typing import Any

from kloepper_env.games.kloepper.record import pack_codes


def random_deck(rng: random.Random, rules: Mapping[str, Any]) -> list[str]:
    """A shuffled pack; every third with both black queens in one hand, which is rare else."""
    deck = list(pack_codes(rules.get("pack", 24)))
    rng.shuffle(deck)
    if rng.random() < 0.33:
        packet = min(3, len(deck) // 4)
        first, second = deck.index("QC"), rng.randrange(1, packet)
        partner = first - first % packet + (first + second) % packet  # same packet
        other = deck.index("QS")
        deck[other], deck[partner] = deck[partner], deck[other]
    return deck
