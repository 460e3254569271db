"""How `rules` plays a card of Klammern: the gain of the trick against the worth of the card.

All values are card points, ours minus theirs. Each function is one rule of thumb.
"""

from typing import Final

from kloepper_agents.games.klammern.beating import can_beat, suit_of, wins_now
from kloepper_agents.games.klammern.features import ABOVE, Features, suit_cards
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.klammern.record import HAND_SIZE, POINTS
from kloepper_env.games.klammern.settlement import LAST_TRICK
from kloepper_env.tricks import NONE

# Trick in play
FED: Final = 3.0  # points that the partner behind adds to a trick of ours
THROWN: Final = 1.5  # points that a seat behind adds to a trick of the other side
OVERTAKE: Final = 0.6  # how often the partner behind beats a card that an opponent put on top
CAUTION: Final = 1.25  # how much more often an opponent behind beats a card than counting says
RETAKE: Final = 0.85  # how often a seat that can beat the card beats the one that has beaten it too
# Worth of a card kept
TAKER_TOP: Final = 29.0  # a trump that nothing unseen beats
DEFENDER_TOP: Final = 34.0
TRUMP_DECAY: Final = 0.42  # for every unseen trump above it
LOW_TRUMP: Final = 3.6  # any trump: it can ruff
TRUMP_POINTS: Final = 0.2  # for each point on a trump kept
PLAIN_POINTS: Final = -0.4  # for each point on a plain card kept
GUARDED: Final = 0.7  # the same for a plain card that lower ones of its suit protect
BARE: Final = 1.0  # the same for the last one of a suit that may be beaten
MAKE_VOID: Final = 3.4  # playing the last card of a plain suit with trumps left
DRAWS: Final = 16.0  # a trump lead of the taker's partner while opponents may hold trumps


@jit
def is_taker(features: Features) -> bool:
    """Whether the player's team are the takers."""
    return features.taker & 1 == 0


@jit
def trick_probability(features: Features, best: int, led: int, is_ours: bool) -> float:
    """Probability that our side wins the trick; each seat behind may beat the best card so far.

    A seat after one that has beaten it needs a better card still.
    """
    stands, ours, theirs = 1.0, 0.0, 0.0  # the card itself; beaten by us; beaten by them
    for k in range(1, 4):
        if features.behind >> k & 1:
            beats = can_beat(features, k, best, led)
            if k == 2:
                taken = 0.0 if is_ours else OVERTAKE * beats * stands
                again = RETAKE * beats * theirs
                ours, theirs = ours + taken + again, theirs - again
            else:
                taken = min(CAUTION * beats, 1.0) * stands if is_ours else 0.0
                again = RETAKE * beats * ours
                ours, theirs = ours - again, theirs + taken + again
            stands -= taken
    return ours + stands if is_ours else ours


@jit
def probability_with(features: Features, card: int, leads_it: bool) -> float:
    """Probability that our side wins the trick when the player adds a card to it."""
    led = suit_of(card) if features.winning == NONE else features.led
    best = card if leads_it else features.best
    return trick_probability(features, best, led, leads_it or features.winning == 2)


@jit
def worth_of_trick(features: Features, trick: float, probability: float) -> float:
    """Feed the partner, withhold from the others: what a trick brings, with the seats behind."""
    partner = features.behind >> 2 & 1
    enemies = popcount(features.behind) - partner
    won = trick + FED * partner + THROWN * enemies
    lost = trick + FED * enemies + THROWN * partner
    return probability * won - (1.0 - probability) * lost


@jit
def hidden_trumps(features: Features) -> int:
    """The trumps that an opponent may hold."""
    trumps = features.unseen & suit_cards(features.trump) & ~features.known[2]
    both = features.voids[1] & features.voids[3]
    return 0 if both >> features.trump & 1 else trumps


@jit
def worth_of_trump(features: Features, card: int) -> float:
    """Save trumps: the fewer unseen trumps beat it, the more a trump is worth."""
    worth = TAKER_TOP if is_taker(features) else DEFENDER_TOP
    for _ in range(popcount(hidden_trumps(features) & int(ABOVE[features.trump, card]))):
        worth *= TRUMP_DECAY
    return LOW_TRUMP + worth + TRUMP_POINTS * int(POINTS[features.trump, card])


@jit
def worth_of_plain(features: Features, card: int) -> float:
    """Keep points that lower cards guard; get rid of others, and of the last card of a suit."""
    mine, points = suit_cards(suit_of(card)), int(POINTS[features.trump, card])
    worth = PLAIN_POINTS * points
    above = popcount(features.unseen & int(ABOVE[features.trump, card]))
    if not above:
        return worth
    if features.hand & mine == 1 << card:
        worth += BARE * points
        if features.hand & suit_cards(features.trump):
            worth -= MAKE_VOID
    elif popcount(features.hand & mine & ~int(ABOVE[features.trump, card])) > above:
        worth += GUARDED * points
    return worth


@jit
def worth_of(features: Features, card: int) -> float:
    """What a card is worth if it is kept."""
    return (
        worth_of_trump(features, card)
        if suit_of(card) == features.trump
        else worth_of_plain(features, card)
    )


@jit
def worth_of_lead(features: Features, card: int) -> float:
    """The taker's partner leads trumps to him while the opponents have some."""
    draws = features.winning == NONE and features.taker == 2 and suit_of(card) == features.trump
    return DRAWS if draws and hidden_trumps(features) else 0.0


@jit
def value_of(features: Features, card: int) -> float:
    """What playing a card brings: the trick, the lead and what is not kept."""
    leads_it = wins_now(features, card)
    probability = probability_with(features, card, leads_it)
    trick = float(features.on_table + POINTS[features.trump, card])
    if features.trick == HAND_SIZE - 1:
        trick += LAST_TRICK
    value = worth_of_trick(features, trick, probability) - worth_of(features, card)
    return value + worth_of_lead(features, card)


@jit
def play_card(features: Features) -> int:
    """The legal card of the highest value; of equals the cheapest, then the lowest."""
    chosen, highest = NONE, -1e9
    rest = features.legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = value_of(features, card) - 1e-6 * POINTS[features.trump, card]
        if value > highest:
            chosen, highest = card, value
    return chosen
