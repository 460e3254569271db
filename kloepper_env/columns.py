"""Tables of text for a terminal: nothing is cut off, however narrow it is.

A table that is too wide has its text folded between words; if that does not do, its columns are
printed in parts, below one another, each of them with the first column.
"""

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from kloepper_env.terminal import fitting, spelled, visible, width_of

GAP: Final = "  "
HEADING: Final = 12  # columns in which the heading of figures is folded, longer words apart
LONGEST_WORD: Final = 24  # of such a heading that is not broken
COMFORT: Final = 12  # columns below which text is not folded only to keep a table in one part


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and what stands below it: text, which may be folded, or figures, which may not."""

    heading: str
    cells: Sequence[str]
    is_text: bool

    @property
    def widest(self) -> int:
        """The width in which nothing needs to be folded, but headings of figures."""
        return max(map(_width, [*self._heading_lines(), *self.cells]))

    def slimmest(self, width: int) -> int:
        """The columns it needs of a table `width` wide; only a word over half of that is broken."""
        if not self.is_text:
            return self.widest
        words = [word for text in [self.heading, *self.cells] for word in text.split(" ")]
        wanted = max(min(COMFORT, self.widest), *map(_width, words))
        return min(wanted, (width - len(GAP)) // 2)

    def lines(self, width: int) -> Iterator[list[str]]:
        """The lines of the heading, then those of each cell."""
        yield fold(self.heading, width) if self.is_text else self._heading_lines()
        for cell in self.cells:
            yield fold(cell, width) if self.is_text else [cell]

    def aligned(self, line: str, width: int) -> str:
        """A line of a cell, filled up to the width of the column."""
        blanks = " " * (width - _width(line))
        return line + blanks if self.is_text else blanks + line

    def _heading_lines(self) -> list[str]:
        if self.is_text:
            return [self.heading]
        pieces = max(map(_width, re.split(r"[ /,]", self.heading)))
        return fold(
            self.heading, max(HEADING, min(pieces + 1, LONGEST_WORD), *map(_width, self.cells))
        )


def print_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    text: Collection[int] = (0,),
) -> None:
    """Print a table, as wide as it needs or as stdout is; `text` are the columns to the left."""
    from rich.console import Console  # noqa: PLC0415  # keeps `kloepper --help` quick
    from rich.text import Text  # noqa: PLC0415  # the same

    if sys.stdout is None:
        return
    cells = [[spelled(visible(cell), sys.stdout) for cell in row] for row in [header, *rows]]
    columns = [Column(one[0], one[1:], i in text) for i, one in enumerate(zip(*cells, strict=True))]
    console, width = Console(highlight=False, soft_wrap=True), width_of(sys.stdout)
    if title:
        console.print(Text(fitting(visible(title), sys.stdout), style="italic"))
    for part in parts(columns, width):
        heading, *lines = table_lines(part, width)
        console.print(Text(heading, style="bold"))
        console.print(Text(spelled("\n".join(lines), sys.stdout)))
        console.print()


def parts(columns: Sequence[Column], width: int | None) -> list[list[Column]]:
    """The columns that stand side by side, the first one in every part."""
    first, *rest = columns
    if width is None:
        return [[*columns]]
    found: list[list[Column]] = [[first]]
    for column in rest:
        if len(found[-1]) > 1 and _needed([*found[-1], column], width) > width:
            found.append([first])
        found[-1].append(column)
    return found


def _needed(columns: Sequence[Column], width: int) -> int:
    return sum(column.slimmest(width) for column in columns) + len(GAP) * (len(columns) - 1)


def widths_of(columns: Sequence[Column], width: int | None) -> list[int]:
    """A width for each column: what it would like while space is left, from left to right."""
    if width is None:
        return [column.widest for column in columns]
    given = [column.slimmest(width) for column in columns]
    spare = width - _needed(columns, width)
    for i, column in enumerate(columns):
        more = max(0, min(spare, column.widest - given[i]))
        given[i], spare = given[i] + more, spare - more
    return given


def table_lines(columns: Sequence[Column], width: int | None) -> Iterator[str]:
    """Columns side by side: the heading, its lines in one text, a rule, and the rows."""
    widths = widths_of(columns, width)
    folded_rows = zip(
        *(column.lines(own) for column, own in zip(columns, widths, strict=True)), strict=True
    )
    heading, *rows = (_row(columns, widths, cells) for cells in folded_rows)
    yield "\n".join(heading)
    yield "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
    for row in rows:
        yield from row


def _row(
    columns: Sequence[Column], widths: Sequence[int], cells: Sequence[Sequence[str]]
) -> list[str]:
    """The lines of a row, one below the other."""
    return [
        GAP.join(
            column.aligned(line, own)
            for column, own, line in zip(columns, widths, lines, strict=True)
        ).rstrip()
        for lines in zip_longest(*cells, fillvalue="")
    ]


def fold(text: str, width: int) -> list[str]:
    """Text in lines of some width; a word that is longer is broken, if possible behind a slash."""
    from rich.cells import chop_cells  # noqa: PLC0415  # see above

    lines = [""]
    for word in text.split(" "):
        gap = " " if lines[-1] else ""
        pieces = [word] if _width(word) <= width else re.findall(r"[^/,]*[/,]|[^/,]+", word)
        for piece in pieces:
            if _width(lines[-1] + gap + piece) <= width:
                lines[-1] += gap + piece
            else:
                lines += chop_cells(piece, width)
            gap = ""
    return [line for line in lines if line] or [""]


def _width(text: str) -> int:
    """Columns of a terminal that a text takes."""
    from rich.cells import cell_len  # noqa: PLC0415  # see above

    return cell_len(text)
