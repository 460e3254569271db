"""`net+search:PATH`: a trained network where much is hidden, search where little is.

Before trick 3 a seat can be in any of some millions of deals, of which a search sees a few and a
network has learned from many. From then on the deals are few and the cards decide exactly, which
is what networks are worst at: there the search chooses the cards. Announcements, which a search
values by how `rules` goes on, stay with the network throughout.
"""

from typing import Final

from kloepper_agents.base import Agent, require_turn
from kloepper_agents.games.kloepper.search.double_dummy import DoubleDummy
from kloepper_agents.games.kloepper.search.worlds import MODEL
from kloepper_agents.neural import NetAgent, make_net
from kloepper_agents.search.pimc import make_pimc
from kloepper_env.games.kloepper.observe import LAYOUT
from kloepper_env.view import View

FIRST_SEARCHED: Final = 2  # trick, counted from 0
DEFAULT: Final = "worlds=64"


class NetSearch(Agent):
    """Plays `net` in the first tricks and in announcements, `search` after them."""

    def __init__(self, net: NetAgent, search: Agent, name: str = "net+search") -> None:
        self.net, self.search = net, search
        self.rules = net.rules
        self.name = name

    def act(self, view: View, random: int) -> int:
        require_turn(view)
        seen = LAYOUT.decode(view.observation)
        is_late = seen["trick"].argmax() >= FIRST_SEARCHED and not seen["announcing"].any()
        return (self.search if is_late else self.net).act(view, random)


def make_net_search(settings: str) -> NetSearch:
    """`PATH`, `PATH,worlds=N` or `PATH,ms=T`. Raises ConfigError for anything else."""
    path, comma, budget = settings.rpartition(",")
    if not comma or not budget.startswith(("worlds=", "ms=")):
        path, budget = settings, DEFAULT
    return NetSearch(make_net("kloepper", path), make_pimc(MODEL, DoubleDummy(), budget))
