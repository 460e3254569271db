"""`net:PATH`: a trained policy. It plays the likeliest action, or with `,sample` draws one.

`net:pretrained` is the one that comes with the package.

The forward pass is compiled and needs no torch. It adds up the weights row by row in a fixed
order, so a choice depends neither on how many others are asked for at the same time nor on a
linear algebra library, and it skips zeros, which most inputs are: for one decision it is faster
than any matrix product, for a large batch some three times slower.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.base import (
    Int8Array,
    IntArray,
    ObservationAgent,
    WordArray,
    certain,
    require_rows,
)
from kloepper_agents.inputs import PLAIN, inputs_of
from kloepper_agents.tensorfile import Shapes, expect, read_tensors, write_tensors
from kloepper_env._jit import jit
from kloepper_env.errors import CheckpointError, ConfigError, listed, shown, whole_number
from kloepper_env.games import get_game, set_up
from kloepper_env.games.game import Game
from kloepper_env.package_data import packaged

FloatArray = NDArray[np.float32]
POLICY_FILE: Final = "policy.safetensors"
PRETRAINED: Final = "pretrained"
"""In place of a path: the policy that comes with the package. A run of this name is `./pretrained`.
"""
FORMAT: Final = 1
_PURPOSE: Final = "policy"
_LARGEST: Final = 1e30  # of what a unit can be: below it no sum of float32 is infinite


def identity(game: Game) -> dict[str, Any]:
    """What a file must have been made for to fit a game as it is now."""
    symmetry = game.learning.symmetry
    return {
        "game": game.name,
        "game_version": game.version,
        "observation_layout": game.layout.digest,
        "action_names": hashlib.sha256(repr(game.action_names).encode()).hexdigest()[:16],
        "ways_to_rename": None if symmetry is None else len(symmetry.actions),
    }


@dataclass(frozen=True, eq=False)
class Policy:
    """A perceptron with ReLU between its layers: int8 observation [W] -> logits [A].

    It takes a version of the `inputs` of its game. In a game with a symmetry it judges renamed
    cards, and its logits are named back. Raises ConfigError for what does not fit the game: the
    compiled pass trusts every size.
    """

    game: str
    rules: Mapping[str, Any]  # it was trained with; options that differ from their default
    decisions: int  # it was trained for
    weights: tuple[FloatArray, ...] = field(repr=False)  # of each layer [inputs, outputs]
    biases: tuple[FloatArray, ...] = field(repr=False)  # of each layer [outputs]
    inputs: int = PLAIN  # version of what it takes

    def __post_init__(self) -> None:
        game = self._game
        whole_number("decisions", self.decisions)
        arrays = self._arrays()
        sizes = [inputs_of(game, self.inputs).size, *(bias.size for bias in self.biases)]
        if _shapes_of(sizes, game, self.inputs) != {
            name: array.shape for name, array in arrays.items()
        }:
            raise ConfigError(f"the weights of a policy do not fit the layers {shown(sizes)}")
        if any(array.dtype != np.float32 for array in arrays.values()):
            raise ConfigError("the numbers of a policy must be float32")
        if not self._is_bounded():
            raise ConfigError(
                "the numbers of a policy are not finite, or so large that sums are not"
            )

    @cached_property
    def _game(self) -> Game:
        """The game under the rules of the policy."""
        return set_up(self.game, self.rules)[0]

    def _arrays(self) -> dict[str, FloatArray]:
        """Its arrays by their names in a file."""
        arrays = {f"weight.{i}": weight for i, weight in enumerate(self.weights)}
        return arrays | {f"bias.{i}": bias for i, bias in enumerate(self.biases)}

    def _is_bounded(self) -> bool:
        """Whether no unit can exceed `_LARGEST`, whatever is observed."""
        most = np.full(self.sizes[0], 128, np.float32)
        with np.errstate(all="ignore"):
            for weight, bias in zip(self.weights, self.biases, strict=True):
                most = most @ np.abs(weight) + np.abs(bias)
                if not most.max() < _LARGEST:  # so written it holds for NaN, too
                    return False
        return True

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of inputs, of the units of each hidden layer, and of actions."""
        return (self.weights[0].shape[0], *(len(bias) for bias in self.biases))

    def logits(self, observations: Int8Array) -> FloatArray:
        """Logits [N, A] of observations [N, W]."""
        game = self._game
        if observations.ndim != 2 or observations.shape[1] != game.layout.size:
            raise ConfigError(
                f"observations must have {game.layout.size} columns, not the shape "
                f"{observations.shape}"
            )
        inputs, symmetry = inputs_of(game, self.inputs), game.learning.symmetry
        if symmetry is None:
            return self._logits(inputs.widen(observations))
        ways = symmetry.choose(observations)
        renamed = np.take_along_axis(observations, symmetry.observation[ways], 1)
        logits = self._logits(inputs.widen(renamed))
        return np.take_along_axis(logits, symmetry.renamed_actions[ways], 1)

    def _logits(self, inputs: Int8Array) -> FloatArray:
        values = inputs.astype(np.float32)
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if i:
                np.maximum(values, 0.0, out=values)
            result = np.empty((len(values), len(bias)), np.float32)
            linear(values, weight, bias, result)
            values = result
        return values

    def save(self, path: Path) -> None:
        """Write the policy to a file, whole or not at all."""
        game = self._game
        about = {
            "purpose": _PURPOSE,
            "format": FORMAT,
            **identity(game),
            "rules": dict(self.rules),
            "sizes": list(self.sizes),
            "decisions": self.decisions,
            **({} if self.inputs == PLAIN else {"inputs": self.inputs}),
        }
        write_tensors(path, self._arrays(), about)

    @classmethod
    def load(cls, path: Path, game: Game) -> "Policy":
        """Read a file. Raises CheckpointError when it is damaged or does not fit the game."""

        def check(about: dict[str, Any], shapes: Shapes) -> None:
            expect(path, about, {"purpose": _PURPOSE, "format": FORMAT, "game": game.name})
            rules, sizes = about.get("rules"), about.get("sizes")
            if not isinstance(rules, dict):
                raise ConfigError(f"the rules are {shown(rules)}, but must be an object")
            made_for = set_up(game, rules)[0]
            expect(path, about, identity(made_for))
            if shapes != _shapes_of(sizes, made_for, about.get("inputs", PLAIN)):
                raise ConfigError(f"it does not hold the layers {shown(sizes)} it announces")

        try:
            arrays, about = read_tensors(path, check)
            layers = range(len(about["sizes"]) - 1)
            return cls(
                game=game.name,
                rules=about["rules"],
                decisions=about.get("decisions", -1),
                weights=tuple(arrays[f"weight.{i}"] for i in layers),
                biases=tuple(arrays[f"bias.{i}"] for i in layers),
                inputs=about.get("inputs", PLAIN),
            )
        except ConfigError as error:
            raise CheckpointError(f"{str(path)!r} is no policy for {game.name}: {error}") from None


def _shapes_of(sizes: Any, game: Game, inputs: Any) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a policy of these sizes. Raises ConfigError for senseless ones."""
    wanted = (inputs_of(game, inputs).size, game.n_actions)
    is_sound = isinstance(sizes, list) and all(type(size) is int and size > 0 for size in sizes)
    if not is_sound or len(sizes) < 2 or (sizes[0], sizes[-1]) != wanted:
        raise ConfigError(
            f"the layers are {shown(sizes)}, but must lead from {wanted[0]} inputs to "
            f"{wanted[1]} actions"
        )
    shapes: dict[str, tuple[int, ...]] = {
        f"weight.{i}": pair for i, pair in enumerate(pairwise(sizes))
    }
    return shapes | {f"bias.{i}": (size,) for i, size in enumerate(sizes[1:])}


@jit
def linear(values: FloatArray, weight: FloatArray, bias: FloatArray, result: FloatArray) -> None:
    """`values` [N, I] times `weight` [I, O] plus `bias` [O] into `result` [N, O]."""
    inputs, outputs = weight.shape
    for n in range(len(values)):
        for j in range(outputs):
            result[n, j] = bias[j]
        for i in range(inputs):
            value = values[n, i]
            if value != 0.0:
                for j in range(outputs):
                    result[n, j] += value * weight[i, j]


class NetAgent(ObservationAgent):
    """Plays a policy: greedily, or by drawing from its softmax."""

    def __init__(self, policy: Policy, *, draws: bool = False, name: str = "net") -> None:
        self.policy = policy
        self._widths = policy._game.layout.size, policy.sizes[-1]
        self.rules = policy.rules
        self.draws = draws
        self.name = name

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        require_rows(observations, masks, random, *self._widths)
        logits = self._legal_logits(observations, masks)
        best: IntArray = logits.argmax(axis=1)
        if not self.draws:
            return best
        top = np.take_along_axis(logits, best[:, None], 1)
        upto = np.exp((logits - top).astype(np.float64)).cumsum(axis=1)
        point = (random >> np.uint64(11)) * 2.0**-53 * upto[:, -1]  # 53 bits stay below the end
        drawn: IntArray = (upto > point[:, None]).argmax(axis=1)
        return drawn

    def probabilities(self, observations: Int8Array, masks: Int8Array) -> NDArray[np.float64]:
        logits = self._legal_logits(observations, masks).astype(np.float64)
        if not self.draws:
            return certain(logits.argmax(axis=1), masks.shape[1])
        powers: NDArray[np.float64] = np.exp(logits - logits.max(axis=1, keepdims=True))
        powers /= powers.sum(axis=1, keepdims=True)
        return powers

    def _legal_logits(self, observations: Int8Array, masks: Int8Array) -> FloatArray:
        return np.where(masks != 0, self.policy.logits(observations), np.float32(-np.inf))


def make_net(game: str, settings: str) -> NetAgent:
    """`PATH` or `PATH,sample`, where PATH is a policy file, the directory of a run, or PRETRAINED.

    Raises ConfigError, or CheckpointError for a file that is no policy of the game.
    """
    path, comma, mode = settings.rpartition(",")
    draws = bool(comma) and mode == "sample"
    if not draws:
        path = settings
    if not path or ("," in path and not Path(path).exists()):
        raise ConfigError(f"net got {settings!r}, but takes PATH or PATH,sample")
    file = _pretrained(game) if path == PRETRAINED else Path(path)
    if file.is_dir():
        file /= POLICY_FILE
    return NetAgent(Policy.load(file, get_game(game)), draws=draws)


def _pretrained(game: str) -> Path:
    policies = packaged("policies")
    if game not in policies:
        raise ConfigError(
            f"no policy of {game} comes with the package, only of {listed(policies)}; "
            "train one, or name a file"
        )
    return policies[game]
