"""M13 to M18: what may be played, and which card takes the trick. Hearts are trump."""

import pytest

from tests.env.rules.klammern_table import may_play, winner_and_points


def test_m13_the_suit_led_must_be_played() -> None:
    assert may_play("AC", "7C 9C KH JH") == {"7C", "9C"}
    assert may_play("AC 7H", "8C JH AS") == {"8C"}


def test_m13_no_duty_to_beat_in_a_plain_suit() -> None:
    assert may_play("7C", "8C AC") == {"8C", "AC"}


def test_m14_a_trump_led_must_be_beaten() -> None:
    assert may_play("TH", "7H AH 9H") == {"AH", "9H"}
    assert may_play("AH", "7H TH QH") == {"7H", "TH", "QH"}


def test_m14_also_the_partners() -> None:
    assert may_play("TH 7H", "8H 9H") == {"9H"}


@pytest.mark.parametrize(
    ("raise_on_trump_lead", "over_partner", "over_opponent"),
    [
        ("always", {"9H"}, {"9H"}),
        ("unless_partner_winning", {"8H", "9H"}, {"9H"}),
        ("never", {"8H", "9H"}, {"8H", "9H"}),
    ],
)
def test_m14_raise_on_trump_lead_says_whom(
    raise_on_trump_lead: str, over_partner: set[str], over_opponent: set[str]
) -> None:
    rules = {"raise_on_trump_lead": raise_on_trump_lead}
    assert may_play("TH 7H", "8H 9H", **rules) == over_partner
    assert may_play("TH", "8H 9H", **rules) == over_opponent
    assert may_play("7H TH", "8H 9H", **rules) == over_opponent


def test_m15_a_void_seat_is_free_while_its_partner_wins() -> None:
    assert may_play("AC 7C", "7S KH JH") == {"7S", "KH", "JH"}
    assert may_play("7C AH TC", "7S KH 9H") == {"7S", "KH", "9H"}


def test_m15_not_while_an_opponent_wins() -> None:
    assert may_play("7C AC", "7S KH JH") == {"KH", "JH"}
    assert may_play("AC 7C QH", "7S KH JH") == {"KH", "JH"}


def test_m15_partner_exempt_false_binds_it_all_the_same() -> None:
    assert may_play("AC 7C", "7S KH JH", partner_exempt=False) == {"KH", "JH"}
    assert may_play("7C AH TC", "7S KH 9H", partner_exempt=False) == {"9H"}


def test_m16_a_void_seat_must_overtrump_if_it_can() -> None:
    assert may_play("AC QH", "7S 7H KH TH") == {"KH", "TH"}
    assert may_play("AC", "7S 7H 8H") == {"7H", "8H"}


def test_m16_overtrump_false_lets_it_choose_its_trump() -> None:
    assert may_play("AC QH", "7S 7H KH TH", overtrump=False) == {"7H", "KH", "TH"}
    assert may_play("AC QH", "7S 7H KH", overtrump=False, undertrump="free") == {"7H", "KH"}


def test_m16_it_must_undertrump_if_it_cannot_beat() -> None:
    assert may_play("AC 9H", "7S 7H KH") == {"7H", "KH"}


def test_m16_undertrump_free_lets_it_off() -> None:
    assert may_play("AC 9H", "7S 7H KH", undertrump="free") == {"7S", "7H", "KH"}
    assert may_play("AC QH", "7S 7H KH", undertrump="free") == {"KH"}
    assert may_play("AC", "7S 7H KH", undertrump="free") == {"7H", "KH"}


def test_m17_without_trump_anything_goes() -> None:
    assert may_play("AC", "7S TD AD") == {"7S", "TD", "AD"}
    assert may_play("AH", "7S TD AD") == {"7S", "TD", "AD"}


@pytest.mark.parametrize(
    ("trick", "place"),
    [("7C 8C 9C JC", 4), ("7C AS TS AD", 1), ("AC 7H TC KC", 2), ("AC 7H 8H 9H", 4)],
)
def test_m18_the_highest_trump_or_else_of_the_suit_led(trick: str, place: int) -> None:
    assert winner_and_points(trick)[0] == place
