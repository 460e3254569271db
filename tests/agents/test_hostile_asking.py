"""What players are asked is checked before compiled code reads it; run with bounds checked too."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kloepper_agents.base import Agent, ObservationAgent
from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env import Batch, State, get_game
from kloepper_env.errors import ConfigError, IllegalActionError
from kloepper_env.games import Game

GAMES = ["kloepper", "klammern"]
OTHER = dict(zip(GAMES, reversed(GAMES), strict=True))
N = 3


def linear_net(game: Game) -> NetAgent:
    width, n_actions = game.layout.size, game.n_actions
    weights = np.ones((width, n_actions), np.float32), np.zeros(n_actions, np.float32)
    return NetAgent(Policy(game.name, {}, 0, (weights[0],), (weights[1],)))


def players(game: str) -> dict[str, ObservationAgent]:
    found: dict[str, Any] = {"net": linear_net(get_game(game))}
    return found | {name: make_agent(name, game) for name in ("random", "greedy", "rules")}


def asked(game: str) -> list[Any]:
    """What `act_many` takes: observations, masks, random words."""
    batch = Batch(game, N, seed=1)
    return [batch.observation.copy(), batch.action_mask.copy(), np.arange(N, dtype=np.uint64)]


def with_part(place: int, change: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda parts: [change(part) if k == place else part for k, part in enumerate(parts)]


SPOILT: dict[str, tuple[Callable[[list[Any]], list[Any]], str]] = {
    "few observations": (with_part(0, lambda a: a[:1]), "observations must be int8 of 3 rows"),
    "float observations": (with_part(0, lambda a: a * 1.0), "observations must be int8"),
    "a flat observation": (with_part(0, lambda a: a[0]), "observations must be int8"),
    "many masks": (with_part(1, lambda a: np.repeat(a, 9, 0)), "observations must be int8 of 27"),
    "bool masks": (with_part(1, lambda a: a > 0), "masks must be int8 of 3 rows, not bool"),
    "few words": (with_part(2, lambda a: a[:1]), r"random must be uint64 of shape \(3,\)"),
    "small words": (with_part(2, lambda a: a.astype(np.uint8)), "random must be uint64"),
    "an empty mask": (with_part(1, lambda a: a * np.eye(N, 1, -1, np.int8)), "row 0 is asked out"),
}


@pytest.mark.parametrize("spoilt", SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("game", GAMES)
def test_rows_that_do_not_fit_are_refused(
    game: str, spoilt: tuple[Callable[[list[Any]], list[Any]], str]
) -> None:
    spoil, message = spoilt
    for player in players(game).values():
        player.act_many(*asked(game))
        with pytest.raises((ConfigError, IllegalActionError), match=message):
            player.act_many(*spoil(asked(game)))


@pytest.mark.parametrize("game", GAMES)
def test_observations_of_another_game_are_refused(game: str) -> None:
    for name, player in players(game).items():
        if name != "random":  # it plays any game
            with pytest.raises(ConfigError, match=r"observations must have \d+ columns"):
                player.act_many(*asked(OTHER[game]))
    with pytest.raises(ConfigError, match="observations must have"):
        linear_net(get_game(game)).policy.logits(asked(OTHER[game])[0])


@pytest.mark.parametrize("game", GAMES)
def test_senseless_observations_are_answered(game: str) -> None:
    """Whatever the bytes say, some action comes back, and nothing outside them is read."""
    rng = np.random.default_rng(1)
    real = asked(game)
    for most in (2, 128):
        for _ in range(40):
            observations = rng.integers(0, most, real[0].shape).astype(np.int8)
            masks = rng.integers(0, 2, real[1].shape).astype(np.int8)
            masks[:, 0] = 1
            words = rng.integers(0, 2**64, N, np.uint64)
            for player in players(game).values():
                assert player.act_many(observations, masks, words[::-1]).shape == (N,)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *((game, name) for game in GAMES for name in ("random", "greedy", "rules", "level:1")),
        *((game, "rollout:worlds=2") for game in GAMES),
        ("kloepper", "pimc:worlds=2"),
        ("kloepper", "ismcts:iterations=10"),
    ],
)
def test_who_is_asked_out_of_turn_says_so(game: str, name: str) -> None:
    player: Agent = make_agent(name, game)
    state = State.deal(game, seed=1)
    assert state.turn is not None
    waiting = (state.turn + 1) % state.game.n_seats
    with pytest.raises(IllegalActionError, match=f"seat {waiting} is asked out of turn"):
        player.act(state.view(waiting), 7)
