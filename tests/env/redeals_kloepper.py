"""Positions of Kloepper that a seat cannot tell apart, for the tests of leaks and of beliefs.

The cards that the observer does not see are dealt anew among the other seats, and everything it
knows of is played again. Passes of others that it does not learn of are put in or left out as the
rules need them; a redeal under which a known action would not be legal, or the observer would have
been asked otherwise, is discarded.
"""

import random
from collections import Counter
from collections.abc import Iterator

from kloepper_env import State, engine
from kloepper_env.games.kloepper.kernels import begin
from kloepper_env.games.kloepper.record import BLACK_QUEENS, PASS
from tests.env.decks_kloepper import random_deck
from tests.env.hands import random_rules

POSITIONS = 3_000
TRIES = 40  # redeals of a position, the first half of which must move a black queen

Known = list[tuple[int, int]]


# --- positions ---------------------------------------------------------------------------------


def random_position(rng: random.Random) -> State:
    """A hand of random rules, played at random for a while or to its end."""
    rules = random_rules("kloepper", rng)
    deck = random_deck(rng, rules)
    state = State.deal(rules=rules, deck=deck, dealer=rng.randrange(4))
    boldness = rng.choice((0.02, 0.1, 0.4))
    for _ in range(rng.randrange(len(deck) + 20)):
        if state.is_over:
            break
        legal = state.legal_actions()
        shy = PASS in legal and rng.random() > boldness
        engine.apply_to(state.hands, PASS if shy else rng.choice(legal))
    return state


# --- what is known, and hands it fits ----------------------------------------------------------


def known_to(state: State, seat: int) -> Known:
    """The actions that a seat knows of."""
    public = state.game.is_public
    return [
        (actor, action)
        for actor, action in state.game.history(state.hand)
        if actor == seat or public(action, state.options)
    ]


def dealt_anew(state: State, seat: int, rng: random.Random) -> list[int]:
    """The masks [seat] of dealt cards with those `seat` cannot see shuffled among the others."""
    held, played = state.hands["hands"][0].tolist(), state.hands["played"][0].tolist()
    unseen = [card for other in others_of(seat) for card in range(24) if held[other] >> card & 1]
    rng.shuffle(unseen)
    for other in others_of(seat):
        size = held[other].bit_count()
        held[other] = sum(1 << card for card in unseen[:size])
        del unseen[:size]
    return [mask | gone for mask, gone in zip(held, played, strict=True)]


def others_of(seat: int) -> list[int]:
    return [other for other in range(4) if other != seat]


def start_of(state: State, masks: list[int]) -> State:
    """The start of the same hand with given cards."""
    twin = state.copy()
    twin.hands["hands"][0] = masks
    begin(twin.hands[0], state.dealer)
    return twin


def passes_unseen(state: State, seat: int) -> bool:
    """Let who decides pass, if it can and `seat` does not learn of it."""
    legal = int(engine.legal_of(state.hands))
    if not legal >> PASS & 1 or state.hands["turn"][0] == seat or state.options.prompt_all:
        return False
    engine.apply_to(state.hands, PASS)
    return True


def replay(state: State, known: Known, seat: int) -> bool:
    """Play what `seat` knows of; False if the hand does not allow it."""
    for actor, action in known:
        while not (
            int(engine.legal_of(state.hands)) >> action & 1 and state.hands["turn"][0] == actor
        ):
            if not passes_unseen(state, seat):
                return False
        engine.apply_to(state.hands, action)
    return True


def look_alikes(state: State, seat: int, decides: bool, over: bool) -> Iterator[State]:
    """The positions after `state`, by unseen passes, in which `seat` decides, or waits, or is done.

    A waiting seat does not know how many have passed, so all of them are alike to it.
    """
    while True:
        if state.is_over == over and (state.turn == seat) == decides:
            yield state.copy()
            if decides or over:
                return
        if not passes_unseen(state, seat):
            return


def alikes(state: State, seat: int, rng: random.Random) -> Iterator[tuple[State, set[str]]]:
    """Positions that `seat` cannot tell from `state`, and in what way each differs."""
    dealt, asked = state.game.dealt(state.hand), state.hands["asked"][0]
    for alike, moved in indistinguishable(state, seat, rng):
        kinds = {"queen moved"} if moved else set()
        if state.game.dealt(alike.hand) != dealt:
            kinds.add("redealt")
        if alike.hands["asked"][0] != asked:
            kinds.add("others asked")
        yield alike, kinds


def indistinguishable(state: State, seat: int, rng: random.Random) -> Iterator[tuple[State, bool]]:
    """Positions that `seat` cannot tell from `state`, and whether a black queen has moved there.

    First those that differ by unseen passes alone, then those of one redeal.
    """
    known, decides, over = known_to(state, seat), state.turn == seat, state.is_over
    dealt = state.game.dealt(state.hand)
    same = start_of(state, dealt)
    assert replay(same, known, seat), state
    for alike in look_alikes(same, seat, decides, over):
        yield alike, False
    for attempt in range(TRIES):
        masks = dealt_anew(state, seat, rng)
        moved = queens_of(masks) != queens_of(dealt)
        wanted = moved or not queen_unseen(state, seat) or attempt >= TRIES // 2
        if masks == dealt or not wanted:
            continue
        twin = start_of(state, masks)
        if not replay(twin, known, seat) or twin.hand.lone != state.hand.lone:
            continue  # that a knocker is alone is public (K17)
        alikes = list(look_alikes(twin, seat, decides, over))
        if alikes:
            yield from ((alike, moved) for alike in alikes)
            return


def queens_of(masks: list[int]) -> list[int]:
    return [mask & BLACK_QUEENS for mask in masks]


def queen_unseen(state: State, seat: int) -> bool:
    """Whether another seat holds a black queen still."""
    held = state.hands["hands"][0].tolist()
    return any(queens_of([held[other] for other in others_of(seat)]))


# --- what there was to see ---------------------------------------------------------------------


PACKS = {f"pack of {size}" for size in (24, 12, 8)}
PHASES = {"over", "ask in trick 1", "ask in trick 2", *(f"card in trick {k}" for k in range(1, 7))}


def kinds_of(state: State, seat: int) -> Iterator[str]:
    """The phase of a position, and what has happened in it."""
    hand = state.hand
    trick = int(hand.plies) // 4 + 1
    yield f"pack of {state.options.pack}"
    yield "over" if hand.over else f"{'ask' if hand.asked else 'card'} in trick {trick}"
    yield from (name for name in ("knocker", "knocked_off", "called") if hand[name] >= 0)
    if hand.lone:
        yield "lone"
    if queen_unseen(state, seat):
        yield "queen unseen"


def check_kinds(kinds: Counter[str]) -> None:
    """Every phase and kind was there; where a black queen can move it mostly did."""
    assert min(kinds.values()) > POSITIONS / 100, kinds
    assert set(kinds) >= PHASES | PACKS | {
        "knocker",
        "knocked_off",
        "called",
        "lone",
        "others asked",
    }
    assert kinds["queen moved"] > 0.6 * kinds["queen unseen"], kinds
    assert kinds["redealt"] > 0.6 * POSITIONS, kinds
