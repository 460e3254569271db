"""Hand-made positions of Klammern for the tests of its players."""

from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.klammern.features import MASK_WORDS, Features, features_of
from kloepper_env.games import get_game
from kloepper_env.games.klammern.record import CODES, TURNED
from kloepper_env.state import State

_GAME = get_game("klammern")


def state_of(hands: list[str], actions: str = "", dealer: int = 3, turned: str = "7C") -> State:
    """A round with these cards in the seats 0 to 3 once it is dealt, after some actions.

    The turned card is the taker's. Cards that no hand names go to the shorter hands in the order
    of the pack; without a take in `actions` the first five of a hand are what it holds.
    """
    named = [hand.split() for hand in hands] + [[] for _ in range(4 - len(hands))]
    rest = [code for code in CODES if code != turned and not any(code in hand for hand in named)]
    taker = _taker(actions, dealer)
    for seat, hand in enumerate(named):
        hand[:] = [code for code in hand if code != turned]
        while len(hand) < 8 - (seat == taker):
            hand.append(rest.pop(0))
    order = [(dealer + 1 + place) % 4 for place in range(4)]
    deck = [code for seat in order for code in named[seat][:3]]
    deck += [code for seat in order for code in named[seat][3:5]]
    deck += [turned, *(code for seat in order for code in named[seat][5:])]
    assert deck[TURNED] == turned
    state = State.deal("klammern", deck=deck, dealer=dealer)
    for action in actions.split():
        while action not in state.legal():
            state.push("pass")
        state.push(action)
    return state


def _taker(actions: str, dealer: int) -> int:
    """The seat that the first take of some actions is by; passes before it go unsaid: forehand."""
    choices = actions.split()
    passes = next((i for i, action in enumerate(choices) if action.startswith("take")), 0)
    return (dealer + 1 + passes) % 4


def to_card(state: State) -> State:
    """Let everybody pass until a card is played."""
    while "pass" in state.legal():
        state.push("pass")
    return state


def features(state: State) -> Features:
    """What the seat that decides sees."""
    assert state.turn is not None
    return sight_from(state, state.turn)


def sight_from(state: State, seat: int) -> Features:
    """What any seat sees."""
    mask = words_of(state.action_mask(seat)[None], MASK_WORDS)[0]
    words = words_of(state.observation(seat)[None], _GAME.words)[0]
    return features_of(words, bits_of(mask, 0, MASK_WORDS))


def card(code: str) -> int:
    """The number of a card."""
    return CODES.index(code)


def cards(codes: str) -> int:
    """The mask of some cards."""
    return sum(1 << card(code) for code in codes.split())
