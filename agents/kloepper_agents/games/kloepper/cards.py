"""How `rules` plays a card: the expected gain of a trick against what the card is worth later.

All values are card points, ours minus theirs. Each function is one rule of thumb. Knocked hands,
in which points do not count, are played by knocked.py.
"""

from typing import Final

from kloepper_agents.games.kloepper.beating import can_beat, enemy_cards, stronger, wins_now
from kloepper_agents.games.kloepper.features import Features
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.kloepper.record import ALL_CARDS, FOLLOW, N_SEATS, POINTS, SUIT, TRUMPS
from kloepper_env.tricks import NONE

# Trick in play
FED: Final = 5.25  # points that a seat behind adds to a trick of its own side
THROWN: Final = 0.76  # points that it adds to a trick of the other side
OVERTAKE: Final = 0.95  # how often an ally behind beats a card that an enemy put on top
WILLING: Final = 0.95  # how often an enemy behind who can beat does
BLACK_TEMPO: Final = 0.48  # worth of leading next
RED_TEMPO: Final = 3.39
# Worth of a card kept
BLACK_TOP_TRUMP: Final = 14.83  # a trump that nothing unseen beats
RED_TOP_TRUMP: Final = 35.0
TRUMP_DECAY: Final = 0.52  # for every unseen trump above it
LOW_TRUMP: Final = -0.52  # any trump: it can ruff
TRUMP_POINTS: Final = -0.08  # for each point on a trump kept
PLAIN_MASTER: Final = 2.62  # a plain card that no card of its suit beats
PLAIN_POINTS: Final = -0.04  # for each point on a plain card kept
MAKE_VOID: Final = 3.97  # playing the last card of a plain suit with trumps left
# Leads
BLACK_LEADS_TRUMP: Final = -12.0
RED_LEADS_TRUMP: Final = 6.68
# Scores
STEP: Final = 10.0  # a step of the score that a trick reaches: 30, 60 or 61, and 91 points
STEPS_FROM: Final = 4  # trick, from 0, from which steps count: earlier it is too soon to tell


@jit
def trick_probability(features: Features, best: int, led: int, ours: float) -> float:
    """Probability that our side wins the trick; each seat behind may beat the best card so far."""
    for k in range(1, 4):
        if features.behind >> k & 1:
            ally = features.with_me[k]
            lose = ours * (1.0 - ally) * can_beat(features, k, best, led, 1 - features.black)
            gain = (1.0 - ours) * ally * can_beat(features, k, best, led, features.black)
            ours += OVERTAKE * gain - WILLING * lose
    return ours


@jit
def probability_with(features: Features, card: int, leads_it: bool) -> float:
    """Probability that our side wins the trick when the player adds a card to it."""
    led = int(SUIT[card]) if features.winning == NONE else features.led
    best = card if leads_it else features.best
    ours = 1.0 if leads_it else features.with_me[features.winning]
    return trick_probability(features, best, led, ours)


@jit
def worth_of_trick(features: Features, trick: float, probability: float) -> float:
    """Feed one's own side, withhold from the other: what a trick brings, with the seats behind."""
    allies = 0.0
    for k in range(1, N_SEATS):
        allies += (features.behind >> k & 1) * features.with_me[k]
    enemies = popcount(features.behind) - allies
    won = trick + FED * allies + THROWN * enemies
    lost = trick + FED * enemies + THROWN * allies
    return probability * won - (1.0 - probability) * lost


@jit
def worth_of_trump(features: Features, card: int) -> float:
    """Save trumps: the fewer unseen trumps of the enemy beat it, the more a trump is worth."""
    above = enemy_cards(features) & stronger(card, TRUMPS)
    worth = BLACK_TOP_TRUMP if features.black else RED_TOP_TRUMP
    for _ in range(popcount(above)):
        worth *= TRUMP_DECAY
    return LOW_TRUMP + worth + TRUMP_POINTS * int(POINTS[card])


@jit
def worth_of_plain(features: Features, card: int) -> float:
    """Keep a plain card that will win its suit; get rid of the last card of a suit."""
    suit = int(SUIT[card])
    mine = int(FOLLOW[suit])
    worth = PLAIN_POINTS * int(POINTS[card])
    if not features.unseen & stronger(card, suit) & mine:
        worth += PLAIN_MASTER * min(popcount(features.unseen & mine), 3)
    elif features.hand & mine == 1 << card and features.hand & int(FOLLOW[TRUMPS]):
        worth -= MAKE_VOID
    return worth


@jit
def worth_of(features: Features, card: int) -> float:
    """What a card is worth if it is kept."""
    return (
        worth_of_trump(features, card) if SUIT[card] == TRUMPS else worth_of_plain(features, card)
    )


@jit
def worth_of_lead(features: Features, card: int) -> float:
    """What it is worth to lead this trump: the red side draws trumps, the black side keeps them."""
    if features.winning != NONE or SUIT[card] != TRUMPS:
        return 0.0
    return BLACK_LEADS_TRUMP if features.black else RED_LEADS_TRUMP


@jit
def steps_between(points: float, more: float, black: int) -> int:
    """How many steps of the score lie above `points` and up to `points + more`."""
    steps = 0
    for step in (30, 61 if black else 60, 91):
        steps += points < step <= points + more
    return steps


@jit
def worth_of_steps(features: Features, trick: float, probability: float) -> float:
    """Play for 30, 61 and 91 points at the end: a trick that reaches a step is worth more."""
    if features.trick < STEPS_FROM:
        return 0.0
    ours, theirs = 0.0, 0.0
    for k in range(N_SEATS):
        ours += features.points[k] * features.with_me[k]
        theirs += features.points[k] * (1.0 - features.with_me[k])
    won = steps_between(ours, trick, features.black)
    lost = steps_between(theirs, trick, 1 - features.black)
    return STEP * (probability * won - (1.0 - probability) * lost)


@jit
def value_of(features: Features, card: int) -> float:
    """What playing a card brings: the trick, the lead and what is not kept."""
    leads_it = wins_now(features, card)
    probability = probability_with(features, card, leads_it)
    trick = float(features.on_table + POINTS[card])
    value = worth_of_trick(features, trick, probability) - worth_of(features, card)
    value += worth_of_lead(features, card)
    value += worth_of_steps(features, trick, probability)
    if leads_it:
        value += probability * (BLACK_TEMPO if features.black else RED_TEMPO)
    return value


@jit
def best_card(features: Features, cards: int) -> int:
    """The card of a mask with the highest value; of equals the cheapest, then the weakest."""
    chosen, highest = NONE, -1e9
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = value_of(features, card) - 1e-6 * POINTS[card]
        if value >= highest:
            chosen, highest = card, value
    return chosen


@jit
def play_card(features: Features) -> int:
    """The best of the legal cards."""
    return best_card(features, features.legal & ALL_CARDS)
