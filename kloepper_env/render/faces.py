"""Playing cards as SVG: French and German faces and a back, drawn from paths and letters alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from kloepper_env.cards import SUIT_SYMBOLS, parse_cards
from kloepper_env.errors import ConfigError, listed

CODES: Final = [rank + suit for suit in SUIT_SYMBOLS for rank in "A23456789TJQKH"]
WIDTH, HEIGHT = 70, 98  # of a card at scale 1
GOLD: Final = "#f4b942"
SERIF: Final = "Georgia, 'DejaVu Serif', serif"
SANS: Final = "'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

_FRENCH_PATHS: Final = {  # in a box from -50 to 50
    "C": "M-20,-24a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z M-43,9a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z "
    "M3,9a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z M-9,-12h18v20h-18Z "
    "M-4,4h8C5,26 9,38 17,45H-17C-9,38 -5,26 -4,4Z",
    "S": "M0,-46C10,-28 43,-8 43,14C43,27 33,34 22,34C14,34 7,29 4,22C5,33 9,40 17,45H-17"
    "C-9,40 -5,33 -4,22C-7,29 -14,34 -22,34C-33,34 -43,27 -43,14C-43,-8 -10,-28 0,-46Z",
    "H": "M0,44C-10,26 -44,6 -44,-18C-44,-33 -33,-42 -21,-42C-11,-42 -4,-36 0,-26"
    "C4,-36 11,-42 21,-42C33,-42 44,-33 44,-18C44,6 10,26 0,44Z",
    "D": "M0,-47C9,-29 21,-13 35,0C21,13 9,29 0,47C-9,29 -21,13 -35,0C-21,-13 -9,-29 0,-47Z",
}
_GERMAN_PATHS: Final = {  # acorns, leaves, hearts and bells
    "C": "M-3,-50h6v12C20,-37 32,-26 33,-10H-33C-32,-26 -20,-37 -3,-38Z"
    "M-26,-5H26C26,20 12,32 0,47C-12,32 -26,20 -26,-5Z",
    "S": "M0,-48C8,-34 20,-34 32,-30C28,-20 38,-12 40,0C34,4 36,16 30,24C20,20 14,26 4,20"
    "C3,30 8,38 18,42L14,48C2,44 -4,34 -4,20C-14,26 -20,20 -30,24C-36,16 -34,4 -40,0"
    "C-38,-12 -28,-20 -32,-30C-20,-34 -8,-34 0,-48Z",
    "H": _FRENCH_PATHS["H"],
    "D": "M0,-30a37,37 0 1,1 0,74a37,37 0 1,1 0,-74Z M-37,2h74v6h-74Z M-4,18h8v26h-8Z "
    "M-9,-30a11,11 0 1,1 18,0h-5a6,6 0 1,0 -8,0Z",
}
_LEFT, _MIDDLE, _RIGHT = 25.5, WIDTH / 2, WIDTH - 25.5
_SIDE_ROWS = (20.0, 39.5, 58.5, 78.0)
_PIPS: Final = {  # rank -> places of its suit symbols
    "2": [(_MIDDLE, 20.0), (_MIDDLE, 78.0)],
    "3": [(_MIDDLE, y) for y in (20.0, 49.0, 78.0)],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (20.0, 78.0)],
    "5": [(x, y) for x in (_LEFT, _RIGHT) for y in (20.0, 78.0)] + [(_MIDDLE, 49.0)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (20.0, 49.0, 78.0)],
    "7": [(x, y) for x in (_LEFT, _RIGHT) for y in (20.0, 49.0, 78.0)] + [(_MIDDLE, 34.5)],
    "8": [(x, y) for x in (_LEFT, _RIGHT) for y in (20.0, 49.0, 78.0)]
    + [(_MIDDLE, 34.5), (_MIDDLE, 63.5)],
    "9": [(x, y) for x in (_LEFT, _RIGHT) for y in _SIDE_ROWS] + [(_MIDDLE, 49.0)],
    "T": [(x, y) for x in (_LEFT, _RIGHT) for y in _SIDE_ROWS] + [(_MIDDLE, 29.5), (_MIDDLE, 68.5)],
}


class Picture(str):
    """SVG text that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Faces:
    """What the suits and courts of a pack look like."""

    name: str
    paths: Mapping[str, str]  # suit -> its symbol in a box from -50 to 50
    ink: Mapping[str, str]  # suit -> colour
    letters: Mapping[str, str]  # rank -> what is written on the card, where it is not the rank
    has_holes: bool = False  # whether what lies inside a part of a symbol is cut out of it

    def symbols(self) -> str:
        """The suit symbols, to be used by name anywhere in a document."""
        rule = "evenodd" if self.has_holes else "nonzero"  # the parts of a French club overlap
        return "".join(
            f'<path id="{self.name}-{suit}" d="{path}" fill-rule="{rule}"/>'
            for suit, path in self.paths.items()
        )

    def card(self, code: str, x: float, y: float, *, scale: float = 1, ring: bool = False) -> str:
        """A card face up, its upper left corner at (x, y); `ring` frames it in gold."""
        rank, suit = code[0], code[1]
        corner = self._corner(rank, suit)
        turned = f'<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{corner}</g>'
        frame = f'stroke="{GOLD}" stroke-width="5"' if ring else 'stroke="#8d8a80" stroke-width="1"'
        return (
            f'<g transform="translate({x:.4g} {y:.4g}) scale({scale:.4g})" fill="{self.ink[suit]}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#fffdf7" {frame}/>'
            f"{self._middle(rank, suit)}{corner}{turned}</g>"
        )

    def _suit(self, suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
        """A suit symbol around (x, y), in the colour in force."""
        turn = " rotate(180)" if turned else ""
        return (
            f'<use href="#{self.name}-{suit}" '
            f'transform="translate({x:.4g} {y:.4g}) scale({size / 100:.4g}){turn}"/>'
        )

    def _corner(self, rank: str, suit: str) -> str:
        words = self.letters.get(rank, rank)
        wide = len(words) > 1
        letters = _letters(10, 17, words, 13) if wide else _letters(10, 18, words, 17)
        return letters + self._suit(suit, 10, 28, 13)

    def _middle(self, rank: str, suit: str) -> str:
        if rank == "A":
            return self._suit(suit, WIDTH / 2, HEIGHT / 2, 40)
        if rank in _PIPS:
            return "".join(
                self._suit(suit, x, y, 14, turned=y > HEIGHT / 2) for x, y in _PIPS[rank]
            )
        ink = self.ink[suit]
        return (  # a court card: its letter in a frame
            f'<rect x="19.5" y="11.5" width="{WIDTH - 39}" height="{HEIGHT - 23}" rx="3" '
            f'fill="{ink}" fill-opacity="0.07" stroke="{ink}" stroke-opacity="0.45"/>'
            + _letters(WIDTH / 2, HEIGHT / 2 + 10, self.letters.get(rank, rank), 28)
            + self._suit(suit, WIDTH / 2, 24, 15)
            + self._suit(suit, WIDTH / 2, HEIGHT - 24, 15, turned=True)
        )


def _letters(x: float, y: float, words: str, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{SERIF}" font-size="{size:g}" '
        f'font-weight="bold" text-anchor="middle">{words}</text>'
    )


FACES: Final = {
    faces.name: faces
    for faces in (
        Faces(
            "french",
            _FRENCH_PATHS,
            {"C": "#1d222b", "S": "#1d222b", "H": "#c3262e", "D": "#c3262e"},
            {"T": "10"},
        ),
        Faces(
            "german",
            _GERMAN_PATHS,
            {"C": "#6e4a1c", "S": "#2f6b34", "H": "#c3262e", "D": "#a87408"},
            {"T": "10", "J": "U", "Q": "O"},
            has_holes=True,
        ),
    )
}
"""The faces by name. German ones: Unter and Ober are jack and queen; acorns, leaves, hearts and
bells are clubs, spades, hearts and diamonds."""


def faces_of(name: str) -> Faces:
    """The faces with this name. Raises ConfigError, listing the names, if there are none."""
    if name not in FACES:
        raise ConfigError(f"faces is {name!r}, but must be {listed(map(repr, FACES))}")
    return FACES[name]


def picture(
    faces: Faces, width: float, height: float, title: str, description: str, body: str
) -> Picture:
    """A whole SVG document with a title and a description for those who cannot see it."""
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f"<defs>{faces.symbols()}{_PAINTS}</defs>{body}</svg>"
    )


_PAINTS: Final = (
    '<radialGradient id="felt" cx="0.5" cy="0.45" r="0.75">'
    '<stop offset="0" stop-color="#2f8060"/><stop offset="1" stop-color="#184a37"/>'
    "</radialGradient>"
    '<pattern id="back" width="10" height="10" patternUnits="userSpaceOnUse">'
    '<rect width="10" height="10" fill="#31507c"/>'
    '<path d="M5,0L10,5L5,10L0,5Z" fill="#4a6b9b" stroke="#a9bedb" stroke-width="0.7"/></pattern>'
)


def svg_cards(cards: Sequence[str], *, faces: str = "french") -> Picture:
    """Cards side by side, such as a hand or a trick; card codes as in records.

    Raises ConfigError for faces that are none of FACES, NotationError for what is no card.
    """
    drawn = faces_of(faces)
    cards = parse_cards(list(cards), CODES)
    step = WIDTH + 8
    body = "".join(drawn.card(code, 8 + step * i, 8) for i, code in enumerate(cards))
    return picture(drawn, 8 + step * len(cards), HEIGHT + 16, " ".join(cards), "cards", body)


def back_svg(x: float, y: float, *, scale: float = 1) -> str:
    """A card face down."""
    return (
        f'<g transform="translate({x:.4g} {y:.4g}) scale({scale:.4g})">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#fffdf7" stroke="#8d8a80"/>'
        f'<rect x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}" rx="4" fill="url(#back)" '
        'stroke="#31507c" stroke-width="2"/></g>'
    )


def text_svg(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 15,
    fill: str = "#f5f2e8",
    anchor: str = "middle",
    weight: str = "normal",
) -> str:
    """A line of text; `y` is its baseline."""
    return (
        f'<text x="{x:.4g}" y="{y:.4g}" font-family="{SANS}" font-size="{size:g}" fill="{fill}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
    )
