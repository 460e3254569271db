"""Every wrong setting gets one sentence with its value and what is accepted."""

import re
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from pydantic import BaseModel

from kloepper_agents.registry import players_of
from kloepper_env.errors import ConfigError
from kloepper_env.package_data import packaged
from kloepper_training.config import TrainConfig, check_config, overridden, read_config
from kloepper_training.plain_yaml import read_yaml

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
        (
            "budget=5",
            "setting budget is 5, but takes the settings decisions, minutes or cpu_minutes",
        ),
        ("budget.decisions=null", "setting budget is {'decisions': None}, but needs decisions"),
        ("ppo.epochs", "--set got 'ppo.epochs', but takes name=value"),
        ("ppo.epochs=[1", "--set ppo.epochs is not YAML"),
        ("ppo.learning_rate.start=.inf", "setting ppo.learning_rate.start is inf, but should be a"),
        ("ppo.learning_rate.end=1.5", "setting ppo.learning_rate.end is 1.5, but should be less"),
        ("ppo.pull.start=.nan", "setting ppo.pull.start is nan, but should be a finite number"),
        ("ppo.entropy.cards.start=101", "setting ppo.entropy.cards.start is 101, but should be"),
        ("budget.minutes=.inf", "setting budget.minutes is inf, but should be a finite number"),
        ("seed=2020-13-45", "--set seed is refused at line 1: '2020-13-45' can be read in"),
        ("seed=0b_", "--set seed is refused at line 1: '0b_' can be read in"),
        ("seed=!!int abc", "--set seed is refused at line 1: tags are not read"),
        ("seed=!!bool abc", "--set seed is refused at line 1: tags are not read"),
        ("seed=!!timestamp abc", "--set seed is refused at line 1: tags are not read"),
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


SAID_ELSEWISE = ["010", "09", "0o10", "1:30", "1:30.5", "0b11", "1__0", "yes", "No", "on", "OFF"]
SAID_ELSEWISE += ["2026-11-30", "=", "+0x1f", "0_8"]


@pytest.mark.parametrize("text", SAID_ELSEWISE)
@pytest.mark.parametrize(
    "form", ["seed: {}", "rules: {{deal: {}}}", "evaluation:\n  against: [{}]"]
)
def test_what_can_be_read_in_two_ways_is_refused_with_its_line(
    tmp_path: Path, text: str, form: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"budget: {{decisions: 9}}\n{form.format(text)}\n")
    line = 2 + form.count("\n")
    with pytest.raises(ConfigError, match=rf"at line {line}: '{re.escape(text)}' can be read in"):
        read_config(path)


def test_plain_values_are_read_as_people_mean_them() -> None:
    said = {
        "1_000_000": 1_000_000,
        "-7": -7,
        "0": 0,
        "0x1f": 31,
        "1e3": 1000.0,
        "1.5E-3": 0.0015,
        ".5": 0.5,
        "2.": 2.0,
        "true": True,
        "False": False,
        "~": None,
        "'010'": "010",
        '"yes"': "yes",
        "3-2-3": "3-2-3",
        "net:runs/a": "net:runs/a",
        "[1, {a: b}]": [1, {"a": "b"}],
    }
    for text, value in said.items():
        found = read_yaml(text, "here")
        assert found == value, text
        assert type(found) is type(value), text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seed: 1\nlanes: 8\nseed: 2\n", "at line 3: 'seed' is set twice"),
        ('seed: 1\n"seed": 1\n', "at line 2: 'seed' is set twice"),
        ("ppo:\n  clip: 0.1\n  epochs: 2\n  clip: 0.2\n", "at line 4: 'clip' is set twice"),
        ("rules: {target: 5, target: 6}\n", "at line 1: 'target' is set twice"),
        ("evaluation:\n  against: [{a: 1, a: 1}]\n", "at line 2: 'a' is set twice"),
        ("1: 2\n", "at line 1: the name of a setting must be text, but is '1'"),
        ("? [a]\n: 2\n", "at line 1: the name of a setting must be text, but is a sequence"),
        ("a: &b 1\nc: *b\n", "at line 1: anchors and aliases are not read"),
        ("ppo:\n  <<: {clip: 0.1}\n", "at line 2: '<<' can be read in more than one way"),
        ("seed: 1\n---\nseed: 2\n", "but found another document"),
        ("seed: " + " " * (1 << 16), "is longer than 32,768 characters"),
    ],
)
def test_a_config_says_everything_once_and_itself(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        read_config(path)
    with pytest.raises(ConfigError, match="'clip' is set twice"):
        overridden(BUDGET, ["ppo={clip: 0.1, clip: 0.2}"])


def test_a_few_lines_never_stand_for_gigabytes(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    path = tmp_path / "bomb.yaml"
    path.write_text("\n".join(lines))
    with pytest.raises(ConfigError, match="at line 1: anchors and aliases are not read"):
        read_config(path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"seed: \x00", b"\xef\xbb\xbf- 1\r\n"])
def test_bytes_that_are_no_config(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"a\.yaml"):
        read_config(path)
    for other in (tmp_path, Path("/dev/zero")):  # a folder, and a file without end
        with pytest.raises(ConfigError, match=re.escape(str(other))):
            read_config(other)


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfseed: 7\r\nbudget:\r\n  decisions: 9\r\n")
    assert read_config(path).seed == 7


def test_an_override_given_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^--set gives ppo\.epochs twice$"):
        overridden(dict(BUDGET), ["ppo.epochs=3", "seed=1", "ppo.epochs=4"])


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


@pytest.mark.parametrize(("name", "path"), packaged("configs").items())
def test_shipped_configs_are_accepted(name: str, path: Path) -> None:
    assert read_config(path).game == name.partition("/")[0]


def test_every_setting_has_its_sentence() -> None:
    todo: list[type[BaseModel]] = [TrainConfig]
    while todo:
        for name, field in todo.pop().model_fields.items():
            assert field.description, name
            assert field.description.endswith("."), name
            annotation = field.annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                todo.append(annotation)
