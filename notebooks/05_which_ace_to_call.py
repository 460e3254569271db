# %% [markdown]
# # Which ace to call, and when to play alone
#
# A player who holds both black queens may call an ace, and with it a partner (K11), or play alone
# against three, for three times the points.

# %% [markdown]
# ## 1. One hand
#
# All calls, and playing alone, on the same deals. A soloist's payoff is half as large again as the
# score, because there are three opponents.

# %%
from kloepper_agents.games.kloepper.lab.ask.hand import ask

for cards in ("QC QS JD 9S KH 9C", "QC QS JC JS JH AC"):
    results = ask(cards, most=1500).results
    print(cards)
    for i in results.compared[:4]:
        payoff = results.payoff(i)
        print(f"  {results.options[i].name:<30} {payoff.mean:+6.2f} ± {payoff.half_width:.2f}")
    means = [results.payoff(i).mean for i in results.compared]
    assert means[0] >= max(means) - 1e-9  # the best comes first

# %% [markdown]
# ## 2. Which suit?
#
# A sample of the 4,343 classes of hands with both queens: what it gains to call an ace, compared
# with the mean of the aces that the hand could call, by the number of cards held in its suit.

# %%
import numpy as np

from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_agents.games.kloepper.lab.hands.distil import ace_gains, distil
from kloepper_agents.games.kloepper.lab.hands.table import Effort, classes, rows_of

queens = classes(queens_only=True)
both = queens[np.bitwise_count(queens & 0b11) == 2]
quick = Effort(quiet_error=0.6, gap_error=0.8, open_scores=2, open_sweeps=2)
rows = rows_of([int(hand) for hand in both[::40]], 1, quick, GAME.options(None))
for one in ace_gains(rows):
    print(f"{one.suit}, {one.held} held: {one.gain:+.2f} ({one.hands:.0f} hands)")

# %%
from matplotlib import pyplot as plt

gains = ace_gains(rows)
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.bar([f"{one.suit} {one.held}" for one in gains], [one.gain for one in gains], color="#0072B2")
axes.axhline(0, color="black", linewidth=0.8)
axes.tick_params("x", rotation=45)
axes.set(xlabel="suit and cards held in it", ylabel="gain, points of payoff")
title = axes.set_title(f"A sample of {len(rows)} classes of hands")

# %% [markdown]
# ## 3. A rule to remember
#
# Small decision trees: what they advise, and how much they lose compared with the best action for
# every hand.

# %%
for problem in distil(rows):
    print(problem.problem)
    for rule in problem.rules:
        print(f"  {rule.depth} question(s): loses {rule.loss:.2f} points of payoff a hand")
    losses = [rule.loss for rule in problem.rules]
    assert losses == sorted(losses, reverse=True)  # more questions lose less
    for line in problem.rules[-1].lines:
        print("   ", line.text)

# %% [markdown]
# ## What to try next
#
# - `kloepper lab rules`: the same from the whole table that comes with the package.
# - `kloepper lab study alone --deals 20000`: how the decisions of four `rules` turned out.
# - `kloepper lab hand "QC QS JD 9S KH 9C" --scores 26,28,20,4`: at match scores the answer changes.
