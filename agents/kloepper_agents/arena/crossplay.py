"""One seat among strangers: what a player gains or loses in a field of another's.

A match with teams exchanged (`match.py`) seats a player beside itself. A player with private
conventions does well there and badly among others, which it cannot know beforehand where partners
are hidden. So here one seat, the *guest*, is the player's, and all others are the *host's*; its
payoff is compared with that of the host in the same seat on the same deals with the same luck.

What a guest gains has two parts: it may be stronger, and it may not understand its partners. In
the mean of both directions the first cancels; the negative of the rest is the loss in cross-play.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np

from kloepper_agents.arena.deals import Deals, open_deals
from kloepper_agents.arena.designs import BoolArray
from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.arena.match import chunk_for, play_match
from kloepper_agents.arena.statistics import Estimate, FloatArray
from kloepper_agents.base import Agent, IntArray, name_of, require_rules
from kloepper_agents.kinds import take_agent
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import set_up
from kloepper_env.games.game import Game
from kloepper_env.payoff import payoffs


def guest_gains(
    game: Game,
    options: Any,
    dealt: Records,
    guest: Agent,
    host: Agent,
    guest_seats: IntArray,
    numbers: IntArray,
    seed: int,
) -> tuple[FloatArray, BoolArray]:
    """What a guest gains in each of `guest_seats` [N, K] of deals [N], one table each.

    Returns the payoffs [N, K] of that seat less those of the host at a table of its own, and
    whether the hands [N, K] went another way than there. `numbers` [N] and `seed` fix the luck, as
    in `play_out`.
    """
    n, k = guest_seats.shape
    seats = np.zeros((n, 1 + k, game.n_seats), np.int64)
    seats[np.arange(n)[:, None], 1 + np.arange(k), guest_seats] = 1
    played = play_out(
        game,
        options,
        np.repeat(dealt, 1 + k),
        seats.reshape(-1, game.n_seats),
        [host, guest],
        np.repeat(numbers, 1 + k),
        seed,
    )
    earned = payoffs(played.scores).reshape(n, 1 + k, game.n_seats)
    own = np.take_along_axis(earned[:, 1:], guest_seats[..., None], 2)[..., 0]
    logs = played.hands["log"].reshape(n, 1 + k, -1)
    gains: FloatArray = own - np.take_along_axis(earned[:, 0], guest_seats, 1)
    return gains, (logs[:, 1:] != logs[:, :1]).any(axis=2)


@dataclass(frozen=True, eq=False)
class CrossPlay:
    """What each of some agents gains as a guest of each other one, and over it as a team."""

    agents: tuple[str, ...]
    gains: Mapping[tuple[int, int], FloatArray]  # guest, host -> [deals] mean over its seats
    margins: Mapping[tuple[int, int], Estimate]  # i < j, points per hand; empty if not asked for

    def gain(self, guest: int, host: int) -> Estimate:
        """The payoff that a guest has more than the host in its place."""
        return Estimate.of(self.gains[guest, host])

    def loss(self, i: int, j: int) -> Estimate:
        """What two agents lose by not being of one kind, as either's guest on average."""
        return Estimate.of(-(self.gains[i, j] + self.gains[j, i]) / 2)

    @property
    def mean_loss(self) -> Estimate:
        """The same for all pairs; deals are the same, so they count once."""
        pairs = [-(self.gains[i, j]) for i, j in permutations(range(len(self.agents)), 2)]
        return Estimate.of(np.mean(pairs, axis=0))


def cross_play(
    names: Sequence[Agent | str],
    *,
    game: str = "kloepper",
    rules: Mapping[str, Any] | None = None,
    deals: int = 1000,
    seed: int = 0,
    deal_file: str | Path | None = None,
    teams: bool = True,
    progress: Callable[[int], None] | None = None,
) -> CrossPlay:
    """Seat each of some agents as a guest of every other one, in every seat of the same deals.

    With `teams` each pair also plays a duplicate match on these deals. Other arguments are those of
    `play_match`; `progress` is called with the deals done, which count once for each guest and
    host. Raises ConfigError for fewer than two agents and for what cannot be read.
    """
    if len(names) < 2:
        raise ConfigError(f"{len(names)} agent is given, but cross-play needs two or more")
    played, options = set_up(game, rules)
    source = open_deals(seed, deal_file, deals, game)
    agents = [take_agent(one, game) for one in names]
    require_rules(agents, played, options)
    gains = {
        (i, j): guest_means(played, options, source, agents[i], agents[j], deals, seed, progress)
        for i, j in permutations(range(len(agents)), 2)
    }
    margins = {}
    for i, j in combinations(range(len(agents)), 2) if teams else ():
        match = play_match(
            agents[i],
            agents[j],
            game=game,
            rules=rules,
            deals=deals,
            seed=seed,
            deal_file=deal_file,
        )
        margins[i, j] = match.estimate
    return CrossPlay(tuple(map(name_of, agents)), gains, margins)


def guest_means(
    game: Game,
    options: Any,
    source: Deals,
    guest: Agent,
    host: Agent,
    deals: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> FloatArray:
    """The mean over all seats of what a guest gains in each deal [deals]."""
    means, chunk = [], chunk_for([guest, host])
    for start in range(0, deals, chunk):
        numbers = np.arange(start, min(start + chunk, deals))
        dealt = source.hands(game, options, start, start + len(numbers))
        seats = np.broadcast_to(np.arange(game.n_seats), (len(numbers), game.n_seats))
        gains, _ = guest_gains(game, options, dealt, guest, host, seats, numbers, seed)
        means.append(gains.mean(axis=1))
        if progress is not None:
            progress(len(numbers))
    return np.concatenate(means)
