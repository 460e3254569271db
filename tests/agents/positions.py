"""Hand-made positions for the tests of the players."""

from kloepper_agents.compiled import words_of
from kloepper_agents.games.kloepper.features import Features, features_of
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.games.kloepper.record import packets
from kloepper_env.state import State

CODES = get_game("kloepper").codes


def state_of(hands: list[str], actions: str = "", dealer: int = 3) -> State:
    """A hand with these cards in the seats 0 to 3, after some actions; passes go unsaid.

    Cards that no hand names are dealt to the shorter hands in the order of the pack.
    """
    named = [hand.split() for hand in hands] + [[] for _ in range(4 - len(hands))]
    rest = [card for card in CODES if not any(card in hand for hand in named)]
    for hand in named:
        while len(hand) < 6:
            hand.append(rest.pop(0))
    state = State.deal(deck=packets(named, dealer), dealer=dealer)
    for action in actions.split():
        while action not in state.legal():
            state.push("pass")
        state.push(action)
    return state


def pass_to(state: State, seat: int) -> State:
    """Let the others pass until a seat decides."""
    while state.turn != seat:
        state.push("pass")
    return state


def to_card(state: State) -> State:
    """Let everybody pass until a card is played."""
    while "pass" in state.legal():
        state.push("pass")
    return state


def features(state: State) -> Features:
    """What the seat that decides sees."""
    assert state.turn is not None
    return features_from(state, state.turn)


def features_from(state: State, seat: int) -> Features:
    """What any seat sees."""
    legal = sum(1 << action for action in state.legal_actions()) if seat == state.turn else 0
    return features_of(words_of(state.observation(seat)[None], WORDS)[0], legal)


def card(code: str) -> int:
    """The number of a card."""
    return CODES.index(code)


def cards(codes: str) -> int:
    """The mask of some cards."""
    return sum(1 << card(code) for code in codes.split())
