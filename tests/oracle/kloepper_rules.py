"""Cards, tricks, scores and games of Kloepper, the rules that need no state of a hand.

Every rule stands where it is applied and is named by its id (K1 to K31).
"""

from dataclasses import dataclass

SEATS = [0, 1, 2, 3]  # K1
RANKS = ["A", "T", "K", "Q", "J", "9"]  # K1
SUITS = ["C", "S", "H", "D"]  # K1
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # K1
TRUMPS = ["QC", "QS", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "QD", "9D"]  # K2, strongest first
PLAIN_ORDER = ["A", "T", "K", "Q", "9"]  # K3, strongest first
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}  # K4
PACK_POINTS = 120  # K4
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
    """Deal two packets of three to each seat, clockwise from dealer's left (K5)."""
    hands: list[list[str]] = [[], [], [], []]
    pack = list(deck)
    for _packet in ["first", "second"]:
        for seat in clockwise((dealer + 1) % 4):
            hands[seat] += pack[:3]
            pack = pack[3:]
    return hands


# Scores of a hand


def score_pair(points: int, tricks: int) -> tuple[int, int]:
    """Give the amounts for black and red in an ordinary hand, two against two (K20, K22, K23)."""
    if tricks == 6:
        return 6, 0
    if points >= 91:
        return 4, 0
    if points >= 61:
        return 2, 0
    red = PACK_POINTS - points
    if red == 60:
        return 0, 2
    if red <= 90:
        return 0, 4
    return 0, 6


def score_alone(points: int, tricks: int) -> tuple[int, int]:
    """Give the amounts for soloist and opponents in an ordinary hand, one on three (K21, K22)."""
    if tricks == 6:
        return 18, 0
    if points >= 91:
        return 12, 0
    if points >= 61:
        return 6, 0
    red = PACK_POINTS - points
    if red == 60:
        return 0, 4
    if red <= 90:
        return 0, 6
    return 0, 12


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
) -> list[int]:
    """Score a hand, given card points and number of tricks of the black side (K20 to K27)."""
    alone = len(black) == 1
    won = tricks == 6
    if not knocked:
        amounts = score_alone(points, tricks) if alone else score_pair(points, tricks)
    else:
        amounts = score_knock(alone, answered, won)
        if not alone and not answered and not won:  # K24: the option is for this case only
            if failed_knock == "normal":
                amounts = score_pair(points, tricks)
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
