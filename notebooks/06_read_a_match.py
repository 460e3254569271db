# %% [markdown]
# # Reading a match: is one player better than another, and by how much?
#
# The cards decide more than the players do. A duplicate match plays every deal again with the sides
# exchanged, so that the luck of the cards cancels.

# %% [markdown]
# ## 1. A margin with its interval
#
# The margin is the score of a seat of the first player minus that of a seat of the second, in
# points per hand. The interval counts each deal once, because its tables are far from
# independent.

# %%
from kloepper_agents import play_match

match = play_match("rules", "greedy", deals=400, seed=1)
print(f"rules - greedy: {match.margin:+.2f} ± {match.half_width:.2f} points per hand")
print(f"so many deals detect a difference of {match.detectable:.2f} points or more")
assert match.margin > match.half_width

# %% [markdown]
# ## 2. How many deals does an answer take?
#
# The error falls with the square root of the number of deals: to detect a tenth of the difference
# takes a hundred times as many.

# %%
for difference in (1.0, 0.3, 0.1, 0.05):
    print(f"to show {difference:.2f} points: {match.estimate.deals_needed(difference):,} deals")

# %%
from matplotlib import pyplot as plt

numbers = [25, 50, 100, 200, 400]
estimates = [type(match.estimate).of(match.scores[:number]) for number in numbers]
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.errorbar(
    numbers,
    [one.mean for one in estimates],
    [one.half_width for one in estimates],
    fmt="o",
    color="#0072B2",
    capsize=3,
)
axes.axhline(0, color="black", linewidth=0.8)
axes.set(xlabel="deals", ylabel="margin, points per hand", xscale="log")
axes.set_xticks(numbers, map(str, numbers))
axes.minorticks_off()  # a logarithmic axis has some between
title = axes.set_title("rules – greedy: mean and 95 % interval of the first deals")
assert estimates[-1].half_width < estimates[0].half_width

# %% [markdown]
# ## 3. Where does it come from?
#
# By kind of hand: the queens in two hands, an ace called, somebody alone; and hands with a knock.
# Then how often each player made an announcement that it could make, and how often it succeeded.

# %%
for name, stratum in match.strata.items():
    estimate = stratum.estimate
    print(f"{name:<8} {estimate.mean:+.2f} ± {estimate.half_width:.2f}  ({stratum.tables} tables)")
for agent, rates in zip(match.agents, match.rates, strict=True):
    done = ", ".join(
        f"{kind} {rate.share:.1%} ({rate.success:.0%})" for kind, rate in rates.items()
    )
    print(f"{agent}: {done}")

# %% [markdown]
# ## 4. The same cards, without the exchange
#
# Without the other tables, the luck of the deal remains. The spread of the scores shows how much of
# it the exchange removes.

# %%
import numpy as np

from kloepper_agents import make_agent
from kloepper_agents.arena.deals import SeededDeals
from kloepper_agents.games.kloepper.lab.core.playing import GAME, POLICY, Lineup, payoffs_of

options = GAME.options(None)
hands = SeededDeals(1).hands(GAME, options, 0, 400)
lineup = Lineup(make_agent("rules"), options, 1)
seats = np.zeros(400, np.int64)
single = payoffs_of(lineup.play(hands, seats, POLICY, np.arange(400)), seats)
print(f"spread of a single hand: {single.std():.2f}; of a duplicate deal: {match.scores.std():.2f}")
assert match.scores.std() < single.std()

# %% [markdown]
# ## What to try next
#
# - `kloepper arena rules greedy random --deals 5000 --out runs/match`: a page with all of this.
# - `--deal-file seeds/deals/kloepper/test.txt`: the deals that results are reported on.
# - `kloepper lab review`: what the announcements of one of its hands cost.
