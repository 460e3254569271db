"""The report of a league as one HTML page that needs nothing else."""

import math
from collections.abc import Sequence
from html import escape as escape_markup

from kloepper_agents.arena.league import League
from kloepper_agents.arena.match import MatchResult
from kloepper_agents.arena.report import Grid, grids, label_of, notes, with_interval
from kloepper_agents.episode import Episode
from kloepper_env.terminal import visible

_STYLE = """
:root { color-scheme: light dark; --mark: #0072B2; }
@media (prefers-color-scheme: dark) { :root { --mark: #56B4E9; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 0 0 1.5rem; }
figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .9rem; }
@media (max-width: 40rem) { figure.wide svg { max-width: none; width: 42rem; } }
.margins { font: 14px system-ui, sans-serif; }
.margins text { fill: currentColor; }
.margins line { stroke: currentColor; }
.margins .interval { stroke: var(--mark); stroke-width: 2; }
.margins circle { fill: var(--mark); }
code { overflow-wrap: anywhere; }
"""
_PLOT, _ROW, _SIDE = 360, 44, 20  # of the picture, in pixels: plot, a match, margin on each side
_CHARACTERS = 48  # of a label, which stands above its interval
_MOST_TICKS = 7


def escape(text: str) -> str:
    """Text as a page may hold it: no markup, and none of the characters that XML forbids."""
    return escape_markup(visible(text))


def page(league: League, command: str) -> str:
    """The page; `command` is what makes it again."""
    title = f"{league.setting.game}: {', '.join(league.agents)}"
    body = [figure(_picture(league), _caption(league)), *map(table, grids(league))]
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
    return (
        f'<div class="wide"><table>\n<caption>{escape(grid.title)}</caption>\n'
        f"<tr>{head}</tr>\n{rows}\n</table></div>"
    )


def figure(picture: str, caption: str, *, is_wide: bool = False) -> str:
    """A picture in the page with what it shows and how many deals it took below it.

    On a telephone a wide one keeps a readable size and can be pushed aside.
    """
    wide = ' class="wide"' if is_wide else ""
    return f"<figure{wide}>{picture}\n<figcaption>{escape(caption)}</figcaption></figure>"


def _caption(league: League) -> str:
    setting = league.setting
    tables = max(match.tables for match in league.matches.values())
    unit = "games" if setting.episode == Episode.GAME else "deals"
    deals = max(match.deals for match in league.matches.values())
    return (
        f"{setting.unit.name[0].upper()}{setting.unit.name[1:]} of the first over the second: mean "
        f"and 95 % interval of {deals:,} {unit} at {tables:,} tables a match."
    )


def ticks(widest: float) -> list[float]:
    """Round numbers from -widest to widest, 0 among them, a few."""
    if not widest > 0:
        return [0.0]
    rough = 2 * widest / (_MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 5, 10) if power * one >= rough * (1 - 1e-9))
    most = math.floor(widest / step + 1e-9)
    return [i * step for i in range(-most, most + 1)]


def _picture(league: League) -> str:
    """Every match as a dot with its interval, around the line of no difference, over an axis."""
    matches = list(league.matches.items())
    spans = [_span(match) for _, match in matches]
    widest = 1.1 * max(abs(bound) for span in spans for bound in span) or 1.0
    scale, middle = _PLOT / 2 / widest, _SIDE + _PLOT / 2
    width, bottom = _PLOT + 2 * _SIDE, _ROW * len(matches) + 6
    parts = [
        f'<svg class="margins" viewBox="0 0 {width} {bottom + 42}" width="{width}" role="img" '
        'aria-label="margins with 95 % intervals">',
        f'<line x1="{middle}" x2="{middle}" y1="0" y2="{bottom}" stroke-dasharray="3 3"/>',
        f'<line x1="{_SIDE}" x2="{_SIDE + _PLOT}" y1="{bottom}" y2="{bottom}"/>',
    ]
    for value in ticks(widest):
        x = round(middle + scale * value, 1)
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="{bottom}" y2="{bottom + 5}"/>'
            f'<text x="{x}" y="{bottom + 19}" text-anchor="middle">{value:g}</text>'
        )
    for i, ((pair, match), (low, dot, high)) in enumerate(zip(matches, spans, strict=True)):
        y = _ROW * i + 32
        ends = [round(middle + scale * value, 1) for value in (low, high, dot)]
        name = visible(label_of(league, pair))
        short = name if len(name) <= _CHARACTERS else f"{name[: _CHARACTERS - 3]}..."
        parts.append(
            f"<g><title>{escape(name)}: {escape(with_interval(match.estimate))} "
            f"{escape(league.setting.unit.name)}</title>"
            f'<text x="0" y="{y - 14}">{escape(short)}</text>'
            f'<line class="interval" x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}"/>'
            f'<circle cx="{ends[2]}" cy="{y}" r="4"/></g>'
        )
    unit = escape(league.setting.unit.name)
    parts.append(f'<text x="{middle}" y="{bottom + 37}" text-anchor="middle">{unit}</text>')
    return "\n".join([*parts, "</svg>"])


def _span(match: MatchResult) -> tuple[float, float, float]:
    """Lower bound, margin and upper bound; an interval of too few deals has no width."""
    half = match.half_width if match.estimate.is_shown else 0.0
    return match.margin - half, match.margin, match.margin + half
