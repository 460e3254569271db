# %% [markdown]
# # When to knock
#
# A knock at least doubles the stake: 12 points in place of 2 to 6, for all six tricks. When is it
# right? The figures here come from small budgets; the commands at the end give better ones.

# %% [markdown]
# ## 1. The break-even line
#
# If nobody knocks off, a knock wins or loses 12. If silence has the payoff `w`, the knock must
# succeed with a probability of (w / 12 + 1) / 2, or of (w / 24 + 1) / 2 if the others always
# knock off.

# %%
from kloepper_agents.games.kloepper.lab.ask.report import needed

for w in (0, 2, 4):
    print(f"silence worth {w}: {needed(w, 12):.0%} unanswered, {needed(w, 24):.0%} answered")
assert needed(0, 12) == needed(0, 24) == 0.5

# %% [markdown]
# ## 2. One hand
#
# Every option is played out on the same deals by players who see only their own cards.

# %%
from kloepper_agents.games.kloepper.lab.ask.hand import ask
from kloepper_agents.games.kloepper.lab.ask.report import verdict

for cards in ("QC JC JS AD AS 9H", "QC QS JC JS JH AD"):
    answer = ask(cards, most=2000)
    results = answer.results
    print(cards)
    for i in results.compared:
        payoff = results.payoff(i)
        print(f"  {results.options[i].name:<30} {payoff.mean:+6.2f} ± {payoff.half_width:.2f}")
    print(" ", verdict(results))

# %% [markdown]
# ## 3. Many hands
#
# Four `rules` play, and each decision is played both ways on the same deal: `done` are the knocks
# they made, `let go` the opportunities they passed up. A knock is rare, and right when it is made.

# %%
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.study import run_study

study = run_study("knock", deals=1500, seed=1, advice_deals=60, worlds=32)
rates, taken = summary.rates(study), summary.taken_of(study)
print(f"knocked in {rates.per_deal.share:.1%} of the deals, {rates.success.share:.0%} succeeded")
for name, rows in (("done", taken), ("let go", ~taken)):
    gain = summary.gains(study, rows).payoff
    print(f"{name:<7} {gain.mean:+6.2f} ± {gain.half_width:.2f} against silence")
for cell in summary.cells(study, "tops"):
    print(f"{cell.value} top trumps in a row: {cell.success.share:.0%} would take all tricks")

# %% [markdown]
# ## 4. Do players know how likely they are to succeed?
#
# Before each decision, the seat plays out deals that its knowledge leaves possible. Of the knocks
# to which it gives a probability of 30 %, 30 % should succeed.

# %%
found = summary.foretold(study)
assert found is not None
for foretold, happened, low, high, n in zip(
    found.foretold, found.happened, found.low, found.high, found.counts, strict=True
):
    print(f"foretold {foretold:.2f}: happened {happened:.2f} ({low:.2f} to {high:.2f}), {n:.0f}")
print(f"Brier {found.brier:.3f}, calibration error {found.ece:.3f}")
assert found.brier < found.baseline  # better than always foretelling the mean

# %%
from kloepper_agents.games.kloepper.lab.study.plots import draw_calibration

figure = draw_calibration(study)

# %% [markdown]
# ## What to try next
#
# - `kloepper lab study knock --deals 20000 --seed 1 --sensitivity --out runs/knock`: all figures,
#   plots and data, also under other options of the rules.
# - `kloepper lab study knock-off`: the other side of it.
# - `kloepper lab study knock --policy pimc:worlds=16 --deals 200`: does search knock better?
