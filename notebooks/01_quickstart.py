# %% [markdown]
# # Quickstart: an environment, a match, a picture
#
# Kloepper in three steps: play a hand through the PettingZoo interface, let two players meet on
# the same deals, and look at a hand. Open this file in Jupyter with
# `pip install "kloepper[notebooks]"`, or run it.

# %% [markdown]
# ## 1. The environment
#
# Four agents, `player_0` to `player_3`, take turns. The mask says what is legal: cards, and in
# the first trick announcements as well. A seat sees its own cards and what is public.

# %%
from kloepper_env import kloepper_v0

env = kloepper_v0.env(render_mode="ansi", render_seat=0)
env.reset(seed=7)
names = env.unwrapped.action_names
spaces = {agent: env.action_space(agent) for agent in env.possible_agents}
for agent, space in spaces.items():
    space.seed(int(agent[-1]))

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        action = None
    else:
        action = spaces[agent].sample(observation["action_mask"])
        print(f"{agent}: {names[action]}")
    if action is None and agent == "player_0":
        print(f"player_0 scores {reward:g}")
    env.step(action)

# %% [markdown]
# The observation is an int8 vector with named parts.

# %%
env.reset(seed=7)
layout = env.unwrapped.layout
vector = env.observe("player_0")["observation"]
print({name: vector[layout[name]].tolist() for name in ("queens", "dealer", "player", "trick")})

# %% [markdown]
# ## 2. A match
#
# Deals are duplicated: each is played again with the sides exchanged. The margin is the score of a
# seat of the first player minus that of a seat of the second, in points per hand.

# %%
from kloepper_agents import make_agent, play_match

result = play_match(make_agent("rules"), make_agent("passive"), deals=500, seed=1)
print(f"rules - passive: {result.margin:+.2f} +- {result.half_width:.2f} points per hand")
assert result.margin > result.half_width  # better, beyond the luck of these deals

# %% [markdown]
# ## 3. A hand, and a picture of it
#
# `State` is a hand for people: actions have names, and an illegal action is refused.

# %%
from kloepper_env import State
from kloepper_env.render import render_svg, render_text

state = State.deal(seed=11)
while not state.is_over:
    view = state.view(state.turn)
    state.push(make_agent("rules").act(view, random=0))
print(render_text(state))
print("scores:", state.scores())
assert 0 < max(state.scores()) <= 30

# %%
picture = render_svg(state)
print(f"an SVG picture of {len(picture):,} characters")
picture

# %% [markdown]
# ## What to try next
#
# - `State.deal(deck=..., dealer=...)` sets up any deal; `rules={"announce": "own_turn"}` any table.
# - `kloepper train kloepper/smoke` trains a player by self-play in about a minute;
#   `make_agent("net:runs/NAME")` is that player.
# - `kloepper play` lets you play against them.
