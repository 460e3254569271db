"""Kloepper in words: how its cards are sorted, and what calls, knocks and sides are called."""

from collections.abc import Mapping, Sequence

from kloepper_env.cards import SUIT_SYMBOLS
from kloepper_env.games.kloepper import reasons, record
from kloepper_env.games.kloepper.observe import LAYOUT
from kloepper_env.games.kloepper.options import Options
from kloepper_env.view import View

BLACK, RED = "black", "red"
made_of, lesson = reasons.made_of, reasons.lesson
SIDE_COLOURS: Mapping[str, str] = {BLACK: "#15181d", RED: "#b3262d"}
_NUMBER = {code: number for number, code in enumerate(record.CODES)}
_SUIT_WORDS = {"C": "clubs", "S": "spades", "H": "hearts"}
_PLAIN_SUITS = ("a club", "a spade", "a heart", "a trump")
_PLAIN_NAMES = {"pass": "pass", "knock": "knock", "knock_off": "knock off"}


def _suit(card: str) -> int:
    return int(record.SUIT[_NUMBER[card]])


def groups(view: View, cards: Sequence[str]) -> list[list[str]]:
    """Trumps, clubs, spades, hearts; each from the strongest down (K2, K3)."""
    order = (record.TRUMPS, record.CLUBS, record.SPADES, record.HEARTS)
    ranked = sorted(cards, key=_NUMBER.__getitem__)
    suits = [[card for card in ranked if _suit(card) == suit] for suit in order]
    return [suit for suit in suits if suit]


def winner(view: View, cards: Sequence[str]) -> int:
    """Place of the winning card of a trick (K9)."""
    strength = record.STRENGTH[_suit(cards[0])]
    return max(range(len(cards)), key=lambda place: strength[_NUMBER[cards[place]]])


def points(view: View, cards: Sequence[str]) -> int:
    """Card points (K4)."""
    return sum(int(record.POINTS[_NUMBER[card]]) for card in cards)


def situation(view: View) -> list[str]:
    """Nothing but the number of the trick."""
    return []


def centre(view: View) -> list[str]:
    """No card lies open before the first trick."""
    return []


def action(action: str) -> str:
    """An announcement in words: `call hearts`, `knock off`."""
    if action in _PLAIN_NAMES:
        return _PLAIN_NAMES[action]
    return f"call {_SUIT_WORDS[action.removeprefix('call:')]}"


def marks(view: View) -> list[list[str]]:
    """Calls, knocks and knock-offs by seat, and who is publicly alone (K17)."""
    by_seat: list[list[str]] = [[] for _ in range(record.N_SEATS)]
    is_lone = bool(view.observation[LAYOUT["lone"]].any())
    for seat, done in view.history:
        if done == "knock":
            by_seat[seat] += ["knocked", "alone"] if is_lone else ["knocked"]
        elif done == "knock_off":
            by_seat[seat].append("knocked off")
        elif done.startswith("call:"):
            by_seat[seat].append(f"called A{SUIT_SYMBOLS[done[-1]]}")
    return by_seat


def sides(view: View) -> list[str | None]:
    """The side of each seat (K10, K11), None where the observer cannot be sure."""
    parts = LAYOUT.decode(view.observation)
    is_black = bool(parts["queens"].any() or parts["called_me"].any())
    own, other = (BLACK, RED) if is_black else (RED, BLACK)
    known: list[str | None] = [None] * record.N_SEATS
    known[view.seat] = own
    for distance in (1, 2, 3):
        if parts["ally"][distance - 1]:
            known[(view.seat + distance) % record.N_SEATS] = own
        elif parts["enemy"][distance - 1]:
            known[(view.seat + distance) % record.N_SEATS] = other
    return known


def objection(view: View, action: str) -> str:
    """Why the observer may not do this now, with the rule's id."""
    asked = "pass" in view.legal
    if action in _NUMBER:
        if action not in view.cards:
            return "you do not hold that card"
        if asked:
            return "an announcement round is open: announce something or pass first"
        return f"you hold {_PLAIN_SUITS[_suit(view.legal[0])]} and must follow suit (K8)"
    if not asked:
        return "you are to play a card: announcements have their own rounds (K11, K15, K18)"
    if action.startswith("call:"):
        return _objection_to_call(view, action)
    knocked = [seat for seat, done in view.history if done == "knock"]
    if action == "knock":
        return (
            "one knock a hand, and there was one (K15)"
            if knocked
            else "only a seat that was dealt a black queen may knock (K15, K16)"
        )
    return (
        "only the red side may knock off, once, before the next card, and not against "
        "a lone knocker (K18)"
        if knocked
        else "there is no knock-off without a knock (K18)"
    )


def _objection_to_call(view: View, action: str) -> str:
    ace = f"A{action[-1]}"
    pack = Options(**view.rules).pack
    done = [event for _, event in view.history]
    if not {"QC", "QS"} <= set(view.dealt):
        return "only a seat that was dealt both black queens may call (K11)"
    if ace not in record.pack_codes(pack):
        return f"{ace} is not among the {pack} cards of the pack (K32)"
    if ace in view.dealt:
        return f"you were dealt {ace} yourself (K12)"
    if ace in done:
        return f"{ace} has been played (K12)"
    if any(card in done for card in view.dealt):
        return "a call must come before your first card (K11)"
    return "you have called or knocked already (K11, K17)"
