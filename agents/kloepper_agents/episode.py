"""How long to play."""

from enum import StrEnum


class Episode(StrEnum):
    """A single hand, or hands until somebody has won."""

    HAND = "hand"
    GAME = "game"
