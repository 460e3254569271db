"""The commands of this package: `kloepper rules`, `kloepper replay` and `kloepper solve`."""

import shutil
import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kloepper_env.commands import solve_kloepper as cli_solve
from kloepper_env.console import FAILED, print_json, progress
from kloepper_env.errors import ConfigError
from kloepper_env.files import whole_file
from kloepper_env.terminal import say, visible

# Games bring numba with them, so whatever needs one is imported inside its command.
if TYPE_CHECKING:
    from kloepper_env.records import Record, Report


def register(app: typer.Typer) -> None:
    """Add the commands to the top-level app."""
    app.command("rules", epilog="Example: kloepper rules K12 K15")(rules)
    app.command("replay", epilog="Example: kloepper replay hands.jsonl --hand 3 --show")(replay)
    cli_solve.register(app)


def rules(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Rules to print; also `introduction` and `terms`."),
    ] = None,
    game: Annotated[str, typer.Option(help="Game whose rules to print.")] = "kloepper",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the numbered rules, all of them or those with the given ids.

    All of them come after an introduction for beginners and the terms.
    """
    from kloepper_env.rulebook import SECTIONS, find_rules, find_section  # noqa: PLC0415  # see above

    words = list(SECTIONS) if not ids else [one for one in ids if one.lower() in SECTIONS]
    numbered = [one for one in ids or [] if one not in words]
    found = find_rules(game, numbered) if numbered or not words or not ids else []
    if as_json:
        print_json([{"id": rule.id, "rule": rule.text} | rule.notes for rule in found])
        return
    width = max(40, min(shutil.get_terminal_size().columns, 100))
    for section in filter(None, (find_section(game, word) for word in words)):
        for line in section.splitlines():
            typer.echo(textwrap.fill(line, width, subsequent_indent="  " * line.startswith("-")))
        typer.echo()
    for rule in found:
        typer.echo(textwrap.fill(str(rule), width, subsequent_indent=" " * (len(rule.id) + 2)))


def replay(
    file: Annotated[Path, typer.Argument(help="File of records, one hand per line.")],
    hand: Annotated[int | None, typer.Option(min=1, help="Only the hand in this line.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the hand trick by trick.")] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the hand into an SVG file.")
    ] = None,
    after: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="With --svg: as it was after N actions.")
    ] = None,
    faces: Annotated[
        str | None, typer.Option(help="With --svg: cards that look `french` or `german`.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Replay recorded hands and check that each gives what its record says.

    Exit status 1 if one does not, or if a line cannot be read.
    """
    from kloepper_env.records import Record, Report, read_records  # noqa: PLC0415  # see above

    if show and as_json:
        raise ConfigError("--show prints for people and --json for programs: take one of them")
    if svg is not None and (not svg.name or svg.is_dir()):
        raise ConfigError(f"{str(svg)!r} is no file to write a picture to")
    if svg is not None and svg.suffix != ".svg":
        raise ConfigError(f"the picture is an SVG file, so {svg.name!r} must end in .svg")
    if (svg is not None and hand is None) or (svg is None and (after, faces) != (None, None)):
        raise ConfigError("a picture takes both --hand K and --svg FILE")
    report, is_found = Report(), False
    with progress("replaying", _count_lines(file)) as advance:
        for line, record in read_records(file):
            advance(1)
            if hand not in (None, line):
                continue
            is_found = True
            report.add(line, record)
            if show and isinstance(record, Record):
                _show(line, record)
            if svg is not None and isinstance(record, Record):
                _draw(record, after, faces or "french", svg)
    if hand is not None and not is_found:
        raise ConfigError(f"{file} has no hand in line {hand}")
    _tell(report, as_json)
    if report.problems:
        raise typer.Exit(FAILED)


def _count_lines(file: Path) -> int | None:
    """How many lines a progress bar has to expect; None for what can be read but once."""
    if not file.is_file():
        return None
    with file.open("rb") as data:
        blocks = iter(partial(data.read, 1 << 20), b"")  # a line need not end
        return sum(block.count(b"\n") for block in blocks)


def _show(line: int, record: "Record") -> None:
    from kloepper_env.errors import RecordMismatchError  # noqa: PLC0415
    from kloepper_env.render import render_text  # noqa: PLC0415

    say(f"hand {line}")
    try:
        say(render_text(record.state()))
    except RecordMismatchError:
        say("cannot be shown: it does not replay")
    say()


def _draw(record: "Record", after: int | None, faces: str, file: Path) -> None:
    from kloepper_env.render import render_svg  # noqa: PLC0415  # see above

    picture = render_svg(record.state(after), faces=faces)
    with whole_file(file) as partial:
        partial.write_text(picture, encoding="utf-8")


def _tell(report: "Report", as_json: bool) -> None:
    if as_json:
        problems = [
            {"line": one.line, "unreadable": one.unreadable, "message": one.message}
            for one in report.problems
        ]
        print_json({"hands": report.hands, "mismatches": report.mismatches, "problems": problems})
        return
    for problem in report.problems:
        typer.echo(visible(str(problem)), err=True)
    typer.echo(f"{report.hands} hands, {report.mismatches} mismatches")
