"""Positions of Klammern that a seat cannot tell apart, for the test of leaks.

Every action is public, so a position is its pack and what was done. The cards that the observer
does not know are dealt anew over the places of the pack that it does not see, the undealt ones
included, and the same is done again. A redeal under which an action would not be legal, or
something else would have been announced or shown, is discarded.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kloepper_env import State
from kloepper_env.games.klammern import record
from tests.env.decks_klammern import shuffled_deck
from tests.env.hands import random_rules
from tests.env.slow_melds import told

POSITIONS = 2_500
TRIES = 30  # redeals of a position
STEPS = ("first choice", "second choice", "Kontra", "Re", "melds", "cards")
UNDEALT = 4  # stands for a seat


def random_position(rng: random.Random) -> State:
    """A hand of random rules, played at random for a while or to its end."""
    rules, deck = random_rules("klammern", rng), shuffled_deck(rng)
    carry = {"litige": rng.choice((0, 81, 324))} if rules.get("tie81") == "litige" else {}
    state = State.deal("klammern", rules, deck=deck, dealer=rng.randrange(4), carry=carry)
    shyness = rng.choice((0.3, 0.9))  # how readily a seat passes
    for _ in range(rng.randrange(52)):
        if state.is_over:
            break
        legal = state.legal()
        shy = "pass" in legal and rng.random() < shyness
        state.push("pass" if shy else rng.choice(legal))
    return state


# --- what is known, and packs it fits ----------------------------------------------------------


def holders(state: State) -> list[int]:
    """Who was dealt the card at each place of the pack; UNDEALT for nobody yet."""
    dealt = [set(state.dealt(seat)) for seat in range(4)]
    return [
        next((seat for seat in range(4) if card in dealt[seat]), UNDEALT) for card in state.deck()
    ]


def hidden_places(state: State, seat: int) -> list[int]:
    """The places of the pack whose cards the seat does not know."""
    view = state.view(seat)
    seen = {fact.rpartition(":")[2] for fact in view.facts if fact.startswith(("turned", "shown"))}
    seen |= {action for _, action in view.history} | set(view.dealt)
    for fact in view.facts:
        if fact.startswith("belle"):
            seen |= {rank + trump_of(state) for rank in "KQ"}
    return [place for place, card in enumerate(state.deck()) if card not in seen]


def trump_of(state: State) -> str:
    return record.SUITS[int(state.hand.trump)]


def dealt_anew(state: State, seat: int, rng: random.Random) -> list[str] | None:
    """A pack with the hidden cards at other hidden places, nobody with a suit it has shown not to
    have; None if chance did not find one."""
    deck, holder = state.deck(), holders(state)
    places = hidden_places(state, seat)
    cards = [deck[place] for place in places]
    rng.shuffle(cards)
    voids = int(state.hand.voids)
    barred = [
        {record.SUITS[s] for s in range(4) if voids >> 4 * other + s & 1} for other in range(4)
    ]
    barred.append(set())
    cards.sort(key=lambda card: -sum(card[1] in suits for suits in barred))
    for card in cards:
        fitting = [place for place in places if card[1] not in barred[holder[place]]]
        if not fitting:
            return None
        place = rng.choice(fitting)
        places.remove(place)
        deck[place] = card
    return deck


def alikes(state: State, seat: int, rng: random.Random) -> Iterator[tuple[State, set[str]]]:
    """A position that `seat` cannot tell from `state`, if one is found, and how it differs."""
    for _ in range(TRIES):
        deck = dealt_anew(state, seat, rng)
        if deck is None or deck == state.deck():
            continue
        twin = State.deal(
            "klammern",
            state.options.changed(),
            deck=deck,
            dealer=state.dealer,
            carry=state.view(seat).carry,
        )
        if again(twin, state.history) and public_melds(twin) == public_melds(state):
            yield twin, set(differences(state, twin))
            return


def public_melds(state: State) -> dict[str, Any]:
    """What all have learned of melds and Belle, worked out from the cards."""
    hands = [state.dealt(seat) for seat in range(4)]
    return told(hands, state.dealer, state.options.changed(), state.history)


def again(twin: State, history: list[tuple[int, str]]) -> bool:
    """Do the same in another deal; False where that is not legal."""
    for _, action in history:
        if action not in twin.legal():
            return False
        twin.push(action)
    return True


def differences(state: State, twin: State) -> Iterator[str]:
    yield "redealt"
    hand, other = state.hand, twin.hand
    if hand.melds.tolist() != other.melds.tolist():
        yield "melds differ"
    if hand.belle != other.belle:
        yield "Belle differs"
    if hand.taker < 0:
        yield "the rest of the pack differs"


# --- what there was to see ---------------------------------------------------------------------


def kinds_of(state: State, seat: int) -> Iterator[str]:
    """The phase of a position, and what has happened in it."""
    hand = state.hand
    if hand.over:
        yield "over" if hand.plies else "passed out"
    elif hand.step == record.PLAY:
        yield f"cards in trick {int(hand.plies) // 4 + 1}"
    else:
        yield STEPS[int(hand.step)]
    if hand.kontra >= 0:
        yield "Kontra said"
    if hand.told:
        yield "melds announced"
    if hand.scoring >= 0:
        yield "melds shown"
    if hand.belle_shown:
        yield "Belle shown"
    if len(hidden_places(state, seat)) > 1:
        yield "something hidden"


def check_kinds(kinds: Counter[str]) -> None:
    """Every phase and kind was there, and where something is hidden it mostly lay elsewhere."""
    tricks = {f"cards in trick {number}" for number in range(1, 9)}
    happened = {"Kontra said", "melds announced", "melds shown", "Belle shown"}
    assert set(kinds) >= {*STEPS[:-1], "over", "passed out"} | tricks | happened
    differ = {"redealt", "melds differ", "Belle differs", "the rest of the pack differs"}
    assert set(kinds) >= differ
    assert min(kinds.values()) > POSITIONS / 200, kinds
    assert kinds["redealt"] > 0.7 * kinds["something hidden"], kinds
