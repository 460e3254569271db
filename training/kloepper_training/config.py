"""Every setting of a training run, with its sentence; what is unknown or senseless is refused."""

import difflib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kloepper_agents.inputs import inputs_of
from kloepper_agents.kinds import is_own, make_agent, plays
from kloepper_env.errors import ConfigError, listed, shortened, shown
from kloepper_env.games import Game, set_up
from kloepper_training.plain_yaml import LONGEST, read_yaml


class Section(BaseModel):
    """Settings that cannot change after they are read."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Schedule(Section):
    """A number that moves in a straight line from `start` to `end` over the run."""

    start: float = Field(ge=0, le=100, description="Value when training starts.")
    end: float = Field(ge=0, le=100, description="Value when the budget is used up.")

    def at(self, progress: float) -> float:
        """The value at a progress from 0 to 1."""
        return self.start + (self.end - self.start) * progress


class StepSize(Schedule):
    """A schedule of steps; larger ones than 1 only destroy a network."""

    start: float = Field(ge=0, le=1, description="Step when training starts.")
    end: float = Field(ge=0, le=1, description="Step when the budget is used up.")


class BudgetConfig(Section):
    """How long to train; whichever comes first ends the run."""

    decisions: int | None = Field(
        default=None,
        gt=0,
        le=1 << 53,
        description="Decisions to play, forced ones included; the run can be repeated.",
    )
    minutes: float | None = Field(
        default=None,
        gt=0,
        description="Minutes to train, evaluations included; depends on the machine.",
    )
    cpu_minutes: float | None = Field(
        default=None,
        gt=0,
        description="Minutes of the processor's time, whatever else the machine does; the same.",
    )

    @model_validator(mode="after")
    def _not_endless(self) -> "BudgetConfig":
        if self.decisions is None and self.minutes is None and self.cpu_minutes is None:
            raise ValueError("needs decisions, minutes or cpu_minutes")
        return self


Sizes = Annotated[tuple[Annotated[int, Field(gt=0, le=8192)], ...], Field(strict=False)]


class NetworkConfig(Section):
    """Shapes of the networks."""

    actor: Sizes = Field(
        default=(256, 256), description="Sizes of the hidden layers of the policy."
    )
    critic: Sizes = Field(
        default=(256, 256), description="Sizes of the hidden layers of the critic."
    )
    inputs: int = Field(
        default=0,
        ge=0,
        le=100,
        description="Version of what the networks take; 0 is the observation as it is.",
    )
    privileged: bool = Field(
        default=True,
        description="Whether the critic, which only training uses, sees what is hidden.",
    )


class EntropyConfig(Section):
    """Entropy bonus of each head, in units of normalised advantage a nat."""

    cards: Schedule = Field(
        default=Schedule(start=0.03, end=0.003), description="Bonus where a card is chosen."
    )
    announcements: Schedule = Field(
        default=Schedule(start=0.05, end=0.005),
        description="Bonus where something may be announced.",
    )


class Passes(Section):
    """How often, and in what portions, the choices of a window are learned from."""

    learning_rate: StepSize = Field(
        default=StepSize(start=1e-3, end=1e-4), description="Step size of Adam."
    )
    epochs: int = Field(default=2, gt=0, le=100, description="Passes over the choices of a window.")
    minibatch: int = Field(
        default=1024,
        gt=0,
        le=1 << 31,
        description="Choices in a step of the optimiser; a rest waits for the next epoch.",
    )


class StartConfig(Passes):
    """How a run begins: with what weights, and with a teacher who values every choice."""

    policy: str | None = Field(
        default=None,
        description="Policy whose weights the actor begins with: a file, a run, or pretrained.",
    )
    decisions: int = Field(
        default=0,
        ge=0,
        le=1 << 53,
        description="Decisions of the budget that are taught, forced ones included; 0: none.",
    )
    learning_rate: StepSize = Field(
        default=StepSize(start=1e-3, end=3e-4), description="Step size of Adam in this stage."
    )
    epochs: int = Field(default=3, gt=0, le=100, description="Passes over the choices of a window.")
    softness: float = Field(
        default=0.3,
        gt=0,
        le=100,
        description="Payoff by which a card must be worse to be e times as rare.",
    )


class PPOConfig(Passes):
    """The learning rule."""

    clip: float = Field(
        default=0.2, gt=0, lt=1, description="How far a probability ratio may move."
    )
    trace: float = Field(
        default=0.95,
        ge=0,
        le=1,
        description="Lambda of the advantage estimate; 1 is plain returns.",
    )
    entropy: EntropyConfig = Field(
        default=EntropyConfig(), description="Entropy bonus of each head."
    )
    pull: Schedule = Field(
        default=Schedule(start=0.1, end=0.0),
        description="Pull of announcements towards the uniform policy, so that all stay tried.",
    )
    lesson: Schedule = Field(
        default=Schedule(start=0.0, end=0.0),
        description="Weight of a teacher where few cards are left, in advantages a unit of payoff.",
    )
    lesson_cards: int = Field(
        default=4, gt=0, le=100, description="Most cards that a seat then holds."
    )
    max_gradient: float = Field(
        default=0.5, gt=0, description="Norm that the gradient of each network is clipped to."
    )
    target_kl: float | None = Field(
        default=None,
        gt=0,
        description="Divergence from the playing policy that ends an update early.",
    )

    def weights(self, progress: float) -> dict[str, float]:
        """What else than the advantage counts in the loss, at a progress from 0 to 1."""
        return {
            "entropy_cards": self.entropy.cards.at(progress),
            "entropy_announcements": self.entropy.announcements.at(progress),
            "pull": self.pull.at(progress),
        }


class PoolConfig(Section):
    """Earlier versions of the policy as opponents and partners."""

    share: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Share of the lanes in which half of the seats are played by one.",
    )
    every: int = Field(default=50, gt=0, le=1 << 31, description="Updates between two snapshots.")
    size: int = Field(
        default=8, gt=0, le=100, description="Snapshots kept; the oldest one goes first."
    )


BOTS: Final = ("random", "greedy", "rules")
"""Whom a run meets by default: those that play its game."""


Share = Annotated[float, Field(ge=0, le=1)]
Bounds = Annotated[tuple[Share, Share], Field(strict=False)]


class EvaluationConfig(Section):
    """Matches against fixed players during training."""

    every: int = Field(
        default=100, gt=0, le=1 << 31, description="Updates between two evaluations."
    )
    deals: int = Field(default=500, gt=1, le=1 << 31, description="Duplicate deals of each match.")
    against: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=BOTS,
        description="Names of the players to meet; by default those bots that play the game.",
    )

    bounds: dict[str, Bounds] = Field(
        default={},
        description="Greedy rates, each with the least and most it may be; else the run ends.",
    )


class TrainConfig(Section):
    """A training run."""

    game: str = Field(default="kloepper", description="Name of the game.")
    rules: dict[str, Any] = Field(
        default={}, description="Options of the game that differ from default."
    )
    seed: int = Field(
        default=1,
        ge=0,
        lt=1 << 128,
        description="Root of all chance: deals, weights, actions, order.",
    )
    lanes: int = Field(
        default=1024, gt=0, le=1 << 20, description="Hands of a window, played side by side."
    )
    reward: Literal["relative", "points"] = Field(
        default="relative", description="Score of a seat minus the mean of all seats, or as it is."
    )
    budget: BudgetConfig = Field(description="How long to train.")
    network: NetworkConfig = Field(default=NetworkConfig(), description="Shapes of the networks.")
    start: StartConfig = Field(default=StartConfig(), description="A first stage with a teacher.")
    ppo: PPOConfig = Field(default=PPOConfig(), description="The learning rule.")
    pool: PoolConfig = Field(default=PoolConfig(), description="Earlier policies at the table.")
    evaluation: EvaluationConfig = Field(
        default=EvaluationConfig(), description="Matches on the way."
    )
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        default="auto",
        description="Of products; auto is bfloat16 where the processor is made for it.",
    )
    checkpoint_every: int = Field(
        default=25, gt=0, le=1 << 31, description="Updates between two checkpoints."
    )
    threads: int = Field(
        default=1, gt=0, le=256, description="Threads of torch; 1 repeats bit for bit."
    )


# --- reading -----------------------------------------------------------------------------------


def read_config(path: Path, overrides: Iterable[str] = ()) -> TrainConfig:
    """Read a YAML file and apply `a.b=c` overrides. Raises ConfigError."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)  # a file need not end
    except UnicodeDecodeError:
        raise ConfigError(f"cannot read the config {str(path)!r}: it is not UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"cannot read the config {str(path)!r}: {error.strerror}") from None
    settings = read_yaml(text, str(path))
    if settings is None:
        settings = {}
    if not isinstance(settings, dict):
        raise ConfigError(f"the config {str(path)!r} must be settings, one `name: value` per line")
    return check_config(overridden(settings, overrides))


def overridden(settings: dict[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    """Settings with `a.b=c` overrides applied, c read as YAML.

    Raises ConfigError, also for a setting that is given twice.
    """
    given: set[str] = set()
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals or not name:
            raise ConfigError(f"--set got {shown(override)}, but takes name=value, as ppo.epochs=4")
        if name.strip() in given:
            raise ConfigError(f"--set gives {shortened(name)} twice")
        given.add(name.strip())
        *parents, leaf = name.strip().split(".")
        settings = dict(settings)
        section = settings
        for parent in parents:
            inner = section.get(parent)
            section[parent] = dict(inner) if isinstance(inner, dict) else {}
            section = section[parent]
        section[leaf] = read_yaml(text, f"--set {shortened(name)}")
    return settings


def check_config(settings: dict[str, Any], *, own: bool = True) -> TrainConfig:
    """Settings as a TrainConfig; ConfigError names the first one that is unknown or senseless.

    What a section leaves out keeps its default, also inside a schedule. With `own=False`, for
    settings that a file of another's may hold, players that import code are left untried.
    """
    try:
        config = TrainConfig.model_validate(_merged(_defaults(settings), settings))
    except ValidationError as error:
        raise ConfigError(_sentence(error)) from None
    game, _ = set_up(config.game, config.rules)
    inputs_of(game, config.network.inputs)
    _check_bounds(config, game)
    if config.start.decisions and not plays("rules", config.game):
        raise ConfigError(
            f"start.decisions: nobody teaches {config.game}, which `rules` cannot play"
        )
    for name in config.evaluation.against:
        if not own and is_own(name):
            continue
        try:
            make_agent(name, config.game)
        except ConfigError as error:
            raise ConfigError(f"evaluation.against: {error}") from None
    return config


def _check_bounds(config: TrainConfig, game: Game) -> None:
    hand, scores = game.new_hands(1, game.options(config.rules), 0), np.zeros((1, game.n_seats))
    known = game.learning.rates(hand, scores.astype(np.int64))
    for name, (least, most) in config.evaluation.bounds.items():
        if name not in known:
            raise ConfigError(
                f"evaluation.bounds: there is no rate {shown(name)}, only {listed(known)}"
            )
        if least > most:
            raise ConfigError(f"evaluation.bounds: {name} cannot be from {least:g} to {most:g}")


def _defaults(settings: dict[str, Any]) -> dict[str, Any]:
    fields = TrainConfig.model_fields.items()
    defaults = {
        name: field.default.model_dump() if isinstance(field.default, Section) else field.default
        for name, field in fields
        if not field.is_required()
    }
    game = settings.get("game", defaults["game"])
    if isinstance(game, str):  # else it is about to be refused
        defaults["evaluation"]["against"] = tuple(bot for bot in BOTS if plays(bot, game))
    return defaults


def _merged(defaults: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    result = dict(defaults)
    for name, value in settings.items():
        default = defaults.get(name)
        if isinstance(value, dict) and isinstance(default, dict):
            value = _merged(default, value)  # noqa: PLW2901  # the loop's own copy
        result[name] = value
    return result


def _sentence(error: ValidationError) -> str:
    """The first complaint of pydantic as one sentence of ours."""
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    name, value = ".".join(path), shown(first["input"])
    if first["type"] == "extra_forbidden":
        known = _keys(path[:-1])
        near = difflib.get_close_matches(path[-1], known, 1, 0.5)
        whole = ".".join([*path[:-1], near[0]]) if near else ""
        hint = f"did you mean {whole}?" if near else f"accepted are {listed(known)}"
        return f"unknown setting {shown(name)}; {hint}"
    if first["type"] == "missing":
        return f"setting {name} is missing, for example budget.minutes=30"
    if first["type"] == "model_type":
        return f"setting {name} is {value}, but takes the settings {listed(_keys(path))}"
    complaint = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"setting {shortened(name)} is {value}, but {complaint}"


def all_settings(
    model: type[Section] = TrainConfig, prefix: str = ""
) -> Iterator[tuple[str, Any, str]]:
    """Every setting that --set takes: its name, its default (None if it has none), its sentence."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, Section):
            defaults = field.default if isinstance(field.default, Section) else None
            for path, default, sentence in all_settings(inner, f"{prefix}{name}."):
                leaf = path.removeprefix(f"{prefix}{name}.").split(".")
                value: Any = defaults
                for part in leaf:
                    value = getattr(value, part, None)
                yield path, default if defaults is None else value, sentence
        else:
            default = None if field.is_required() else field.default
            yield f"{prefix}{name}", default, field.description or ""


def to_yaml(config: TrainConfig) -> str:
    """All settings of a run as `kloepper train` reads them, each with its sentence."""
    about = {path: sentence for path, _, sentence in all_settings()}
    return "".join(_yaml_lines(config.model_dump(mode="json"), about, ""))


def _yaml_lines(settings: dict[str, Any], about: dict[str, str], prefix: str) -> Iterator[str]:
    indent = "  " * prefix.count(".")
    for name, value in settings.items():
        path = prefix + name
        if isinstance(value, dict) and path not in about:
            yield f"{indent}{name}:\n"
            yield from _yaml_lines(value, about, f"{path}.")
        else:
            yield f"{indent}{name}: {json.dumps(value)}  # {about[path]}\n"


def _keys(path: list[str]) -> list[str]:
    model: Any = TrainConfig
    for part in path:
        model = model.model_fields[part].annotation
    return list(model.model_fields)
