"""What a hand of Klammern is worth: points, litige and Augen (M26 to M35)."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kloepper_env._jit import IntArray, jit
from kloepper_env.games.klammern.options import (
    BONUS_SHIFT,
    FLAG_BELLE_TO_OPPONENTS,
    FLAG_LITIGE,
    FLAG_MELDS_TO_OPPONENTS,
    FLAG_MELDS_TO_OWNER,
    FLAG_MORE_THAN_OPPONENTS,
    FLAG_NEEDS_TRICK,
    TENS,
    Options,
)
from kloepper_env.games.klammern.record import HAND_SIZE, N_CARDS, N_SEATS, Hand
from kloepper_env.tricks import NONE

LAST_TRICK: Final = 10  # M4
BELLE: Final = 20  # M25
ENOUGH: Final = 82  # M27
CARDS: Final = 162  # all cards and the last trick (M4)
MOST_FACTOR: Final = 4  # Kontra and Re (M30)


class Settlement(NamedTuple):
    """What the teams score and what is left in the carry."""

    scores: tuple[int, int]  # [team], the carry included
    litige: int
    winner: int  # team, or NONE (M34)
    is_eiert: bool


@jit
def tricks_of(hand: Hand, team: int) -> int:
    """Tricks of a team."""
    return (int(hand.counts) >> 32 + 8 * team & 255) + (int(hand.counts) >> 48 + 8 * team & 255)


@jit
def cards_of_team(hand: Hand, team: int) -> int:
    """Points of the cards in a team's tricks, and of the last trick (M26)."""
    points = (int(hand.counts) >> 8 * team & 255) + (int(hand.counts) >> 16 + 8 * team & 255)
    return points + LAST_TRICK * (int(hand.plies == N_CARDS) & int(hand.leader & 1 == team))


@jit
def melds_of_team(hand: Hand, team: int) -> int:
    """Points of the melds that a team scores (M24, M26), as things are."""
    void = int(hand.option_flags & FLAG_NEEDS_TRICK != 0) & int(tricks_of(hand, team) == 0)
    return int(hand.meld_points) * int(hand.scoring == team) * (1 - void)


@jit
def belle_of_team(belle: int, team: int) -> int:
    """Points of a team for Belle, `belle` being a mask of seats (M25)."""
    return BELLE * int(belle >> team & 0b101 != 0)


@jit
def factor(hand: Hand) -> int:
    """What Kontra and Re multiply by (M30)."""
    return (1 + int(hand.kontra != NONE)) * (1 + int(hand.re != NONE))


@jit
def total_of_team(hand: Hand, team: int) -> int:
    """Cards, melds and Belle of a team (M26)."""
    belle = belle_of_team(int(hand.belle), team)
    return cards_of_team(hand, team) + melds_of_team(hand, team) + belle


@jit
def is_made(hand: Hand) -> bool:
    """Whether the takers, of whom there are some, have reached what they need (M27)."""
    takers = int(hand.taker) & 1
    own = total_of_team(hand, takers)
    if hand.option_flags & FLAG_MORE_THAN_OPPONENTS:
        return own > total_of_team(hand, 1 - takers)
    return own >= ENOUGH


@jit
def settle(hand: Hand) -> tuple[int, int, int, int, bool]:
    """Scores of the teams, the carry left, the round winner, whether Eiert (M26 to M35)."""
    carry, flags = int(hand.litige), int(hand.option_flags)
    if hand.taker == NONE:
        return 0, 0, carry, NONE, False
    takers = int(hand.taker) & 1  # M10
    defenders = 1 - takers
    cards, melds = cards_of_team(hand, takers), melds_of_team(hand, takers)
    belle = belle_of_team(int(hand.belle), takers)
    own, others = total_of_team(hand, takers), total_of_team(hand, defenders)
    made = is_made(hand)
    is_litige = not made and flags & FLAG_LITIGE != 0 and own == others  # M28a
    is_eiert = not made and not is_litige
    suspended = own * int(is_litige)
    if not made:
        own = 0
    if is_eiert:  # M28
        others += cards + melds * int(flags & FLAG_MELDS_TO_OPPONENTS != 0)
        others += belle * int(flags & FLAG_BELLE_TO_OPPONENTS != 0)
        own = melds * int(flags & FLAG_MELDS_TO_OWNER != 0)
        own += belle * int(flags & FLAG_BELLE_TO_OPPONENTS == 0)
    bonus = flags >> BONUS_SHIFT  # M29
    own += bonus * int(tricks_of(hand, takers) == HAND_SIZE)
    others += bonus * int(tricks_of(hand, defenders) == HAND_SIZE)
    winner = NONE  # M34
    if is_eiert:
        winner = defenders
    elif not is_litige and own != others:
        winner = takers if own > others else defenders
    times = factor(hand)
    own, others, suspended = times * own, times * others, times * suspended
    left = 0 if winner != NONE else carry + suspended  # M35
    own += carry * int(winner == takers)
    others += carry * int(winner == defenders)
    if takers:
        return others, own, left, winner, is_eiert
    return own, others, left, winner, is_eiert


@jit
def result(hand: Hand, scores: IntArray) -> None:
    """Add the scores: each seat's is that of its team (M30, M35)."""
    first, second, _, _, _ = settle(hand)
    for seat in range(N_SEATS):
        scores[seat] += second if seat & 1 else first


def settlement(hand: Any) -> Settlement:
    """The settlement of a hand that is over."""
    first, second, litige, winner, is_eiert = settle(hand)
    return Settlement((int(first), int(second)), int(litige), int(winner), bool(is_eiert))


def augen(hand: Any, options: Options) -> tuple[int, int]:
    """What the teams get in Liga mode (M32, M33)."""
    if hand.taker == NONE:
        return 0, 0
    settled = settlement(hand)
    if options.augen_model == TENS:
        first, second = ((score + 5) // 10 for score in settled.scores)
        return first, second
    table: Mapping[str, int] = options.outcome_table
    found = [0, 0]
    if settled.winner != NONE:
        is_taker = settled.winner == int(hand.taker) & 1
        kind = "eiert" if settled.is_eiert else "takers" if is_taker else "defenders"
        found[settled.winner] = table[kind]
    for team in (0, 1):
        if tricks_of(hand, team) == HAND_SIZE:
            found[team] += table["durchmarsch"]
    times = int(factor(hand))
    return times * found[0], times * found[1]
