"""Records: one hand, one line of JSON, that replays for ever and that other programs can check.

    {"v": 1, "game": "kloepper", "rules": {}, "dealer": 3, "deck": ["AS", "JS", ...],
     "actions": [[1, "call:H"], [1, "pass"], ...], "scores": [0, 2, 2, 0], "black_points": 69}

The deck lists the cards in the order in which they leave the pack; `legal`, optional, holds the
names of all legal actions at each action. Unknown keys are kept and ignored.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.cards import parse_deck
from kloepper_env.engine import Records
from kloepper_env.errors import (
    ConfigError,
    KloepperError,
    NotationError,
    RecordMismatchError,
    listed,
    shortened,
    shown,
    whole_number,
)
from kloepper_env.games import set_up
from kloepper_env.games.game import Game, Teams, mask_of_words
from kloepper_env.reading import NotJsonError, read_json, read_lines
from kloepper_env.state import State

VERSION: Final = 1
_NEEDED: Final = ("v", "game", "rules", "dealer", "deck", "actions")


# --- from a hand to a line -----------------------------------------------------------------------


def to_record(
    state: State, *, legal: bool = False, agents: Sequence[str] | None = None
) -> dict[str, Any]:
    """The record of an ended hand; with `legal` also what was legal at each action."""
    masks = legal_masks(state) if legal else None
    return _compose(state.game, state.options, state.hand, masks, agents)


def legal_masks(state: State) -> list[int]:
    """The mask of the legal actions at each action of a hand so far."""
    carry = state.game.carry(state.hand, state.options)
    game = state.game
    teams = game.teams(state.hand) if game.set_teams else None
    hands = _opened(game, state.options, state.deck(), state.dealer, carry, teams)
    steps = np.array(game.history(state.hand), np.int64).reshape(-1, 2)
    masks = np.zeros((len(steps), game.legal_words), np.int64)
    _walk(hands, steps, masks)
    return [mask_of_words(words) for words in masks.tolist()]


def _compose(
    game: Game,
    options: Any,
    hand: Any,
    masks: Sequence[int] | None,
    agents: Sequence[str] | None,
) -> dict[str, Any]:
    if not hand.over:
        raise KloepperError("the hand is not over, so it has no record yet")
    record: dict[str, Any] = {
        "v": VERSION,
        "game": game.name,
        "rules": options.changed(),
        "dealer": int(hand.dealer),
        "deck": game.deck_of(hand),
    }
    if any((carry := game.carry(hand, options)).values()):
        record["carry"] = carry
    record |= _teams(game, hand)
    record["actions"] = [[seat, game.action_names[action]] for seat, action in game.history(hand)]
    if masks is not None:
        record["legal"] = [_names(game, mask) for mask in masks]
    record |= _results(game, options, hand)
    if agents is not None:
        record["agents"] = list(agents)
    return record


@lru_cache(maxsize=1 << 16)
def _names(game: Game, mask: int) -> tuple[str, ...]:
    return tuple(game.names_in(mask))


def _teams(game: Game, hand: Any) -> dict[str, Any]:
    """The parties drawn for a hand, in games that draw them."""
    teams = game.teams(hand)
    return {} if teams is None else {"teams": [list(seats) for seats in teams]}


def _results(game: Game, options: Any, hand: Any) -> dict[str, Any]:
    """What a record says of an ended hand: the score of each account, and more."""
    outcome = game.outcome(hand, options)
    scores = dict(zip(game.accounts, outcome.scores, strict=True))
    results: dict[str, Any] = {"scores": [scores[account] for account in sorted(scores)]}
    results |= game.summary(hand, options)
    if any(outcome.carry.values()):
        results["carry_out"] = dict(outcome.carry)
    return results


class RecordWriter:
    """Writes hands to a file as they end: each line whole, and flushed.

    `game` and `rules` are those of hands handed over as bare records of the engine.

    >>> from tempfile import TemporaryDirectory
    >>> state = State.deal(seed=1)
    >>> while not state.is_over:
    ...     state.push(state.legal()[0])
    >>> with TemporaryDirectory() as folder:
    ...     with RecordWriter(f"{folder}/hands.jsonl") as writer:
    ...         writer.write(state)
    ...     print(replay_file(f"{folder}/hands.jsonl").hands)
    1
    """

    def __init__(
        self,
        path: str | PathLike[str],
        game: str | Game = "kloepper",
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        self._game, self._options = set_up(game, rules)
        try:
            self._file = open(path, "wb")  # noqa: SIM115  # closed by close()
        except OSError as error:
            raise KloepperError(f"cannot write {path}: {error.strerror}") from None

    def write(
        self,
        hand: Any,
        *,
        legal_masks: Sequence[int] | None = None,
        agents: Sequence[str] | None = None,
    ) -> None:
        """Append an ended hand: a State, or an element of an array of hands of the writer's game.

        `legal_masks` is the mask of the legal actions at each action, `agents` the name of each
        seat's agent.
        """
        game, options = self._game, self._options
        if isinstance(hand, State):
            game, options, hand = hand.game, hand.options, hand.hand
        record = _compose(game, options, hand, legal_masks, agents)
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# --- from a line to a hand -----------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """A record that could be read: names of game, options, cards and actions are all right.

    Whether it replays to what it says, `check` tells.
    """

    data: Mapping[str, Any] = field(repr=False)  # the JSON object, unknown keys included
    game: Game
    options: Any
    dealer: int
    deck: Sequence[str]
    carry: Mapping[str, int]  # what the hand took over from those before it
    teams: Any  # the parties drawn for it; None in games that draw none
    steps: IntArray  # [T, 2] seat and number of each action

    @classmethod
    def parse(cls, line: str | bytes) -> Self:
        """Read a line. Raises NotationError or ConfigError, naming what is wrong."""
        data = _read_object(line)
        missing = [key for key in _NEEDED if key not in data]
        if missing:
            raise NotationError(f"the record has no {listed(map(repr, missing))}")
        if data["v"] != VERSION or data["v"] is True:
            raise NotationError(f"record version {shown(data['v'])} is not {VERSION}")
        name = _checked(data, "game", str, "a name")
        game, options = set_up(name, _checked(data, "rules", dict, "an object"))
        dealer, deck = data["dealer"], _checked(data, "deck", list, "a list of cards")
        if type(dealer) is not int or dealer not in range(game.n_seats):
            raise ConfigError(f"dealer is {shown(dealer)}, but must be 0 to {game.n_seats - 1}")
        pack = game.pack(options)
        cards = {card for card in deck if isinstance(card, str)}
        if len(deck) != len(pack) or cards != set(pack):
            deck = parse_deck(deck, pack)
        carry, teams = data.get("carry"), data.get("teams") if game.set_teams else None
        game.undealt(options, carry=carry, teams=teams)
        return cls(
            data=data,
            game=game,
            options=options,
            dealer=dealer,
            deck=deck,
            carry=carry or {},
            teams=teams,
            steps=_read_steps(game, _checked(data, "actions", list, "a list")),
        )

    def state(self, after: int | None = None) -> State:
        """The hand after its first `after` actions (all of them if None).

        Raises ConfigError when it has fewer, RecordMismatchError when they are not legal.
        """
        if after is not None:
            after = whole_number("after", after, len(self.steps) + 1)
        hands = self._opened()
        self._replay(hands, self.steps[:after])
        return State(self.game, self.options, hands)

    def check(self) -> None:
        """Replay; raises RecordMismatchError where the record differs from what happens."""
        hands = self._opened()
        masks = self._replay(hands, self.steps)
        hand = hands[0]
        if "legal" in self.data:
            self._check_legal(masks)
        if not hand.over:
            raise RecordMismatchError(
                f"the record stops after {len(self.steps)} actions, before the hand is over"
            )
        none_left = {"carry_out": dict.fromkeys(self.game.carries(self.options), 0)}
        teams = {} if self.game.set_teams else _teams(self.game, hand)  # else it was dealt to them
        found = none_left | teams | _results(self.game, self.options, hand)
        for key, value in found.items():
            if key in self.data and _written(self.data[key]) != _written(value):
                raise RecordMismatchError(
                    f"{key} is {_said(self.data[key])}, but the hand gives {_said(value)}"
                )

    def _opened(self) -> Records:
        return _opened(self.game, self.options, self.deck, self.dealer, self.carry, self.teams)

    def _replay(self, hands: Records, steps: IntArray) -> IntArray:
        masks = np.zeros((len(steps), self.game.legal_words), np.int64)
        done = _walk(hands, steps, masks)
        if done < len(steps):
            raise RecordMismatchError(f"action {done + 1}: {self._refusal(hands, done)}")
        return masks

    def _refusal(self, hands: Records, index: int) -> str:
        """Why an action of the record could not be carried out."""
        hand = hands[0]
        seat, action = (int(number) for number in self.steps[index])
        name = self.game.action_names[action]
        if hand.over:
            return f"[{seat}, {json.dumps(name)}] comes after the end of the hand"
        if seat != hand.turn:
            return f"seat {seat} acts, but it is the turn of seat {int(hand.turn)}"
        legal = self.game.names_in(self.game.legal_mask(hands))
        return f"{name} is not legal for seat {seat}; legal: {listed(legal)}"

    def _check_legal(self, masks: IntArray) -> None:
        said = self.data["legal"]
        if not isinstance(said, list) or len(said) != len(masks):
            raise RecordMismatchError(f"'legal' must list {len(masks)} times the legal actions")
        for index, (names, words) in enumerate(zip(said, masks.tolist(), strict=True)):
            legal = _names(self.game, mask_of_words(words))
            if names != list(legal) and _sorted_texts(names) != sorted(legal):
                raise RecordMismatchError(
                    f"action {index + 1}: 'legal' is {_said(names)}, but legal are {listed(legal)}"
                )


def _opened(
    game: Game,
    options: Any,
    deck: Sequence[str],
    dealer: int,
    carry: Mapping[str, int],
    teams: Teams | None,
) -> Records:
    """The hand that a pack deals, before its first action."""
    hands = game.undealt(options, carry=carry, teams=teams)
    game.deal_deck(hands[0], list(deck), dealer)
    return hands


@jit
def _walk(hands: Records, steps: IntArray, masks: IntArray) -> int:
    """Carry out steps [T, 2] of seat and action in hands[0], noting the legal masks [T, M].

    Returns how many were carried out: it stops before the first that is out of turn or not legal.
    """
    hand = hands[0]
    for i in range(len(steps)):
        for word in range(masks.shape[1]):
            masks[i, word] = engine.legal_word(hand, word)
        action = int(steps[i, 1])
        if steps[i, 0] != hand.turn or not masks[i, action >> 6] >> (action & 63) & 1:
            return i
        engine.apply(hand, action)
    return len(steps)


def _read_object(line: str | bytes) -> dict[str, Any]:
    try:
        data = read_json(line)
    except NotationError as error:
        raise type(error)(f"the line {error}") from None
    if not isinstance(data, dict):
        raise NotationError("the line is JSON, but not an object")
    return data


def _checked(data: Mapping[str, Any], key: str, kind: type, name: str) -> Any:
    if not isinstance(data[key], kind):
        raise NotationError(f"{key!r} is {_said(data[key])}, but must be {name}")
    return data[key]


def _read_steps(game: Game, actions: list[Any]) -> IntArray:
    steps = np.empty((len(actions), 2), np.int64)
    seats, action_of = range(game.n_seats), game.action_of
    for index, action in enumerate(actions):
        try:
            seat, name = action
            number = action_of[name]
        except (TypeError, ValueError, KeyError):
            number = -1
        if number < 0 or type(seat) is not int or seat not in seats:
            raise NotationError(
                f"action {index + 1} is {_said(action)}, but must be [seat, action]: a seat "
                f"from 0 to {game.n_seats - 1}, and a card or {game.said}"
            )
        steps[index, 0] = seat
        steps[index, 1] = number
    return steps


def _said(value: Any) -> str:
    """A value of a record for a message."""
    return shortened(_written(value))


def _written(value: Any) -> str:
    """A value of a record as JSON; what could just be read may be too deep to write out."""
    try:
        return json.dumps(value)
    except RecursionError:
        return "nested too deeply"


def _sorted_texts(names: Any) -> list[str] | None:
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return sorted(names) if is_list else None


# --- files ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line of a file, counted from 1."""

    line: int
    message: str
    unreadable: bool  # no record at all (else one that does not replay to what it says)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass
class Report:
    """What replaying a file found."""

    hands: int = 0  # records read
    problems: list[Problem] = field(default_factory=list)

    @property
    def mismatches(self) -> int:
        """Records that do not replay to what they say."""
        return sum(1 for problem in self.problems if not problem.unreadable)

    def add(self, line: int, record: Record | KloepperError) -> None:
        """Take in what `read_records` gave for a line, checking it if it is a record."""
        if isinstance(record, KloepperError):
            self.problems.append(Problem(line, str(record), unreadable=True))
            return
        self.hands += 1
        try:
            record.check()
        except RecordMismatchError as error:
            self.problems.append(Problem(line, str(error), unreadable=False))


def read_records(path: str | PathLike[str]) -> Iterator[tuple[int, Record | KloepperError]]:
    """The records of a file with their line numbers, or what is wrong with a line.

    Blank lines are passed over. Raises KloepperError when the file cannot be opened.
    """
    number = 0
    try:
        for number, line in enumerate(read_lines(path), 1):
            if not line.isspace():
                yield number, _read_record(line)
    except NotationError as error:
        yield number + 1, NotationError(f"the line {error}")


def _read_record(line: bytes) -> Record | KloepperError:
    try:
        return Record.parse(line)
    except NotJsonError as error:
        cut = NotationError("the file ends in the middle of this line")
        return error if line.endswith(b"\n") else cut
    except KloepperError as error:
        return error


def read_record(path: str | PathLike[str], line: int) -> Record:
    """The record in one line of a file, counted from 1.

    Raises ConfigError when there is none, and what `read_records` says of a line it cannot read.
    """
    for number, record in read_records(path):
        if number == line:
            if isinstance(record, KloepperError):
                raise record
            return record
    raise ConfigError(f"{path} has no hand in line {line}")


def replay_file(path: str | PathLike[str]) -> Report:
    """Replay every record of a file and compare it with what it says."""
    report = Report()
    for line, record in read_records(path):
        report.add(line, record)
    return report
