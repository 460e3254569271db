"""How strong a policy is, and how it announces, on deals that training never sees."""

import numpy as np

from kloepper_agents.arena.match import play_match
from kloepper_agents.inputs import inputs_of
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env.batch import Batch
from kloepper_training.config import TrainConfig
from kloepper_training.rollout import Choose, play
from kloepper_training.streams import word

GREEDY_HANDS = 2048  # of self-play, from which the greedy rates are counted


def margin(policy: Policy, name: str, config: TrainConfig) -> dict[str, float]:
    """Margin and its standard error, in points per hand, against a player."""
    result = play_match(
        NetAgent(policy),
        name,
        game=config.game,
        rules=config.rules,
        deals=config.evaluation.deals,
        seed=word(config.seed, "evaluation"),
    )
    return {f"margin/{name}": result.margin, f"margin_se/{name}": result.estimate.standard_error}


def greedy_rates(choose: Choose, config: TrainConfig) -> dict[str, float]:
    """What a policy announces when it plays against itself; see Learning.rates of the game."""
    seed = word(config.seed, "evaluation")
    batch = Batch(config.game, GREEDY_HANDS, seed=seed, rules=config.rules)
    owner = np.zeros((batch.n, batch.game.n_seats), np.int64)
    inputs = inputs_of(batch.game, config.network.inputs)
    return play(batch, 0, [choose], owner, inputs).rates
