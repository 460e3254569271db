"""Cards as numbers, masks and text.

A game numbers its cards 0..n-1; bit c of an int64 mask stands for card c. Masks are int64
everywhere, also for packs of 24 cards: in a signed 32-bit mask the top card of a 32-card pack
would be the sign.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from kloepper_env.errors import NotationError, listed, shown

SUIT_SYMBOLS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
RANK_WORDS = {"10": "T"}
_TEXT = re.compile(r"^(10|[2-9TJQKHA])([CSHD♣♠♥♦])$", re.IGNORECASE)
_SUIT_OF_SYMBOL = {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}


def parse_card(text: str, codes: Sequence[str]) -> str:
    """Read a card: `JS`, `js`, `10h` or `J♠`; returns its code as it stands in `codes`.

    Raises NotationError, naming the text, when it is no card of the pack.
    """
    match = _TEXT.match(text.strip().replace("\ufe0f", "")) if isinstance(text, str) else None
    if match:
        rank = RANK_WORDS.get(match[1], match[1].upper())
        suit = match[2].upper()
        code = rank + _SUIT_OF_SYMBOL.get(suit, suit)
        if code in codes:
            return code
    ranks = dict.fromkeys(code[0] for code in codes)
    if match and len(ranks) * len(SUIT_SYMBOLS) != len(codes):  # ranks and suits tell too little
        raise NotationError(
            f"{shown(text)} is not a card of this pack: its cards are {listed(codes)}"
        )
    raise NotationError(
        f"{shown(text)} is not a card of this pack: a card is a rank ({' '.join(ranks)}) "
        "and a suit (C S H D), for example JS or 10H"
    )


def parse_cards(text: str | Sequence[str], codes: Sequence[str]) -> list[str]:
    """Read several cards, from one text separated by blanks or commas or from a sequence."""
    return [parse_card(word, codes) for word in _words(text)]


def parse_deck(deck: str | Sequence[str], codes: Sequence[str]) -> list[str]:
    """Read a whole pack in dealing order; every card of `codes` exactly once.

    Raises NotationError naming what is missing or there twice.
    """
    words = _words(deck)
    if len(words) > 2 * len(codes):  # not worth reading
        raise NotationError(f"the deck has {len(words)} cards instead of {len(codes)}")
    cards = parse_cards(words, codes)
    twice = sorted(card for card, times in Counter(cards).items() if times > 1)
    if twice:
        raise NotationError(f"the deck holds {listed(twice)} more than once")
    missing = [card for card in codes if card not in cards]
    if missing:
        raise NotationError(
            f"the deck has {len(cards)} cards instead of {len(codes)}: {', '.join(missing)} missing"
        )
    return cards


def _words(text: str | Sequence[str]) -> Sequence[str]:
    if isinstance(text, str):
        return text.replace(",", " ").split()
    if not isinstance(text, list | tuple):
        raise NotationError(
            f"{shown(text)} is no list of cards: it must be a text, a list or a tuple"
        )
    return text


def mask_of(cards: Iterable[str], codes: Sequence[str]) -> int:
    """The mask of some cards, given by code."""
    numbers = {code: number for number, code in enumerate(codes)}
    return sum(1 << numbers[card] for card in cards)


def cards_of(mask: int, codes: Sequence[str]) -> list[str]:
    """The codes of the cards in a mask, in the order of their numbers."""
    return [codes[number] for number in bits_of(int(mask) & (1 << len(codes)) - 1)]


def bits_of(mask: int) -> list[int]:
    """The places of the one bits of a mask from 0 on, ascending."""
    places = []
    while mask:
        places.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return places


def pretty(card: str) -> str:
    """A card for people: `10♥` for TH. What stands behind the code, as in `KC!`, is kept."""
    rank = "10" if card[0] == "T" else card[0]
    return rank + SUIT_SYMBOLS[card[1]] + card[2:]
