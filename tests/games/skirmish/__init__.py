"""Skirmish: 48 cards, three or six seats, parties drawn for every hand, a game for tests alone.

Six players form two or three parties at random; of three the captain, at the dealer's left, plays
against the others. Everybody gets the first cards, the captain bids, and the rest is dealt, one
more to the captain. The seat at its left looks at one hand, and the captain lays a card away. Then
tricks are played without trumps. A party scores its card points; the captain's party wins a tenth
of the bid when it has as many, or loses it.
"""

from functools import cache
from itertools import chain
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from kloepper_env.cards import cards_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, shown
from kloepper_env.games.game import Game, Learning, Outcome
from kloepper_env.games.wording import Wording
from kloepper_env.layout import Layout
from tests.games.skirmish import kernels, wording
from tests.games.skirmish.record import (
    ALLOWED,
    CODES,
    LAY,
    LOOK,
    MOST_BID,
    MOST_POINTS,
    N_CARDS,
    Options,
    actions_of,
    dtype_of,
)


def _deal_deck(hand: Any, deck: list[str], dealer: int) -> None:
    hand.deck[:] = [CODES.index(code) for code in deck]
    hand.dealer = dealer
    kernels.begin(hand)


def _deck_of(hand: Any) -> list[str]:
    return [CODES[card] for card in hand.deck]


def _masks(masks: Any) -> list[int]:
    return [int(mask) for mask in masks]


def _teams(hand: Any) -> list[list[int]]:
    numbers = hand.team.tolist()
    parties = [[s for s, team in enumerate(numbers) if team == t] for t in sorted(set(numbers))]
    return sorted(parties)


def _set_teams(hand: Any, teams: Any) -> None:
    n, parties = len(hand.team), int(hand.option_flags)
    is_list = isinstance(teams, list | tuple) and all(isinstance(t, list | tuple) for t in teams)
    seats = list(chain.from_iterable(teams)) if is_list else []
    whole = all(type(seat) is int for seat in seats) and sorted(seats) == list(range(n))
    if not whole or [len(team) for team in teams] != [n // parties] * parties:
        raise ConfigError(
            f"teams is {shown(teams)}, but must be {parties} lists of {n // parties} seats"
        )
    for number, team in enumerate(teams):
        hand.team[list(team)] = number


def _known(hand: Any, seat: int) -> dict[str, list[str]]:
    known = {}
    if seat == hand.captain and hand.laid:
        known["laid away"] = cards_of(hand.laid, CODES)
    if seat == (hand.captain + 1) % len(hand.hands) and hand.seen:
        known["seen"] = cards_of(hand.seen, CODES)
    return known


def _outcome(hand: Any, options: Options) -> Outcome:
    scores = np.zeros(options.players, np.int64)
    kernels.result(hand, scores)
    points = scores.tolist()
    return Outcome(dealer=int(hand.dealer), scores=points, gains=points)


class Match:
    """Hands until somebody has the target."""

    def __init__(self, options: Options) -> None:
        self.options, self.totals, self._dealer = options, [0] * options.players, 0

    def dealer(self) -> int:
        return self._dealer

    def carry(self) -> dict[str, int]:
        return {}

    def add(self, outcome: Outcome) -> None:
        self.totals = [a + b for a, b in zip(self.totals, outcome.gains, strict=True)]
        self._dealer = (outcome.dealer + 1) % len(self.totals)

    def winners(self) -> list[int] | None:
        most = max(self.totals)
        if most < self.options.target:
            return None
        return [seat for seat, total in enumerate(self.totals) if total == most]

    def needs(self) -> list[int]:
        return [max(self.options.target - total, 0) for total in self.totals]


def _layout(n: int) -> Layout:
    parts = [("hand", N_CARDS), ("laid", N_CARDS), ("seen", N_CARDS)]
    parts += [(f"played.{k}", N_CARDS) for k in range(n)]
    parts += [("step", 4), ("ally", n), ("captain", n), ("turn", n), ("dealer", n)]
    parts += [("spare", 28 - 4 * n), ("led", 1), ("room", 7), ("bid", 1), ("more", 7)]
    for k in range(n):
        parts += [(f"points.{k}", 1), (f"room.{k}", 7)]
    return Layout([part for part in parts if part[1]])


def _hidden_facts(hands: Records) -> NDArray[np.int8]:
    n = hands["hands"].shape[1]
    others = (hands["turn"][:, None].astype(np.int64) + np.arange(1, n)) % n
    masks = np.take_along_axis(hands["hands"], others, 1)
    cards = masks[:, :, None] >> np.arange(N_CARDS) & 1
    return cards.reshape(len(hands), -1).astype(np.int8)


def _rates(hands: Records, scores: NDArray[np.int64]) -> dict[str, float]:
    return {"bid": float(hands["bid"].mean())}


@cache
def _variant(n: int, teams: int) -> Game:
    drawn = n == 6
    return Game(
        name="skirmish",
        title="Skirmish",
        version=0,
        n_seats=n,
        accounts=tuple(range(n)),
        codes=CODES,
        pack=lambda options: CODES,
        actions=actions_of(n),
        dtype=dtype_of(n),
        layout=_layout(n),
        options_type=Options,
        allowed=ALLOWED,
        make_tables=lambda: np.zeros(0, np.int64),
        deal_deck=_deal_deck,
        deck_of=_deck_of,
        is_public=lambda action, options: not LAY <= action < LOOK,
        turns_are_public=True,
        outcome=_outcome,
        summary=lambda hand, options: {},
        carries=lambda options: {},
        taken=lambda hand: list(zip(hand.tricks.tolist(), hand.points.tolist(), strict=True)),
        worst=lambda options, carry: -float(MOST_POINTS + MOST_BID // 10),
        best=lambda options, carry: float(MOST_POINTS + MOST_BID // 10),
        match_type=Match,
        fact_names=(),
        facts=lambda hand: (),
        wording=cast(Wording, wording),
        learning=Learning(
            unit=20.0,
            counts={"bid": float(MOST_BID), "points": float(MOST_POINTS)},
            hidden=Layout([(f"cards.{k}", N_CARDS) for k in range(1, n)]),
            hidden_facts=_hidden_facts,
            rates=_rates,
        ),
        dealt_cards=lambda hand: _masks(hand.dealt),
        teams=_teams,
        set_teams=_set_teams if drawn else None,
        known=_known,
        variant=lambda options: _variant(
            options.players, options.teams if options.players == 6 else 2
        ),
        rules={"players": n, "teams": teams},
    )


GAME: Final = _variant(6, 2)
