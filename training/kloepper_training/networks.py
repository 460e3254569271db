"""Actor and critic, and the distribution over legal actions.

Letters: B rows, X inputs (`kloepper_agents.inputs`; no more than the observation by default), H
what the critic sees besides, A actions. Inputs stay int8 until a network takes them: a quarter of
the memory, and scaling is the network's own business.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kloepper_agents.inputs import Inputs, inputs_of
from kloepper_env.games.game import Game

BLOCK: Final = 256
"""Batches are filled up to a multiple of this: oneDNN compiles, and keeps, code for every size."""


def placed(values: Tensor, places: NDArray[np.int64], ways: NDArray[np.int64]) -> Tensor:
    """Values [B, X] in the order that `places` [K, X] gives for the way [B] of each row."""
    return values.gather(1, torch.from_numpy(places[ways]))


def perceptron(sizes: Sequence[int], gain: float, generator: torch.Generator) -> nn.Sequential:
    """Linear layers with ReLU between; orthogonal weights, `gain` for the last layer's."""
    layers: list[nn.Module] = []
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        linear = nn.Linear(inputs, outputs)
        last = i == len(sizes) - 2
        nn.init.orthogonal_(linear.weight, gain if last else 2.0**0.5, generator)
        nn.init.zeros_(linear.bias)
        layers += [linear] if last else [linear, nn.ReLU()]
    return nn.Sequential(*layers)


def parameter_shapes(sizes: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter of a Network with layers of these sizes, in their order."""
    shapes: dict[str, tuple[int, ...]] = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        place = 2 * i  # a ReLU lies between two layers
        shapes |= {f"body.{place}.weight": (outputs, inputs), f"body.{place}.bias": (outputs,)}
    return shapes


class Network(nn.Module):
    """A perceptron on scaled int8 input, multiplied in `precision`; parameters stay float32."""

    scale: Tensor

    def __init__(
        self,
        scale: Tensor,
        hidden: Sequence[int],
        outputs: int,
        gain: float,
        generator: torch.Generator,
        precision: str,
    ) -> None:
        super().__init__()
        self.register_buffer("scale", scale, persistent=False)
        self.body = perceptron([len(scale), *hidden, outputs], gain, generator)
        self.rounded = precision == "bfloat16"

    def output(self, inputs: Tensor) -> Tensor:
        """Float32 [B, outputs] of int8 [B, inputs]."""
        rows = len(inputs)
        padded = nn.functional.pad(inputs, (0, 0, 0, -rows % BLOCK))
        with torch.autocast("cpu", torch.bfloat16, enabled=self.rounded):
            result: Tensor = self.body(padded * self.scale)
        return result[:rows].float()


class Actor(Network):
    """Inputs -> one logit an action; what is alike but for the names gets the same ones."""

    def __init__(
        self,
        game: Game,
        hidden: Sequence[int],
        generator: torch.Generator,
        precision: str = "float32",
        inputs: Inputs | None = None,
    ) -> None:
        self.inputs = inputs or inputs_of(game)
        scale = torch.tensor(self.inputs.scale)
        super().__init__(scale, hidden, game.n_actions, 0.01, generator, precision)
        self.symmetry = game.learning.symmetry

    def forward(self, observation: Tensor) -> Tensor:
        """Logits [B, A] of inputs int8 [B, X]."""
        if self.symmetry is None:
            return self.output(observation)
        ways = self.symmetry.choose(observation.numpy())
        logits = self.output(placed(observation, self.symmetry.observation, ways))
        return placed(logits, self.symmetry.renamed_actions, ways)


class Critic(Network):
    """Inputs and, if it is privileged, hidden facts -> value in units of the game."""

    def __init__(
        self,
        game: Game,
        privileged: bool,
        hidden: Sequence[int],
        generator: torch.Generator,
        precision: str = "float32",
        inputs: Inputs | None = None,
    ) -> None:
        self.n_hidden = game.learning.hidden.size if privileged else 0
        seen = torch.from_numpy((inputs or inputs_of(game)).scale)
        scale = torch.cat([seen, torch.ones(self.n_hidden)])
        super().__init__(scale, hidden, 1, 1.0, generator, precision)
        self.symmetry = game.learning.symmetry

    def forward(self, observation: Tensor, hidden: Tensor) -> Tensor:
        """Values [B] of inputs int8 [B, X] and hidden facts int8 [B, H]."""
        if self.symmetry is not None:
            ways = self.symmetry.choose(observation.numpy())
            observation = placed(observation, self.symmetry.observation, ways)
            hidden = placed(hidden, self.symmetry.hidden[:, : self.n_hidden], ways)
        return self.output(torch.cat([observation, hidden], 1)).squeeze(1)


def resolve_precision(precision: str) -> str:
    """`auto` as bfloat16 where the processor has instructions for it, else float32."""
    if precision != "auto":
        return precision
    able: Mapping[str, Any] = getattr(
        torch.cpu, "get_capabilities", dict
    )()  # torch has it since 2.9
    native = able.get("avx512_bf16") or able.get("amx_bf16")
    return "bfloat16" if native else "float32"


def log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [B, A] of a softmax over the legal actions; -inf for the others."""
    return torch.log_softmax(logits.masked_fill(mask == 0, -torch.inf), dim=1)


def entropy(log_probability: Tensor) -> Tensor:
    """Entropy [B] in nats, over the actions whose log-probability is finite."""
    return -(log_probability.exp() * log_probability.clamp_min(-1e9)).sum(1)


def expected(log_probability: Tensor, worth: Tensor) -> Tensor:
    """Mean [B] of the worth [B, A] of actions, which is finite also where the probability is 0."""
    return (log_probability.exp() * worth).sum(1)


def rarity(log_probability: Tensor, mask: Tensor) -> Tensor:
    """KL divergence [B] of the uniform policy over the legal actions from this one, in nats.

    Its gradient pushes an action that has become rare as hard as any other, where the gradient of
    the entropy dies away with the action's probability.
    """
    n_legal = mask.sum(1)
    return -log_probability.masked_fill(mask == 0, 0.0).sum(1) / n_legal - n_legal.log()


def sample(log_probability: Tensor, generator: torch.Generator) -> Tensor:
    """Draw an action [B] a row (Gumbel-max: exact, and -inf is never drawn)."""
    noise = torch.rand(log_probability.shape, generator=generator).clamp_min_(1e-30)
    return (log_probability - (-noise.log()).log()).argmax(1)
