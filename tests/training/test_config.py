"""Every wrong setting gets one sentence with its value and what is accepted."""

from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from pydantic import BaseModel

from kloepper_agents.registry import players_of
from kloepper_env.errors import ConfigError
from kloepper_training.cli_train import CONFIGS
from kloepper_training.config import TrainConfig, check_config, overridden, read_config

BUDGET: dict[str, Any] = {"budget": {"decisions": 100}}


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("ppo.clipp=0.1", "unknown setting 'ppo.clipp'; did you mean ppo.clip?"),
        ("lane=3", "unknown setting 'lane'; did you mean lanes?"),
        ("pool.zzz=1", "unknown setting 'pool.zzz'; accepted are share, every or size"),
        ("ppo.clip=1.5", "setting ppo.clip is 1.5, but should be less than 1"),
        ("ppo.epochs=0", "setting ppo.epochs is 0, but should be greater than 0"),
        ("ppo.epochs=2.5", "setting ppo.epochs is 2.5, but should be a valid integer"),
        ("threads=true", "setting threads is True, but should be a valid integer"),
        ("lanes=many", "setting lanes is 'many', but should be a valid integer"),
        ("reward=money", "setting reward is 'money', but should be 'relative' or 'points'"),
        ("network.actor=[64,-1]", "setting network.actor.1 is -1, but should be greater than 0"),
        ("budget=5", "setting budget is 5, but takes the settings decisions or minutes"),
        ("budget.decisions=null", "setting budget is {'decisions': None}, but needs decisions"),
        ("ppo.epochs", "--set got 'ppo.epochs', but takes name=value"),
        ("ppo.epochs=[1", "--set ppo.epochs is not YAML"),
        ("ppo.learning_rate.start=.inf", "setting ppo.learning_rate.start is inf, but should be a"),
        ("ppo.learning_rate.end=1.5", "setting ppo.learning_rate.end is 1.5, but should be less"),
        ("ppo.pull.start=.nan", "setting ppo.pull.start is nan, but should be a finite number"),
        ("ppo.entropy.cards.start=101", "setting ppo.entropy.cards.start is 101, but should be"),
        ("budget.minutes=.inf", "setting budget.minutes is inf, but should be a finite number"),
        ("seed=2020-13-45", "--set seed is not YAML: month must be in 1..12"),
        ("seed=0b_", "--set seed is not YAML: invalid literal for int()"),
        ("seed=!!int abc", "--set seed is not YAML: invalid literal for int()"),
        ("seed=!!bool abc", "--set seed is not YAML: 'abc'"),
        ("seed=!!timestamp abc", "--set seed is not YAML"),
        ("seed=a\x00", "--set seed is not YAML: unacceptable character #x0000"),
        pytest.param("seed=" + "1" * 5000, "--set seed is not YAML: Exceeds the limit", id="long"),
        pytest.param("seed=0x" + "f" * 5000, "setting seed is a number of thousands", id="hex"),
        pytest.param("seed=" + "[" * 3000, "--set seed is nested too deeply", id="nested"),
        pytest.param("lanes=" + "a" * 3000, "setting lanes is 'aaa", id="long value"),
        pytest.param("a" * 3000 + "=1", "unknown setting 'aaa", id="long name"),
        pytest.param("a" * 3000, "--set got 'aaa", id="no value"),
        ("game=skat", "unknown game 'skat'; the games are"),
        ("rules.failed_knock=maybe", "option failed_knock is 'maybe', but must be 'stake'"),
        ("evaluation.against=[nobody]", "evaluation.against: unknown agent 'nobody'; the kinds"),
    ],
)
def test_a_wrong_setting_gets_a_sentence(override: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_config(overridden(BUDGET, [override]))
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_missing_budget_is_named() -> None:
    with pytest.raises(ConfigError, match=r"setting budget is missing, for example"):
        check_config({})


def test_overrides_reach_into_sections_and_leave_the_rest() -> None:
    before = {"budget": {"decisions": 100}, "ppo": {"clip": 0.1}}
    config = check_config(
        overridden(before, ["ppo.learning_rate={start: 1e-3, end: 1e-5}", "ppo.epochs=7"])
    )
    assert (config.ppo.clip, config.ppo.epochs) == (0.1, 7)
    assert config.ppo.learning_rate.start == 0.001  # PyYAML alone reads 1e-3 as text
    assert config.ppo.learning_rate.at(0.5) == pytest.approx(0.000505)
    assert before == {"budget": {"decisions": 100}, "ppo": {"clip": 0.1}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("- 1\n- 2\n", "must be settings"), ("a: [1\n", "is not YAML at line"), (None, "cannot read")],
)
def test_a_file_that_is_no_config(tmp_path: Path, text: str | None, sentence: str) -> None:
    path = tmp_path / "bad.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=sentence):
        read_config(path)


def test_the_players_to_meet_are_by_default_those_that_play_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(cast(dict[str, Any], players_of("klammern").makers), "greedy")
    settings = {**BUDGET, "game": "klammern", "evaluation": {"deals": 7}}
    assert check_config(settings).evaluation.against == ("random", "rules")
    assert check_config(settings).evaluation.deals == 7
    assert check_config(BUDGET).evaluation.against == ("random", "greedy", "rules")
    settings["evaluation"] = {"against": ["random", "greedy"]}
    sentence = (
        "evaluation.against: agent greedy plays kloepper, not klammern; that is played by random, "
    )
    with pytest.raises(ConfigError, match=f"^{sentence}"):
        check_config(settings)


def test_a_config_survives_json_and_yaml() -> None:
    config = check_config(BUDGET)
    stored = config.model_dump(mode="json")
    assert check_config(stored) == config
    assert check_config(yaml.safe_load(yaml.safe_dump(stored))) == config


@pytest.mark.parametrize(
    "path", sorted(CONFIGS.glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_shipped_configs_are_accepted(path: Path) -> None:
    assert read_config(path).game == path.parent.name


def test_every_setting_has_its_sentence() -> None:
    todo: list[type[BaseModel]] = [TrainConfig]
    while todo:
        for name, field in todo.pop().model_fields.items():
            assert field.description, name
            assert field.description.endswith("."), name
            annotation = field.annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                todo.append(annotation)
