"""What is refused as an option, and what options look like in records."""

from typing import Any

import pytest

from kloepper_env.errors import ConfigError
from kloepper_env.games import Game, get_game
from kloepper_env.state import State

KLOEPPER, KLAMMERN = get_game("kloepper"), get_game("klammern")
NAMES = (
    "announce, prompt_all, called_partner_may_knock, failed_knock, stop_when_decided, pack, "
    "target or scorekeeper"
)
TABLE: list[tuple[str, Any, list[Any]]] = [
    ("announce", "any_time", ["own_turn"]),
    ("prompt_all", False, [True]),
    ("called_partner_may_knock", False, [True]),
    ("failed_knock", "stake", ["normal", "none"]),
    ("stop_when_decided", True, [False]),
    ("pack", 24, [12, 8]),
    ("target", 30, [1, 31, 999_999]),
    ("scorekeeper", 0, [1, 2, 3]),
]


KLAMMERN_TABLE: list[tuple[str, Any, list[Any]]] = [
    ("deal", "3-2/turn/3", ["3-2-3"]),
    ("turnup_owner", "taker", ["dealer"]),
    ("passout_dealer", "next", ["same"]),
    ("raise_on_trump_lead", "always", ["unless_partner_winning", "never"]),
    ("partner_exempt", True, [False]),
    ("overtrump", True, [False]),
    ("undertrump", "forced", ["free"]),
    ("split_long_runs", False, [True]),
    ("quad_ranks", "all", ["no_7_8"]),
    ("meld_card_reuse", False, [True]),
    ("meld_declare", "auto", ["choice"]),
    ("quad_beats_quint", True, [False]),
    ("meld_tie", "first", ["none"]),
    ("count_over_height", False, [True]),
    ("belle_announce", "second", ["first"]),
    ("meld_needs_trick", False, [True]),
    ("make_rule", "fixed82", ["more_than_opponents"]),
    ("melds_on_loss", "opponents", ["owner", "void"]),
    ("belle_on_loss", "opponents", ["owner"]),
    ("tie81", "eiert", ["litige"]),
    ("durchmarsch_bonus", 100, [0, 999_999]),
    ("target", 501, [1, 999_999]),
    ("liga", False, [True]),
    ("augen_model", "tens", ["outcome"]),
    ("liga_target", None, [1, 51]),
    (
        "outcome_table",
        {"takers": 1, "defenders": 1, "eiert": 2, "durchmarsch": 1},
        [{"takers": 0, "defenders": 2, "eiert": 3, "durchmarsch": 4}],
    ),
    ("first_dealer", "random", [0, 1, 2, 3]),
]
OF_BOTH = [(KLOEPPER, *row) for row in TABLE] + [(KLAMMERN, *row) for row in KLAMMERN_TABLE]


@pytest.mark.parametrize(("game", "name", "default", "others"), OF_BOTH)
def test_defaults_and_allowed_values(
    game: Game, name: str, default: Any, others: list[Any]
) -> None:
    assert getattr(game.options({}), name) == default
    assert game.options({name: default}).changed() == {}
    for value in others:
        assert game.options({name: value}).changed() == {name: value}


@pytest.mark.parametrize(("game", "table"), [(KLOEPPER, TABLE), (KLAMMERN, KLAMMERN_TABLE)])
def test_the_table_names_every_option(game: Game, table: list[tuple[str, Any, list[Any]]]) -> None:
    assert [name for name, _, _ in table] == list(game.allowed)


def test_options_of_a_hand_differ_in_their_flags() -> None:
    """What bears on a hand is told apart in records; what acts on the game is not."""
    of_game = {"target", "liga", "augen_model", "liga_target", "outcome_table"}
    of_game |= {"passout_dealer", "first_dealer", "scorekeeper"}
    for game in (KLOEPPER, KLAMMERN):
        table = TABLE if game is KLOEPPER else KLAMMERN_TABLE
        values = [(name, value) for name, _, others in table for value in others]
        flags = [game.options({}).flags()]
        flags += [game.options({n: v}).flags() for n, v in values if n not in of_game]
        assert len(set(flags)) == len(flags)
        assert {game.options({n: v}).flags() for n, v in values if n in of_game} == {flags[0]}


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
        ({"pack": 16}, "option pack is 16, but must be 24, 12 or 8"),
        ({"pack": "8"}, "option pack is '8', but must be 24, 12 or 8"),
        ({"pack": 8.0}, "option pack is 8.0, but must be 24, 12 or 8"),
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


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            {"first_dealer": 4},
            "option first_dealer is 4, but must be 'random' or a whole number from 0 to 3",
        ),
        (
            {"liga_target": 0},
            "option liga_target is 0, but must be None or a whole number from 1 to 999999",
        ),
        (
            {"outcome_table": {"takers": 1}},
            "option outcome_table is {'takers': 1}, but must hold takers: a whole number from 0 to "
            "999999, defenders: a whole number from 0 to 999999, eiert: a whole number from 0 to "
            "999999, durchmarsch: a whole number from 0 to 999999",
        ),
        ({"durchmarsch_bonus": -1}, "option durchmarsch_bonus is -1, but must be a whole number"),
        ({"outcome_table": 3}, "option outcome_table is 3, but must hold takers"),
        ({"deal": "3-3-2"}, "option deal is '3-3-2', but must be '3-2/turn/3' or '3-2-3'"),
        ({"liga": 1}, "option liga is 1, but must be True or False"),
    ],
)
def test_one_sentence_for_each_mistake_in_klammern(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        KLAMMERN.options(rules)
    assert str(raised.value).startswith(sentence)


def test_a_wrong_number_in_a_table_is_refused() -> None:
    table = {"takers": 1, "defenders": 1, "eiert": -2, "durchmarsch": 1}
    with pytest.raises(ConfigError, match="option outcome_table is"):
        KLAMMERN.options({"outcome_table": table})
    with pytest.raises(ConfigError, match="option outcome_table is"):
        KLAMMERN.options({"outcome_table": table | {"eiert": True}})


def test_a_hand_takes_its_options_the_same_way() -> None:
    with pytest.raises(ConfigError, match="unknown option 'knocking'"):
        State.deal(rules={"knocking": True})
    state = State.deal(rules={"failed_knock": "none", "target": 30})
    assert state.view(0).rules == {"failed_knock": "none"}
