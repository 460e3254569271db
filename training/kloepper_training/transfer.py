"""A run that goes on from a policy: its weights are the first ones of the actor.

The critic begins anew, for a policy file holds none; in its first updates its advantages are worth
little, so the schedules of such a run should begin low.
"""

from typing import Any

import torch
from torch import nn

from kloepper_agents.neural import Policy, make_net
from kloepper_env.errors import ConfigError, shown
from kloepper_training.config import TrainConfig, check_config
from kloepper_training.networks import Actor
from kloepper_training.selfplay import Run


def named_policy(game: str, name: str) -> Policy:
    """The policy that `name` stands for: a file, the folder of a run, `pretrained`, or `net:` and
    one of them. Raises ConfigError or CheckpointError."""
    return make_net(game, name.removeprefix("net:")).policy


def network_of(policy: Policy) -> dict[str, Any]:
    """The settings `network` of a run that can begin from a policy."""
    return {"actor": list(policy.sizes[1:-1]), "inputs": policy.inputs}


def settings_from(config: TrainConfig, name: str) -> TrainConfig:
    """The same settings, for a run that begins from a policy. Raises as `named_policy` does."""
    settings = config.model_dump(mode="json")
    settings["network"] |= network_of(named_policy(config.game, name))
    settings["start"]["policy"] = name
    return check_config(settings)


def begin_from(run: Run, name: str) -> None:
    """Give the actor of a new run the weights of a policy.

    Raises ConfigError where the networks differ or it was made for other rules.
    """
    policy, config = named_policy(run.game.name, name), run.config
    own, wanted = network_of(policy), config.network.model_dump(include={"actor", "inputs"})
    if own["actor"] != list(wanted["actor"]) or own["inputs"] != wanted["inputs"]:
        raise ConfigError(
            f"start.policy {shown(name)} has network.actor={own['actor']} and "
            f"network.inputs={own['inputs']}, but the run has {list(wanted['actor'])} and "
            f"{wanted['inputs']}; --from sets them"
        )
    if dict(policy.rules) != run.options.changed():
        raise ConfigError(
            f"start.policy {shown(name)} was trained with the rules {shown(dict(policy.rules))}, "
            f"but the run has {shown(run.options.changed())}"
        )
    take_over(run.actor, policy)


def take_over(actor: Actor, policy: Policy) -> None:
    """Give an actor the weights of a policy with the same layers and inputs: `to_policy` undone."""
    layers = [layer for layer in actor.body if isinstance(layer, nn.Linear)]
    with torch.no_grad():
        for layer, weight, bias in zip(layers, policy.weights, policy.biases, strict=True):
            layer.weight.copy_(torch.from_numpy(weight.T.copy()))
            layer.bias.copy_(torch.from_numpy(bias))
        layers[0].weight.div_(actor.scale)
