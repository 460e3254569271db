"""Whole games side by side: hand after hand until somebody has won."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from kloepper_agents.arena.lockstep import Played, play_out
from kloepper_agents.arena.statistics import FloatArray
from kloepper_agents.base import Agent, IntArray
from kloepper_env import engine
from kloepper_env.engine import Records
from kloepper_env.games.game import Game, Match

MOST_HANDS: Final = 1000
"""Hands after which a game is broken off: players who pass always would go on for ever."""


def play_games(
    game: Game,
    options: Any,
    numbers: IntArray,
    seats: IntArray,
    agents: Sequence[Agent],
    seed: int,
    count: Callable[[Played, IntArray], None],
) -> FloatArray:
    """Play games to their end: what each seat [N, S] has of its game, 1 in all.

    `numbers` [N] are the games, `seats` [N, S] says which of `agents` sits where. Hand h of game g
    is hand MOST_HANDS * g + h of `seed`, at every table of the game. Winners share the game; of
    one that is broken off nobody has anything. `count` gets all hands played, and who sat there.
    """
    matches = [game.match_type(options) for _ in numbers]
    rows = np.arange(len(numbers))
    for hand in range(MOST_HANDS):
        serials = MOST_HANDS * numbers[rows] + hand
        hands = _deal(game, options, seed, serials, [matches[row] for row in rows])
        played = play_out(game, options, hands, seats[rows], agents, serials, seed)
        count(played, seats[rows])
        for row, record in zip(rows, played.hands, strict=True):
            matches[row].add(game.outcome(record, options))
        rows = np.array([row for row in rows if matches[row].winners() is None], np.int64)
        if not rows.size:
            break
    return np.stack([_shares(match, game.n_seats) for match in matches])


def _deal(
    game: Game, options: Any, seed: int, serials: IntArray, matches: Sequence[Match]
) -> Records:
    """The next hand of every game, opened for its first decision."""
    hands = game.new_hands(len(serials), options, engine.seed_key(seed))
    hands["serial"] = serials
    for i, match in enumerate(matches):
        own = hands[i : i + 1]
        game.carry_over(own, options, match.carry())
        engine.start(own, game.tables, match.dealer())
    return hands


def _shares(match: Match, n_seats: int) -> FloatArray:
    shares = np.zeros(n_seats)
    winners = match.winners()
    if winners is not None:
        shares[winners] = 1 / len(winners)
    return shares
