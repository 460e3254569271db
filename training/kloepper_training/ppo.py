"""Proximal policy optimisation on a window of self-play (Schulman et al. 2017).

One masked softmax serves two heads, for cards and announcements are never legal together. The
heads differ in what is at stake, so each has its own advantage statistics and entropy bonus: an
announcement can double a hand, a card moves a few points.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kloepper_agents.teaching import Lesson
from kloepper_env.games.action import HEADS
from kloepper_env.games.game import Game
from kloepper_training.config import Passes, PPOConfig
from kloepper_training.networks import Actor, Critic, entropy, expected, log_probabilities, rarity
from kloepper_training.rollout import FloatArray, Window, advantages

CHUNK: Final = 4096  # rows that go through the critic at a time, to bound memory


@dataclass(frozen=True)
class Samples:
    """A window as tensors [B, ...], ready for minibatches."""

    observation: Tensor
    hidden: Tensor
    mask: Tensor
    action: Tensor
    log_probability: Tensor
    head: Tensor  # place in HEADS
    advantage: Tensor  # normalised within its head
    target: Tensor  # of the critic, in units

    def __len__(self) -> int:
        return len(self.action)

    def rows(self, index: Tensor) -> "Samples":
        """Some rows, copied."""
        return Samples(*(value[index] for value in vars(self).values()))


@np.errstate(over="ignore", invalid="ignore")  # the learner finds what is no longer finite
def prepare(
    window: Window, rewards: FloatArray, critic: Critic, game: Game, trace: float
) -> tuple[Samples, dict[str, float]]:
    """Judge a window with the critic; `rewards` [L, seat] are in points.

    Returns the samples and how much of the returns the critic explained beforehand.
    """
    observation = torch.from_numpy(window.observation)
    hidden = torch.from_numpy(window.hidden[:, : critic.n_hidden])
    with torch.no_grad():
        pairs = zip(torch.split(observation, CHUNK), torch.split(hidden, CHUNK), strict=True)
        values = torch.cat([critic(*pair) for pair in pairs]).numpy()
    units = rewards / np.float32(game.learning.unit)
    advantage, target = advantages(window, units, values, trace)
    head = game.heads[window.action]
    returns = units[window.lane, window.seat]
    samples = Samples(
        observation=observation,
        hidden=hidden,
        mask=torch.from_numpy(window.mask),
        action=torch.from_numpy(window.action),
        log_probability=torch.from_numpy(window.log_probability),
        head=torch.from_numpy(head),
        advantage=torch.from_numpy(normalised(advantage, head)),
        target=torch.from_numpy(target),
    )
    explained = 1.0 - float(np.var(returns - values) / max(float(np.var(returns)), 1e-8))
    return samples, {"explained_variance": explained}


def normalised(advantage: FloatArray, head: NDArray[np.int64]) -> FloatArray:
    """Advantages [B] with mean 0 and standard deviation 1 within each head."""
    result = np.zeros_like(advantage)
    for number in range(len(HEADS)):
        rows = head == number
        if rows.any():
            part = advantage[rows]
            result[rows] = (part - part.mean()) / (part.std() + 1e-8)
    return result


class Learner:
    """Actor, critic and their optimiser."""

    def __init__(self, actor: Actor, critic: Critic, config: PPOConfig) -> None:
        self.actor, self.critic, self.config = actor, critic, config
        parameters = [*actor.parameters(), *critic.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=config.learning_rate.start, eps=1e-5)

    def update(
        self,
        samples: Samples,
        progress: float,
        generator: torch.Generator,
        lesson: Lesson | None = None,
    ) -> dict[str, float]:
        """Learn from a window; `progress` from 0 to 1 sets the schedules. Returns means to log.

        A lesson adds the mean worth of the policy to what is maximised. Raises FloatingPointError
        when a figure or a parameter is no longer finite.
        """
        config = self.config
        bonus = torch.tensor([getattr(config.entropy, head).at(progress) for head in HEADS])
        pull = torch.tensor([0.0, config.pull.at(progress)])
        worth = None if lesson is None else config.lesson.at(progress) * worth_of(lesson)
        return self.descend(
            len(samples),
            lambda index: self._step(
                samples.rows(index), bonus, pull, None if worth is None else worth[index]
            ),
            config.learning_rate.at(progress),
            config,
            generator,
            config.target_kl,
        )

    def descend(
        self,
        n: int,
        step: Callable[[Tensor], dict[str, float]],
        rate: float,
        passes: Passes,
        generator: torch.Generator,
        target_kl: float | None = None,
    ) -> dict[str, float]:
        """Make a `step` with each minibatch of `n` choices, in `passes` over them; means to log.

        A pass is the last one when its figure `kl` is above `target_kl` on average. Raises
        FloatingPointError when a figure or a parameter is no longer finite.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        logs: list[dict[str, float]] = []
        size = min(passes.minibatch, n)
        whole = n // size * size  # a rest would make a step of few choices
        for _ in range(passes.epochs):
            order = torch.randperm(n, generator=generator)[:whole]
            epoch = [step(index) for index in torch.split(order, size)]
            logs += epoch
            if target_kl and np.mean([log["kl"] for log in epoch]) > target_kl:
                break
        for network in (self.actor, self.critic):
            if not all(bool(values.isfinite().all()) for values in network.parameters()):
                raise FloatingPointError("a parameter is not finite")
        means = {key: float(np.mean([log[key] for log in logs])) for key in logs[0]}
        return {**means, "learning_rate": rate, "minibatches": float(len(logs))}

    def _step(
        self, batch: Samples, bonus: Tensor, pull: Tensor, worth: Tensor | None
    ) -> dict[str, float]:
        clip = self.config.clip
        log_probability = log_probabilities(self.actor(batch.observation), batch.mask)
        chosen = log_probability.gather(1, batch.action[:, None]).squeeze(1)
        log_ratio = chosen - batch.log_probability
        ratio = log_ratio.exp()
        gain = torch.minimum(
            ratio * batch.advantage, ratio.clamp(1 - clip, 1 + clip) * batch.advantage
        )
        spread = entropy(log_probability)
        rare = rarity(log_probability, batch.mask)
        head = batch.head
        policy_loss = -(gain + bonus[head] * spread - pull[head] * rare).mean()
        if worth is not None:
            policy_loss = policy_loss - expected(log_probability, worth).mean()
        step = self.take(policy_loss, batch)
        with torch.no_grad():
            heads = [
                spread[head == number].sum() / (head == number).sum().clamp_min(1)
                for number in range(len(HEADS))
            ]
            figures = {
                "policy_loss": float(policy_loss),
                # an estimate of low variance: http://joschu.net/blog/kl-approx.html
                "kl": float((ratio - 1 - log_ratio).mean()),
                "clip_fraction": float(((ratio - 1).abs() > clip).float().mean()),
                **step,
                **{f"entropy_{name}": float(h) for name, h in zip(HEADS, heads, strict=True)},
            }
        return finite(figures)

    def take(self, policy_loss: Tensor, batch: Samples) -> dict[str, float]:
        """One step down the loss of the actor and that of the critic on a minibatch; to log."""
        error = self.critic(batch.observation, batch.hidden) - batch.target
        value_loss = 0.5 * error.square().mean()
        self.optimizer.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        norms = [
            nn.utils.clip_grad_norm_(network.parameters(), self.config.max_gradient)
            for network in (self.actor, self.critic)
        ]
        self.optimizer.step()
        return {
            "value_loss": float(value_loss.detach()),
            "gradient_actor": float(norms[0]),
            "gradient_critic": float(norms[1]),
        }


def worth_of(lesson: Lesson) -> Tensor:
    """The worth [B, A] of actions, 0 where nobody can say."""
    return torch.from_numpy(np.nan_to_num(lesson.worth))


def finite(figures: dict[str, float]) -> dict[str, float]:
    """The same figures. Raises FloatingPointError where one is not finite."""
    for name, value in figures.items():
        if not math.isfinite(value):
            raise FloatingPointError(f"{name} is {value}")
    return figures
