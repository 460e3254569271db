"""One sitting of `kloepper play`: who sits where, and the hands they play."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kloepper_agents.commands.speech import HELP, Quit, Speech, coloured, read_line, score_table
from kloepper_env.errors import ConfigError, IllegalActionError, KloepperError, listed
from kloepper_env.terminal import fitting, visible, width_of

# Games bring numba with them, so whatever needs one is imported inside a function.
if TYPE_CHECKING:
    from kloepper_agents.base import Agent
    from kloepper_env.games.game import Match, Outcome
    from kloepper_env.render.scene import Scene
    from kloepper_env.state import State

YOU: Final = "you"
ADVISER: Final = "rules"  # the agent whose choice `hint` tells
THINKER: Final = "level:5"  # the one that `why` asks for its reasons
NEWS: Final = "? shows what can be typed; `kloepper rules` begins with an introduction"
AFTER_HAND: Final = "hand over (Enter: go on; again, undo, ? and a rule, quit)> "


@dataclass(frozen=True)
class Manners:
    """How people at the table want to be treated."""

    names: tuple[str, ...] = ()  # by seat; none: the numbers of the seats
    asks_forced: bool = False  # whether somebody with a single legal action is asked
    teaches: bool = False  # whether choices come with the rules behind them


@dataclass
class _Hand:
    """A hand in play, and the way back to each decision of a person."""

    state: "State"
    decisions: int = 0
    asked: list[tuple["State", int]] = field(default_factory=list)
    declined: dict[int, tuple[int, frozenset[int]]] = field(default_factory=dict)
    """Seat -> the trick in which it wants to announce nothing of these actions."""

    def push(self, action: int) -> None:
        self.state.push(action)
        self.decisions += 1

    def go_back(self, place: int) -> None:
        """To what it was when a person was asked for the time `place`; negative: from the end."""
        state, self.decisions = self.asked[place]
        self.state = state.copy()
        del self.asked[place:]
        self.declined.clear()


class _TakenBack(Exception):
    """The hand now stands where it stood before."""


class Session:
    """One sitting: who sits where, and the hands they play."""

    def __init__(
        self,
        game: str,
        rules: Mapping[str, Any],
        seats: Sequence[str],
        seed: int,
        manners: Manners = Manners(),
    ) -> None:
        from rich.console import Console  # noqa: PLC0415  # keeps `kloepper --help` quick

        from kloepper_agents.base import SeesAll, require_rules  # noqa: PLC0415  # see above
        from kloepper_agents.kinds import make_agent  # noqa: PLC0415  # see above
        from kloepper_env.games import set_up  # noqa: PLC0415  # see above

        self.game, self.options = set_up(game, rules)
        self.rules = rules
        if len(seats) != self.game.n_seats:
            raise ConfigError(
                f"seats names {len(seats)} players ({', '.join(seats)}), but {game} has "
                f"{self.game.n_seats} seats"
            )
        self.agents = [None if name == YOU else make_agent(name, game) for name in seats]
        for agent in self.agents:
            if isinstance(agent, SeesAll):
                raise agent.refusal()
        require_rules(filter(None, self.agents), self.game, self.options)
        self.seed, self.manners = seed, manners
        self._speech = Speech(self.game)
        self._people = [seat for seat, name in enumerate(seats) if name == YOU]
        self._console = Console(highlight=False, soft_wrap=True)
        self._at_keyboard: int | None = None
        seated = (f"{self._seat(seat)}: {visible(name)}" for seat, name in enumerate(seats))
        self.say(f"seed {seed}; {', '.join(seated)}")
        if self._people:
            self.say(NEWS)

    def say(self, text: str) -> None:
        """Print lines, the suits coloured."""
        self._console.print(coloured(fitting(text, sys.stdout)))

    # --- names of seats

    @property
    def _you(self) -> int | None:
        """The one person at the table; None where there are more or none."""
        return self._people[0] if len(self._people) == 1 else None

    def _seat(self, seat: int) -> str:
        return self.manners.names[seat] if self.manners.names else f"seat {seat}"

    def _who(self, seats: Sequence[int]) -> str:
        """Some seats in a sentence: `seat 0 (you) and seat 2`."""
        marked = (self._seat(seat) + (" (you)" if seat == self._you else "") for seat in seats)
        return listed(marked).replace(" or ", " and ")

    def _scene(self, state: "State", seat: int | None) -> "Scene":
        from kloepper_env.render.scene import scene_of  # noqa: PLC0415  # see above

        return scene_of(
            state, seat, you=self._you if seat is None else seat, names=self.manners.names
        )

    # --- hands and games

    def play_game(self) -> None:
        """Play hands until somebody has won."""
        match, played = self.game.match_type(self.options), list[list[int]]()
        while (winners := match.winners()) is None:
            outcome = self.play_hand(len(played), match)
            match.add(outcome)
            played.append(outcome.scores)
            self.say(score_table(played, match.totals, self.manners.names))
        won = self._who(winners)
        self.say(f"{won} wins" if len(winners) == 1 else f"{won} share the win")

    def play_hand(self, number: int, match: "Match | None") -> "Outcome":
        """Play hand `number` of the seed to its end, more than once if somebody wants to."""
        from kloepper_env.state import State  # noqa: PLC0415  # see above

        dealer, carry = (match.dealer(), match.carry()) if match else (-1, {})
        hand = _Hand(
            State.deal(
                self.game,
                self.rules,
                seed=self.seed,
                serial=number,
                dealer=dealer if dealer >= 0 else None,
                carry=carry,
            )
        )
        dealt = hand.state.copy()
        while True:
            self._play_on(hand, number)
            self._tell_end(hand.state)
            if not self._people or not self._wants_more(hand, dealt, in_game=match is not None):
                return hand.state.outcome()

    def _play_on(self, hand: _Hand, number: int) -> None:
        from kloepper_agents.base import decision_words  # noqa: PLC0415  # see above

        while (seat := hand.state.turn) is not None:
            agent, note = self.agents[seat], ""
            if agent is None:
                try:
                    action, note = self._decide(hand, seat)
                except _TakenBack:
                    continue
            else:
                random = decision_words(self.seed, number, seat, hand.decisions)
                action = agent.act(hand.state.view(seat), int(random[0]))
            hand.push(action)
            if note or self.game.is_public(action, self.options):
                self.say(f"  {self._seat(seat)}  {self._speech.name(action)}{note}")
            if self._speech.is_play(action):
                self._tell_trick(hand.state)

    def _tell_trick(self, state: "State") -> None:
        """Who has taken the trick, if this was its last card and there are more to come."""
        scene = self._scene(state, None)
        if scene.table is None and not scene.over:
            trick = scene.tricks[-1]
            self.say(
                f"trick {len(scene.tricks)} goes to {self._who([trick.winner])}: "
                f"{trick.points} points"
            )

    def _tell_end(self, state: "State") -> None:
        """The hand trick by trick, and what its score is made of."""
        from kloepper_env.render.text import scene_lines  # noqa: PLC0415  # see above

        self.say(
            "\n" + "\n".join(scene_lines(self._scene(state, None), width_of(sys.stdout))) + "\n"
        )
        reasons = self.game.wording.made_of(state.hand, self.options, self._who)
        self.say("\n".join(reason[0].upper() + reason[1:] for reason in reasons) + "\n")

    def _wants_more(self, hand: _Hand, dealt: "State", *, in_game: bool) -> bool:
        """Ask after a hand; whether it was set back to be played once more."""
        while True:
            try:
                line = read_line(AFTER_HAND)
            except Quit:
                self.say("")
                line = "quit"
            try:
                match line if line.startswith("?") else line.lower():
                    case "":
                        return False
                    case "q" | "quit" | "exit" if in_game:
                        raise Quit
                    case "q" | "quit" | "exit":
                        return False
                    case "undo" | "again":
                        self._take_back(hand, line.lower(), dealt)
                        return True
                    case command if command.startswith("?"):
                        self._explain(command[1:].split())
                    case _:
                        raise IllegalActionError("the hand is over: press Enter to go on")
            except KloepperError as error:
                self.say(visible(str(error)))

    # --- a person's decision

    def _decide(self, hand: _Hand, seat: int) -> tuple[int, str]:
        """The action of a person, and a note where it was taken without a question."""
        state = hand.state
        choices = state.legal_actions()
        if len(choices) == 1 and not self.manners.asks_forced:
            reason = " ".join(self._lesson(state, seat)) if self.manners.teaches else ""
            return choices[0], f"  (your only choice{'. ' * bool(reason)}{reason})"
        trick, declined = hand.declined.get(seat, (-1, frozenset()))
        if trick == self._trick(state) and declined.issuperset(choices):
            return self._pass(choices), ""
        return self._ask(hand, seat), ""

    def _is_asked_again(self, hand: _Hand) -> bool:
        """Whether a person may announce just what it did not before in this trick."""
        if len(hand.asked) < 2 or "pass" not in hand.state.legal():
            return False
        before, now = hand.asked[-2][0], hand.state
        same = (before.turn, before.legal_actions()) == (now.turn, now.legal_actions())
        return same and self._trick(before) == self._trick(now)

    def _trick(self, state: "State") -> int:
        """How many tricks are complete."""
        played = sum(self._speech.is_play(action) for _, action in self.game.history(state.hand))
        return played // self.game.n_seats

    def _pass(self, choices: Sequence[int]) -> int:
        action = self.game.action_of.get("pass", -1)
        if action not in choices:
            raise IllegalActionError("you are to play a card, so there is nothing to pass on")
        return action

    def _ask(self, hand: _Hand, seat: int) -> int:
        """Show the table to a person and read until there is a legal action."""
        hand.asked.append((hand.state.copy(), hand.decisions))
        self._change_places(seat)
        self._show(hand.state, seat)
        if self._is_asked_again(hand):
            self.say("            or nothing: pass until the trick is over or there is news")
        while True:
            line = read_line(f"{self._seat(seat)}> ")
            try:
                action = self._obey(line, hand, seat)
            except KloepperError as error:
                self.say(visible(str(error)))
                continue
            if action is not None:
                return action

    def _obey(self, line: str, hand: _Hand, seat: int) -> int | None:
        """Carry out a line of input; returns the action if it was a legal one."""
        state, command = hand.state, line.lower()
        match line if line.startswith("?") else command:
            case "":
                self._show(state, seat)
            case "q" | "quit" | "exit":
                raise Quit
            case "?" | "help":
                self.say(HELP)
            case "hint":
                self.say(f"{ADVISER} would choose {self._speech.name(self._hint(state, seat))}")
            case "why":
                self.say(self._thoughts(state, seat))
            case "nothing" | "nothing this trick":
                choices = state.legal_actions()
                action = self._pass(choices)
                hand.declined[seat] = self._trick(state), frozenset(choices)
                return action
            case "undo" | "again":
                if len(hand.asked) < 2:
                    raise IllegalActionError(
                        "you have decided nothing yet, so nothing can be undone"
                    )
                hand.go_back(-2 if command == "undo" else 0)
                raise _TakenBack
            case _ if line.startswith("?"):
                self._explain(line[1:].split())
            case _:
                return self._speech.read_action(line, state, seat)
        return None

    def _take_back(self, hand: _Hand, command: str, dealt: "State") -> None:
        """Set a hand that is over back to the last decision of a person, or to the deal."""
        if command == "again":
            hand.state, hand.decisions = dealt.copy(), 0
            hand.asked.clear()
            hand.declined.clear()
        elif hand.asked:
            hand.go_back(-1)
        else:
            raise IllegalActionError(
                "you have decided nothing in this hand; `again` plays it again"
            )

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
        explanation = thinker.explain(state.view(seat), self.seed)
        return f"{explanation.meaning()}\n{explanation.text()}"

    def _explain(self, ids: list[str]) -> None:
        from kloepper_env.rulebook import find_rules, find_section  # noqa: PLC0415  # see above

        section = find_section(self.game.name, " ".join(ids))
        found = [section] if section else map(str, find_rules(self.game.name, ids))
        self.say("\n".join(found))

    def _lesson(self, state: "State", seat: int) -> list[str]:
        return self.game.wording.lesson(state.view(seat))

    def _show(self, state: "State", seat: int) -> None:
        """The table as the seat sees it, then its choices by number."""
        from kloepper_env.render.text import table_lines  # noqa: PLC0415  # see above

        self.say("\n" + "\n".join(table_lines(self._scene(state, seat), width_of(sys.stdout))))
        self.say(self._speech.choices(state, seat))
        if self.manners.teaches:
            for lesson in self._lesson(state, seat):
                self.say(f"rule        {lesson}")
            self.say(f"advice      {ADVISER} would choose {self._advice(state, seat)}")

    def _advice(self, state: "State", seat: int) -> str:
        return self._speech.name(self._hint(state, seat))

    def _change_places(self, seat: int) -> None:
        """Where several people share a terminal, hide what the one before has seen."""
        before, self._at_keyboard = self._at_keyboard, seat
        if before not in (None, seat) and sys.stdin is not None and sys.stdin.isatty():
            self._console.clear()
            read_line(f"{self._seat(seat)}, press Enter when nobody else is looking ")
