"""What a seat knows of a hand, played again from other cards through the kernels of the game."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records, noted_action, noted_seat, spread
from kloepper_env.games.kloepper.kernels import apply, begin, legal
from kloepper_env.games.kloepper.observe import observe
from kloepper_env.games.kloepper.options import FLAG_PROMPT_ALL
from kloepper_env.games.kloepper.record import MAX_LOG, N_SEATS, PASS, Hand

MOST_DECISIONS: Final = MAX_LOG // N_SEATS  # of a seat in a hand


@jit
def _passes_unseen(hand: Hand, seat: int) -> bool:
    """Let the seat that decides pass, if it is asked and `seat` does not learn of it."""
    heard = hand.turn == seat or hand.option_flags & FLAG_PROMPT_ALL
    if heard or not int(legal(hand)) >> PASS & 1:
        return False
    apply(hand, PASS)
    return True


@jit
def _agrees(hand: Hand, known: IntArray, seat: int, mask: int, over: bool) -> bool:
    """Play what a seat knows of; whether the hand allows it and ends up where the seat is.

    Passes that the seat does not learn of are put in where the next known action is not yet
    possible. No choice arises: whoever has passed is asked again only after an announcement or a
    card, and those are known.
    """
    for code in known:
        actor, action = noted_seat(code), noted_action(code)
        while hand.turn != actor or not int(legal(hand)) >> action & 1:
            if not _passes_unseen(hand, seat):
                return False
        apply(hand, action)
    # A waiting seat does not know who has passed since: for it the hand stops right here.
    while hand.over != over or (mask != 0 and hand.turn != seat):
        if not _passes_unseen(hand, seat):
            return False
    return mask == (int(legal(hand)) if hand.turn == seat else 0)


@jit
def replay(
    hands: Records,
    dealer: int,
    known: IntArray,
    seat: int,
    mask: int,
    over: bool,
    lone: bool,
    agrees: NDArray[np.bool_],
) -> None:
    """Play what a seat knows of from the cards dealt in each of `hands`.

    `agrees` [len(hands)] becomes true where the seat then knows just what it knows here: `mask` of
    its legal actions (0 while it waits), whether the hand is `over` and the knocker `lone`.
    """
    for i in range(len(hands)):
        begin(hands[i], dealer)
        same = _agrees(hands[i], known, seat, mask, over)
        agrees[i] = same and hands[i].lone == lone


@jit
def decisions(
    worlds: Records,
    scratch: Records,
    seat: int,
    words: IntArray,
    mask_words: IntArray,
    actions: IntArray,
    owners: IntArray,
) -> int:
    """Write what a seat saw, might do and did wherever it had a choice, unseen passes included.

    Row by row, `MOST_DECISIONS` a world at most: observation, mask, action, index of the world.
    Returns the number of rows, or -1 for a world that no hand of the game leads to. `scratch` [1]
    is overwritten.
    """
    n = 0
    hand = scratch[0]
    for i in range(len(worlds)):
        world = worlds[i]
        hand.option_flags = world.option_flags
        for k in range(N_SEATS):
            hand.hands[k] = world.hands[k] | world.played[k]
        begin(hand, int(world.dealer))
        for t in range(world.log_length):
            code = int(world.log[t])
            allowed = int(legal(hand))
            if noted_seat(code) != hand.turn or not allowed >> noted_action(code) & 1:
                return -1
            if noted_seat(code) == seat and allowed & allowed - 1:
                if n == len(words):
                    return -1
                observe(hand, seat, words[n])
                spread(allowed, mask_words[n])
                actions[n] = noted_action(code)
                owners[n] = i
                n += 1
            apply(hand, noted_action(code))
    return n
