"""Speed of the compiled players."""

from time import perf_counter, process_time

import numpy as np

from kloepper_agents.kinds import make_agent
from kloepper_agents.playing import play_hands
from kloepper_env import engine
from kloepper_env.games import get_game
from kloepper_env.state import State
from kloepper_env.view import View


def rules_hands(n: int) -> float:
    """Whole hands a second that four `rules` play on one core, timed over `n` hands."""
    game = get_game("kloepper")
    hands = game.new_hands(1, game.options(None), engine.seed_key(0))
    totals = np.zeros(game.n_seats, np.int64)
    play_hands(game, hands, 10, totals)  # compile before the clock starts
    start = perf_counter()
    play_hands(game, hands, n, totals)
    return n / (perf_counter() - start)


def pimc_100(n: int) -> float:
    """Cards a second that `pimc:worlds=100` chooses, at all choices of `n` hands of `rules`."""
    agent = make_agent("pimc:worlds=100")
    agent.act(_card_choices(1)[0], 0)  # compile before the clock starts
    views = _card_choices(n)
    start = process_time()
    for number, view in enumerate(views):
        agent.act(view, number)
    return len(views) / (process_time() - start)


def _card_choices(n: int) -> list[View]:
    """What the seats see where they may play more than one card, in `n` hands of four `rules`."""
    rules, views = make_agent("rules"), []
    for serial in range(n):
        state = State.deal(seed=1, serial=serial)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if len(view.legal) > 1 and view.legal[0] in view.cards:
                views.append(view)
            state.push(rules.act(view, 0))
    return views
