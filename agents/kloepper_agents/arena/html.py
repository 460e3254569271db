"""The report of a league as one HTML page that needs nothing else."""

import math
from collections.abc import Sequence
from html import escape as escape_markup

from kloepper_agents.arena.league import League
from kloepper_agents.arena.match import MatchResult
from kloepper_agents.arena.report import Grid, grids, label_of, notes, with_interval
from kloepper_env.terminal import visible

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; font: 13px system-ui, sans-serif; fill: currentColor; stroke: currentColor; }
svg text { stroke: none; }
code { overflow-wrap: anywhere; }
"""
_PLOT, _ROW = 380, 26  # of the picture, in pixels: width without labels, height of a match
_CHARACTER = 7.5  # of a label, in pixels


def escape(text: str) -> str:
    """Text as a page may hold it: no markup, and none of the characters that XML forbids."""
    return escape_markup(visible(text))


def page(league: League, command: str) -> str:
    """The page; `command` is what makes it again."""
    title = f"{league.setting.game}: {', '.join(league.agents)}"
    body = [_picture(league), *map(table, grids(league))]
    return document(title, body, notes(league), command)


def document(title: str, body: Sequence[str], sentences: Sequence[str], command: str) -> str:
    """A whole page: title, parts of HTML, sentences, and the command that makes it again."""
    parts = [f"<h1>{escape(title)}</h1>", *body]
    parts += [f"<p>{escape(line)}</p>" for line in sentences]
    parts.append(f"<p><code>{escape(command)}</code></p>")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def table(grid: Grid) -> str:
    """A grid as HTML."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.header)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows
    )
    return f"<table>\n<caption>{escape(grid.title)}</caption>\n<tr>{head}</tr>\n{rows}\n</table>"


def _picture(league: League) -> str:
    """Every match as a dot with its interval, around the line of no difference."""
    matches = list(league.matches.values())
    spans = [_span(match) for match in matches]
    names = [visible(label_of(league, pair)) for pair in league.matches]
    widest = max(abs(bound) for span in spans for bound in span)
    scale = _PLOT / 2 / (1.1 * widest or 1.0)
    labels = math.ceil(_CHARACTER * max(map(len, names)))
    middle, width, height = labels + _PLOT / 2, labels + _PLOT, _ROW * len(matches)
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-label="margins with 95 % intervals">',
        f'<line x1="{middle}" x2="{middle}" y1="0" y2="{height}" stroke-dasharray="3 3"/>',
    ]
    for i, (name, match, span) in enumerate(zip(names, matches, spans, strict=True)):
        y = _ROW * (i + 0.5)
        low, dot, high = (round(middle + scale * value, 1) for value in span)
        parts.append(
            f"<g><title>{escape(with_interval(match.estimate))}</title>"
            f'<text x="0" y="{y + 4}">{escape(name)}</text>'
            f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
            f'<circle cx="{dot}" cy="{y}" r="4"/></g>'
        )
    return "\n".join([*parts, "</svg>"])


def _span(match: MatchResult) -> tuple[float, float, float]:
    """Lower bound, margin and upper bound; an unknown interval has no width."""
    half = match.half_width if math.isfinite(match.half_width) else 0.0
    return match.margin - half, match.margin, match.margin + half
