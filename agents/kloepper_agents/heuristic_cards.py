"""How `rules` plays a card: the expected gain of a trick against what the card is worth later.

All values are card points, ours minus theirs. Each function is one rule of thumb.
"""

from typing import Final

from kloepper_agents.features import Sight, can_beat, stronger, wins_now
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.kloepper.record import BLACK_QUEENS, FOLLOW, N_CARDS, POINTS, SUIT, TRUMPS
from kloepper_env.tricks import NONE

# Trick in play
STILL_TO_COME: Final = 5.0  # points a seat behind adds to a trick
OVERTAKE: Final = 0.6  # how often an ally behind beats a card that an enemy put on top
# Worth of a card kept
TOP_TRUMP: Final = 16.0  # a trump that nothing unseen beats
TRUMP_DECAY: Final = 0.75  # for every unseen trump above it
LOW_TRUMP: Final = 3.0  # any trump: it can ruff
TRUMP_POINTS: Final = 0.2  # for each point on a trump kept
PLAIN_MASTER: Final = 5.0  # a plain card that no card of its suit beats
PLAIN_POINTS: Final = -0.1  # for each point on a plain card kept
MAKE_VOID: Final = 2.0  # playing the last card of a plain suit with trumps left
# Leads
BLACK_LEADS_TRUMP: Final = 3.0
RED_LEADS_TRUMP: Final = -3.0


@jit
def trick_chance(sight: Sight, best: int, led: int, ours: float) -> float:
    """Chance that our side wins the trick: each seat behind may beat the card that leads it now."""
    for k in range(1, 4):
        if sight.behind >> k & 1:
            ally = sight.with_me[k]
            lose = ours * (1.0 - ally) * can_beat(sight, k, best, led, 1 - sight.black)
            gain = (1.0 - ours) * ally * can_beat(sight, k, best, led, sight.black)
            ours += OVERTAKE * gain - lose
    return ours


@jit
def chance_with(sight: Sight, card: int) -> float:
    """Chance that our side wins the trick when the player adds a card to it."""
    if sight.winning == NONE:
        return trick_chance(sight, card, int(SUIT[card]), 1.0)
    if wins_now(sight, card):
        return trick_chance(sight, card, sight.led, 1.0)
    return trick_chance(sight, sight.best, sight.led, sight.with_me[sight.winning])


@jit
def worth_of_trump(sight: Sight, card: int) -> float:
    """Save trumps: the fewer unseen trumps of the enemy beat it, the more a trump is worth."""
    above = sight.unseen & stronger(card, TRUMPS)
    if sight.black and sight.caller == NONE:
        above &= ~BLACK_QUEENS  # the other queen is the partner's
    worth = TOP_TRUMP
    for _ in range(popcount(above)):
        worth *= TRUMP_DECAY
    return LOW_TRUMP + worth + TRUMP_POINTS * POINTS[card]


@jit
def worth_of_plain(sight: Sight, card: int) -> float:
    """Keep a plain card that will win its suit; get rid of the last card of a suit."""
    suit = int(SUIT[card])
    mine = int(FOLLOW[suit])
    worth = PLAIN_POINTS * POINTS[card]
    if not sight.unseen & stronger(card, suit) & mine:
        worth += PLAIN_MASTER * min(popcount(sight.unseen & mine), 3)
    elif sight.hand & mine == 1 << card and sight.hand & int(FOLLOW[TRUMPS]):
        worth -= MAKE_VOID
    return worth


@jit
def worth_of_lead(sight: Sight, card: int) -> float:
    """The black side draws trumps, the red side keeps them."""
    if sight.winning != NONE or SUIT[card] != TRUMPS:
        return 0.0
    return BLACK_LEADS_TRUMP if sight.black else RED_LEADS_TRUMP


@jit
def value_in_points(sight: Sight, card: int) -> float:
    """What playing a card brings in a hand that is played for card points."""
    trick = sight.on_table + POINTS[card] + STILL_TO_COME * popcount(sight.behind)
    gain = (2.0 * chance_with(sight, card) - 1.0) * trick
    kept = worth_of_trump(sight, card) if SUIT[card] == TRUMPS else worth_of_plain(sight, card)
    return gain - kept + worth_of_lead(sight, card)


@jit
def value_in_tricks(sight: Sight, card: int) -> float:
    """What playing a card brings in a knocked hand: only who wins the tricks counts."""
    kept = worth_of_trump(sight, card) if SUIT[card] == TRUMPS else worth_of_plain(sight, card)
    return 100.0 * chance_with(sight, card) - kept


@jit
def play_card(sight: Sight) -> int:
    """The legal card of the highest value; of equals the cheapest, then the weakest."""
    chosen, highest = NONE, -1e9
    for card in range(N_CARDS):
        if sight.legal >> card & 1:
            value = (
                value_in_points(sight, card)
                if sight.knocker == NONE
                else value_in_tricks(sight, card)
            )
            value -= 1e-6 * POINTS[card]
            if value >= highest:
                chosen, highest = card, value
    return chosen
