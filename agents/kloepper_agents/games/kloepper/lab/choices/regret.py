"""Dominated choices: cards that are no better than another in any deal, and worse in some.

From trick FIRST_TRICK on, all consistent deals of a choice are solved where there are at most MOST.
A card is dominated if another is at least as good for the seat in each of them and better in some,
with open cards from there on. Whoever plays it errs, whatever it believes of the others.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.base import require_rules
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.processes import in_parts
from kloepper_env import engine
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS, SUIT, TRUMPS
from kloepper_env.state import State

FIRST_TRICK: Final = 3  # from 1
MOST: Final = 400  # consistent deals
AT_ONCE: Final = 100  # hands of one piece of work


@dataclass(frozen=True, eq=False)
class Judged:
    """One choice of a player, and what all consistent deals say of it."""

    deal: int  # number of the hand
    at: int  # actions before it
    trick: int  # from 1
    role: str
    kind: str
    card: int
    better: int | None  # the card that dominates it by most, if one does
    loss: float  # mean payoff over the deals by which that card is better
    deals: int  # consistent ones


# --- one choice ----------------------------------------------------------------------------------


def dominator(values: NDArray[Any], own: int) -> int | None:
    """Of values [N deals, A cards], the column that dominates the column `own` by most."""
    gaps = values - values[:, [own]]
    better = (gaps >= 0).all(axis=0) & (gaps > 0).any(axis=0)
    return int(np.where(better, gaps.mean(axis=0), -1).argmax()) if better.any() else None


def judge(state: State, card: int, leaf: DoubleDummy) -> tuple[int | None, float, int] | None:
    """The card that dominates a card of the seat to play, the mean loss, and the number of deals.

    None where there is nothing to judge: no choice, a trick before FIRST_TRICK, or more than MOST
    deals.
    """
    legal = np.array(state.legal_actions(), np.int64)
    if len(legal) < 2 or state.hand.plies < N_SEATS * (FIRST_TRICK - 1):
        return None
    belief = Belief(state.view(int(state.hand.turn)))
    if belief.count() > MOST:
        return None
    values = leaf(belief.enumerate(), legal).astype(np.int64)
    own = int(np.flatnonzero(legal == card)[0])
    best = dominator(values, own)
    if best is None:
        return None, 0.0, len(values)
    return int(legal[best]), float((values[:, best] - values[:, own]).mean()), len(values)


def role_of(state: State) -> str:
    """Which side the seat to play is on, and whether that side or the other is alone."""
    black = int(state.hand.black)
    side = "black" if black >> int(state.hand.turn) & 1 else "red"
    alone = black.bit_count() == 1
    name = {"black": "soloist", "red": "against a soloist"}[side] if alone else side
    return f"{name}, knocked" if state.hand.knocker >= 0 else name


def kind_of(state: State, card: int) -> str:
    """What kind of play a card is."""
    led = int(state.hand.led)
    if led < 0:
        return "lead of a trump" if SUIT[card] == TRUMPS else "lead of a plain card"
    if SUIT[card] == led:
        return "following in trumps" if led == TRUMPS else "following in a plain suit"
    return "ruff" if SUIT[card] == TRUMPS else "discard"


# --- many hands ----------------------------------------------------------------------------------


def judged_hands(
    start: int, *, policy: str, rules: Mapping[str, Any], hands: int, seed: int
) -> list[Judged]:
    """Judge all choices of four players of one policy in the hands from number `start` on."""
    options, stop = GAME.options(rules), min(start + AT_ONCE, hands)
    played = GAME.new_hands(stop - start, options, engine.seed_key(seed))
    played["serial"] += start
    engine.start(played, GAME.tables, -1)
    dealt, numbers = played.copy(), np.arange(start, stop)
    seats = np.zeros((len(played), N_SEATS), np.int64)
    play_out(GAME, options, played, seats, [make_agent(policy)], numbers, seed)
    leaf, found = DoubleDummy(), []
    for i, number in enumerate(numbers.tolist()):
        state = State(GAME, options, dealt[i : i + 1].copy())
        found += list(_judged_hand(state, played[i], number, leaf))
    return found


def _judged_hand(state: State, played: Any, number: int, leaf: DoubleDummy) -> Iterator[Judged]:
    for at in range(int(played["log_length"])):
        action = engine.noted_action(int(played["log"][at]))
        known = None if action >= N_CARDS else judge(state, action, leaf)
        if known is not None:
            trick = 1 + int(state.hand.plies) // N_SEATS
            role, kind = role_of(state), kind_of(state, action)
            yield Judged(number, at, trick, role, kind, action, *known)
        state.push(action)


def judge_player(
    policy: str,
    *,
    rules: Mapping[str, Any],
    hands: int,
    seed: int,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Judged]:
    """Judge the choices of a player in `hands` hands that it plays at all four seats.

    `progress` is called with the hands done. Raises ConfigError for what cannot be asked.
    """
    if hands < 1:
        raise ConfigError(f"{hands} hands are asked for: 1 is the least")
    options = GAME.options(rules)
    require_rules([make_agent(policy)], GAME, options)
    work = partial(judged_hands, policy=policy, rules=options.changed(), hands=hands, seed=seed)
    return in_parts(work, hands, AT_ONCE, jobs, progress)
