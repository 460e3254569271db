"""Options, cards, deal and play of Klammern, the rules that need no state of a round.

Every rule stands where it is applied and is named by its id (M1 to M18).
"""

from collections.abc import Mapping
from typing import Any

from .kloepper_rules import SEATS, clockwise

RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]  # M1
SUITS = ["C", "S", "H", "D"]  # M1
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # M1
TRUMP_ORDER = ["J", "9", "A", "T", "K", "Q", "8", "7"]  # M2, strongest first
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}  # M2
PLAIN_ORDER = ["A", "T", "K", "Q", "J", "9", "8", "7"]  # M3, strongest first
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}  # M3
LAST_TRICK = 10  # M4

# Options

DEFAULTS: dict[str, Any] = {
    "deal": "3-2/turn/3",
    "turnup_owner": "taker",
    "passout_dealer": "next",
    "raise_on_trump_lead": "always",
    "partner_exempt": True,
    "overtrump": True,
    "undertrump": "forced",
    "split_long_runs": False,
    "quad_ranks": "all",
    "meld_card_reuse": False,
    "meld_declare": "auto",
    "quad_beats_quint": True,
    "meld_tie": "first",
    "count_over_height": False,
    "belle_announce": "second",
    "meld_needs_trick": False,
    "make_rule": "fixed82",
    "melds_on_loss": "opponents",
    "belle_on_loss": "opponents",
    "tie81": "eiert",
    "durchmarsch_bonus": 100,
    "target": 501,
    "liga": False,
    "augen_model": "tens",
    "liga_target": None,
    "outcome_table": {"takers": 1, "defenders": 1, "eiert": 2, "durchmarsch": 1},
    "first_dealer": "random",
}
WORDS = {
    "deal": ["3-2/turn/3", "3-2-3"],
    "turnup_owner": ["taker", "dealer"],
    "passout_dealer": ["next", "same"],
    "raise_on_trump_lead": ["always", "unless_partner_winning", "never"],
    "undertrump": ["forced", "free"],
    "quad_ranks": ["all", "no_7_8"],
    "meld_declare": ["auto", "choice"],
    "meld_tie": ["first", "none"],
    "belle_announce": ["second", "first"],
    "make_rule": ["fixed82", "more_than_opponents"],
    "melds_on_loss": ["opponents", "owner", "void"],
    "belle_on_loss": ["opponents", "owner"],
    "tie81": ["eiert", "litige"],
    "augen_model": ["tens", "outcome"],
}


def checked_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fill in the defaults; unknown names and values outside the table are errors."""
    given = dict(options or {})
    for name, value in given.items():
        if name not in DEFAULTS:
            raise ValueError(f"unknown option {name!r}")
        if not allowed(name, value):
            raise ValueError(f"option {name} cannot be {value!r}")
    return {**DEFAULTS, **given}


def allowed(name: str, value: object) -> bool:
    """Say whether the options table allows this value."""
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if name == "durchmarsch_bonus":
        return is_whole(value, least=0)
    if name == "target":
        return is_whole(value, least=1)
    if name == "liga_target":
        return value is None or is_whole(value, least=1)
    if name == "first_dealer":
        return value == "random" or (is_whole(value, least=0) and value in SEATS)
    if name == "outcome_table":
        if not isinstance(value, dict) or set(value) != set(DEFAULTS["outcome_table"]):
            return False
        return all(is_whole(augen, least=0) for augen in value.values())
    return isinstance(value, bool)


def is_whole(value: object, least: int) -> bool:
    """Say whether this is a whole number, and not too small."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


# Seats and deal


def team_of(seat: int) -> int:
    """Name the team of a seat (M1)."""
    return seat % 2


def playing_order(dealer: int) -> list[int]:
    """List the seats clockwise from the forehand, who sits left of the dealer."""
    return clockwise((dealer + 1) % 4)


def hand_over(
    hands: list[list[str]], pack: list[str], dealer: int, sizes: Mapping[int, int]
) -> list[str]:
    """Deal one packet to each seat, clockwise from the forehand; return the pack left (M5, M9)."""
    for seat in playing_order(dealer):
        hands[seat] += pack[: sizes[seat]]
        pack = pack[sizes[seat] :]
    return pack


def deal(deck: list[str], dealer: int, way: str) -> tuple[list[list[str]], str, list[str]]:
    """Deal up to the first choice (M5): the hands, the turned card, and the pack left."""
    hands: list[list[str]] = [[], [], [], []]
    pack = hand_over(hands, list(deck), dealer, dict.fromkeys(SEATS, 3))
    pack = hand_over(hands, pack, dealer, dict.fromkeys(SEATS, 2))
    if way == "3-2-3":
        pack = hand_over(hands, pack, dealer, dict.fromkeys(SEATS, 3))
        return hands, hands[dealer][-2], pack  # the middle card of the dealer's last packet
    return hands, pack[0], pack[1:]


# Cards and tricks


def card_points(card: str, trump: str) -> int:
    """Say what a card counts (M2, M3)."""
    return TRUMP_POINTS[card[0]] if card[1] == trump else PLAIN_POINTS[card[0]]


def trick_winner(cards: list[str], trump: str) -> int:
    """Find the index of the winning card, cards in playing order (M18)."""
    trumps = [card for card in cards if card[1] == trump]
    if trumps:
        return cards.index(min(trumps, key=lambda card: TRUMP_ORDER.index(card[0])))
    followers = [card for card in cards if card[1] == cards[0][1]]
    return cards.index(min(followers, key=lambda card: PLAIN_ORDER.index(card[0])))


def playable(hand: list[str], trick: list[str], trump: str, options: Mapping[str, Any]) -> set[str]:
    """List the cards of a hand that may be played on the trick so far (M12 to M17)."""
    everything = set(hand)
    if not trick:
        return everything  # M12
    led = trick[0][1]
    partner_winning = trick_winner(trick, trump) == len(trick) - 2
    trumps = {card for card in hand if card[1] == trump}
    beating = {card for card in hand if trick_winner([*trick, card], trump) == len(trick)}
    following = {card for card in hand if card[1] == led}
    if following:
        if led != trump:
            return following  # M13
        duty = options["raise_on_trump_lead"]
        if duty == "never" or (duty == "unless_partner_winning" and partner_winning):
            return following  # M14, by option
        return following & beating or following  # M14
    if partner_winning and options["partner_exempt"]:
        return everything  # M15
    if not trumps:
        return everything  # M17
    if trumps & beating:
        return trumps & beating if options["overtrump"] else trumps  # M16 (a)
    return trumps if options["undertrump"] == "forced" else everything  # M16 (b)
