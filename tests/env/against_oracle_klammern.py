"""Klammern in the second engine, as test_against_oracle.py compares it with the first."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from kloepper_env import State
from kloepper_env.games.klammern.observe import LAYOUT
from kloepper_env.games.klammern.record import ACTION_NAMES
from tests.oracle import klammern_match
from tests.oracle.klammern import Klammern
from tests.oracle.klammern_melds import meld_set, prevailing_team
from tests.oracle.klammern_rules import WORDS, playable
from tests.oracle.klammern_scores import settle

MANY = 200_000  # rounds of the slow test
KNOWN = slice(LAYOUT.start("known.0"), LAYOUT.start("known.0") + 4 * 32)
BIT = {action: 1 << number for number, action in enumerate(ACTION_NAMES)}
NAMES = {  # of an announced meld, by kind and points
    ("Terz", 20): "terz",
    ("Quart", 50): "quart",
    ("Quint", 100): "quint",
    ("Four", 100): "four_100",
    ("Four", 150): "four_150",
    ("Four", 200): "four_200",
}


class Game:
    """A game of rounds: who deals the next, what is carried over, the totals, and who has won."""

    def __init__(self, rules: dict[str, Any], drawn: int) -> None:
        self._game = klammern_match.Game(rules, drawn)
        self.deal, self.add = self._game.deal, self._game.add

    @property
    def dealer(self) -> int:
        return self._game.dealer

    @property
    def carry(self) -> dict[str, int]:
        return {"litige": self._game.carry}

    @property
    def totals(self) -> list[int]:
        return self._game.totals * 2

    @property
    def winners(self) -> list[int] | None:
        team = self._game.winner
        return None if team is None else [team, team + 2]

    def add_result(self, amounts: list[int], carry: dict[str, int]) -> None:
        self._game.add_result(amounts, carry["litige"], passed_out=False)


# --- what both engines tell ----------------------------------------------------------------------


def check_public(state: State, hand: Klammern) -> None:
    """What all know beyond the actions; and the cards that the deciding seat knows others to hold.

    The turned card, melds announced and shown, Belle (section 5).
    """
    assert set(state.game.facts(state.hand)) == set(facts(hand)), state
    seat = hand.turn or 0
    known = np.packbits(state.observation(seat)[KNOWN], bitorder="little").view("<u4").tolist()
    for k in range(4):
        cards = sum(BIT[card] for card in hand.known_cards((seat + k) % 4))
        assert known[k] == cards, (state, seat, k)


def facts(hand: Klammern) -> Iterator[str]:
    yield f"turned:{hand.turned}"
    for seat in range(4):
        names: list[str] = []
        for meld in hand.announced(seat) or []:
            names.append("second_" * (NAMES[meld] in names) + NAMES[meld])
        yield from (f"meld:{seat}:{name}" for name in names)
        yield from (f"shown:{seat}:{card}" for meld in hand.shown(seat) for card in meld.cards)
    if (seat_of_belle := hand.belle()) is not None:
        yield f"belle:{seat_of_belle}"


def public_history(hand: Klammern, seat: int) -> list[tuple[int, str]]:
    return hand.public_history()


def summary(hand: Klammern) -> dict[str, Any]:
    augen = hand.augen()
    return {} if augen is None else {"augen": augen}


# --- what there was to see -----------------------------------------------------------------------


def kinds_of(hand: Klammern) -> Iterator[str]:
    """What has happened in a round that is over, and which options have had a say in it."""
    if hand.passed_out:
        yield "passed out with a carry" if hand.carry_in else "passed out"
        return
    result, settled = hand.result(), hand.settlement()
    teams = {result.takers: "takers", 1 - result.takers: "defenders", None: "nobody"}
    yield f"{settled.outcome}, won by {teams[settled.winner]}"
    yield f"factor {result.factor}"
    yield f"Augen by {hand.options['augen_model']}" if hand.options["liga"] else "no Augen"
    if hand.carry_in and settled.winner is not None:
        yield "carry won"
    for team in (0, 1):
        if result.tricks[team] == 8:
            yield f"all tricks to {teams[team]}"
        if result.melds[team]:
            yield f"melds of {teams[team]}"
        if result.belle[team]:
            yield f"Belle of {teams[team]}"
    if [action for _, action in hand.history[:4]] == ["pass"] * 4:
        yield "second choice"
    if any(len(melds) > 1 for melds in hand.melds):
        yield "two melds and more"
    if any(hand.melds[seat] and seat not in hand.declared for seat in range(4)):
        yield "silent in spite of melds"
    yield from (f"{name} mattered" for name in options_that_mattered(hand))


def others(options: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The same options with each other value of one of them."""
    for value in WORDS.get(name, [True, False]):
        if value != options[name]:
            yield {**options, name: value}


IN_MELDS = ("split_long_runs", "quad_ranks", "meld_card_reuse")
IN_CONTEST = ("quad_beats_quint", "meld_tie", "count_over_height")
IN_SETTLEMENT = ("meld_needs_trick", "make_rule", "melds_on_loss", "belle_on_loss", "tie81")
IN_PLAY = ("raise_on_trump_lead", "partner_exempt", "overtrump", "undertrump")


def options_that_mattered(hand: Klammern) -> Iterator[str]:
    """The options of which another value would have changed something in a round.

    It has to be quick, so only the taker's melds are looked at, and one trick.
    """
    options, trump, taker = hand.options, hand.trump, hand.taker
    assert taker is not None
    for name in IN_MELDS:
        for other in others(options, name):
            if hand.melds[taker] != meld_set(hand.eights[taker], trump, other):
                yield name
    for name in IN_CONTEST:
        for other in others(options, name):
            if hand.meld_team() != prevailing_team(hand.said(), hand.dealer, trump, other):
                yield name
    settled, result = hand.settlement(), hand.result()
    for name in IN_SETTLEMENT:
        for other in others(options, name):
            if settled != settle(result, other, hand.carry_in):
                yield name
    for held, trick in followers_of_a_trick(hand):
        allowed = playable(held, trick, trump, options)
        for name in IN_PLAY:
            for other in others(options, name):
                if allowed != playable(held, trick, trump, other):
                    yield name


def followers_of_a_trick(hand: Klammern) -> Iterator[tuple[list[str], list[str]]]:
    """The cards held by each seat that followed to a trick of the round, and those it followed."""
    number = len(hand.history) % 8  # now this trick, now that
    trick = [card for _, card in hand.tricks[number].cards]
    gone = {card for trick in hand.tricks[:number] for _, card in trick.cards}
    for place, (seat, _) in enumerate(hand.tricks[number].cards):
        if place:
            yield [card for card in hand.eights[seat] if card not in gone], trick[:place]


def check_kinds(kinds: Counter[str]) -> None:
    teams = ("takers", "defenders")
    options = (*IN_MELDS, *IN_CONTEST, *IN_SETTLEMENT, *IN_PLAY)
    wanted = {
        *("passed out", "passed out with a carry", "second choice", "carry won"),
        *(f"made, won by {winner}" for winner in (*teams, "nobody")),
        *("eiert, won by defenders", "factor 1", "factor 2", "factor 4"),
        *("no Augen", "Augen by tens", "Augen by outcome"),
        *(f"{what} {team}" for what in ("all tricks to", "melds of", "Belle of") for team in teams),
        *("two melds and more", "silent in spite of melds"),
        *(f"{option} mattered" for option in options),
        *("a game won by 2", "a game broken off"),
    }
    assert min(kinds[kind] for kind in wanted) >= 2, kinds
