"""The observation of a seat, put together slowly from what its View tells in words.

Nothing here looks at the observation or at a hidden card. Cards and tricks are those of the second
engine in tests/oracle.
"""

from collections.abc import Iterator
from itertools import product

from kloepper_env.view import View
from tests.oracle.kloepper import card_points, trick_winner
from tests.oracle.kloepper_rules import BLACK_QUEENS, CALLS, PACK, SEATS, clockwise, suit_of

CODES = [
    *("QC", "QS", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "QD", "9D"),
    *("AC", "TC", "KC", "9C"),
    *("AS", "TS", "KS", "9S"),
    *("AH", "TH", "KH", "QH", "9H"),
]
SUITS = ["C", "S", "H", "trump"]


class Table:
    """What a seat knows of a hand, read from its View's history."""

    def __init__(self, view: View) -> None:
        self.me = view.seat
        self.dealt = view.dealt
        self.rules = view.rules
        self.played: list[list[str]] = [[], [], [], []]
        self.trick: list[tuple[int, str]] = []  # the trick in play
        self.leader = (view.dealer + 1) % 4
        self.points, self.tricks = [0] * 4, [0] * 4
        self.voids: set[tuple[int, str]] = set()
        self.caller = self.knocker = self.knocked_off = -1
        self.called = ""  # the ace, such as AC
        self.lone = "lone" in view.facts
        self.proven: set[int] = set()  # won a trick in a knocked hand that went on (K28)
        for seat, action in view.history:
            self._take(seat, action)

    def _take(self, seat: int, action: str) -> None:
        if action in PACK:
            if self._ends_when_lost():
                self.proven |= {winner for winner in SEATS if self.tricks[winner]}
            self._play(seat, action)
        elif action in CALLS:
            self.caller, self.called = seat, CALLS[action]
        elif action == "knock":
            self.knocker = seat
        elif action == "knock_off":
            self.knocked_off = seat

    def _play(self, seat: int, card: str) -> None:
        self.played[seat].append(card)
        self.trick.append((seat, card))
        led = suit_of(self.trick[0][1])
        if suit_of(card) != led:
            self.voids.add((seat, led))
        if len(self.trick) == 4:
            self.leader = self.winning()
            self.tricks[self.leader] += 1
            self.points[self.leader] += sum(card_points(one) for _, one in self.trick)
            self.trick = []

    def _ends_when_lost(self) -> bool:
        pair_unanswered = not self.lone and self.knocked_off < 0
        to_the_end = self.rules.get("failed_knock") == "normal" and pair_unanswered
        return self.knocker >= 0 and self.rules.get("stop_when_decided", True) and not to_the_end

    def winning(self) -> int:
        """The seat whose card wins the trick in play so far; -1 before the first."""
        if not self.trick:
            return -1
        return self.trick[trick_winner([card for _, card in self.trick])][0]

    def player(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % 4

    # --- who is on whose side

    def black_sides(self) -> Iterator[set[int]]:
        """Every black side at the end of the hand that this seat cannot rule out.

        The two black queens and a called ace may lie wherever own cards, played cards and
        announcements allow it. Voids, the size of the hands, and which aces are left to call (K12)
        are not considered.
        """
        for clubs, spades, ace in product(SEATS, SEATS, SEATS if self.called else [-1]):
            holders = dict(zip([*BLACK_QUEENS, self.called], (clubs, spades, ace), strict=True))
            black = {clubs, spades, ace} - {-1}
            if self._possible(holders, black):
                yield black
                if clubs == spades:
                    yield from ({clubs, partner} for partner in self._partners(clubs))

    def _possible(self, holders: dict[str, int], black: set[int]) -> bool:
        for card, holder in holders.items():
            if card and (card in self.dealt) != (holder == self.me):
                return False
            if any(card in self.played[seat] and seat != holder for seat in SEATS):
                return False
        queens = {holders[card] for card in BLACK_QUEENS}
        if self.caller >= 0 and (queens != {self.caller} or len(black) != 2):
            return False
        may_knock = black if self.rules.get("called_partner_may_knock") else queens
        if self.knocker >= 0 and self.knocker not in may_knock:
            return False
        if self.knocker >= 0 and self.lone != (len(black) == 1):
            return False
        return self.knocked_off not in black and self.proven <= black

    def _partners(self, holder: int) -> set[int]:
        """Whom a holder of both black queens may still get by a call (K11)."""
        if self.caller >= 0 or self.knocker >= 0 or self.played[holder]:
            return set()
        return set(SEATS) - {holder}

    def with_me(self, seat: int) -> set[bool]:
        """Whether a seat is on this seat's side: what is possible."""
        return {(seat in black) == (self.me in black) for black in self.black_sides()}


def expected(view: View) -> dict[str, list[int]]:
    """The parts of an observation by name."""
    table = Table(view)
    around = clockwise(view.seat)  # relative seats 0 to 3
    trick = dict(table.trick)
    parts = {"hand": _cards(view.cards)}
    for k, seat in enumerate(around):
        parts[f"played.{k}"] = _cards(table.played[seat])
        parts[f"table.{k}"] = _cards([trick[seat]] if seat in trick else [])
        parts[f"void.{k}"] = [int((seat, suit) in table.voids) for suit in SUITS]
        parts[f"points.{k}"] = [table.points[seat]]
        parts[f"tricks.{k}"] = [table.tricks[seat]]
    del parts["void.0"]  # a seat knows its own cards
    for name, seat in (
        ("caller", table.caller),
        ("knocker", table.knocker),
        ("knocked_off", table.knocked_off),
        ("dealer", view.dealer),
        ("leader", table.leader),
        ("player", table.player()),
        ("winning", table.winning()),
    ):
        parts[name] = [int(seat == other) for other in around]
    parts["ally"] = [int(table.with_me(seat) == {True}) for seat in around[1:]]
    parts["enemy"] = [int(table.with_me(seat) == {False}) for seat in around[1:]]
    parts["queens"] = [int(card in view.dealt) for card in BLACK_QUEENS]
    parts["called_me"] = [int(table.called in view.dealt)]
    parts["called"] = [int(table.called == ace) for ace in CALLS.values()]
    parts["lone"] = [int(table.lone)]
    led = suit_of(table.trick[0][1]) if table.trick else ""
    parts["led"] = [int(led == suit) for suit in SUITS]
    parts["announcing"] = [int("pass" in view.legal)]
    last = view.rules.get("pack", 24) // 4 - 1
    number = min(sum(table.tricks), last)
    parts["trick"] = [int(number == k) for k in range(6)]
    return parts


def _cards(cards: list[str] | tuple[str, ...]) -> list[int]:
    return [int(code in cards) for code in CODES]
