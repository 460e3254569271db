"""A hand as plain text: what a person at the table would want to see."""

from collections.abc import Iterator, Sequence
from typing import Final

from kloepper_env.cards import pretty
from kloepper_env.render.scene import Scene, Trick, scene_of
from kloepper_env.state import State

N_TEXTS: Final = 2  # last columns of the seats: cards, and what was announced
UNDER: Final = 6  # columns by which they are indented on lines of their own
MOST_CHOICES: Final = 16
"""Legal actions that a line names."""


def render_text(state: State, seat: int | None = None) -> str:
    """The hand as `seat` sees it, as several lines; with None every hand is shown.

    A finished hand is shown trick by trick. A star marks the card that has the trick.
    """
    return "\n".join(scene_lines(scene_of(state, seat)))


def scene_lines(scene: Scene, width: int | None = None) -> Iterator[str]:
    """The lines of `render_text`; where the seats do not fit into `width`, with lines for cards."""
    yield from table_lines(scene, width)
    if not scene.over:
        yield f"{'next card' if scene.asked is None else 'turn'.ljust(9)}   {turn_text(scene)}"


def table_lines(scene: Scene, width: int | None = None) -> Iterator[str]:
    """The same without the line that says whose turn it is."""
    yield f"{scene.title}: {scene.who(scene.dealer)} dealt, {scene.stage}"
    yield ""
    yield from _seat_lines(scene, width)
    yield ""
    if scene.over:
        yield from trick_table(scene)
        return
    if scene.tricks:
        last = scene.tricks[-1]
        yield f"last trick  {trick_text(scene, last)}  to {scene.who(last.winner)}"
    if scene.table:
        yield f"on table    {trick_text(scene, scene.table)}"


def trick_table(scene: Scene) -> Iterator[str]:
    """One line a trick: cards in playing order, who took it, card points."""
    rows = [["trick", "cards", "taken by", "points"]]
    for number, trick in enumerate(scene.tricks, 1):
        rows.append(
            [str(number), trick_text(scene, trick), scene.who(trick.winner), str(trick.points)]
        )
    yield from _columns(rows)


def trick_text(scene: Scene, trick: Trick) -> str:
    """A trick in playing order, the card that has it starred: `1:K♣ 2:A♣* 3:9♣`."""
    return " ".join(
        f"{scene.mark(seat)}:{pretty(card)}{'*' if seat == trick.winner else ''}"
        for seat, card in trick.plays
    )


def cards_text(scene: Scene, cards: Sequence[str]) -> str:
    """Cards by suit, a bar between suits."""
    groups = scene.groups(cards)
    return " | ".join(" ".join(pretty(card) for card in group) for group in groups)


def action_text(scene: Scene, action: str) -> str:
    """An action for people: `10♥`, `call hearts`."""
    return pretty(action) if scene.is_asked_to_play else scene.wording.action(action)


def turn_text(scene: Scene) -> str:
    """Who decides and what is legal, if the observer may know it; else whose card comes next."""
    if scene.asked is None:
        return scene.who(scene.player)
    who = "you" if scene.asked == scene.seat else scene.who(scene.asked)
    if not scene.legal:
        return who
    named = [action_text(scene, action) for action in scene.legal[:MOST_CHOICES]]
    if len(scene.legal) > MOST_CHOICES:
        named.append(f"and {len(scene.legal) - MOST_CHOICES} more")
    choices = ", ".join(named)
    verb = "may play" if scene.is_asked_to_play else "may announce"
    return f"{who} {verb}: {choices}"


def _seat_lines(scene: Scene, width: int | None) -> Iterator[str]:
    """A line a seat, or several where one would be wider than `width`."""
    rows = [_heading(scene), *(_seat_row(scene, seat) for seat in range(scene.n_seats))]
    whole = list(_columns(rows))
    if width is None or max(map(len, whole)) <= width:
        yield from whole
        return
    parts = _columns([row[:-N_TEXTS] for row in rows])
    yield next(parts)
    for line, row in zip(parts, rows[1:], strict=True):
        yield line
        yield from (f"{'':{UNDER}}{text}" for text in row[-N_TEXTS:] if text)


def _heading(scene: Scene) -> list[str]:
    score, cards = (["score"], "dealt") if scene.over else ([], "cards")
    return ["seat", "", "side", "tricks", "points", *score, cards, "announced"]


def _seat_row(scene: Scene, seat: int) -> list[str]:
    score = []
    if scene.over:
        score = [str(scene.scores[seat]) if scene.scores else "?"]
    cards = (scene.dealt if scene.over else scene.held)[seat]
    if cards is None:
        count = scene.counts[seat]
        shown = f"{count} card{'' if count == 1 else 's'}" + (" unseen" if scene.over else "")
    else:
        shown = cards_text(scene, cards)
    return [
        scene.mark(seat),
        scene.relation(seat),
        scene.sides[seat] or "?",
        str(len(scene.taken(seat))),
        str(scene.points(seat)),
        *score,
        shown,
        ", ".join(scene.marks[seat]),
    ]


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if cell.isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
