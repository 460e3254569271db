"""A hand as an SVG picture: the card table while it is played, a table of tricks at its end."""

import math
from collections.abc import Iterable

from kloepper_env.render.faces import (
    GOLD,
    HEIGHT,
    WIDTH,
    Faces,
    Picture,
    back_svg,
    faces_of,
    picture,
    text_svg,
)
from kloepper_env.render.scene import Scene, scene_of
from kloepper_env.render.text import scene_lines, turn_text
from kloepper_env.state import State

VIEW_WIDTH, VIEW_HEIGHT = 960, 720
_CENTRE_X, _CENTRE_Y = VIEW_WIDTH / 2, 356
LIFT = 15  # of a legal card
_NEIGHBOUR = 0.215  # of a turn: where the seat at the left sits at a table of more than four
_SMALL, _SMALL_STEP = 0.5, 44  # of the cards of the last trick
WIDEST = 200  # from the first to the last card of a hand at the side


def render_svg(state: State, seat: int | None = None, *, faces: str = "french") -> Picture:
    """The hand as `seat` sees it, as an SVG document; with None every hand is shown.

    While it is played: the table from above, the observer (or seat 0) at the bottom, seats
    clockwise; the legal cards of the seat to play are lifted and the card that has the trick is
    framed. A finished hand is shown trick by trick. Raises ConfigError for unknown `faces`.
    """
    drawn = faces_of(faces)
    scene = scene_of(state, seat)
    title = f"{scene.title}, " + ("all hands" if seat is None else f"as seat {seat} sees it")
    body = _felt() + (_finished(scene, drawn) if scene.over else _table(scene, drawn))
    return picture(drawn, VIEW_WIDTH, VIEW_HEIGHT, title, "\n".join(scene_lines(scene)), body)


def _felt() -> str:
    return (
        f'<rect width="{VIEW_WIDTH}" height="{VIEW_HEIGHT}" rx="18" fill="#10281f"/>'
        f'<rect x="10" y="46" width="{VIEW_WIDTH - 20}" height="{VIEW_HEIGHT - 92}" rx="22" '
        'fill="url(#felt)" stroke="#6b4a2f" stroke-width="5"/>'
    )


def _headline(words: str) -> str:
    return text_svg(_CENTRE_X, 30, words, size=18, weight="bold")


def _footline(words: str, fill: str) -> str:
    return text_svg(_CENTRE_X, VIEW_HEIGHT - 16, words, size=17, fill=fill)


# --- a hand in play ------------------------------------------------------------------------------


def _table(scene: Scene, faces: Faces) -> str:
    seats = "".join(_seat(scene, faces, seat) for seat in range(scene.n_seats))
    stage = f"{scene.title}   ·   {scene.stage}   ·   seat {scene.dealer} dealt"
    if scene.asked is None:
        foot = _footline(f"next card: {turn_text(scene)}", "#cfd8d0")
    elif not scene.legal:
        foot = _footline(f"turn: {turn_text(scene)}", "#cfd8d0")
    else:
        foot = _footline(turn_text(scene), GOLD)
    return _headline(stage) + seats + _trick(scene, faces) + _last_trick(scene, faces) + foot


def _direction(scene: Scene, seat: int) -> tuple[float, float]:
    """Where a seat sits as seen from the middle: (0, 1) is the bottom, then clockwise.

    More than four seats leave room at the bottom, for the cards that lie open there are wide.
    """
    place, n = (seat - (scene.seat or 0)) % scene.n_seats, scene.n_seats
    turn = place / n
    if n > 4 and place:
        turn = _NEIGHBOUR + (1 - 2 * _NEIGHBOUR) * (place - 1) / (n - 2)
    return -math.sin(2 * math.pi * turn), math.cos(2 * math.pi * turn)


def _seat(scene: Scene, faces: Faces, seat: int) -> str:
    dx, dy = _direction(scene, seat)
    x, y = _CENTRE_X + 340 * dx, _CENTRE_Y + 218 * dy
    at_bottom = dy > 0.99
    gaps = max(scene.counts[seat] - 1, 1)
    step = min(31, WIDEST / gaps)
    if at_bottom:
        right = _last_trick_left(scene) - 4 if scene.tricks else VIEW_WIDTH - 40
        step = min(76, (2 * (right - _CENTRE_X) - WIDTH) / gaps)
    return _hand(scene, faces, seat, x, y - HEIGHT / 2, step) + _plate(
        scene, seat, x, y + HEIGHT / 2 + 8
    )


def _hand(scene: Scene, faces: Faces, seat: int, x: float, y: float, step: float) -> str:
    """The cards of a seat in a row around x; the legal ones of the seat to play are lifted."""
    held = scene.held[seat]
    if held is None:
        count = scene.counts[seat]
        start = x - (WIDTH + 20 * (count - 1)) / 2
        return "".join(back_svg(start + 20 * i, y) for i in range(count))
    lifted = set(scene.legal) if scene.asked == seat and scene.is_asked_to_play else set()
    cards = [card for group in scene.groups(held) for card in group]
    start = x - (WIDTH + step * (len(cards) - 1)) / 2
    return "".join(
        faces.card(card, start + step * i, y - (LIFT if card in lifted else 0))
        for i, card in enumerate(cards)
    )


def _plate(scene: Scene, seat: int, x: float, y: float) -> str:
    """The name plate of a seat: who, side, tricks and points; announcements on a second one."""
    active = seat == (scene.player if scene.asked is None else scene.asked)
    count = len(scene.taken(seat))
    name = f"seat {seat}" if scene.seat != seat else f"seat {seat} (you)"
    words = f"{name} · {count} trick{'' if count == 1 else 's'} · {scene.points(seat)}"
    side = scene.sides[seat]
    dot = scene.wording.SIDE_COLOURS.get(side or "", "none")
    frame = f'stroke="{GOLD}" stroke-width="2.5"' if active else 'stroke="#0c1d16"'
    width = 236
    plate = (
        f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width}" height="25" rx="12.5" '
        f'fill="#0e241b" fill-opacity="0.85" {frame}/>'
        f'<circle cx="{x - width / 2 + 15:g}" cy="{y + 12.5:g}" r="7" fill="{dot}" '
        f'stroke="#d8d3c4" stroke-width="1.2"><title>{side or "side unknown"}</title></circle>'
        + text_svg(x + 4, y + 17.5, words, size=14)
    )
    if seat == scene.dealer:
        plate += (
            f'<circle cx="{x + width / 2 - 14:g}" cy="{y + 12.5:g}" r="8.5" fill="#fffdf7"/>'
            + text_svg(x + width / 2 - 14, y + 17, "D", size=12, fill="#10281f", weight="bold")
        )
    lift = LIFT if scene.asked == seat and scene.is_asked_to_play else 0
    return plate + _ribbon(x, y - HEIGHT - 34 - lift, scene.marks[seat])


def _ribbon(x: float, y: float, marks: Iterable[str]) -> str:
    """What a seat has announced, in gold above its cards."""
    words = " · ".join(marks)
    if not words:
        return ""
    width = 26 + 8.6 * len(words)
    return (
        f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width:g}" height="23" rx="11.5" '
        f'fill="{GOLD}"/>' + text_svg(x, y + 16.5, words, size=14, fill="#2b1d04", weight="bold")
    )


def _trick(scene: Scene, faces: Faces) -> str:
    """The trick on the table, each card towards its seat, the led one marked."""
    if scene.table is None:
        return "".join(
            faces.card(card, _CENTRE_X - WIDTH / 2, _CENTRE_Y - HEIGHT / 2) for card in scene.centre
        )
    cards = []
    wide = 88 if scene.n_seats <= 4 else 132
    for seat, card in scene.table.plays:
        dx, dy = _direction(scene, seat)
        x, y = _CENTRE_X + wide * dx - WIDTH / 2, _CENTRE_Y + 2 + 62 * dy - HEIGHT / 2
        cards.append(faces.card(card, x, y, ring=seat == scene.table.winner))
    dx, dy = _direction(scene, scene.table.plays[0][0])
    led = text_svg(_CENTRE_X + (56 + wide) * dx, _CENTRE_Y + 7 + 122 * dy, "led")
    return "".join(cards) + led


def _last_trick_left(scene: Scene) -> float:
    """Where the last trick begins: four cards at 748, more of them further left."""
    return min(748, 932 - _SMALL_STEP * (scene.n_seats - 1) - WIDTH * _SMALL)


def _last_trick(scene: Scene, faces: Faces) -> str:
    if not scene.tricks:
        return ""
    trick = scene.tricks[-1]
    x, y = _last_trick_left(scene), 568
    cards = "".join(
        faces.card(card, x + _SMALL_STEP * i, y, scale=_SMALL, ring=seat == trick.winner)
        for i, (seat, card) in enumerate(trick.plays)
    )
    words = f"last trick: seat {trick.winner}, {trick.points} points"
    middle = x + (_SMALL_STEP * (len(trick.plays) - 1) + WIDTH * _SMALL) / 2
    return cards + text_svg(middle, y + 70, words, size=13)


# --- a finished hand -----------------------------------------------------------------------------

_NUMBER_COLUMN, _POINTS_COLUMN = 70, 90
_TOP, _DEALT_TOP, _ROWS_TOP, _ROWS_BOTTOM = 58, 118, 196, 668


def _finished(scene: Scene, faces: Faces) -> str:
    height = min(78.0, (_ROWS_BOTTOM - _ROWS_TOP) / max(len(scene.tricks), 1))
    rows = "".join(
        _trick_row(scene, faces, i, _ROWS_TOP + height * i, height)
        for i in range(len(scene.tricks))
    )
    columns = "".join(_column(scene, faces, seat) for seat in range(scene.n_seats))
    said = ", ".join(
        f"seat {seat}: {scene.wording.action(action)}" for seat, action in scene.announcements
    )
    headline = f"{scene.title}   ·   {scene.stage}   ·   seat {scene.dealer} dealt"
    labels = text_svg(44, _DEALT_TOP + 38, "dealt", size=14) + text_svg(
        VIEW_WIDTH - 56, _DEALT_TOP + 38, "points", size=14
    )
    return _headline(headline) + columns + labels + rows + _footline(said, GOLD)


def _column_width(scene: Scene) -> float:
    return (VIEW_WIDTH - 20 - _NUMBER_COLUMN - _POINTS_COLUMN) / scene.n_seats


def _column(scene: Scene, faces: Faces, seat: int) -> str:
    """Head of a seat's column: name, side, tricks, points, score; and the cards it was dealt."""
    width = _column_width(scene)
    left = 10 + _NUMBER_COLUMN + width * seat
    middle = left + width / 2
    count = len(scene.taken(seat))
    side = scene.sides[seat]
    name = f"seat {seat}" + (f", {side}" if side else "") + (" (you)" if seat == scene.seat else "")
    taken = f"{count} trick{'' if count == 1 else 's'} · {scene.points(seat)} points"
    score = "" if scene.scores is None else f" · scores {scene.scores[seat]}"
    gains = bool(scene.scores and scene.scores[seat])
    fitting = 1.8 * width / len(taken + score)
    head = text_svg(middle, _TOP + 22, name, size=16, weight="bold") + text_svg(
        middle,
        _TOP + 43,
        taken + score,
        size=min(13, fitting),
        fill=GOLD if gains else "#f5f2e8",
    )
    dealt = scene.dealt[seat]
    scale = 0.6
    if dealt is None:
        unseen = f"{scene.counts[seat]} cards unseen"
        return head + text_svg(middle, _DEALT_TOP + 38, unseen, size=13, fill="#cfd8d0")
    cards = [card for group in scene.groups(dealt) for card in group]
    step = min(30.0, (width - 16 - WIDTH * scale) / max(len(cards) - 1, 1))
    start = middle - (step * (len(cards) - 1) + WIDTH * scale) / 2
    return head + "".join(
        faces.card(card, start + step * i, _DEALT_TOP, scale=scale) for i, card in enumerate(cards)
    )


def _trick_row(scene: Scene, faces: Faces, index: int, y: float, height: float) -> str:
    """One trick: every card under its seat, the one that took it framed, an arrow at the lead."""
    trick, width = scene.tricks[index], _column_width(scene)
    scale = (height - 12) / HEIGHT
    baseline = y + height / 2 + 5
    row = (
        f'<rect x="18" y="{y + 1:.4g}" width="{VIEW_WIDTH - 36}" height="{height - 2:.4g}" rx="8" '
        f'fill="#0c2018" fill-opacity="{0.28 if index % 2 == 0 else 0.08}"/>'
        + text_svg(44, baseline, str(index + 1), size=16, weight="bold")
        + text_svg(VIEW_WIDTH - 56, baseline, str(trick.points), size=16)
    )
    for place, (seat, card) in enumerate(trick.plays):
        middle = 10 + _NUMBER_COLUMN + width * (seat + 0.5)
        x = middle - WIDTH * scale / 2
        row += faces.card(card, x, y + 6, scale=scale, ring=seat == trick.winner)
        if place == 0:
            row += (
                f'<path d="M{x - 22:.4g},{baseline - 13:.4g}l12,8l-12,8Z" fill="{GOLD}">'
                "<title>led</title></path>"
            )
    return row
