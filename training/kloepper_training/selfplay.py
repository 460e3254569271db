"""The training loop: play a window, learn from it, and now and then evaluate and save.

    window -> advantages -> minibatches -> next window

One policy plays all seats; in a share of the lanes half of them are an earlier version of it. All
chance comes from streams by name and update (`streams`), so the state of a run is the networks,
the optimiser, the snapshots and a few counters (`checkpoint` stores exactly these).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kloepper_agents.neural import Policy
from kloepper_env.batch import Batch
from kloepper_env.errors import KloepperError
from kloepper_env.games import set_up
from kloepper_env.payoff import hand_rewards
from kloepper_env.watchdog import Watchdog
from kloepper_training import evaluate
from kloepper_training.config import PoolConfig, TrainConfig
from kloepper_training.export import to_policy
from kloepper_training.networks import (
    Actor,
    Critic,
    log_probabilities,
    resolve_precision,
    sample,
)
from kloepper_training.ppo import Learner, prepare
from kloepper_training.rollout import Choose, FloatArray, Int8Array, play
from kloepper_training.streams import generator, word


@dataclass
class Counters:
    """How far a run is."""

    update: int = 0
    hands: int = 0
    decisions: int = 0  # forced ones included
    choices: int = 0  # of the learner, with more than one legal action
    seconds: float = 0.0  # of all sessions of the run together


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
        network = config.network
        self.actor = Actor(self.game, network.actor, weights, precision)
        self.rival = Actor(self.game, network.actor, weights, precision)
        self.critic = Critic(self.game, network.privileged, network.critic, weights, precision)
        self.learner = Learner(self.actor, self.critic, config.ppo)
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
        return min(max(parts), 1.0)

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
        began = time.perf_counter()
        progress, update = self.progress, counters.update
        lanes, n_seats = config.lanes, self.game.n_seats
        owner = self.pool.seat(self.rival, lanes, n_seats, word(config.seed, "pool", update))
        actions = generator(config.seed, "actions", update)
        choosers = [sampler(self.actor, actions), sampler(self.rival, actions)]
        with self.watchdog.at("self-play", f"the self-play of update {update + 1}"):
            window = play(self.batch, counters.hands, choosers, owner)

        with self.watchdog.at("learning", f"the learning of update {update + 1}"):
            rewards = hand_rewards(window.scores, config.reward).astype(np.float32)
            samples, figures = prepare(window, rewards, self.critic, self.game, config.ppo.trace)
            order = generator(config.seed, "minibatches", update)
            figures |= self.learner.update(samples, progress, order)

        counters.update += 1
        counters.hands += lanes
        counters.decisions += window.decisions
        counters.choices += len(window)
        self.pool.consider(self.actor, counters.update)
        seconds = time.perf_counter() - began
        counters.seconds += seconds
        return {
            **{f"loss/{name}": value for name, value in figures.items()},
            **{f"rate/{name}": value for name, value in window.rates.items()},
            **{f"weight/{name}": value for name, value in config.ppo.weights(progress).items()},
            "return/mean": float(np.mean(window.scores)),  # points of a seat in a hand
            "speed/decisions": window.decisions / seconds,
            "speed/choices": len(window) / seconds,
            "speed/hands": lanes / seconds,
        }

    def evaluate(self) -> dict[str, float]:
        """Margins against the players of the config, and greedy rates."""
        began = time.perf_counter()
        after = f"after update {self.counters.update}"
        with self.watchdog.at("greedy play", f"the greedy play {after}"):
            rates = evaluate.greedy_rates(greedy(self.actor), self.config)
        figures: dict[str, float] = {}
        for name in self.config.evaluation.against:
            with self.watchdog.at(f"match {name}", f"the match against {name} {after}"):
                figures |= evaluate.margin(self.policy, name, self.config)
        self.counters.seconds += time.perf_counter() - began
        return figures | {f"greedy_rate/{name}": value for name, value in rates.items()}

    def train(
        self,
        log: Callable[[dict[str, Any]], None],
        save: Callable[[], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Train until the budget is used up or `stopped` says so; the end is saved either way.

        `log` takes the line of every update before the `save` that covers it. Raises
        KloepperError, with nothing of that update logged or saved, when it is no longer finite.
        """
        config, counters = self.config, self.counters
        while self.progress < 1.0 and not stopped():
            with self._finite():
                figures = self.advance()
                done = self.progress >= 1.0
                if done or counters.update % config.evaluation.every == 0:
                    figures |= self.evaluate()
            log({**asdict(counters), **figures})
            if done or counters.update % config.checkpoint_every == 0:
                with self.watchdog.at("saving", f"the saving of update {counters.update}"):
                    save()
        save()

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
