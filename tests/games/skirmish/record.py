"""Skirmish as data: cards, actions, and the record of a hand for each number of players."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Protocol

import numpy as np

from kloepper_env._jit import IntArray
from kloepper_env.games.action import Action, Kind, plays, says
from kloepper_env.games.fields import i1, i2, i8, record_dtype
from kloepper_env.games.options import BaseOptions

N_CARDS: Final = 48
CODES: Final = tuple(rank + suit for suit in "CSHD" for rank in "456789TJQKHA")
POINTS: Final = np.array([rank // 3 for _ in "CSHD" for rank in range(12)], np.int64)
MOST_POINTS: Final = int(POINTS.sum())
FIRST: Final = {6: 5, 3: 10}
"""Cards that a seat gets before the bid, by the number of players."""
SIZE: Final = {6: 7, 3: 14}
"""Cards that it plays."""

LAY: Final = N_CARDS  # + card
LOOK: Final = LAY + N_CARDS  # + seat
MOST_BID: Final = 97
BIDDING, LOOKING, LAYING, PLAYING = range(4)
NONE: Final = -1


def bid_of(n_seats: int) -> int:
    """The action that bids 0."""
    return LOOK + n_seats


def actions_of(n_seats: int) -> tuple[Action, ...]:
    """Six players have 200 actions."""
    return (
        *plays(CODES),
        *(Action(f"lay:{code}", Kind.LAY, code) for code in CODES),
        *says(f"look:{seat}" for seat in range(n_seats)),
        *says(f"bid:{amount}" for amount in range(MOST_BID + 1)),
    )


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    """How many play, in how many parties where six do, and what a game is played to."""

    players: int = 6
    teams: int = 2
    target: int = 60

    def flags(self) -> int:
        return self.teams if self.players == 6 else 0


ALLOWED: Final = {"players": (6, 3), "teams": (2, 3), "target": range(1, 1000)}


class Hand(Protocol):
    """A hand in play; `Any` stands for arrays by seat, whose length the number of players gives."""

    key: i8
    serial: i8
    random: i8
    hands: IntArray  # [seat] masks of the cards held
    played: IntArray  # [seat] masks of the cards played
    dealt: IntArray  # [seat] masks of the cards dealt
    early: IntArray  # [seat] those of them that came before the bid
    team: IntArray  # [seat] its party
    points: IntArray  # [seat] card points taken
    tricks: IntArray  # [seat] tricks taken
    table: IntArray  # [seat] card in the trick in play, or NONE
    deck: IntArray  # [48] the pack
    laid: int  # mask of the card that the captain has laid away
    seen: int  # mask of the hand that the scout has looked at
    option_flags: int  # parties of six players; 0: three play
    bid: int
    dealer: int
    turn: int
    captain: int
    step: int
    led: int  # card that led the trick in play, or NONE
    best: int  # card that has it
    winner: int  # seat that played it
    over: int
    log_length: int
    log: IntArray


@cache
def dtype_of(n_seats: int) -> np.dtype[Any]:
    """The record of a hand of so many players."""
    log = 3 + n_seats * SIZE[n_seats]
    fields: dict[str, Any] = {"key": i8, "serial": i8, "random": i8}
    for name in ("hands", "played", "dealt", "early"):
        fields[name] = Annotated[IntArray, "i8", n_seats]
    for name in ("team", "points", "tricks", "table"):
        fields[name] = Annotated[IntArray, "i2", n_seats]
    fields["deck"] = Annotated[IntArray, "i1", N_CARDS]
    fields |= dict.fromkeys(("laid", "seen"), i8) | dict.fromkeys(("option_flags", "bid"), i2)
    small = ("dealer", "turn", "captain", "step", "led", "best", "winner", "over", "log_length")
    fields |= dict.fromkeys(small, i1)
    fields["log"] = Annotated[IntArray, "u2", log]
    return record_dtype(type("Record", (), {"__annotations__": fields}))
