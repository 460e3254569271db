"""What is typed and printed at the table of `kloepper play`."""

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kloepper_env.errors import ConfigError, IllegalActionError, listed, shown
from kloepper_env.terminal import visible

# Games bring numba with them, so whatever needs one is imported inside a function.
if TYPE_CHECKING:
    from rich.text import Text

    from kloepper_env.games.game import Game
    from kloepper_env.state import State

LONGEST_NAME: Final = 12  # characters: a trick of four names still fits into a line
HELP: Final = """\
number, card or announcement   do it: 2, 10h, J♠, knock, call h, pass
nothing                        pass, and pass again until the trick is over or there is news
?                              this help
? K15                          a rule by its id; ? terms and ? introduction; all: `kloepper rules`
hint                           what the agent `rules` would do
why                            what an expert thinks of each of your choices, in points
undo                           take back your last decision
again                          play this hand again from the deal
quit                           stop playing
In a trick the star marks the card that has it; 2:K♣ is the king of clubs played by seat 2."""


class Quit(Exception):
    """The player has had enough, or there is no more input."""


def read_line(prompt: str) -> str:
    """A line of input; who has no more of it has stopped playing."""
    if None in (sys.stdin, sys.stdout, sys.stderr):  # closed; `input` needs all three
        raise Quit
    try:
        return input(prompt).strip()
    except EOFError:
        raise Quit from None


def read_names(text: str, n_seats: int) -> tuple[str, ...]:
    """The names of those who sit at the table, by seat; ConfigError for what are none."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    if len(names) != n_seats:
        raise ConfigError(
            f"names has {len(names)} names ({shown(text)}), but there are {n_seats} seats"
        )
    for name in names:
        if not name or len(name) > LONGEST_NAME or visible(name) != name or ":" in name:
            raise ConfigError(
                f"names has {shown(name)}, but a name has 1 to {LONGEST_NAME} characters, "
                "none of them a colon or one that cannot be printed"
            )
    if len({name.casefold() for name in names}) < n_seats:
        raise ConfigError(f"names has one name twice ({shown(text)}), but each seat has its own")
    return names


class Speech:
    """The actions of a game as people type and read them."""

    def __init__(self, game: "Game") -> None:
        self._game = game

    def name(self, action: int) -> str:
        """An action for people: `10♥`, `call hearts`."""
        from kloepper_env.cards import pretty  # noqa: PLC0415  # see above

        name = self._game.action_names[action]
        return pretty(name) if self.is_play(action) else self._game.wording.action(name)

    def is_play(self, action: int) -> bool:
        """Whether an action plays a card to a trick."""
        from kloepper_env.games.action import Kind  # noqa: PLC0415  # see above

        return self._game.actions[action].kind is Kind.PLAY

    def read_action(self, line: str, state: "State", seat: int) -> int:
        """The legal action that somebody typed; IllegalActionError or NotationError otherwise."""
        choices = state.legal_actions()
        if line.isdecimal():
            number = int(line) if len(line) < 4 else 0
            if not 1 <= number <= len(choices):
                raise IllegalActionError(
                    f"there is no choice {line[:20]}: they go to {len(choices)}"
                )
            return choices[number - 1]
        action = self._spoken().get(_plain(line))
        if action is None:
            action = state.action(line)
        if action not in choices:
            wording = self._game.wording
            reason = wording.objection(state.view(seat), self._game.action_names[action])
            legal = listed(self.name(choice) for choice in choices)
            raise IllegalActionError(
                f"{self.name(action)} is not legal: {reason}; you may choose {legal}"
            )
        return action

    def _spoken(self) -> dict[str, int]:
        """Announcements as they may be typed: `call:H`, `call h`, `Call hearts`."""
        names = self._game.action_names
        announcements = [a for a in range(len(names)) if not self.is_play(a)]
        forms = [(name, a) for a in announcements for name in (names[a], self.name(a))]
        return {_plain(form): action for form, action in forms}

    def choices(self, state: "State", seat: int) -> str:
        """The choices of a seat by number, among all its cards where it is to play one."""
        choices = state.legal_actions()
        numbered = {action: f"[{i}] {self.name(action)}" for i, action in enumerate(choices, 1)}
        held = [self._game.action_of[card] for card in state.cards(seat)]
        if choices[0] in held:
            return "play        " + "  ".join(numbered.get(c, self.name(c)) for c in held)
        return "announce    " + "  ".join(numbered.values())


def score_table(
    hands: Sequence[Sequence[int]], totals: Sequence[int], names: Sequence[str] = ()
) -> str:
    """Scores hand by hand, and the totals below."""
    heading = ["hand", *(names or [f"seat {seat}" for seat in range(len(totals))])]
    numbered = [[str(number), *map(str, scores)] for number, scores in enumerate(hands, 1)]
    rows = [heading, *numbered, ["total", *map(str, totals)]]
    widths = [max(6, *map(len, column)) for column in zip(*rows, strict=True)]
    aligned = ("  ".join(map(str.rjust, row, widths)) for row in rows)
    return "\n".join(aligned) + "\n"


def coloured(text: str) -> "Text":
    """Text with its cards in the colours of their suits, and choices and stars marked."""
    from rich.text import Text  # noqa: PLC0415  # keeps `kloepper --help` quick

    styled = Text(text)
    styled.highlight_regex(r"\b(10|[2-9AKQJ])([♥♦]|[HD]\b)", "bold red")
    styled.highlight_regex(r"\b(10|[2-9AKQJ])([♣♠]|[CS]\b)", "bold")
    styled.highlight_regex(r"\[\d+\]|\*", "bold yellow")
    styled.highlight_regex(r"\byou\b", "bold green")
    return styled


def _plain(text: str) -> str:
    return " ".join(re.split(r"[\s:_-]+", text.lower().strip()))
