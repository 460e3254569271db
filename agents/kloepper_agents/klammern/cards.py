"""How `rules` plays a card of Klammern: the gain of the trick against the worth of the card.

All values are card points, ours minus theirs. Each function is one rule of thumb. Side 0 are the
takers, side 1 the defenders.
"""

from typing import Final

from kloepper_agents.klammern.chances import can_beat, suit_of, wins_now
from kloepper_agents.klammern.features import ABOVE, Sight, suit_cards
from kloepper_env._jit import jit, lowest, popcount
from kloepper_env.games.klammern.record import HAND_SIZE, POINTS
from kloepper_env.games.klammern.settlement import LAST_TRICK
from kloepper_env.tricks import NONE

# Trick in play
FED: Final = 1.00  # points that the partner behind adds to a trick of ours
THROWN: Final = 2.50  # points that a seat behind adds to a trick of the other side
OVERTAKE: Final = 0.9  # how often the partner behind beats a card that an opponent put on top
WILLING: Final = 0.98  # how often an opponent behind who can beat does
RETAKE: Final = 0.5  # how often a seat that can beat the card beats the one that has beaten it too
TAKER_TEMPO: Final = -0.60  # worth of leading next
DEFENDER_TEMPO: Final = 0.41
# Worth of a card kept
TAKER_TOP: Final = 19.05  # a trump that nothing unseen beats
DEFENDER_TOP: Final = 28.26
TRUMP_DECAY: Final = 0.43  # for every unseen trump above it
LOW_TRUMP: Final = 1.83  # any trump: it can ruff
TRUMP_POINTS: Final = 0.38  # for each point on a trump kept
MASTER: Final = 0.17  # for each unseen card of its suit, a plain card that nothing of it beats
PLAIN_POINTS: Final = -0.13  # for each point on a plain card kept
GUARDED: Final = 0.46  # the same for a plain card that lower ones of its suit protect
BARE: Final = 0.65  # the same for the last one of a suit that may be beaten
MAKE_VOID: Final = 2.78  # playing the last card of a plain suit with trumps left
# Leads
TAKER_DRAWS: Final = 0.00  # a trump lead while opponents may hold trumps: by the taker
PARTNER_DRAWS: Final = 12.92  # by his partner
TAKER_LEADS: Final = 0.50  # a trump lead of either when they hold none
DEFENDER_LEADS: Final = -6.12
PARTNER_VOID: Final = 2.14  # a plain suit that the partner does not hold


@jit
def is_taker(sight: Sight) -> bool:
    """Whether the player's team are the takers."""
    return sight.taker & 1 == 0


@jit
def trick_chance(sight: Sight, best: int, led: int, is_ours: bool) -> float:
    """Chance that our side wins the trick: each seat behind may beat the card that leads it now.

    Whoever comes after one that has beaten it needs a better card still.
    """
    stands, ours, theirs = 1.0, 0.0, 0.0  # the card itself; beaten by us; beaten by them
    for k in range(1, 4):
        if sight.behind >> k & 1:
            beats = can_beat(sight, k, best, led)
            if k == 2:
                taken = 0.0 if is_ours else OVERTAKE * beats * stands
                again = RETAKE * beats * theirs
                ours, theirs = ours + taken + again, theirs - again
            else:
                taken = WILLING * beats * stands if is_ours else 0.0
                again = RETAKE * beats * ours
                ours, theirs = ours - again, theirs + taken + again
            stands -= taken
    return ours + stands if is_ours else ours


@jit
def chance_with(sight: Sight, card: int, leads_it: bool) -> float:
    """Chance that our side wins the trick when the player adds a card to it."""
    led = suit_of(card) if sight.winning == NONE else sight.led
    best = card if leads_it else sight.best
    return trick_chance(sight, best, led, leads_it or sight.winning == 2)


@jit
def worth_of_trick(sight: Sight, trick: float, chance: float) -> float:
    """Feed the partner, withhold from the others: what a trick brings, with the seats behind."""
    partner = sight.behind >> 2 & 1
    enemies = popcount(sight.behind) - partner
    won = trick + FED * partner + THROWN * enemies
    lost = trick + FED * enemies + THROWN * partner
    return chance * won - (1.0 - chance) * lost


@jit
def hidden_trumps(sight: Sight) -> int:
    """The trumps that an opponent may hold."""
    trumps = sight.unseen & suit_cards(sight.trump) & ~sight.known[2]
    both = sight.voids[1] & sight.voids[3]
    return 0 if both >> sight.trump & 1 else trumps


@jit
def worth_of_trump(sight: Sight, card: int) -> float:
    """Save trumps: the fewer unseen trumps beat it, the more a trump is worth."""
    worth = TAKER_TOP if is_taker(sight) else DEFENDER_TOP
    for _ in range(popcount(hidden_trumps(sight) & int(ABOVE[sight.trump, card]))):
        worth *= TRUMP_DECAY
    return LOW_TRUMP + worth + TRUMP_POINTS * int(POINTS[sight.trump, card])


@jit
def worth_of_plain(sight: Sight, card: int) -> float:
    """Keep a plain card that will win its suit; get rid of the last card of a suit."""
    mine, points = suit_cards(suit_of(card)), int(POINTS[sight.trump, card])
    worth = PLAIN_POINTS * points
    above = sight.unseen & int(ABOVE[sight.trump, card])
    if not above:
        return worth + MASTER * min(popcount(sight.unseen & mine), 3)
    if sight.hand & mine == 1 << card:
        worth += BARE * points
        if sight.hand & suit_cards(sight.trump):
            worth -= MAKE_VOID
    elif popcount(sight.hand & mine & ~int(ABOVE[sight.trump, card])) > popcount(above):
        worth += GUARDED * points
    return worth


@jit
def worth_of(sight: Sight, card: int) -> float:
    """What a card is worth if it is kept."""
    return (
        worth_of_trump(sight, card) if suit_of(card) == sight.trump else worth_of_plain(sight, card)
    )


@jit
def worth_of_lead(sight: Sight, card: int) -> float:
    """The takers draw trumps, the defenders do not; a suit that the partner ruffs is good."""
    if sight.winning != NONE:
        return 0.0
    if suit_of(card) == sight.trump:
        if not is_taker(sight):
            return DEFENDER_LEADS
        if not hidden_trumps(sight):
            return TAKER_LEADS
        return TAKER_DRAWS if sight.taker == 0 else PARTNER_DRAWS
    if sight.voids[2] >> suit_of(card) & 1 and not sight.voids[2] >> sight.trump & 1:
        return PARTNER_VOID
    return 0.0


@jit
def value_of(sight: Sight, card: int) -> float:
    """What playing a card brings: the trick, the lead and what is not kept."""
    leads_it = wins_now(sight, card)
    chance = chance_with(sight, card, leads_it)
    trick = float(sight.on_table + POINTS[sight.trump, card])
    if sight.trick == HAND_SIZE - 1:
        trick += LAST_TRICK
    value = worth_of_trick(sight, trick, chance) - worth_of(sight, card)
    value += worth_of_lead(sight, card)
    if leads_it:
        value += chance * (TAKER_TEMPO if is_taker(sight) else DEFENDER_TEMPO)
    return value


@jit
def play_card(sight: Sight) -> int:
    """The legal card of the highest value; of equals the cheapest, then the lowest."""
    chosen, highest = NONE, -1e9
    rest = sight.legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = value_of(sight, card) - 1e-6 * POINTS[sight.trump, card]
        if value > highest:
            chosen, highest = card, value
    return chosen
