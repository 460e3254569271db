"""Cards, tricks, scores and games of Kloepper, the rules that need no state of a hand.

Every rule stands where it is applied and is named by its id (K1 to K32).
"""

from dataclasses import dataclass

SEATS = [0, 1, 2, 3]  # K1
RANKS = ["A", "T", "K", "Q", "J", "9"]  # K1
SUITS = ["C", "S", "H", "D"]  # K1
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # K1
TRUMPS = ["QC", "QS", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "QD", "9D"]  # K2, strongest first
PLAIN_ORDER = ["A", "T", "K", "Q", "9"]  # K3, strongest first
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}  # K4
PACKS = {  # the number of cards (the option "pack") and the cards: K1, K32
    24: PACK,
    12: ["QC", "QS", "JC", "JD", "AD", "TD", "AC", "TC", "AS", "TS", "AH", "TH"],
    8: ["QC", "QS", "JD", "AD", "AC", "TC", "AH", "TH"],
}
PACKETS = {24: [3, 3], 12: [3], 8: [2]}  # K5, K32
BLACK_QUEENS = ["QC", "QS"]  # K10
CALLS = {"call:C": "AC", "call:S": "AS", "call:H": "AH"}  # K12


@dataclass(frozen=True)
class Trick:
    """A complete trick: the cards with their players in playing order, winner and card points."""

    cards: list[tuple[int, str]]
    winner: int
    points: int


# Cards and tricks


def card_points(card: str) -> int:
    """Say what a card counts (K4)."""
    return POINTS[card[0]]


def suit_of(card: str) -> str:
    """Name the suit a card belongs to in play: trump is one suit (K2), else the printed (K3)."""
    return "trump" if card in TRUMPS else card[1]


def playable(hand: list[str], led: str | None) -> set[str]:
    """List the cards of a hand that may be played on the card that was led (K8)."""
    if led is None:
        return set(hand)
    following = {card for card in hand if suit_of(card) == suit_of(led)}
    return following if following else set(hand)


def trick_winner(cards: list[str]) -> int:
    """Find the index of the winning card, cards in playing order (K9)."""
    trumps = [card for card in cards if card in TRUMPS]
    if trumps:
        return cards.index(min(trumps, key=TRUMPS.index))
    followers = [card for card in cards if suit_of(card) == suit_of(cards[0])]
    return cards.index(min(followers, key=lambda card: PLAIN_ORDER.index(card[0])))


def clockwise(first: int) -> list[int]:
    """List the four seats clockwise from the given one (seats count clockwise)."""
    return [(first + step) % 4 for step in SEATS]


def deal(deck: list[str], dealer: int) -> list[list[str]]:
    """Deal the packets to each seat, clockwise from dealer's left (K5, K32)."""
    hands: list[list[str]] = [[], [], [], []]
    left = list(deck)
    for packet in PACKETS[len(deck)]:
        for seat in clockwise((dealer + 1) % 4):
            hands[seat] += left[:packet]
            left = left[packet:]
    return hands


# Scores of a hand


def tricks_of(pack: int) -> int:
    """Say how many tricks a pack of so many cards makes (K7, K32)."""
    return pack // 4


def points_of(pack: int) -> int:
    """Add up the card points in a pack of so many cards (K4, K32)."""
    return sum(card_points(card) for card in PACKS[pack])


def level(points: int, pack: int) -> str:
    """Place a side's card points: less than half, half, more, more than three quarters (K32).

    In the full pack that is less than 60, 60, 61 to 90, 91 or more (K20, K21).
    """
    whole = points_of(pack)
    if 4 * points > 3 * whole:
        return "three quarters"
    if 2 * points > whole:
        return "more"
    return "half" if 2 * points == whole else "less"


def score_points(points: int, tricks: int, pack: int, amounts: dict[str, int]) -> tuple[int, int]:
    """Give the amounts for black and red in an ordinary hand, by what each result is worth."""
    if tricks == tricks_of(pack):
        return amounts["all tricks"], 0
    black = level(points, pack)
    if black in ["three quarters", "more"]:
        return amounts["black " + black], 0
    return 0, amounts["red " + level(points_of(pack) - points, pack)]


PAIR = {  # K20
    "all tricks": 6,
    "black three quarters": 4,
    "black more": 2,
    "red half": 2,
    "red more": 4,
    "red three quarters": 6,
}
ALONE = {  # K21
    "all tricks": 18,
    "black three quarters": 12,
    "black more": 6,
    "red half": 4,
    "red more": 6,
    "red three quarters": 12,
}


def score_pair(points: int, tricks: int, pack: int) -> tuple[int, int]:
    """Give the amounts for black and red, two against two (K20, K22, K23, K32)."""
    return score_points(points, tricks, pack, PAIR)


def score_alone(points: int, tricks: int, pack: int) -> tuple[int, int]:
    """Give the amounts for soloist and opponents, one on three (K21, K22, K32)."""
    return score_points(points, tricks, pack, ALONE)


def score_knock(alone: bool, answered: bool, won: bool) -> tuple[int, int]:
    """Give the amounts for black and red in a knocked hand (K24 with its stake, K25, K26)."""
    if alone:
        stake = 30  # K26
    elif answered:
        stake = 24  # K25
    else:
        stake = 12  # K24
    return (stake, 0) if won else (0, stake)


def hand_scores(
    black: set[int],
    points: int,
    tricks: int,
    knocked: bool = False,
    answered: bool = False,
    failed_knock: str = "stake",
    pack: int = 24,
) -> list[int]:
    """Score a hand, given card points and number of tricks of the black side (K20 to K27, K32)."""
    alone = len(black) == 1
    won = tricks == tricks_of(pack)
    if not knocked:
        amounts = (score_alone if alone else score_pair)(points, tricks, pack)
    else:
        amounts = score_knock(alone, answered, won)
        if not alone and not answered and not won:  # K24: the option is for this case only
            if failed_knock == "normal":
                amounts = score_pair(points, tricks, pack)
            elif failed_knock == "none":
                amounts = (0, 0)
    # K27: in full to each seat of the side
    return [amounts[0] if seat in black else amounts[1] for seat in SEATS]


# A game


def dealer_of(hand_number: int, scorekeeper: int = 0) -> int:
    """Name the dealer of a hand, counted from 0 (K6)."""
    return (scorekeeper + 1 + hand_number) % 4


def game_winners(totals: list[list[int]], target: int = 30) -> list[int] | None:
    """Name the winners of a game by the totals after each hand, or None while it goes on."""
    for last, after in enumerate(totals):
        candidates = [seat for seat in SEATS if after[seat] >= target]
        if candidates:  # K29: the first such hand ends the game
            return break_ties(candidates, totals[:last])
    return None


def break_ties(candidates: list[int], earlier: list[list[int]]) -> list[int]:
    """Keep the candidates that led in the preceding hand, and so back (K30, K31)."""
    for before in reversed(earlier):
        if len(candidates) > 1:
            most = max(before[seat] for seat in candidates)
            candidates = [seat for seat in candidates if before[seat] == most]
    return candidates  # before hand 1 all have 0: those still level share (K31)
