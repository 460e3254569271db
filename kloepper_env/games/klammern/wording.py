"""Klammern in words: how its cards are sorted, and what choices, melds and teams are called."""

from collections.abc import Mapping, Sequence

from kloepper_env.cards import SUIT_SYMBOLS, pretty
from kloepper_env.games.klammern import reasons, record
from kloepper_env.games.klammern.options import ALL_AT_ONCE
from kloepper_env.view import View

TAKERS, DEFENDERS = "takers", "defenders"
_SUIT_WORDS = reasons.SUIT_WORDS
made_of, lesson = reasons.made_of, reasons.lesson
SIDE_COLOURS: Mapping[str, str] = {TAKERS: "#f4b942", DEFENDERS: "#4a6b9b"}
_NUMBER = {code: number for number, code in enumerate(record.CODES)}
_ACTIONS = {"pass": "pass", "kontra": "Kontra", "re": "Re", "declare": "declare melds"}
_DONE = {"kontra": "Kontra", "re": "Re"}
_MELDS = {
    "terz": "Terz",
    "quart": "Quart",
    "quint": "Quint",
    "four_100": "four, 100",
    "four_150": "four nines",
    "four_200": "four jacks",
}


def trump_of(view: View) -> str | None:
    """The trump suit, None before a take."""
    takes = [action[-1] for _, action in view.history if action.startswith("take:")]
    return takes[0] if takes else None


def _taker_of(view: View) -> int | None:
    takers = [seat for seat, action in view.history if action.startswith("take:")]
    return takers[0] if takers else None


def _strength(view: View, led: str, card: str) -> int:
    trump, suit = trump_of(view), record.SUITS.index(led)
    if trump is None:  # sorted as plain cards until a suit is trump
        trump = next(other for other in record.SUITS if other != led)
    return int(record.STRENGTH[record.SUITS.index(trump), suit, _NUMBER[card]])


def groups(view: View, cards: Sequence[str]) -> list[list[str]]:
    """Trumps, then clubs, spades, hearts, diamonds; each from the strongest down (M2, M3)."""
    order = sorted(record.SUITS, key=lambda suit: suit != trump_of(view))
    suits = [[card for card in cards if card[1] == suit] for suit in order]
    return [
        sorted(suit, key=lambda card: -_strength(view, card[1], card)) for suit in suits if suit
    ]


def winner(view: View, cards: Sequence[str]) -> int:
    """Place of the winning card of a trick (M18)."""
    led = cards[0][1]
    return max(range(len(cards)), key=lambda place: _strength(view, led, cards[place]))


def points(view: View, cards: Sequence[str]) -> int:
    """Card points (M2, M3)."""
    trump = trump_of(view)
    assert trump is not None, "a card is played only after a take"
    row = record.POINTS[record.SUITS.index(trump)]
    return sum(int(row[_NUMBER[card]]) for card in cards)


def _turned(view: View) -> str:
    (card,) = (fact.removeprefix("turned:") for fact in view.facts if fact.startswith("turned:"))
    return card


def situation(view: View) -> list[str]:
    """The trump suit, or the turned card as long as there is none."""
    trump = trump_of(view)
    if trump is not None:
        return [f"{_SUIT_WORDS[trump]} are trump"]
    return ["passed out"] if view.over else [f"{pretty(_turned(view))} is turned"]


def centre(view: View) -> list[str]:
    """The turned card, until somebody has taken (M5, M9)."""
    in_hand = view.rules.get("deal") == ALL_AT_ONCE
    return [] if trump_of(view) or in_hand else [_turned(view)]


def action(action: str) -> str:
    """An announcement in words: `take hearts`, `Kontra`."""
    if action in _ACTIONS:
        return _ACTIONS[action]
    return f"take {_SUIT_WORDS[action.removeprefix('take:')]}"


def marks(view: View) -> list[list[str]]:
    """Takes, Kontra, Re, announced melds, the cards of those that score, and Belle, by seat."""
    by_seat: list[list[str]] = [[] for _ in range(record.N_SEATS)]
    for seat, done in view.history:
        if done.startswith("take:"):
            by_seat[seat].append(f"took {SUIT_SYMBOLS[done[-1]]}")
        elif done in _DONE:
            by_seat[seat].append(_DONE[done])
    shown: list[list[str]] = [[] for _ in range(record.N_SEATS)]
    for fact in view.facts:
        kind, _, rest = fact.partition(":")
        owner, _, what = rest.partition(":")
        if kind == "meld":
            by_seat[int(owner)].append(_MELDS[what.removeprefix("second_")])
        elif kind == "shown":
            shown[int(owner)].append(pretty(what))
        elif kind == "belle":
            by_seat[int(owner)].append("Belle")
    for seat, cards in enumerate(shown):
        if cards:
            by_seat[seat].append("showed " + " ".join(cards))
    return by_seat


def sides(view: View) -> list[str | None]:
    """Takers and defenders (M10), None before a take."""
    taker = _taker_of(view)
    if taker is None:
        return [None] * record.N_SEATS
    return [TAKERS if (seat - taker) % 2 == 0 else DEFENDERS for seat in range(record.N_SEATS)]


def objection(view: View, action: str) -> str:
    """Why the observer may not do this now, with the rule's id."""
    if action in _NUMBER:
        return _objection_to_card(view, action)
    if "pass" not in view.legal:
        return "you are to play a card: what is said before the play comes earlier (M6, M7, M11)"
    if action.startswith("take:"):
        return _objection_to_take(view, action)
    if action == "declare":
        return (
            "you have no melds (M22)"
            if len(view.cards) == record.HAND_SIZE and view.legal == ("pass",)
            else "melds are declared right before the card to trick 1, if at all (M22)"
        )
    return "only the defenders may say Kontra, once, and only the takers Re after it (M11)"


def _objection_to_take(view: View, action: str) -> str:
    if trump_of(view) is not None:
        return "a suit has been taken, which ends the choice (M6, M7)"
    suit = _SUIT_WORDS[_turned(view)[1]]
    if len([event for event in view.history if event[1] == "pass"]) < record.N_SEATS:
        return f"in the first choice only the suit of the turned card, {suit}, may be taken (M6)"
    return f"in the second choice {suit}, the suit of the turned card, is out (M7)"


def _objection_to_card(view: View, card: str) -> str:
    if card not in view.cards:
        return "you do not hold that card"
    if "pass" in view.legal:
        return "you are asked for something else: answer or pass first"
    plays = [action for _, action in view.history if action in _NUMBER]
    led, trump = plays[len(plays) - len(plays) % record.N_SEATS][1], trump_of(view)
    if view.legal[0][1] != led:
        over = "" if card[1] != trump else ", and beat the card that has the trick if you can"
        return f"you have no {_SUIT_WORDS[led]} and must trump{over} (M16)"
    if card[1] == led:
        return "trump was led and you can beat the card that has the trick, so you must (M14)"
    return f"you hold {_SUIT_WORDS[led]} and must follow suit (M13)"
