"""What is refused as an option, and what options look like in records."""

from typing import Any

import pytest

from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.state import State

KLOEPPER = get_game("kloepper")
NAMES = (
    "announce, prompt_all, called_partner_may_knock, failed_knock, stop_when_decided, target "
    "or scorekeeper"
)
TABLE = [
    ("announce", "any_time", ["own_turn"]),
    ("prompt_all", False, [True]),
    ("called_partner_may_knock", False, [True]),
    ("failed_knock", "stake", ["normal", "none"]),
    ("stop_when_decided", True, [False]),
    ("target", 30, [1, 31, 999_999]),
    ("scorekeeper", 0, [1, 2, 3]),
]


@pytest.mark.parametrize(("name", "default", "others"), TABLE)
def test_defaults_and_allowed_values(name: str, default: Any, others: list[Any]) -> None:
    assert getattr(KLOEPPER.options({}), name) == default
    assert KLOEPPER.options({name: default}).changed() == {}
    for value in others:
        assert KLOEPPER.options({name: value}).changed() == {name: value}


def test_the_table_names_every_option() -> None:
    assert [name for name, _, _ in TABLE] == list(KLOEPPER.allowed)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"anounce": "any_time"}, f"unknown option 'anounce'; the options are {NAMES}"),
        ({"": 1}, f"unknown option ''; the options are {NAMES}"),
        (
            {"announce": "never"},
            "option announce is 'never', but must be 'any_time' or 'own_turn'",
        ),
        ({"prompt_all": 1}, "option prompt_all is 1, but must be True or False"),
        ({"prompt_all": "true"}, "option prompt_all is 'true', but must be True or False"),
        ({"prompt_all": None}, "option prompt_all is None, but must be True or False"),
        (
            {"failed_knock": "Stake"},
            "option failed_knock is 'Stake', but must be 'stake', 'normal' or 'none'",
        ),
        ({"stop_when_decided": 0}, "option stop_when_decided is 0, but must be True or False"),
        ({"target": 0}, "option target is 0, but must be a whole number from 1 to 999999"),
        ({"target": 2.0}, "option target is 2.0, but must be a whole number from 1 to 999999"),
        ({"target": True}, "option target is True, but must be a whole number from 1 to 999999"),
        ({"target": "30"}, "option target is '30', but must be a whole number from 1 to 999999"),
        ({"scorekeeper": 4}, "option scorekeeper is 4, but must be a whole number from 0 to 3"),
        ({"scorekeeper": -1}, "option scorekeeper is -1, but must be a whole number from 0 to 3"),
    ],
)
def test_one_sentence_for_each_mistake(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        KLOEPPER.options(rules)
    assert str(raised.value) == sentence


def test_a_hand_takes_its_options_the_same_way() -> None:
    with pytest.raises(ConfigError, match="unknown option 'knocking'"):
        State.deal(rules={"knocking": True})
    state = State.deal(rules={"failed_knock": "none", "target": 30})
    assert state.view(0).rules == {"failed_knock": "none"}
