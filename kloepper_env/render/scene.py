"""What there is to see of a hand, as data for text and pictures.

A scene is built from Views alone: one for a seat, all of them for an onlooker who may see
everything. So a picture for a seat cannot show what that seat does not know. What a game calls its
actions, and what its tricks are worth, its `wording` says (games/wording.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kloepper_env.games.action import Kind
from kloepper_env.games.game import Game
from kloepper_env.games.wording import Wording
from kloepper_env.state import State
from kloepper_env.view import View

Play = tuple[int, str]  # seat, card


@dataclass(frozen=True)
class Trick:
    """The cards of a trick in playing order, and which of them has it."""

    plays: tuple[Play, ...]
    winner: int  # seat
    points: int

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(card for _, card in self.plays)


@dataclass(frozen=True)
class Scene:
    """A hand in play or finished; lists go by seat."""

    title: str
    wording: Wording
    view: View  # what one of those who look on knows, for what is public
    seat: int | None  # the observer; None sees all
    dealer: int
    over: bool
    dealt: tuple[tuple[str, ...] | None, ...]  # None: unknown to the observer
    held: tuple[tuple[str, ...] | None, ...]
    counts: tuple[int, ...]  # cards held
    tricks: tuple[Trick, ...]  # complete ones
    table: Trick | None  # the trick in play
    centre: tuple[str, ...]  # cards that lie open where there is no trick yet
    player: int  # seat whose card comes next
    asked: int | None  # the seat that decides, if the observer may know it
    legal: tuple[str, ...]  # its actions, if the observer may know them
    is_asked_to_play: bool  # whether these are cards to play (else announcements)
    announcements: tuple[tuple[int, str], ...]
    marks: tuple[tuple[str, ...], ...]
    sides: tuple[str | None, ...]
    scores: tuple[int, ...] | None  # of a finished hand whose cards the observer has all seen
    mates: tuple[int, ...]  # partners of `you` whom the rules fix before the play
    you: int | None  # the seat that is spoken to; with None the observer's, if there is one
    names: tuple[str, ...] = ()  # of those who sit there; none: the numbers of the seats

    @property
    def n_seats(self) -> int:
        return len(self.counts)

    @property
    def stage(self) -> str:
        """How far the hand is: `trick 3`, and what else matters."""
        stage = "the hand is over" if self.over else f"trick {len(self.tricks) + 1}"
        return ", ".join([stage, *self.wording.situation(self.view)])

    def who(self, seat: int) -> str:
        """A seat in a sentence: `seat 2`, or the name of who sits there."""
        return self.names[seat] if self.names else f"seat {seat}"

    def mark(self, seat: int) -> str:
        """A seat beside a card: `2`, or the name."""
        return self.names[seat] if self.names else str(seat)

    def groups(self, cards: Sequence[str]) -> list[list[str]]:
        """Cards by suit, trumps first, the strongest first."""
        return self.wording.groups(self.view, cards)

    def taken(self, seat: int) -> list[Trick]:
        """The tricks that a seat has taken."""
        return [trick for trick in self.tricks if trick.winner == seat]

    def points(self, seat: int) -> int:
        """Card points that a seat has taken."""
        return sum(trick.points for trick in self.taken(seat))

    def relation(self, seat: int) -> str:
        """Where a seat sits as seen by who is spoken to; empty for an onlooker."""
        if self.you is None:
            return ""
        left = (seat - self.you) % self.n_seats
        right = self.n_seats - left
        if left == 0:
            return "you"
        if seat in self.mates:
            return "partner"
        if left == right:
            return "across"
        distance, side = (left, "left") if left < right else (right, "right")
        return side if distance == 1 else f"{distance} to the {side}"


def scene_of(
    state: State, seat: int | None = None, *, you: int | None = None, names: Sequence[str] = ()
) -> Scene:
    """The scene as `seat` may see it; with None, and when every card has been played, as it is.

    `you` marks the seat of somebody who may see all; `names` stand in place of seat numbers.
    """
    n_seats = state.game.n_seats
    if seat is not None and seat not in range(n_seats):
        raise ValueError(f"seat is {seat!r}, but must be None or 0 to {n_seats - 1}")
    views = [state.view(one) for one in ([seat] if seat is not None else range(n_seats))]
    plays = _plays(views[0], state.game)
    dealt = sum(mask.bit_count() for mask in state.game.dealt(state.hand))
    all_open = state.is_over and len(plays) == dealt  # a card laid away stays unseen
    if all_open:
        views = [state.view(one) for one in range(n_seats)]
    is_played_out = state.is_over and not any(views[0].counts)
    is_told = seat is None or is_played_out or not plays  # a hand passed out has no secrets
    scores = tuple(state.scores()) if state.is_over and is_told else None
    scene = _compose(views, seat, scores, state.game)
    spoken_to = seat if you is None else you
    mates = () if spoken_to is None else _mates(views[0], spoken_to, state.game)
    return replace(scene, you=spoken_to, mates=mates, names=tuple(names))


def _mates(view: View, seat: int, game: Game) -> tuple[int, ...]:
    """Who shares an account with a seat, or a party drawn for this hand."""
    party = next((team for team in view.teams or () if seat in team), ())
    same = [s for s, account in enumerate(game.accounts) if account == game.accounts[seat]]
    return tuple(sorted({*party, *same} - {seat}))


def _compose(
    views: Sequence[View], seat: int | None, scores: tuple[int, ...] | None, game: Game
) -> Scene:
    wording, first, n = game.wording, views[0], game.n_seats
    seen = {view.seat: view for view in views}
    plays = _plays(first, game)
    tricks = [_trick(plays[i : i + n], wording, first) for i in range(0, len(plays), n)]
    table = tricks.pop() if len(plays) % n else None
    if table:
        player = (table.plays[-1][0] + 1) % n
    else:
        player = tricks[-1].winner if tricks else (first.dealer + 1) % n
    sides = wording.sides(first)
    for view in views:
        sides[view.seat] = wording.sides(view)[view.seat]
    deciding = next((view for view in views if view.legal), None)
    return Scene(
        title=game.title,
        wording=wording,
        view=first,
        seat=seat,
        dealer=first.dealer,
        over=first.over,
        dealt=tuple(seen[s].dealt if s in seen else _all_played(first, plays, s) for s in range(n)),
        held=tuple(seen[s].cards if s in seen else None for s in range(n)),
        counts=first.counts,
        tricks=tuple(tricks),
        table=table,
        centre=() if plays or first.over else tuple(wording.centre(first)),
        player=player,
        asked=deciding.seat if deciding else first.turn,
        legal=deciding.legal if deciding else (),
        is_asked_to_play=deciding is not None and _is_play(deciding.legal[0], game),
        announcements=tuple(
            (who, action)
            for who, action in first.history
            if not _is_play(action, game) and action != "pass"
        ),
        marks=tuple(tuple(marks) for marks in wording.marks(first)),
        sides=tuple(sides),
        scores=scores,
        mates=(),
        you=seat,
    )


def _all_played(view: View, plays: Sequence[Play], seat: int) -> tuple[str, ...] | None:
    """The cards that a seat has played if it holds no more; None while it does."""
    return None if view.counts[seat] else tuple(card for who, card in plays if who == seat)


def _is_play(action: str, game: Game) -> bool:
    return game.actions[game.action_of[action]].kind is Kind.PLAY


def _plays(view: View, game: Game) -> list[Play]:
    """The cards played to tricks, with the seats that played them."""
    done = ((seat, game.actions[game.action_of[action]]) for seat, action in view.history)
    return [
        (seat, action.card) for seat, action in done if action.kind is Kind.PLAY and action.card
    ]


def _trick(plays: Sequence[Play], wording: Wording, view: View) -> Trick:
    cards = [card for _, card in plays]
    return Trick(tuple(plays), plays[wording.winner(view, cards)][0], wording.points(view, cards))
