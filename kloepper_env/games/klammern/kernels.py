"""The rules of a single hand of Klammern, compiled: deal, legal, apply, and the choice of trump.

A hand goes through the steps of the order of decisions in the rules document; `step` names the one
it is in and `turn` the seat that decides. What the hand is worth stands in settlement.py.
"""

from kloepper_env import engine
from kloepper_env._jit import IntArray, define, high_half, jit
from kloepper_env.engine import Records
from kloepper_env.games.klammern.melds import (
    PUBLIC_MELDS,
    contest,
    find_melds,
    public_melds,
    team_points,
)
from kloepper_env.games.klammern.options import (
    FLAG_ALL_AT_ONCE,
    FLAG_BELLE_FIRST,
    FLAG_CHOICE,
    FLAG_DEALER_OWNS,
    FLAG_OVERTRUMP,
    FLAG_PARTNER_EXEMPT,
    FLAG_RAISE,
    FLAG_RAISE_OVER_PARTNER,
    FLAG_UNDERTRUMP,
)
from kloepper_env.games.klammern.record import (
    ASK_KONTRA,
    ASK_MELDS,
    ASK_RE,
    BEATING,
    DECLARE,
    FIRST_CHOICE,
    FOLLOW,
    HAND,
    KING_QUEEN,
    KONTRA,
    N_CARDS,
    N_RANKS,
    N_SEATS,
    N_SUITS,
    NO_CARD,
    PASS,
    PLAY,
    POINTS,
    RE,
    SECOND_CHOICE,
    STRENGTH,
    TAKE,
    TURNED,
    TURNED_OF_DEALER,
    Hand,
)
from kloepper_env.games.klammern.settlement import result
from kloepper_env.tricks import NONE, beats

TAKES = (1 << N_SUITS) - 1 << TAKE
SWAPS_A_WORD = 3  # 32 * 31 * 30 positions out of 2**32 numbers: even to one part in 10**5


# --- dealing -----------------------------------------------------------------------------------


@jit
def deal(hand: Hand, tables: IntArray, dealer: int) -> None:
    """Shuffle the pack (Fisher and Yates), and deal it up to the choice of trump."""
    engine.start_random(hand)
    for card in range(N_CARDS):
        hand.deck[card] = card
    last = N_CARDS - 1
    while last > 0:
        fraction = high_half(engine.draw(hand))
        for _ in range(SWAPS_A_WORD):
            product = fraction * (last + 1)
            other, fraction = product >> 32, product & 0xFFFFFFFF
            card = hand.deck[last]
            hand.deck[last] = hand.deck[other]
            hand.deck[other] = card
            last -= int(last > 0)
    begin(hand, dealer if dealer >= 0 else engine.draw(hand) & 3)


@jit
def _packet(hand: Hand, start: int, size: int) -> int:
    """The cards at some places of the pack, as a mask."""
    cards = 0
    for place in range(start, start + size):
        cards |= 1 << int(hand.deck[place])
    return cards


@jit
def begin(hand: Hand, dealer: int) -> None:
    """Open a hand whose pack lies in `deck`: clear the rest, deal the first packets (M5)."""
    at_once = int(hand.option_flags & FLAG_ALL_AT_ONCE != 0)
    for place in range(N_SEATS):
        seat = dealer + 1 + place & 3
        hand.hands[seat] = _packet(hand, 3 * place, 3) | _packet(hand, 12 + 2 * place, 2)
        if at_once:
            hand.hands[seat] |= _packet(hand, TURNED + 3 * place, 3)
        hand.played[seat] = 0
        hand.known[seat] = 0
        hand.melds[seat] = 0
        hand.meld_cards[seat] = 0
    hand.turned = hand.deck[TURNED_OF_DEALER if at_once else TURNED]
    hand.known[dealer] = at_once << int(hand.turned)
    hand.counts = 0
    hand.told = 0
    hand.table = 0
    hand.meld_points = 0
    hand.table_points = 0
    hand.voids = 0
    hand.step = FIRST_CHOICE
    hand.plies = 0
    hand.dealer = dealer
    hand.leader = dealer + 1 & 3
    hand.turn = hand.leader
    hand.led = NONE
    hand.best = NO_CARD
    hand.winner = NONE
    hand.over = 0
    hand.trump = NONE
    hand.taker = NONE
    hand.kontra = NONE
    hand.re = NONE
    hand.declared = 0
    hand.scoring = NONE
    hand.belle = 0
    hand.belle_shown = 0
    hand.log_length = 0


@jit
def _deal_last(hand: Hand) -> None:
    """The last packets, and the turned card to its owner (M9)."""
    owner = int(hand.dealer if hand.option_flags & FLAG_DEALER_OWNS else hand.taker)
    start = TURNED + 1
    for place in range(N_SEATS):
        seat = int(hand.dealer) + 1 + place & 3
        size = 3 - int(seat == owner)
        hand.hands[seat] |= _packet(hand, start, size)
        start += size
    hand.hands[owner] |= 1 << int(hand.turned)
    hand.known[owner] = 1 << int(hand.turned)


@jit
def deal_out(hands: Records) -> None:
    """Deal the last packets of hands that nobody has taken, as if the deciding seat took now."""
    for i in range(len(hands)):
        hand = hands[i]
        if hand.taker == NONE and not hand.option_flags & FLAG_ALL_AT_ONCE:
            hand.taker = hand.turn
            _deal_last(hand)


# --- before the first card ---------------------------------------------------------------------


@jit
def _take(hand: Hand, seat: int, suit: int) -> None:
    """A seat takes (M6, M7): the deal is completed, and the defenders are asked (M11)."""
    hand.taker = seat
    hand.trump = suit
    if not hand.option_flags & FLAG_ALL_AT_ONCE:
        _deal_last(hand)
    belle = KING_QUEEN << N_RANKS * suit
    by_choice = int(hand.option_flags & FLAG_CHOICE != 0)
    for other in range(N_SEATS):
        find_melds(hand, other)
        hand.declared |= int(hand.melds[other] != 0) * (1 - by_choice) << other  # M22
        hand.belle |= int(int(hand.hands[other]) & belle == belle) << other  # M25
    hand.step = ASK_KONTRA
    hand.turn = first_of_team(hand, 1 - (seat & 1))


@jit
def first_of_team(hand: Hand, team: int) -> int:
    """The seat of a team that comes first in playing order."""
    forehand = int(hand.dealer) + 1 & 3
    return forehand + (forehand & 1 ^ team) & 3


@jit
def _open_trick_one(hand: Hand) -> None:
    hand.step = ASK_MELDS if hand.option_flags & FLAG_CHOICE else PLAY
    hand.turn = hand.leader


@jit
def _pass(hand: Hand, seat: int) -> None:
    """Go on after a pass: to the next seat to be asked, or to the next step."""
    if hand.step == ASK_MELDS:
        hand.step = PLAY
    elif hand.step >= ASK_KONTRA:
        if seat == first_of_team(hand, seat & 1):
            hand.turn = seat + 2 & 3
        else:
            _open_trick_one(hand)
    else:
        hand.turn = seat + 1 & 3
        if seat == hand.dealer:
            hand.over = hand.step == SECOND_CHOICE  # M8
            hand.step = SECOND_CHOICE


@jit
def _announce(hand: Hand, seat: int, action: int) -> None:
    if action == PASS:
        _pass(hand, seat)
    elif action == KONTRA:
        hand.kontra = seat
        hand.step = ASK_RE
        hand.turn = first_of_team(hand, 1 - (seat & 1))
    elif action == RE:
        hand.re = seat
        _open_trick_one(hand)
    elif action == DECLARE:
        hand.declared |= 1 << seat
        hand.step = PLAY
    else:
        _take(hand, seat, action - TAKE)


@jit
def announcements(hand: Hand, seat: int) -> int:
    """What a seat may do before the first card, as a mask."""
    step, turned = int(hand.step), 1 << TAKE + (int(hand.turned) >> 3)
    if step == FIRST_CHOICE:
        return turned | 1 << PASS
    if step == SECOND_CHOICE:
        return TAKES ^ turned | 1 << PASS
    if step == ASK_MELDS:
        return int(hand.melds[seat] != 0) << DECLARE | 1 << PASS
    return 1 << (KONTRA if step == ASK_KONTRA else RE) | 1 << PASS


# --- cards -------------------------------------------------------------------------------------


@jit
def playable(hand: Hand, seat: int) -> int:
    """The cards that a seat may play (M12 to M17)."""
    held, led, trump = int(hand.hands[seat]), int(hand.led), int(hand.trump)
    flags = int(hand.option_flags)
    with_partner = hand.winner == seat ^ 2
    beating = held & int(BEATING[trump, int(hand.best)])
    following = held & int(FOLLOW[led])
    if following:  # M13
        raises = led == trump and flags & FLAG_RAISE != 0  # M14
        raises &= flags & FLAG_RAISE_OVER_PARTNER != 0 or not with_partner
        return beating if raises and beating else following
    if led == NONE or (with_partner and flags & FLAG_PARTNER_EXEMPT != 0):  # M15
        return held
    if beating and flags & FLAG_OVERTRUMP:  # M16 (a)
        return beating
    trumps = held & int(FOLLOW[trump])
    return trumps if trumps and (beating or flags & FLAG_UNDERTRUMP) else held  # M16 (b), M17


@jit
def _shows_no_trump(hand: Hand, seat: int) -> bool:
    """Whether a void seat that does not play a trump now can have none (M16)."""
    flags = int(hand.option_flags)
    exempt = hand.winner == seat ^ 2 and flags & FLAG_PARTNER_EXEMPT != 0
    must = flags & FLAG_UNDERTRUMP != 0 or int(hand.best) >> 3 != hand.trump
    return must and not exempt


@jit
def _play(hand: Hand, seat: int, card: int) -> None:
    """Play a card; the last one of a trick also awards the trick (M12, M18)."""
    bit, suit, trump = 1 << card, card >> 3, int(hand.trump)
    hand.hands[seat] ^= bit
    hand.played[seat] |= bit
    hand.table |= bit
    hand.table_points += POINTS[trump, card]
    led = suit if hand.led == NONE else int(hand.led)
    void = int(suit != led)
    hand.voids |= void << 4 * seat + led
    hand.voids |= (void & int(suit != trump) & int(_shows_no_trump(hand, seat))) << 4 * seat + trump
    hand.led = led
    takes = int(beats(card, int(hand.best), led, STRENGTH[trump]))
    hand.best += takes * (card - hand.best)
    hand.winner += takes * (seat - hand.winner)
    hand.plies += 1
    hand.turn = seat + 1 & 3
    if int(hand.belle) >> seat & 1:
        _show_belle(hand, seat, bit)
    if hand.plies <= N_SEATS:
        _tell_melds(hand, seat)
    if hand.plies & 3 == 0:
        _award(hand)


@jit
def _tell_melds(hand: Hand, seat: int) -> None:
    """M22: announce the melds of a seat with its card to trick 1, and ask the next seat."""
    if int(hand.declared) >> seat & 1:
        hand.told |= public_melds(int(hand.melds[seat])) << len(PUBLIC_MELDS) * seat
    if hand.plies < N_SEATS and hand.option_flags & FLAG_CHOICE:
        hand.step = ASK_MELDS


@jit
def _show_belle(hand: Hand, seat: int, bit: int) -> None:
    """M25: Belle is announced with the second of the two cards, or with the first."""
    belle = KING_QUEEN << N_RANKS * int(hand.trump)
    if bit & belle and (
        hand.option_flags & FLAG_BELLE_FIRST or int(hand.played[seat]) & belle == belle
    ):
        hand.belle_shown |= 1 << seat
        hand.known[seat] |= belle


@jit
def _award(hand: Hand) -> None:
    winner = int(hand.winner)
    hand.counts += int(hand.table_points) << 8 * winner | 1 << 32 + 8 * winner
    hand.table = 0
    hand.table_points = 0
    hand.led = NONE
    hand.best = NO_CARD
    hand.winner = NONE
    hand.leader = winner
    hand.turn = winner
    if hand.plies == N_SEATS:
        _show_melds(hand)
    hand.over = hand.plies == N_CARDS


@jit
def _show_melds(hand: Hand) -> None:
    """M22: when trick 1 is complete the cards of the melds that score are shown."""
    team = contest(hand)
    hand.scoring = team
    if team == NONE:
        return
    hand.meld_points = team_points(hand, team)
    for seat in (team, team + 2):
        if int(hand.declared) >> seat & 1:
            hand.known[seat] |= hand.meld_cards[seat]


# --- the kernels of the engine -------------------------------------------------------------------


@jit
def legal(hand: Hand) -> int:
    """Legal actions of the seat that decides, as a mask."""
    if hand.over:
        return 0
    seat = int(hand.turn)
    return playable(hand, seat) if hand.step == PLAY else announcements(hand, seat)


@jit
def apply(hand: Hand, action: int) -> None:
    """Carry out a legal action of the seat that decides."""
    seat = int(hand.turn)
    engine.note(hand, seat, action)
    if action < N_CARDS:
        _play(hand, seat, action)
    else:
        _announce(hand, seat, action)


@jit
def late_cards(hand: Hand) -> int:
    """The turned card and the last packets (M9), unless all cards are dealt at once (M5)."""
    mask = 0
    if not hand.option_flags & FLAG_ALL_AT_ONCE:
        for place in range(TURNED, N_CARDS):
            mask |= 1 << int(hand.deck[place])
    return mask


for _kernel, _code in (
    (engine.deal, deal),
    (engine.legal, legal),
    (engine.apply, apply),
    (engine.result, result),
    (engine.late_cards, late_cards),
):
    define(_kernel, HAND, _code)
