# %% [markdown]
# # Training a player by self-play
#
# Four copies of one network play thousands of hands side by side and learn from their scores (PPO).
# How fast do they improve, and how can you tell? This run takes half a minute; the commands at the
# end train a real player.

# %% [markdown]
# ## 1. A run
#
# A config fixes a run; settings that it does not name have defaults. The same config gives the same
# weights.

# %%
from kloepper_training.config import check_config
from kloepper_training.selfplay import Run

config = check_config(
    {
        "seed": 1,
        "lanes": 256,
        "budget": {"decisions": 40_000},
        "network": {"actor": [64], "critic": [64]},
        "evaluation": {"deals": 100, "against": ["passive"]},
    }
)
run = Run(config)
before = run.evaluate()

# %% [markdown]
# ## 2. Learning
#
# Each update plays a window of hands and learns from it. `loss/entropy_cards` falls as the policy
# becomes more certain; the rates say how often it announces. Such runs usually go wrong by knocking
# never or always, so watch these rates.

# %%
shown = ("loss/value_loss", "loss/entropy_cards", "rate/knock", "rate/call")
entropies = []
while run.progress < 1.0:
    figures = run.advance()
    entropies.append((run.counters.decisions, figures["loss/entropy_cards"]))
    print(
        f"{run.counters.decisions:>7,} decisions  "
        + "  ".join(f"{name} {figures[name]:.3f}" for name in shown)
    )
assert entropies[-1][1] < entropies[0][1]  # it has become more certain

# %%
from matplotlib import pyplot as plt

figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.plot(*zip(*entropies, strict=True), color="#0072B2", marker=".")
axes.set(xlabel="decisions of self-play", ylabel="entropy of cards, nats")
title = axes.set_title("One run of 256 hands a window")

# %% [markdown]
# ## 3. Is it better?
#
# The margin over `passive` on the same duplicate deals, before and after: points per hand.
# `passive` announces nothing and plays any card. A margin over `random` would say little, for
# `random` ruins itself by what it announces, and so does a network that has learned nothing.

# %%
after = run.evaluate()
for name in before:
    if name.startswith("margin/"):
        print(f"{name}: {before[name]:+.2f} before, {after[name]:+.2f} after, points per hand")
        assert after[name] > before[name]

# %% [markdown]
# ## What to try next
#
# - `kloepper train kloepper/half_hour --out runs/mine`, then
#   `kloepper curve runs/mine -o curve.svg`.
# - `kloepper arena net:runs/mine rules --deals 5000`: against the hand-written player.
# - `kloepper lab study knock --policy net:runs/mine`: when does it knock, and is it right?
