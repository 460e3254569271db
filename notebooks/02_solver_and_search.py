# %% [markdown]
# # Open and hidden cards: what a solver knows, and what a searching player makes of it
#
# A solver sees all cards and gives exact answers. A player sees six cards and has to guess the
# rest. How much does that cost, and where does the solver mislead?

# %% [markdown]
# ## 1. A deal with open cards
#
# `Solver` makes the best play for every seat. Points are the card points of the black side. A
# positive score goes to each seat of that side, a negative one to each seat of the red side.

# %%
from kloepper_env import State
from kloepper_env.solver import Solver

solver = Solver()
state = State.deal(seed=3)
print("black points:", solver.points(state), " score:", solver.score(state))
print("all tricks for black:", solver.all_tricks(state))
assert 0 <= solver.points(state) <= 120

# %% [markdown]
# ## 2. The same deal, from one seat
#
# `pimc` draws deals that its seat's knowledge leaves possible, solves each with open cards, and
# takes the action with the best mean. `explain` says why; a value is an expected payoff.

# %%
from kloepper_agents import make_agent

player = make_agent("pimc:worlds=32")
while "pass" in state.legal():  # the first card, once everybody has passed
    state.push("pass")
view = state.view(state.turn)
thought = player.explain(view, random=1)
print(f"seat {view.seat} holds {' '.join(view.cards)}")
print(thought.meaning())
print(thought.text())
assert set(thought.actions) == set(view.legal)

# %% [markdown]
# ## 3. Where open cards mislead
#
# With open cards nobody guesses wrong, so the black side seems to take all tricks far more often
# than it does. Announcements are therefore valued by playing hands out, and not by the solver.

# %%
import numpy as np

from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.lab.hands.table import Effort, classes, rows_of

quick = Effort(quiet_error=0.3, gap_error=2.0, open_scores=32, open_sweeps=128)
hands = [int(hand) for hand in classes(queens_only=True)[::1500]]
rows = rows_of(hands, seed=1, effort=quick, rules=GAME.options(None))
print(f"all tricks with open cards: {rows['open_all_tricks'].mean():.1%}")
print(f"all tricks as `rules` plays: {rows['all_tricks'].mean():.1%}")
gap = np.mean(rows["open_payoff"] - rows["quiet"])
print(f"a black queen's payoff looks {gap:+.2f} points better with open cards")
assert rows["open_all_tricks"].mean() > rows["all_tricks"].mean()

# %% [markdown]
# ## What to try next
#
# - `kloepper solve --seed 3` prints the whole answer, with a line of best play.
# - `kloepper arena pimc:worlds=16 rollout:worlds=16 --deals 200`: two ways to value a card.
# - `kloepper lab study knock` has the same comparison for the knocks that were made.
