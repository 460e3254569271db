"""A table to play test rounds of Klammern at.

Hands are laid out for the seats with `deal="3-2-3"`, where every seat has its eight cards from the
start; the cards that a test does not name are dealt to the seats that lack cards.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from kloepper_env import engine
from kloepper_env.games import get_game
from kloepper_env.games.game import Match, Outcome
from kloepper_env.games.klammern import melds
from kloepper_env.state import State
from tests.env.slow_melds import meld_set

KLAMMERN = get_game("klammern")
CODES = KLAMMERN.codes
PLAIN_ORDER, TRUMP_ORDER = "ATKQJ987", "J9ATKQ87"


def deck_for(hands: list[list[str]], dealer: int) -> list[str]:
    """The pack that deals these hands of eight at once (M5)."""
    order = [hands[(dealer + 1 + place) % 4] for place in range(4)]
    sizes = ((0, 3), (3, 5), (5, 8))
    return [card for start, stop in sizes for hand in order for card in hand[start:stop]]


def filled(named: Mapping[int, Iterable[str]], barred: Mapping[int, str] | None = None) -> Any:
    """Four hands of eight: the named cards of each seat, then any others but of barred suits."""
    hands = [list(named.get(seat, ())) for seat in range(4)]
    barred = barred or {}
    rest = [card for card in CODES if not any(card in hand for hand in hands)]
    rest.sort(key=lambda card: -sum(card[1] in suits for suits in barred.values()))
    for card in rest:
        free = [s for s in range(4) if len(hands[s]) < 8 and card[1] not in barred.get(s, "")]
        hands[min(free, key=lambda s: (-(8 - len(hands[s])), s))].append(card)
    return hands


def seated(
    hands: list[list[str]],
    trump: str = "H",
    leader: int = 0,
    taker: int = 0,
    said: str = "",
    **rules: Any,
) -> State:
    """A round before its first card: `taker` has chosen `trump`; `said` is `kontra`, `re` or ``."""
    dealer = (leader - 1) % 4
    rules = {"deal": "3-2-3", **rules}
    state = State.deal("klammern", rules, deck=deck_for(hands, dealer), dealer=dealer)
    take = f"take:{trump}"
    while state.turn != taker or take not in state.legal():
        state.push("pass")
    state.push(take)
    if said:
        state.push("kontra")
        state.push("re" if said == "re" else "pass")
    return passed(state)


def passed(state: State) -> State:
    """Pass on until a card is due or seats are asked about their melds."""
    while "kontra" in state.legal() or "re" in state.legal():
        state.push("pass")
    return state


def lay(state: State, cards: str) -> State:
    """Play cards in turn, whether or not the rules allow them."""
    for card in cards.split():
        engine.apply_to(state.hands, KLAMMERN.action_of[card])
    return state


def one_trick(cards: str, trump: str = "H", leader: int = 0) -> State:
    """A trick, given in playing order."""
    named = {(leader + k) % 4: [card] for k, card in enumerate(cards.split())}
    return lay(seated(filled(named), trump, leader), cards)


def winner_and_points(cards: str, trump: str = "H") -> tuple[int, int]:
    """Place in the trick of the card that wins it, from 1, and the card points of the trick."""
    taken = one_trick(cards, trump).taken()
    (seat,) = [seat for seat, (tricks, _) in enumerate(taken) if tricks]
    return seat + 1, taken[seat][1]


def may_play(trick: str, hand: str, **rules: Any) -> set[str]:
    """Which of some cards their holder may play to a trick; hearts are trump.

    The holder's other cards are neither of the suit led nor trumps.
    """
    laid, shown = trick.split(), hand.split()
    actor = len(laid)
    named = {k: [card] for k, card in enumerate(laid)} | {actor: shown}
    led = laid[0][1] if laid else ""
    state = lay(seated(filled(named, {actor: led + "H"}), **rules), trick)
    return set(state.legal()) & set(shown)


def melds_worth(hand: str, trump: str = "H", **rules: Any) -> int:
    """What the meld set of a hand of eight is worth."""
    state = seated(filled({0: hand.split()}), trump, **rules)
    return int(melds.points_of(int(state.hand.melds[0])))


def with_melds(own: Mapping[int, str], trump: str = "H", seed: int = 0, **rules: Any) -> State:
    """A round of dealer 0 in which seats hold the cards of these melds, and nobody another meld.

    The taker is seat 2, since playing order has nothing to do with who took.
    """
    rng = random.Random(seed)
    cards = {seat: text.split() for seat, text in own.items()}
    rest = [card for card in CODES if not any(card in hand for hand in cards.values())]
    while True:
        rng.shuffle(rest)
        left = list(rest)
        hands = [list(cards.get(seat, [])) for seat in range(4)]
        for hand in hands:
            while len(hand) < 8:
                hand.append(left.pop())
        found = [{c for m in meld_set(hand, trump, rules) for c in m} for hand in hands]
        if all(found[seat] == set(cards.get(seat, [])) for seat in range(4)):
            return seated(hands, trump, leader=1, taker=2, **rules)


def after_trick_one(state: State) -> State:
    """Play trick 1, whoever is asked declaring melds."""
    while state.hand.plies < 4:
        legal = state.legal()
        state.push("declare" if "declare" in legal else legal[0])
    return state


def meld_scores(own: Mapping[int, str], **rules: Any) -> tuple[int, int]:
    """What teams 0 and 1 score for melds that seats hold."""
    hand = after_trick_one(with_melds(own, **rules)).hand
    points = [int(hand.meld_points) if hand.scoring == team else 0 for team in (0, 1)]
    return points[0], points[1]


TAKERS, DEFENDERS = (0, 2), (1, 3)  # the seats in `settled`


def settled(
    cards: int,
    *,
    melds: tuple[int, int] = (0, 0),
    belle: str = "",
    tricks: tuple[int, int] = (4, 4),
    said: str = "",
    carry: int = 0,
    **rules: Any,
) -> State:
    """A round that ends like this; takers are seats 0 and 2, `cards` what they took (M26).

    `melds` are those that score, of the takers and of the defenders; `belle` says who has it.
    """
    state = State.deal(
        "klammern", rules, seed=1, dealer=3, carry={"litige": carry} if carry else {}
    )
    state.push(state.legal()[-1])
    if said:
        state.push("kontra")
        state.push("re" if said == "re" else "pass")
    passed(state)
    last = 0 if tricks[0] else 1  # who takes the last trick
    own = cards - 10 * (last == 0)
    hand = state.hands[0]
    hand.counts = own | 152 - own << 8 | tricks[0] << 32 | tricks[1] << 40
    hand.plies, hand.leader, hand.over = 32, last, 1
    hand.meld_points, hand.scoring = max(melds), int(melds[1] > melds[0])
    hand.belle = {"": 0, "takers": 0b0001, "defenders": 0b0010}[belle]
    return state


def score(state: State) -> tuple[int, int]:
    """What the takers and the defenders of `settled` score."""
    scores = np.array(state.scores())
    assert (scores[[0, 1]] == scores[[2, 3]]).all()
    return int(scores[0]), int(scores[1])


def scores_of(cards: int, **how: Any) -> tuple[int, int]:
    return score(settled(cards, **how))


def augen(state: State) -> list[int]:
    """The Augen of teams 0 and 1."""
    found: list[int] = KLAMMERN.summary(state.hand, state.options)["augen"]
    return found


def game(*rounds: tuple[int, int], **rules: Any) -> Match:
    """A game in which the teams got these points, or Augen, in its rounds."""
    match = KLAMMERN.match_type(KLAMMERN.options(rules))
    for gains in rounds:
        match.add(Outcome(max(match.dealer(), 0), [], list(gains), carry={"litige": 0}))
    return match
