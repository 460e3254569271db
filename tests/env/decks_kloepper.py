"""Random packs of Kloepper."""

import random

from kloepper_env.games.kloepper.record import CODES


def random_deck(rng: random.Random) -> list[str]:
    """A shuffled pack; every third with both black queens in one hand, which is rare else."""
    deck = list(CODES)
    rng.shuffle(deck)
    if rng.random() < 0.33:
        first, second = deck.index("QC"), rng.choice((1, 2))
        partner = first - first % 3 + (first + second) % 3  # same packet
        other = deck.index("QS")
        deck[other], deck[partner] = deck[partner], deck[other]
    return deck
