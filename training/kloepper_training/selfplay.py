"""The training loop: play a window, learn from it, and now and then evaluate and save.

    window -> advantages -> minibatches -> next window

In a first stage, if the config has one, a teacher takes the place of the advantages (`imitation`).
One policy plays all seats; in a share of the lanes half of them are an earlier version of it. All
chance comes from streams by name and update (`streams`), so the state of a run is the networks,
the optimiser, the snapshots and a few counters (`checkpoint` stores exactly these).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kloepper_agents.inputs import inputs_of
from kloepper_agents.neural import Policy
from kloepper_agents.teaching import Teacher
from kloepper_env.batch import Batch
from kloepper_env.errors import KloepperError
from kloepper_env.games import set_up
from kloepper_env.payoff import hand_rewards
from kloepper_env.watchdog import Watchdog
from kloepper_training import evaluate
from kloepper_training.config import PoolConfig, TrainConfig
from kloepper_training.export import to_policy
from kloepper_training.imitation import Pupil
from kloepper_training.networks import (
    Actor,
    Critic,
    log_probabilities,
    resolve_precision,
    sample,
)
from kloepper_training.ppo import Learner, prepare
from kloepper_training.rollout import Choose, FloatArray, Int8Array, Teach, play
from kloepper_training.streams import generator, word

GREEDY: Final = "greedy_rate/"


@dataclass
class Counters:
    """How far a run is."""

    update: int = 0
    hands: int = 0
    decisions: int = 0  # forced ones included
    choices: int = 0  # of the learner, with more than one legal action
    seconds: float = 0.0  # of all sessions of the run together
    cpu_seconds: float = 0.0  # the processor's time in them, of all threads


class Pool:
    """Snapshots of an actor's parameters, oldest first. They are copies and never change."""

    def __init__(self, config: PoolConfig) -> None:
        self.config = config
        self.snapshots: list[dict[str, Tensor]] = []

    def consider(self, actor: Actor, update: int) -> None:
        """Take a snapshot when one is due."""
        if self.config.share and update % self.config.every == 0:
            copy = {name: value.clone() for name, value in actor.state_dict().items()}
            self.snapshots = [*self.snapshots, copy][-self.config.size :]

    def seat(self, rival: Actor, lanes: int, n_seats: int, seed: int) -> NDArray[np.int64]:
        """Load a random snapshot into `rival`; who plays where [lanes, seat], 1 for the rival.

        It gets half of the seats, drawn at random, in the share of the lanes that the config says;
        of an odd number one more in every other lane.
        """
        owner = np.zeros((lanes, n_seats), np.int64)
        if self.snapshots:
            random = np.random.default_rng(seed)
            rival.load_state_dict(self.snapshots[int(random.integers(len(self.snapshots)))])
            shared = owner[: round(self.config.share * lanes)]
            half = (n_seats + np.arange(len(shared)) % 2) // 2
            shared[:] = random.random(shared.shape).argsort(axis=1) < half[:, None]
        return owner


class Run:
    """A training run in memory."""

    def __init__(self, config: TrainConfig) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.game, self.options = set_up(config.game, config.rules)
        self.counters = Counters()
        self.watchdog = Watchdog()
        self.pool = Pool(config.pool)
        weights = generator(config.seed, "weights")
        precision = resolve_precision(config.precision)
        network, self.inputs = config.network, inputs_of(self.game, config.network.inputs)
        self.actor = Actor(self.game, network.actor, weights, precision, self.inputs)
        self.rival = Actor(self.game, network.actor, weights, precision, self.inputs)
        self.critic = Critic(
            self.game, network.privileged, network.critic, weights, precision, self.inputs
        )
        self.learner = Learner(self.actor, self.critic, config.ppo)
        self.pupil = Pupil(self.learner, config.start, self.game.learning.unit)
        keeps_teaching = max(config.ppo.lesson.start, config.ppo.lesson.end) > 0
        is_needed = config.start.decisions > 0 or keeps_teaching
        self.teacher = Teacher(self.game) if is_needed else None
        deals = word(config.seed, "deals")
        self.batch = Batch(self.game, config.lanes, seed=deals, rules=config.rules)

    @property
    def progress(self) -> float:
        """Part of the budget that is used up, 0 to 1."""
        budget, counters = self.config.budget, self.counters
        parts = [0.0]
        if budget.decisions:
            parts.append(counters.decisions / budget.decisions)
        if budget.minutes:
            parts.append(counters.seconds / 60 / budget.minutes)
        if budget.cpu_minutes:
            parts.append(counters.cpu_seconds / 60 / budget.cpu_minutes)
        return min(max(parts), 1.0)

    @property
    def is_taught(self) -> bool:
        """Whether the next update belongs to the first stage."""
        return self.counters.decisions < self.config.start.decisions

    @property
    def policy(self) -> Policy:
        """The actor as it is now."""
        rules = self.options.changed()
        return to_policy(self.actor, self.game.name, rules, self.counters.decisions)

    def advance(self) -> dict[str, float]:
        """One update: a window and what is learned from it. Returns the figures to log.

        Raises FloatingPointError when a policy or a loss is no longer finite.
        """
        config, counters = self.config, self.counters
        began, began_cpu = time.perf_counter(), time.process_time()
        progress, update = self.progress, counters.update
        lanes, n_seats = config.lanes, self.game.n_seats
        owner = self.pool.seat(self.rival, lanes, n_seats, word(config.seed, "pool", update))
        actions = generator(config.seed, "actions", update)
        choosers = [sampler(self.actor, actions), sampler(self.rival, actions)]
        with self.watchdog.at("self-play", f"the self-play of update {update + 1}"):
            window = play(self.batch, counters.hands, choosers, owner, self.inputs, self._teach())

        with self.watchdog.at("learning", f"the learning of update {update + 1}"):
            rewards = hand_rewards(window.scores, config.reward).astype(np.float32)
            samples, figures = prepare(window, rewards, self.critic, self.game, config.ppo.trace)
            order = generator(config.seed, "minibatches", update)
            if self.is_taught and window.lesson is not None:
                taught = counters.decisions / config.start.decisions
                figures |= self.pupil.update(samples, window.lesson, taught, order)
            else:
                figures |= self.learner.update(samples, progress, order, window.lesson)

        counters.update += 1
        counters.hands += lanes
        counters.decisions += window.decisions
        counters.choices += len(window)
        self.pool.consider(self.actor, counters.update)
        seconds = time.perf_counter() - began
        counters.seconds += seconds
        counters.cpu_seconds += time.process_time() - began_cpu
        return {
            **{f"loss/{name}": value for name, value in figures.items()},
            **{f"rate/{name}": value for name, value in window.rates.items()},
            **{f"weight/{name}": value for name, value in config.ppo.weights(progress).items()},
            "return/mean": float(np.mean(window.scores)),  # points of a seat in a hand
            "speed/decisions": window.decisions / seconds,
            "speed/choices": len(window) / seconds,
            "speed/hands": lanes / seconds,
        }

    def _teach(self) -> Teach | None:
        """Who says what about the choices of the next window."""
        if self.teacher is None or self.is_taught:
            return self.teacher
        if self.config.ppo.lesson.at(self.progress) == 0:
            return None
        return partial(self.teacher, most_cards=self.config.ppo.lesson_cards)

    def evaluate(self) -> dict[str, float]:
        """Margins against the players of the config, and greedy rates."""
        began, began_cpu = time.perf_counter(), time.process_time()
        after = f"after update {self.counters.update}"
        with self.watchdog.at("greedy play", f"the greedy play {after}"):
            rates = evaluate.greedy_rates(greedy(self.actor), self.config)
        figures: dict[str, float] = {}
        for name in self.config.evaluation.against:
            with self.watchdog.at(f"match {name}", f"the match against {name} {after}"):
                figures |= evaluate.margin(self.policy, name, self.config)
        self.counters.seconds += time.perf_counter() - began
        self.counters.cpu_seconds += time.process_time() - began_cpu
        return figures | {f"{GREEDY}{name}": value for name, value in rates.items()}

    def train(
        self,
        log: Callable[[dict[str, Any]], None],
        save: Callable[[], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Train until the budget is used up or `stopped` says so; the end is saved either way.

        `log` takes the line of every update before the `save` that covers it. Raises
        KloepperError, with nothing of that update logged or saved, when it is no longer finite,
        and with nothing saved when a greedy rate has left its bounds.
        """
        config, counters = self.config, self.counters
        while self.progress < 1.0 and not stopped():
            with self._finite():
                figures = self.advance()
                done = self.progress >= 1.0
                if done or counters.update % config.evaluation.every == 0:
                    figures |= self.evaluate()
            log({**asdict(counters), **figures})
            self._require_sense(figures)
            if done or counters.update % config.checkpoint_every == 0:
                with self.watchdog.at("saving", f"the saving of update {counters.update}"):
                    save()
        save()

    def _require_sense(self, figures: dict[str, float]) -> None:
        """Raise KloepperError where an evaluation finds that the policy has collapsed."""
        for name, (least, most) in self.config.evaluation.bounds.items():
            rate = figures.get(f"{GREEDY}{name}", least)
            if not least <= rate <= most:
                raise KloepperError(
                    f"the policy has collapsed in update {self.counters.update}: its greedy rate "
                    f"{name} is {rate:.3g}, but must be from {least:g} to {most:g} "
                    "(evaluation.bounds)"
                )

    @contextmanager
    def _finite(self) -> Iterator[None]:
        """Makes a sentence for users of a FloatingPointError in an update."""
        update, rate = self.counters.update + 1, self.config.ppo.learning_rate.at(self.progress)
        try:
            yield
        except FloatingPointError as error:
            raise KloepperError(
                f"the policy is no longer finite in update {update} ({error}); "
                f"lower ppo.learning_rate (now {rate:g})"
            ) from None


def sampler(actor: Actor, chance: torch.Generator) -> Choose:
    """Draws actions from a policy."""

    def choose(observations: Int8Array, masks: Int8Array) -> tuple[NDArray[np.int64], FloatArray]:
        log_probability = _judge(actor, observations, masks)
        action = sample(log_probability, chance)
        return _taken(action, log_probability.gather(1, action[:, None]).squeeze(1))

    return choose


def greedy(actor: Actor) -> Choose:
    """Takes the likeliest action of a policy."""

    def choose(observations: Int8Array, masks: Int8Array) -> tuple[NDArray[np.int64], FloatArray]:
        chosen, action = _judge(actor, observations, masks).max(dim=1)
        return _taken(action, chosen)

    return choose


@torch.no_grad()
def _judge(actor: Actor, observations: Int8Array, masks: Int8Array) -> Tensor:
    logits = actor(torch.from_numpy(observations))
    return log_probabilities(logits, torch.from_numpy(masks))


def _taken(action: Tensor, log_probability: Tensor) -> tuple[NDArray[np.int64], FloatArray]:
    """Actions [n] and their log-probabilities [n] as arrays. Raises FloatingPointError."""
    if not log_probability.isfinite().all():  # one logit that is NaN makes its whole row NaN
        raise FloatingPointError("the log-probability of an action is not finite")
    return action.numpy(), log_probability.numpy()
