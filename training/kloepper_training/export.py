"""From the network that learns to the policy that plays without torch."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from torch import nn

from kloepper_agents.neural import Policy
from kloepper_training.networks import Actor


def to_policy(actor: Actor, game: str, rules: Mapping[str, Any], decisions: int) -> Policy:
    """A copy of the actor in float32, with the scale of the observation put into its weights."""
    layers = [layer for layer in actor.body if isinstance(layer, nn.Linear)]
    weights = [layer.weight.detach().numpy().T.copy() for layer in layers]
    weights[0] = weights[0] * actor.scale.numpy()[:, None]
    return Policy(
        game=game,
        rules=dict(rules),
        decisions=decisions,
        weights=tuple(np.ascontiguousarray(weight) for weight in weights),
        biases=tuple(layer.bias.detach().numpy().copy() for layer in layers),
        inputs=actor.inputs.version,
    )
