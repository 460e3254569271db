"""The numbered rules are found and read as they stand in the documents."""

from pathlib import Path

import pytest

from kloepper_env import rulebook
from kloepper_env.errors import ConfigError
from kloepper_env.rulebook import find_rules, rules_of


def test_kloepper_has_every_rule_and_every_example() -> None:
    ids = list(rules_of("kloepper"))
    assert ids == [f"K{n}" for n in range(1, 33)] + [f"KX{n}" for n in range(1, 24)]


@pytest.mark.parametrize("game", ["klammern", "kqj"])
def test_the_documents_of_the_other_games_can_be_read(game: str) -> None:
    rules = rules_of(game)
    assert len(rules) > 20
    assert all(rule.text for rule in rules.values())


def test_an_id_may_end_in_a_letter() -> None:
    assert [rule.id for rule in find_rules("klammern", ["m28A", "MX25b"])] == ["M28a", "MX25b"]
    with pytest.raises(ConfigError, match="the ids are M1 to M36 or MX1 to MX41"):
        find_rules("klammern", ["M28c"])


def test_rules_come_with_source_and_option_and_in_any_case() -> None:
    (rule,) = find_rules("kloepper", ["k16"])
    assert rule.id == "K16"
    assert rule.notes["source"] == "convention"
    assert "called_partner_may_knock" in rule.notes["option"]
    (sides,) = find_rules("kloepper", ["K10"])
    assert sides.text.startswith("Sides. ")
    assert "option" not in sides.notes


def test_all_rules_without_an_id() -> None:
    assert len(find_rules("kloepper", [])) == 55


@pytest.mark.parametrize("wrong", ["K33", "K0", "X", "", "K1a"])
def test_an_unknown_id_is_answered_with_the_range(wrong: str) -> None:
    with pytest.raises(ConfigError, match=f"no rule '{wrong}'; the ids are K1 to K32 or KX1 to"):
        find_rules("kloepper", ["K1", wrong])


def test_an_unknown_game_is_answered_with_the_documents() -> None:
    with pytest.raises(ConfigError, match=r"'whist'; the documents are klammern, kloepper.*kqj"):
        rules_of("whist")


def test_cells_with_an_escaped_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = tmp_path / "toy.md"
    toy.write_text(
        "# Toy\n\n| id | rule | source |\n|---|---|---|\n| T1 | either a \\| or **b** | me |\n"
    )
    monkeypatch.setattr(rulebook, "packaged", lambda kind: {"toy": toy})
    (rule,) = find_rules("toy", [])
    assert str(rule) == "T1  either a | or b [source: me]"
