"""`pimc` and `rollout`: the same search of one ply, with two ways to value a card.

`pimc` (perfect-information Monte Carlo: Levy 1989, Ginsberg 2001) lets everybody see all cards
from the next card on, which the solver answers exactly. `rollout` (Tesauro and Galperin 1996) has
`rules` play all four hands, which is cruder, but nobody acts on what he cannot know.
"""

from typing import Final

from kloepper_agents.games.kloepper.search.leaves import DoubleDummy, Leaf
from kloepper_agents.playing import Playout
from kloepper_agents.search.searcher import OnePly
from kloepper_agents.search.settings import read_budget
from kloepper_agents.search.subjects import subject_of
from kloepper_env.games import get_game

LIMITS: Final = {"worlds": 100_000, "ms": 600_000}


def make_pimc(game: str, settings: str) -> OnePly:
    """`worlds=N`, or `ms=T` for as many as T milliseconds allow."""
    return _make("pimc", game, DoubleDummy(), settings)


def make_rollout(game: str, settings: str) -> OnePly:
    """`worlds=N`, or `ms=T` for as many as T milliseconds allow."""
    return _make("rollout", game, Playout(get_game(game)), settings)


def _make(kind: str, game: str, leaf: Leaf, settings: str) -> OnePly:
    given = read_budget(kind, settings, LIMITS)
    worlds, ms = given.get("worlds"), given.get("ms")
    return OnePly(subject_of(game), leaf, worlds=worlds, seconds=None if ms is None else ms / 1000)
