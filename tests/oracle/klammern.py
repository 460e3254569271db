"""A slow and plain rule engine for Klammern, written from the rules text alone.

It exists to be compared with another engine, so every rule stands where it is applied and is
named by its id (M1 to M36); "step 1" to "step 6" are those of the section "Order of decisions in
a round".
"""

from collections.abc import Mapping
from typing import Any

from .klammern_melds import BELLE, Meld, has_belle, meld_set, prevailing_team, sum_of
from .klammern_rules import (
    LAST_TRICK,
    PACK,
    SUITS,
    card_points,
    checked_options,
    deal,
    hand_over,
    playable,
    playing_order,
    team_of,
    trick_winner,
)
from .klammern_scores import Result, Settlement, augen_of, factor_of, settle
from .kloepper_rules import SEATS, Trick

FIRST_CHOICE = "first choice"  # step 1
SECOND_CHOICE = "second choice"  # step 2
KONTRA = "kontra"  # step 3
RE = "re"  # step 4
DECLARING = "declaring"  # step 5
PLAYING = "playing"  # step 6
OVER = "over"


class Klammern:
    """One round of Klammern, from the deal to the scores."""

    def __init__(
        self,
        rules: Mapping[str, Any] | None,
        dealer: int,
        deck: list[str],
        carry: int = 0,
    ) -> None:
        """Deal, and ask the forehand for the first choice; carry is the litige brought in."""
        self.options = checked_options(rules)
        if dealer not in SEATS:
            raise ValueError("the dealer is not a seat")
        if sorted(deck) != sorted(PACK):
            raise ValueError("the deck is not the 32 cards of the pack")
        if carry < 0 or (carry > 0 and self.options["tie81"] == "eiert"):
            # M35: the carry is always 0 with tie81="eiert"
            raise ValueError(f"a carry of {carry} cannot be brought into this round")
        self.dealer = dealer
        self.carry_in = carry
        self.hands, self.turned, self.pack = deal(deck, dealer, self.options["deal"])
        self.history: list[tuple[int, str]] = []
        self.taker: int | None = None
        self.trump = ""  # none before a take
        self.kontra: int | None = None
        self.re: int | None = None
        self.eights: list[list[str]] = []  # the hands when the first trick is about to be led
        self.melds: list[list[Meld]] = []  # each seat's meld set
        self.declared: set[int] = set()  # the seats whose melds count in the contest
        self._prevailing: int | None = None  # the team whose melds count (M23)
        self.tricks: list[Trick] = []
        self.table: list[tuple[int, str]] = []  # the cards of the trick being played
        self.turn: int | None = None
        self.to_ask: list[int] = []  # whom the present step has still to ask, steps 1 to 4
        self.step = ""
        self._ask(FIRST_CHOICE, playing_order(dealer))  # M6

    @property
    def over(self) -> bool:
        """Say whether the round is over."""
        return self.step == OVER

    @property
    def passed_out(self) -> bool:
        """Say whether the round ended without a take (M8)."""
        return self.over and self.taker is None

    def takers(self) -> int | None:
        """Name the team that chose trump (M10)."""
        return None if self.taker is None else team_of(self.taker)

    # What may be done

    def legal(self) -> set[str]:
        """List the legal actions of the seat to act, none when the round is over."""
        if self.turn is None:
            return set()
        if self.step == FIRST_CHOICE:
            return {"pass", "take:" + self.turned[1]}  # M6
        if self.step == SECOND_CHOICE:
            return {"pass"} | {"take:" + suit for suit in SUITS if suit != self.turned[1]}  # M7
        if self.step in [KONTRA, RE]:
            return {"pass", self.step}  # M11
        if self.step == DECLARING:
            return {"pass", "declare"} if self.melds[self.turn] else {"pass"}  # step 5
        trick = [card for _seat, card in self.table]
        return playable(self.hands[self.turn], trick, self.trump, self.options)

    # Doing it

    def push(self, action: str) -> None:
        """Carry out an action of the seat to act."""
        if self.turn is None or action not in self.legal():
            raise ValueError(f"{action!r} is not legal for seat {self.turn}")
        seat = self.turn
        self.history.append((seat, action))
        if self.step in [FIRST_CHOICE, SECOND_CHOICE]:
            self._choose(seat, action)
        elif self.step in [KONTRA, RE]:
            self._double(seat, action)
        elif self.step == DECLARING:
            if action == "declare":
                self.declared.add(seat)
            self.step = PLAYING  # step 5: the same seat's card
        else:
            self._play(seat, action)

    def _ask(self, step: str, seats: list[int]) -> None:
        """Open a step in which these seats are asked, in this order."""
        self.step = step
        self.to_ask = seats
        self.turn = seats[0]

    def _choose(self, seat: int, action: str) -> None:
        """Note a take or a pass of the first or the second choice (M6 to M8)."""
        self.to_ask = self.to_ask[1:]
        if action != "pass":
            self._take(seat, action[-1])
        elif self.to_ask:
            self.turn = self.to_ask[0]
        elif self.step == FIRST_CHOICE:
            self._ask(SECOND_CHOICE, playing_order(self.dealer))  # M7
        else:
            self._end()  # M8

    def _take(self, seat: int, suit: str) -> None:
        """Make a suit trump and complete the deal (M9, M10); then Kontra is asked for (M11)."""
        self.taker = seat
        self.trump = suit
        if self.options["deal"] != "3-2-3":
            owner = self.turned_owner()
            assert owner is not None
            self.hands[owner].append(self.turned)
            sizes = {who: 2 if who == owner else 3 for who in SEATS}
            self.pack = hand_over(self.hands, self.pack, self.dealer, sizes)
        self.eights = [list(cards) for cards in self.hands]
        self.melds = [meld_set(cards, suit, self.options) for cards in self.eights]
        order = playing_order(self.dealer)
        self._ask(KONTRA, [who for who in order if team_of(who) != team_of(seat)])

    def _double(self, seat: int, action: str) -> None:
        """Note a Kontra, a Re or a pass (M11)."""
        self.to_ask = self.to_ask[1:]
        if action == "kontra":
            self.kontra = seat
            order = playing_order(self.dealer)
            self._ask(RE, [who for who in order if team_of(who) == self.takers()])
        elif action == "re":
            self.re = seat
            self._go_on(playing_order(self.dealer)[0])
        elif self.to_ask:
            self.turn = self.to_ask[0]
        else:
            self._go_on(playing_order(self.dealer)[0])  # M12: the forehand leads

    def _play(self, seat: int, card: str) -> None:
        """Put a card on the table, and gather the trick when it is the fourth (M12)."""
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        if not self.tricks and self.options["meld_declare"] == "auto":
            self.declared.add(seat)  # M22
        following = (seat + 1) % 4
        if len(self.table) == 4:
            cards = [played for _seat, played in self.table]
            following = self.table[trick_winner(cards, self.trump)][0]  # M18
            points = sum(card_points(played, self.trump) for played in cards)
            self.tricks.append(Trick(self.table, following, points))
            self.table = []
            if len(self.tricks) == 1:
                said = self.said()
                self._prevailing = prevailing_team(said, self.dealer, self.trump, self.options)
        if len(self.tricks) == 8:
            self._end()
        else:
            self._go_on(following)

    def _go_on(self, seat: int) -> None:
        """Give the turn to the seat that plays next, whose melds are asked for first (M22)."""
        self.turn = seat
        choice = self.options["meld_declare"] == "choice"
        self.step = DECLARING if choice and not self.tricks else PLAYING

    def _end(self) -> None:
        """End the round."""
        self.step = OVER
        self.turn = None

    # Afterwards

    def result(self) -> Result:
        """Count what the teams have won (M26); the round must have been played."""
        takers = self.takers()
        if not self.over or takers is None:
            raise ValueError("the round was not played to its end")
        cards, tricks, melds, belle = [0, 0], [0, 0], [0, 0], [0, 0]
        for trick in self.tricks:
            cards[team_of(trick.winner)] += trick.points
            tricks[team_of(trick.winner)] += 1
        cards[team_of(self.tricks[-1].winner)] += LAST_TRICK  # M4
        said = self.said()
        for seat in SEATS:
            if team_of(seat) == self._prevailing:
                melds[self._prevailing] += sum_of(said[seat])  # M24
            if has_belle(self.eights[seat], self.trump):
                belle[team_of(seat)] += BELLE  # M25
        factor = factor_of(self.kontra is not None, self.re is not None)
        return Result(takers, cards, tricks, melds, belle, factor)

    def settlement(self) -> Settlement:
        """Settle the round, which must have been played."""
        return settle(self.result(), self.options, self.carry_in)

    def scores(self) -> list[int]:
        """Give the two teams' scores (M30 with M35), 0 : 0 after a pass-out (M8)."""
        return [0, 0] if self.passed_out else self.settlement().scores

    def augen(self) -> list[int] | None:
        """Give the two teams' Augen (M32, M33), None outside Liga mode."""
        if not self.options["liga"]:
            return None
        if self.passed_out:
            return [0, 0]
        return augen_of(self.result(), self.settlement(), self.options)

    def carry_out(self) -> int:
        """Give the carry left after the round (M35)."""
        return self.carry_in if self.passed_out else self.settlement().carry

    # What is public

    def public_history(self) -> list[tuple[int, str]]:
        """List what every seat has seen done: all of it (section 5)."""
        return list(self.history)

    def turned_owner(self) -> int | None:
        """Name the seat to which the turned card belongs, None while it lies on the table (M9)."""
        if self.options["deal"] == "3-2-3":
            return self.dealer  # M5
        if self.taker is None:
            return None
        return self.dealer if self.options["turnup_owner"] == "dealer" else self.taker

    def announced(self, seat: int) -> list[tuple[str, int]] | None:
        """List kind and points of a seat's melds, from best to worst, once they are public (M22).

        None while they are not: before the seat's card to trick 1, and if it keeps silent.
        """
        if seat not in self.declared or not self._has_played(seat):
            return None
        return [(meld.kind, meld.points) for meld in self.melds[seat]]

    def meld_team(self) -> int | None:
        """Name the team that scores its melds, None before trick 1 is complete (M22 to M24)."""
        return self._prevailing

    def said(self) -> list[list[Meld]]:
        """List each seat's melds as M23 and M24 know them, none of a silent seat (M22)."""
        return [self.melds[seat] if seat in self.declared else [] for seat in SEATS]

    def shown(self, seat: int) -> list[Meld]:
        """List the melds whose cards a seat has shown, after trick 1 (M22)."""
        if seat not in self.declared or team_of(seat) != self.meld_team():
            return []
        return list(self.melds[seat])

    def belle(self) -> int | None:
        """Name the seat whose Belle is public (M25)."""
        for seat in SEATS:
            if self.eights and has_belle(self.eights[seat], self.trump):
                pair = {"K" + self.trump, "Q" + self.trump}
                played = len(pair - set(self.hands[seat]))
                if played >= (1 if self.options["belle_announce"] == "first" else 2):
                    return seat
        return None

    def known_cards(self, seat: int) -> set[str]:
        """List the cards everybody knows this seat to hold (section 5)."""
        known = {self.turned} if self.turned_owner() == seat else set()
        for meld in self.shown(seat):
            known.update(meld.cards)
        if self.belle() == seat:
            known.update(["K" + self.trump, "Q" + self.trump])
        return known & set(self.hands[seat])

    def _has_played(self, seat: int) -> bool:
        """Say whether the seat has played a card."""
        return bool(self.eights) and len(self.hands[seat]) < len(self.eights[seat])
