"""A table to play test hands at: four hands are laid out, then a script of actions is played.

A script is `seat:action` separated by blanks, such as `0:call:H 0:QC 1:AH`. Nobody has to write
the passes: who is asked while the script waits for something else passes. Written passes work too.
"""

from typing import Any

from kloepper_env.games import get_game
from kloepper_env.games.game import Match, Outcome
from kloepper_env.games.kloepper.record import packets
from kloepper_env.state import State

KLOEPPER = get_game("kloepper")
TRUMPS = ["QC", "QS", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "QD", "9D"]


def seated(hands: str, leader: int = 0, **rules: Any) -> State:
    """Deal four hands, written `A / B / C / D` for seats 0 to 3; `leader` sits left of dealer."""
    dealer = (leader - 1) % 4
    deck = packets([hand.split() for hand in hands.split("/")], dealer)
    return State.deal(rules=rules, deck=deck, dealer=dealer)


def play(state: State, script: str) -> State:
    """Play a script; who is asked in between passes."""
    for step in script.split():
        seat, _, action = step.partition(":")
        while state.turn != int(seat) or ("pass" in state.legal() and action in KLOEPPER.codes):
            assert "pass" in state.legal(), f"{step} is not due: {state}"
            state.push("pass")
        state.push(action)
    return state


def passed(state: State) -> State:
    """Pass until a card is due or the hand is over."""
    while "pass" in state.legal():
        state.push("pass")
    return state


def asked(state: State) -> str:
    """Let everybody in this round pass; returns the seats asked, in order, such as `0230`."""
    state = state.copy()
    seats = ""
    while "pass" in state.legal():
        seats += str(state.turn)
        state.push("pass")
    return seats


def score(match: Match, scores: list[int]) -> None:
    """Write down a hand with these scores."""
    match.add(Outcome(match.dealer(), scores, scores))


def seats(mask: int) -> set[int]:
    """The seats of a mask."""
    return {seat for seat in range(4) if int(mask) >> seat & 1}


def black_side(state: State) -> set[int]:
    """The seats of the black side as things are."""
    return seats(state.hand.black)


def whole_hand(tricks: str, announcements: str = "", **rules: Any) -> State:
    """Play a hand written as its six tricks, `0:QC 9D KD AD / 0:...`, with who leads each.

    The hands are what the seats play; the announcements are made before the first card. The rest
    of a hand that ends early is left out.
    """
    hands: list[list[str]] = [[], [], [], []]
    script = announcements
    for trick in tricks.split("/"):
        leader, _, cards = trick.strip().partition(":")
        for k, card in enumerate(cards.split()):
            seat = (int(leader) + k) % 4
            hands[seat].append(card)
            script += f" {seat}:{card}"
    text = " / ".join(" ".join(hand) for hand in hands)
    state = seated(text, int(tricks[0]), **rules)
    for step in script.split():
        if not state.is_over:  # a knocked hand ends early (K28)
            play(state, step)
    return state


def one_trick(cards: str) -> State:
    """Play a trick, given in playing order, that seat 0 leads; the other cards are dealt to fit.

    A seat that does not follow holds nothing of the suit led.
    """
    trick = cards.split()
    hands = [[card] for card in trick]
    rest = [card for card in KLOEPPER.codes if card not in trick]
    led = suit(trick[0])
    rest.sort(key=lambda card: suit(card) != led)  # those of the suit led first
    for card in rest:
        short = [hand for hand in hands if len(hand) < 6]
        holder = next(hand for hand in short if suit(card) != led or suit(hand[0]) == led)
        holder.append(card)
    script = " ".join(f"{seat}:{card}" for seat, card in enumerate(trick))
    return play(seated(" / ".join(" ".join(hand) for hand in hands)), script)


def winner_and_points(cards: str) -> tuple[int, int]:
    """Who of 0 (the leader) to 3 wins a trick, and its card points."""
    taken = one_trick(cards).taken()
    (winner,) = [seat for seat, (tricks, _) in enumerate(taken) if tricks]
    return winner, taken[winner][1]


def may_play(led: str, hand: str) -> set[str]:
    """Which of some cards their holder may play to a card that was led.

    The holder's other cards are not of the suit led.
    """
    shown = hand.split()
    rest = [card for card in KLOEPPER.codes if card not in (led, *shown)]
    rest.sort(key=lambda card: suit(card) == suit(led))  # those of the suit led last
    filler = 6 - len(shown)
    own, others = [*shown, *rest[:filler]], [led, *reversed(rest[filler:])]
    hands = (others[:6], own, others[6:12], others[12:])
    state = seated(" / ".join(" ".join(cards) for cards in hands))
    return set(passed(play(state, f"0:{led}")).legal()) & set(shown)


def suit(card: str) -> str:
    """The suit a card belongs to in play (K2, K3)."""
    return "trump" if card in TRUMPS else card[1]


def flag(state: State, seat: int, name: str) -> list[int]:
    """A part of what a seat observes, such as `lone`; seats in it are relative to the observer."""
    part = state.observation(seat)[KLOEPPER.layout[name]]
    return [int(value) for value in part]
