"""The first stage: from nothing to a player of sense, by what a teacher says of every choice.

Where a card is played, the lesson is what each legal card would have brought with open cards in
the hand as it really was. Nobody can know that; but the mean over all hands that look alike is
what a search would find that weighs the deals by how the players play, without limit to their
number. The policy is trained for the highest such mean with an entropy bonus, which makes it a
softmax of the means: no return of a hand is so free of the luck of what comes later. Open cards
flatter plans that need them, so this is a start and not the end.

Announcements follow the advice of `rules`: with open cards they look far too good. The critic
learns from the hands as they are played, so that it is ready when self-play goes on.
"""

import torch
from torch import Tensor

from kloepper_agents.teaching import Lesson
from kloepper_training.config import StartConfig
from kloepper_training.networks import entropy, expected, log_probabilities
from kloepper_training.ppo import Learner, Samples, finite, worth_of


class Pupil:
    """Learns from lessons, with the networks and the optimiser of a Learner."""

    def __init__(self, learner: Learner, config: StartConfig, unit: float) -> None:
        self.learner, self.config = learner, config
        self._softness = config.softness / unit

    def update(
        self, samples: Samples, lesson: Lesson, progress: float, generator: torch.Generator
    ) -> dict[str, float]:
        """Learn from a window; `progress` is that of the stage. Returns means to log.

        Raises FloatingPointError when a figure or a parameter is no longer finite.
        """
        worth, valued = worth_of(lesson), torch.from_numpy(lesson.valued)
        advice = torch.from_numpy(lesson.advice)
        return self.learner.descend(
            len(samples),
            lambda index: self._step(
                samples.rows(index), worth[index], valued[index], advice[index]
            ),
            self.config.learning_rate.at(progress),
            self.config,
            generator,
        )

    def _step(
        self, batch: Samples, worth: Tensor, valued: Tensor, advice: Tensor
    ) -> dict[str, float]:
        log_probability = log_probabilities(self.learner.actor(batch.observation), batch.mask)
        spread = entropy(log_probability)
        earned = expected(log_probability, worth)
        follows = log_probability.gather(1, advice[:, None]).squeeze(1)
        gain = torch.where(valued, earned / self._softness + spread, follows)
        loss = -gain.mean()
        step = self.learner.take(loss, batch)
        with torch.no_grad():
            best = worth.masked_fill(batch.mask == 0, -torch.inf).amax(1)
            agreed = log_probability.argmax(1) == advice
            return finite(
                {
                    "policy_loss": float(loss),
                    **step,
                    "regret": _mean(best - earned, valued),
                    "entropy_cards": _mean(spread, valued),
                    "advice_taken": _mean(agreed.float(), ~valued),
                }
            )


def _mean(values: Tensor, rows: Tensor) -> float:
    """Mean of the values in some rows; 0 where there are none."""
    return float((values * rows).sum() / rows.sum().clamp_min(1))
