"""Playing cards as SVG: French faces and a back, drawn from nothing but paths and letters."""

from collections.abc import Sequence
from html import escape
from typing import Final

WIDTH, HEIGHT = 70, 98  # of a card at scale 1
GOLD: Final = "#f4b942"
INK: Final = {"C": "#1d222b", "S": "#1d222b", "H": "#c3262e", "D": "#c3262e"}
SERIF: Final = "Georgia, 'DejaVu Serif', serif"
SANS: Final = "'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

_SUIT_PATHS: Final = {  # in a box from -50 to 50
    "C": "M-20,-24a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z M-43,9a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z "
    "M3,9a20,20 0 1,1 40,0a20,20 0 1,1 -40,0Z M-9,-12h18v20h-18Z "
    "M-4,4h8C5,26 9,38 17,45H-17C-9,38 -5,26 -4,4Z",
    "S": "M0,-46C10,-28 43,-8 43,14C43,27 33,34 22,34C14,34 7,29 4,22C5,33 9,40 17,45H-17"
    "C-9,40 -5,33 -4,22C-7,29 -14,34 -22,34C-33,34 -43,27 -43,14C-43,-8 -10,-28 0,-46Z",
    "H": "M0,44C-10,26 -44,6 -44,-18C-44,-33 -33,-42 -21,-42C-11,-42 -4,-36 0,-26"
    "C4,-36 11,-42 21,-42C33,-42 44,-33 44,-18C44,6 10,26 0,44Z",
    "D": "M0,-47C9,-29 21,-13 35,0C21,13 9,29 0,47C-9,29 -21,13 -35,0C-21,-13 -9,-29 0,-47Z",
}
_LEFT, _MIDDLE, _RIGHT = 25.5, WIDTH / 2, WIDTH - 25.5
_SIDE_ROWS = (20.0, 39.5, 58.5, 78.0)
_PIPS: Final = {  # rank -> places of its suit symbols
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


def picture(width: float, height: float, title: str, description: str, body: str) -> Picture:
    """A whole SVG document with a title and a description for those who cannot see it."""
    suits = "".join(f'<path id="suit-{suit}" d="{path}"/>' for suit, path in _SUIT_PATHS.items())
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f"<defs>{suits}{_PAINTS}</defs>{body}</svg>"
    )


_PAINTS: Final = (
    '<radialGradient id="felt" cx="0.5" cy="0.45" r="0.75">'
    '<stop offset="0" stop-color="#2f8060"/><stop offset="1" stop-color="#184a37"/>'
    "</radialGradient>"
    '<pattern id="back" width="10" height="10" patternUnits="userSpaceOnUse">'
    '<rect width="10" height="10" fill="#31507c"/>'
    '<path d="M5,0L10,5L5,10L0,5Z" fill="#4a6b9b" stroke="#a9bedb" stroke-width="0.7"/></pattern>'
)


def svg_cards(cards: Sequence[str]) -> Picture:
    """Cards side by side, such as a hand or a trick; card codes as in records."""
    step = WIDTH + 8
    body = "".join(card_svg(code, 8 + step * i, 8) for i, code in enumerate(cards))
    return picture(8 + step * len(cards), HEIGHT + 16, " ".join(cards), "cards", body)


def card_svg(code: str, x: float, y: float, *, scale: float = 1, ring: bool = False) -> str:
    """A card face up, its upper left corner at (x, y); `ring` frames it in gold."""
    rank, suit = code[0], code[1]
    corner = _corner(rank, suit)
    turned = f'<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{corner}</g>'
    frame = f'stroke="{GOLD}" stroke-width="5"' if ring else 'stroke="#8d8a80" stroke-width="1"'
    return (
        f'<g transform="translate({x:.4g} {y:.4g}) scale({scale:.4g})" fill="{INK[suit]}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#fffdf7" {frame}/>'
        f"{_middle(rank, suit)}{corner}{turned}</g>"
    )


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


def suit_svg(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """A suit symbol around (x, y), in the colour in force."""
    turn = " rotate(180)" if turned else ""
    return (
        f'<use href="#suit-{suit}" '
        f'transform="translate({x:.4g} {y:.4g}) scale({size / 100:.4g}){turn}"/>'
    )


def _letters(x: float, y: float, words: str, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{SERIF}" font-size="{size:g}" '
        f'font-weight="bold" text-anchor="middle">{words}</text>'
    )


def _corner(rank: str, suit: str) -> str:
    letters = _letters(10, 17, "10", 13) if rank == "T" else _letters(10, 18, rank, 17)
    return letters + suit_svg(suit, 10, 28, 13)


def _middle(rank: str, suit: str) -> str:
    if rank == "A":
        return suit_svg(suit, WIDTH / 2, HEIGHT / 2, 40)
    if rank in _PIPS:
        return "".join(suit_svg(suit, x, y, 14, turned=y > HEIGHT / 2) for x, y in _PIPS[rank])
    return (  # a court card: its letter in a frame
        f'<rect x="19.5" y="11.5" width="{WIDTH - 39}" height="{HEIGHT - 23}" rx="3" '
        f'fill="{INK[suit]}" fill-opacity="0.07" stroke="{INK[suit]}" stroke-opacity="0.45"/>'
        + _letters(WIDTH / 2, HEIGHT / 2 + 10, rank, 28)
        + suit_svg(suit, WIDTH / 2, 24, 15)
        + suit_svg(suit, WIDTH / 2, HEIGHT - 24, 15, turned=True)
    )
