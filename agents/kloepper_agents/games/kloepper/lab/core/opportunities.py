"""Where something could have been announced, and what the seat held there.

D deals, T decisions of a hand, C opportunities.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.lockstep import Played
from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.playing import CALLS, KNOCKS, POINTS, SWEPT
from kloepper_env import engine
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, listed
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALLABLE_ACES,
    CLUBS,
    FOLLOW,
    HEARTS,
    KNOCK_OFF,
    N_SEATS,
    SPADES,
    TRUMPS,
)
from kloepper_env.tricks import NONE

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the four decisions that are studied.

    `mask` holds the announcements that decide it. To play alone is to make none of them (K14), so
    there the two sides of the decision change places.
    """

    name: str
    title: str
    mask: int
    other: str  # what is done instead
    success: str  # what makes it come off
    by_silence: bool = False
    by_side: bool = False  # it counts for the whole side (K18), so only a silent side leaves it out

    def succeeded(self, outcomes: IntArray) -> BoolArray:
        """Whether it came off in hands with these outcomes [..., F]."""
        if self.mask == KNOCKS:
            return np.asarray(outcomes[..., SWEPT] == 1)
        if self.mask == 1 << KNOCK_OFF:
            return np.asarray(outcomes[..., SWEPT] == 0)
        return np.asarray(outcomes[..., POINTS] > 0)  # the caller or soloist is black


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("knock", "Knock", KNOCKS, "staying silent", "the black side takes all tricks"),
        Kind(
            "knock-off",
            "Knock-off",
            1 << KNOCK_OFF,
            "letting the knock stand",
            "red takes a trick",
            by_side=True,
        ),
        Kind("call", "Call", CALLS, "playing alone", "the caller's side scores"),
        Kind("alone", "Alone", CALLS, "calling", "the soloist scores", by_silence=True),
    )
}


def kind_named(name: str) -> Kind:
    """The kind with this name. Raises ConfigError for another."""
    if name not in KINDS:
        raise ConfigError(f"{name!r} is no decision of the lab: it must be {listed(KINDS)}")
    return KINDS[name]


@dataclass(frozen=True, eq=False)
class Opportunities:
    """Decisions in which something could have been announced, in the order of deals and time."""

    deal: IntArray  # [C] place of the deal in its chunk
    at: IntArray  # [C] actions before it
    seat: IntArray  # [C]
    action: IntArray  # [C] what was done
    taken: BoolArray  # [C] the announcement was made; of `alone`: never a call
    weight: FloatArray  # [C] opportunities for which this one stands

    def __len__(self) -> int:
        return len(self.deal)

    def __getitem__(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Opportunities":
        return Opportunities(
            self.deal[chosen],
            self.at[chosen],
            self.seat[chosen],
            self.action[chosen],
            self.taken[chosen],
            self.weight[chosen],
        )


def opportunities_of(played: Played, kind: Kind) -> Opportunities:
    """All opportunities of a kind in hands [D] played from their first decision.

    A double holder decides once whether to play alone: that opportunity is its first to call.
    """
    deal, at = np.nonzero(played.legal[..., 0] & kind.mask)
    if kind.by_silence:
        deal, first = np.unique(deal, return_index=True)
        at = at[first]
    action = engine.actions_noted(played.hands["log"][deal, at])
    uncalled = played.hands["caller"][deal] == NONE
    taken = uncalled if kind.by_silence else (kind.mask >> action & 1).astype(np.bool_)
    seat = played.turns[deal, at].astype(np.int64)
    return Opportunities(deal, at, seat, action, taken, np.ones(len(deal)))


def sampled(found: Opportunities, silent: int | None, rng: np.random.Generator) -> Opportunities:
    """All that were taken, and of the others at most `silent` a deal, weighted to stand for all."""
    if silent is None or not len(found):
        return found
    missed = np.flatnonzero(~found.taken)
    order = missed[np.lexsort((rng.random(len(missed)), found.deal[missed]))]
    deals = found.deal[order]
    starts = np.searchsorted(deals, deals)
    kept = order[np.arange(len(order)) - starts < silent]
    counts = np.bincount(found.deal[missed], minlength=1 + int(found.deal.max()))
    weight = found.weight.copy()
    weight[kept] = counts[found.deal[kept]] / np.minimum(counts[found.deal[kept]], silent)
    chosen = np.sort(np.concatenate([np.flatnonzero(found.taken), kept]))
    return Opportunities(found.deal, found.at, found.seat, found.action, found.taken, weight)[
        chosen
    ]


# --- what a seat holds ---------------------------------------------------------------------------


def _count(mask: IntArray) -> IntArray:
    return np.bitwise_count(mask).astype(np.int64)


def tops_of(held: IntArray, with_queens: IntArray) -> IntArray:
    """Length of the run of highest trumps in masks [C]; `with_queens` [C] is counted as held.

    The partner of a seat with one black queen has the other one, so it does not break the run.
    """
    run, unbroken = np.zeros(len(held), np.int64), np.ones(len(held), np.bool_)
    for card in range(int(FOLLOW[TRUMPS]).bit_length()):
        own = held >> card & 1 == 1
        unbroken &= own | (with_queens >> card & 1 == 1)
        run += own & unbroken
    return run


def holdings(hands: Records, seats: IntArray) -> dict[str, IntArray]:
    """What `seats` [C] hold in hands [C] in play, counted: columns [C] by name."""
    rows = np.arange(len(hands))
    held = hands["hands"][rows, seats].astype(np.int64)
    queens = hands["queens"].astype(np.int64)
    partner_has_queen = (queens >> seats & 1 == 1) & (_count(queens) == 2)
    trumps = held & int(FOLLOW[TRUMPS])
    plain = [held & int(FOLLOW[suit]) for suit in (CLUBS, SPADES, HEARTS)]
    return {
        "position": (seats - hands["dealer"] - 1) % N_SEATS,
        "cards_played": hands["plies"].astype(np.int64),
        "trumps": _count(trumps),
        "tops": tops_of(held, np.where(partner_has_queen, BLACK_QUEENS, 0)),
        "aces": _count(held & CALLABLE_ACES),
        "voids": sum((suit == 0).astype(np.int64) for suit in plain),
        "won_trick_1": (hands["won"] >> seats & 1).astype(np.int64),
    }
