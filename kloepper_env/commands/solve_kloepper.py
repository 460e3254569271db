"""`kloepper solve`: what a deal or a position is worth when everybody sees all cards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kloepper_env.columns import print_table
from kloepper_env.console import print_json, read_rules
from kloepper_env.errors import ConfigError, NotationError
from kloepper_env.terminal import say

# Games bring numba with them, so whatever needs one is imported inside a function.
if TYPE_CHECKING:
    from kloepper_env.solver import Solution, Value
    from kloepper_env.state import State

CAVEAT: Final = """\
Double dummy: everybody sees all cards and plays best, and nobody announces anything more.
Points are card points of the black side; a score below 0 goes to each seat of the red side."""


def register(app: typer.Typer) -> None:
    """Add the command to the top-level app."""
    app.command("solve", epilog="Example: kloepper solve hands.jsonl --hand 3 --after 16")(solve)


def solve(
    file: Annotated[
        Path | None, typer.Argument(help="File of records, from which to take the position.")
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="With FILE: its line K; else the first.")
    ] = None,
    after: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="With FILE: after N actions; else none.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Deal from this seed.")] = None,
    serial: Annotated[
        int | None, typer.Option(metavar="K", help="With --seed: its hand number K, from 0 on.")
    ] = None,
    deck: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="Deal this pack, in the order of records."),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="A/B/C/D",
            help="Deal these cards to seats 0 to 3, as many to each as the pack gives.",
        ),
    ] = None,
    dealer: Annotated[
        int | None, typer.Option(metavar="D", help="Seat of the dealer; the one on its left leads.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option of the game; may be given several times."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Solve a deal or a recorded position with open cards (double dummy).

    The position comes from FILE, --seed, --deck or --cards. Prints the value of the hand,
    of every card and of every announcement, and a line of best play. Points are the card points of
    the black side; a score is what each seat of the black side gets or, negative, of the red side.
    """
    from kloepper_env.solver import solve as solve_state  # noqa: PLC0415  # see above

    given = {"FILE": file, "--seed": seed, "--deck": deck, "--cards": cards}
    source = _only_source(given)
    _check_belongs("FILE", source, {"--hand": hand, "--after": after})
    _check_belongs("--seed", source, {"--serial": serial})
    if file is not None:
        if dealer is not None or rules:
            raise ConfigError("a record has its own --dealer and --rules: leave them out")
        state = _recorded(file, hand or 1, after or 0)
    else:
        state = _dealt(seed, serial or 0, deck, cards, dealer, read_rules(rules or []))
    solution = solve_state(state)
    if as_json:
        print_json(to_json(state, solution))
    else:
        _show(state, solution)


# --- the position --------------------------------------------------------------------------------


def _only_source(given: Mapping[str, object]) -> str:
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        raise ConfigError(
            "the position must come from one of FILE, --seed, --deck or --cards, "
            f"not from {' and '.join(names) or 'nowhere'}"
        )
    return names[0]


def _check_belongs(owner: str, source: str, options: Mapping[str, object]) -> None:
    for name, value in options.items():
        if value is not None and source != owner:
            raise ConfigError(f"{name} goes with {owner}, not with {source}")


def _recorded(file: Path, line: int, after: int) -> "State":
    from kloepper_env.records import read_record  # noqa: PLC0415  # see above

    state = read_record(file, line).state(after)
    if state.is_over:
        raise ConfigError(f"after {after} actions the hand is over: take fewer with --after N")
    return state


def _dealt(
    seed: int | None,
    serial: int,
    deck: str | None,
    cards: str | None,
    dealer: int | None,
    rules: Mapping[str, Any],
) -> "State":
    from kloepper_env.state import State  # noqa: PLC0415  # see above

    pack = _pack(cards, dealer or 0, rules) if cards is not None else deck
    return State.deal(rules=rules, seed=seed or 0, serial=serial, deck=pack, dealer=dealer)


def _pack(text: str, dealer: int, rules: Mapping[str, Any]) -> list[str]:
    """The pack that deals these hands of seats 0 to 3, written with a slash between hands."""
    from kloepper_env.cards import parse_cards  # noqa: PLC0415  # see above
    from kloepper_env.games import get_game  # noqa: PLC0415  # the same
    from kloepper_env.games.kloepper import record  # noqa: PLC0415  # the same

    game = get_game("kloepper")
    codes = game.pack(game.options(rules))
    size = len(codes) // record.N_SEATS
    hands = [parse_cards(hand, codes) for hand in text.split("/")]
    if [len(hand) for hand in hands] != [size] * record.N_SEATS:
        counts = " / ".join(str(len(hand)) for hand in hands)
        raise NotationError(
            f"--cards deals {counts} cards, but must deal {size} to each of "
            f"{record.N_SEATS} seats, with a / between hands"
        )
    return record.packets(hands, dealer)


# --- the answer ----------------------------------------------------------------------------------


def to_json(state: "State", solution: "Solution") -> dict[str, Any]:
    """Position and solution for a program; the position by the keys of records."""

    def named(values: Mapping[str, "Value"]) -> dict[str, dict[str, int]]:
        return {name: value._asdict() for name, value in values.items()}

    return {
        "game": state.game.name,
        "rules": state.options.changed(),
        "dealer": state.dealer,
        "deck": state.deck(),
        "actions": state.history,
        "turn": solution.turn,
        "player": solution.player,
        "black": solution.black,
        **solution.value._asdict(),
        "all_tricks": solution.all_tricks,
        "announcements": named(solution.announcements),
        "calls": named(solution.calls),
        "cards": named(solution.cards),
        "best_announcements": solution.best_announcements,
        "best_cards": solution.best_cards,
        "line": solution.line,
    }


def _show(state: "State", solution: "Solution") -> None:
    from kloepper_env.render import render_text  # noqa: PLC0415  # see above

    say("\n\n".join([render_text(state), CAVEAT, _verdict(solution), ""]))
    if solution.announcements or solution.calls:
        values = {**solution.announcements, **solution.calls}
        _table("announcement", values, {"score": solution.best_announcements})
    _table(f"card of seat {solution.player}", solution.cards, solution.best_cards)
    say(_line(state, solution))


def _verdict(solution: "Solution") -> str:
    black, (points, score) = solution.black, solution.value
    seats = f"seats {black[0]} and {black[1]}" if len(black) > 1 else f"seat {black[0]}, alone"
    side = "black" if score > 0 else "red"
    worth = f"{abs(score)} for each seat of the {side} side" if score else "nobody scores"
    sweep = "the black side takes them" if solution.all_tricks else "the red side takes one"
    return (
        f"black side  {seats}\n"
        f"value       {points} card points for the black side; {worth}\n"
        f"all tricks  {sweep}"
    )


def _table(title: str, values: Mapping[str, "Value"], best: Mapping[str, Sequence[str]]) -> None:
    """Print a row for each choice; a star marks the figures that are best for the seat's side."""
    rows = []
    for name, value in values.items():
        stars = {figure: "*" if name in names else " " for figure, names in best.items()}
        points = f"{value.black_points}{stars.get('black_points', ' ')}"
        rows.append([_label(name), points, f"{value.score:+}{stars['score']}"])
    print_table([title, "points ", "score "], rows)


def _label(name: str) -> str:
    from kloepper_env.cards import pretty  # noqa: PLC0415  # see above
    from kloepper_env.games.kloepper.record import CODES  # noqa: PLC0415  # the same
    from kloepper_env.games.kloepper.wording import action  # noqa: PLC0415  # the same
    from kloepper_env.solver.kloepper.api import ALONE  # noqa: PLC0415  # the same

    if name in CODES:
        return pretty(name)
    return name if name == ALONE else action(name)


def _line(state: "State", solution: "Solution") -> str:
    """The tricks from the one in play to the end."""
    from kloepper_env.render.scene import scene_of  # noqa: PLC0415  # see above
    from kloepper_env.render.text import trick_table  # noqa: PLC0415  # the same
    from kloepper_env.solver.kloepper.solution import played  # noqa: PLC0415  # the same

    end = played(state, (card for _, card in solution.line))
    heading, *rows = trick_table(scene_of(end))
    return "\n".join(["best play", heading, *rows[len(scene_of(state).tricks) :]])
