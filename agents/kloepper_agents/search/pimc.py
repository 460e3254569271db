"""`pimc` and `rollout`: the same search of one ply, with two ways to value a card.

`pimc` (perfect-information Monte Carlo: Levy 1989, Ginsberg 2001) lets everybody see all cards
from the next card on, which the solver answers exactly. `rollout` (Tesauro and Galperin 1996) has
`rules` play all four hands, which is cruder, but nobody acts on what he cannot know.
"""

from typing import Final

from kloepper_agents.playing import Playout
from kloepper_agents.search.leaves import Leaf
from kloepper_agents.search.model import SearchModel
from kloepper_agents.search.searcher import OnePly
from kloepper_agents.search.settings import read_budget

LIMITS: Final = {"worlds": 100_000, "ms": 600_000}


def make_pimc(model: SearchModel, double_dummy: Leaf, settings: str) -> OnePly:
    """`worlds=N`, or `ms=T` for as many as T milliseconds allow."""
    return _make("pimc", model, double_dummy, settings)


def make_rollout(model: SearchModel, settings: str) -> OnePly:
    """`worlds=N`, or `ms=T` for as many as T milliseconds allow."""
    return _make("rollout", model, Playout(model.game), settings)


def _make(kind: str, model: SearchModel, leaf: Leaf, settings: str) -> OnePly:
    given = read_budget(kind, settings, LIMITS)
    worlds, ms = given.get("worlds"), given.get("ms")
    return OnePly(model, leaf, worlds=worlds, seconds=None if ms is None else ms / 1000)
