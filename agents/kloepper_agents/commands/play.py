"""`kloepper play`: sit down at the table, in the terminal."""

import re
import secrets
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kloepper_agents.episode import Episode
from kloepper_env.console import read_rules
from kloepper_env.errors import ConfigError, IllegalActionError, KloepperError, listed
from kloepper_env.terminal import fitting, visible

# Games bring numba with them, so whatever needs one is imported inside a function.
if TYPE_CHECKING:
    from rich.text import Text

    from kloepper_agents.base import Agent
    from kloepper_env.games.game import Match, Outcome
    from kloepper_env.state import State

YOU: Final = "you"
ADVISER: Final = "rules"  # the agent whose choice `hint` tells
THINKER: Final = "level:5"  # the one that `why` asks for its reasons
HELP: Final = """\
number, card or announcement   do it: 2, 10h, J♠, knock, call h, pass
?                              this help
? K15                          a rule by its id; `kloepper rules` prints them all
hint                           what the agent `rules` would do
why                            what an expert thinks of each of your choices, in points
quit                           stop playing
In a trick the star marks the card that has it; 2:K♣ is the king of clubs played by seat 2."""


class _Quit(Exception):
    """The player has had enough, or there is no more input."""


def register(app: typer.Typer) -> None:
    """Add the command to the top-level app."""
    app.command("play", epilog="Example: kloepper play --seats you,rules,rules,rules --seed 7")(
        play
    )


def play(
    game: Annotated[str, typer.Option(help="Game to play.")] = "kloepper",
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Who sits in each seat: `you` (more than once if you like) or an agent; by "
            "default you and `rules` (`random` where a game has no `rules`). A name with a comma "
            "may stand in quotes.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the deals; random if not given.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option of the game; may be given several times."
        ),
    ] = None,
    episode: Annotated[Episode, typer.Option(help="One hand, or a whole game.")] = Episode.HAND,
) -> None:
    """Play in the terminal. Type ? at the table for help."""
    from kloepper_agents.kinds import plays, split_names  # noqa: PLC0415  # see above
    from kloepper_env.games import set_up  # noqa: PLC0415  # see above

    options = read_rules(rules or [])
    n_others = set_up(game, options)[0].n_seats - 1
    others = [ADVISER if plays(ADVISER, game) else "random"] * n_others
    names = split_names(seats, YOU) if seats else [YOU, *others]
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    session = Session(game, options, names, seed)
    try:
        session.play_game() if episode is Episode.GAME else session.play_hand(0, None)
    except _Quit:
        session.say("stopped")


class Session:
    """One sitting: who sits where, and the hands they play."""

    def __init__(self, game: str, rules: Mapping[str, Any], names: Sequence[str], seed: int):
        from rich.console import Console  # noqa: PLC0415  # keeps `kloepper --help` quick

        from kloepper_agents.base import SeesAll, require_rules  # noqa: PLC0415  # see above
        from kloepper_agents.kinds import make_agent  # noqa: PLC0415  # see above
        from kloepper_env.games import set_up  # noqa: PLC0415  # see above

        self.game, self.options = set_up(game, rules)
        self.rules = rules
        if len(names) != self.game.n_seats:
            raise ConfigError(
                f"seats names {len(names)} players ({', '.join(names)}), but {game} has "
                f"{self.game.n_seats} seats"
            )
        self.agents = [None if name == YOU else make_agent(name, game) for name in names]
        for agent in self.agents:
            if isinstance(agent, SeesAll):
                raise agent.refusal()
        require_rules(filter(None, self.agents), self.game, self.options)
        self.seed = seed
        self._wording = self.game.wording
        self._console = Console(highlight=False, soft_wrap=True)
        self._at_keyboard: int | None = None
        seated = ", ".join(f"seat {seat}: {visible(name)}" for seat, name in enumerate(names))
        self.say(f"seed {seed}; {seated}")

    def say(self, text: str) -> None:
        """Print lines, the suits coloured."""
        self._console.print(coloured(fitting(text, sys.stdout)))

    # --- hands and games

    def play_game(self) -> None:
        """Play hands until somebody has won."""
        match, played = self.game.match_type(self.options), list[list[int]]()
        while (winners := match.winners()) is None:
            outcome = self.play_hand(len(played), match)
            match.add(outcome)
            played.append(outcome.scores)
            self.say(score_table(played, match.totals))
        won = listed(winners).replace(" or ", " and ")
        self.say(f"seat {won} wins" if len(winners) == 1 else f"seats {won} share the win")

    def play_hand(self, number: int, match: "Match | None") -> "Outcome":
        """Play hand `number` of the seed to its end."""
        from kloepper_agents.base import decision_words  # noqa: PLC0415  # see above
        from kloepper_env.render import render_text  # noqa: PLC0415  # see above
        from kloepper_env.state import State  # noqa: PLC0415  # see above

        dealer, carry = (match.dealer(), match.carry()) if match else (-1, {})
        state = State.deal(
            self.game,
            self.rules,
            seed=self.seed,
            serial=number,
            dealer=dealer if dealer >= 0 else None,
            carry=carry,
        )
        decision = 0
        while (seat := state.turn) is not None:
            agent = self.agents[seat]
            if agent is None:
                action = self._ask(state, seat)
            else:
                random = decision_words(self.seed, number, seat, decision)
                action = agent.act(state.view(seat), int(random[0]))
            state.push(action)
            decision += 1
            if self.game.is_public(action, self.options):
                self.say(f"  seat {seat}  {self._name(action)}")
        self.say("\n" + render_text(state) + "\n")
        return state.outcome()

    # --- a person's decision

    def _ask(self, state: "State", seat: int) -> int:
        """Show the table to a person and read until there is a legal action."""
        self._change_places(seat)
        self._show(state, seat)
        while True:
            line = _read_line(f"seat {seat}> ").strip()
            try:
                action = self._obey(line, state, seat)
            except KloepperError as error:
                self.say(visible(str(error)))
                continue
            if action is not None:
                return action

    def _obey(self, line: str, state: "State", seat: int) -> int | None:
        """Carry out a line of input; returns the action if it was a legal one."""
        command = line.lower()
        if not line:
            self._show(state, seat)
        elif command in ("q", "quit", "exit"):
            raise _Quit
        elif command in ("?", "help"):
            self.say(HELP)
        elif command.startswith("?"):
            self._explain(command[1:].split())
        elif command == "hint":
            self.say(f"{ADVISER} would choose {self._name(self._hint(state, seat))}")
        elif command == "why":
            self.say(self._thoughts(state, seat))
        else:
            return self._read_action(line, state, seat)
        return None

    def _read_action(self, line: str, state: "State", seat: int) -> int:
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
            reason = self._wording.objection(state.view(seat), self.game.action_names[action])
            legal = listed(self._name(choice) for choice in choices)
            raise IllegalActionError(
                f"{self._name(action)} is not legal: {reason}; you may choose {legal}"
            )
        return action

    def _spoken(self) -> dict[str, int]:
        """Announcements as they may be typed: `call:H`, `call h`, `Call hearts`."""
        names = self.game.action_names
        announcements = [a for a in range(len(names)) if not self._is_play(a)]
        forms = [(name, a) for a in announcements for name in (names[a], self._name(a))]
        return {_plain(form): action for form, action in forms}

    def _name(self, action: int) -> str:
        from kloepper_env.cards import pretty  # noqa: PLC0415  # see above

        name = self.game.action_names[action]
        return pretty(name) if self._is_play(action) else self._wording.action(name)

    def _is_play(self, action: int) -> bool:
        from kloepper_env.games.action import Kind  # noqa: PLC0415  # see above

        return self.game.actions[action].kind is Kind.PLAY

    def _hint(self, state: "State", seat: int) -> int:
        from kloepper_agents.kinds import make_agent  # noqa: PLC0415  # see above

        adviser: Agent = make_agent(ADVISER, self.game.name)
        return adviser.act(state.view(seat), 0)

    def _thoughts(self, state: "State", seat: int) -> str:
        from kloepper_agents.kinds import make_agent  # noqa: PLC0415  # see above
        from kloepper_agents.search.searcher import Searcher  # noqa: PLC0415  # see above

        thinker = make_agent(THINKER, self.game.name)
        if not isinstance(thinker, Searcher):
            raise ConfigError(f"{THINKER} cannot say why in {self.game.title}")
        return thinker.explain(state.view(seat), self.seed).text()

    def _explain(self, ids: list[str]) -> None:
        from kloepper_env.rulebook import find_rules  # noqa: PLC0415  # see above

        self.say("\n".join(str(rule) for rule in find_rules(self.game.name, ids)))

    def _show(self, state: "State", seat: int) -> None:
        """The table as the seat sees it, then its choices by number."""
        from kloepper_env.render.scene import scene_of  # noqa: PLC0415  # see above
        from kloepper_env.render.text import table_lines  # noqa: PLC0415  # see above

        self.say("\n" + "\n".join(table_lines(scene_of(state, seat))))
        choices = state.legal_actions()
        numbered = {action: f"[{i}] {self._name(action)}" for i, action in enumerate(choices, 1)}
        held = [self.game.action_of[card] for card in state.cards(seat)]
        if choices[0] in held:
            self.say("play        " + "  ".join(numbered.get(c, self._name(c)) for c in held))
        else:
            self.say("announce    " + "  ".join(numbered.values()))

    def _change_places(self, seat: int) -> None:
        """Where several people share a terminal, hide what the one before has seen."""
        before, self._at_keyboard = self._at_keyboard, seat
        if before not in (None, seat) and sys.stdin is not None and sys.stdin.isatty():
            self._console.clear()
            _read_line(f"seat {seat}, press Enter when nobody else is looking ")


def _read_line(prompt: str) -> str:
    """A line of input; who has no more of it has stopped playing."""
    if None in (sys.stdin, sys.stdout, sys.stderr):  # closed; `input` needs all three
        raise _Quit
    try:
        return input(prompt)
    except EOFError:
        raise _Quit from None


def score_table(hands: Sequence[Sequence[int]], totals: Sequence[int]) -> str:
    """Scores hand by hand, and the totals below."""
    heading = ["hand", *(f"seat {seat}" for seat in range(len(totals)))]
    numbered = [[str(number), *map(str, scores)] for number, scores in enumerate(hands, 1)]
    rows = [heading, *numbered, ["total", *map(str, totals)]]
    return "\n".join("  ".join(cell.rjust(6) for cell in row) for row in rows) + "\n"


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
