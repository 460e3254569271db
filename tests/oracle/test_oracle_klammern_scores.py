"""Klammern's plain rule engine: settlements, games and options, by example."""

from typing import Any

import pytest

from .klammern_match import Game, first_dealer, next_dealer, target_of
from .klammern_rules import DEFAULTS, checked_options
from .klammern_scores import Result, augen_of, factor_of, settle

# Settlement: amounts as (takers, defenders)


def settled(
    cards: int,
    melds: tuple[int, int] = (0, 0),
    belle: tuple[int, int] = (0, 0),
    tricks: tuple[int, int] = (4, 4),
    factor: int = 1,
    carry: int = 0,
    **options: object,
) -> tuple[list[int], str | None, int, list[int]]:
    """Give scores, winning side, carry left and Augen, the same for team 0 and team 1 as takers."""
    rules = checked_options(options)
    found = []
    for takers in [0, 1]:
        turn = 1 if takers == 0 else -1
        amounts = [(cards, 162 - cards), tricks, melds, belle]
        own, taken, melded, belles = [list(pair[::turn]) for pair in amounts]
        result = Result(takers, own, taken, melded, belles, factor)
        done = settle(result, rules, carry)
        sides = {takers: "takers", 1 - takers: "defenders", None: None}
        augen = augen_of(result, done, rules)
        found.append((done.scores[::turn], sides[done.winner], done.carry, augen[::turn]))
    assert found[0] == found[1]
    return found[0]


def scores(cards: int, **amounts: Any) -> str:
    takers, defenders = settled(cards, **amounts)[0]
    return f"{takers} : {defenders}"


def test_made() -> None:
    """MX17, MX19, M26, M27, M34."""
    assert scores(90) == "90 : 72"
    assert scores(82) == "82 : 80"
    assert settled(65, melds=(20, 0))[:2] == ([85, 97], "defenders")
    assert settled(90)[1] == "takers"
    assert settled(71, melds=(20, 0))[:2] == ([91, 91], None)


def test_eiert() -> None:
    """MX18, MX20, MX21, M26 to M28, M34."""
    assert scores(81) == "0 : 162"
    assert scores(81, factor=4) == "0 : 648"
    assert scores(61, belle=(20, 0)) == "0 : 182"
    assert scores(62, belle=(20, 0)) == "82 : 100"
    assert scores(70, melds=(0, 50), belle=(0, 20)) == "0 : 232"
    assert scores(95, melds=(0, 100)) == "95 : 167"
    assert settled(81)[1] == "defenders"


def test_durchmarsch() -> None:
    """MX22, M29: also after Eiert, and with another bonus."""
    assert scores(162, tricks=(8, 0)) == "262 : 0"
    assert scores(0, tricks=(0, 8)) == "0 : 262"
    assert scores(162, tricks=(8, 0), durchmarsch_bonus=0) == "162 : 0"
    assert scores(0, tricks=(0, 8), durchmarsch_bonus=50, factor=2) == "0 : 424"
    swept = settled(162, (0, 200), tricks=(8, 0), make_rule="more_than_opponents")
    assert swept[:2] == ([100, 362], "defenders")  # the takers have failed all the same


def test_kontra() -> None:
    """MX23, M30."""
    assert scores(90, factor=2) == "180 : 144"
    assert scores(90, factor=4) == "360 : 288"
    assert [factor_of(False, False), factor_of(True, False), factor_of(True, True)] == [1, 2, 4]


def test_more_than_opponents() -> None:
    """MX31, M27, M28a."""
    rule: dict[str, Any] = {"make_rule": "more_than_opponents"}
    assert scores(95, melds=(0, 100), **rule) == "0 : 262"
    assert scores(91, melds=(0, 20), **rule) == "0 : 182"
    level = settled(91, melds=(0, 20), tie81="litige", **rule)
    assert level[:3] == ([0, 91], None, 91)
    assert scores(92, melds=(0, 20), **rule) == "92 : 90"
    assert scores(81, **rule) == "0 : 162"


def test_takers_melds_and_belle_on_loss() -> None:
    """MX32, M28."""
    assert scores(50, melds=(20, 0)) == "0 : 182"
    assert scores(50, melds=(20, 0), melds_on_loss="owner") == "20 : 162"
    assert scores(50, melds=(20, 0), melds_on_loss="void") == "0 : 162"
    both: dict[str, Any] = {"melds": (20, 0), "belle": (20, 0)}
    assert scores(31, **both, melds_on_loss="void", belle_on_loss="owner") == "20 : 162"
    assert scores(31, **both, melds_on_loss="owner", belle_on_loss="owner") == "40 : 162"
    assert scores(31, **both, melds_on_loss="owner") == "20 : 182"
    assert scores(31, **both) == "0 : 202"


def test_melds_need_a_trick() -> None:
    """MX33, M26."""
    swept: dict[str, Any] = {"melds": (100, 0), "tricks": (0, 8)}
    assert scores(0, **swept) == "100 : 262"
    assert scores(0, **swept, meld_needs_trick=True) == "0 : 262"
    assert scores(0, **swept, belle=(20, 0), meld_needs_trick=True) == "0 : 282"
    assert scores(90, melds=(20, 0), meld_needs_trick=True) == "110 : 72"


def test_litige() -> None:
    """MX30, M28a, M30, M34, M35."""
    tie: dict[str, Any] = {"tie81": "litige"}
    assert settled(81, factor=2, carry=30, **tie)[:3] == ([0, 162], None, 192)
    assert settled(90, carry=192, **tie)[:3] == ([282, 72], "takers", 0)
    assert settled(80, carry=192, **tie)[:3] == ([0, 354], "defenders", 0)
    assert settled(65, melds=(20, 0), factor=2, carry=10, **tie)[0] == [170, 204]
    level = settled(71, melds=(20, 0), carry=30, **tie)
    assert level[:3] == ([91, 91], None, 30)  # made and level: the carry stays
    assert scores(81) == "0 : 162"


def test_augen_by_tens() -> None:
    """MX24, M32: also with the carry in the score (M35)."""
    score_and_augen = [(110, 11), (115, 12), (162, 16), (90, 9)]
    for score, augen in score_and_augen:
        assert settled(score, liga=True)[3][0] == augen
    assert settled(112, liga=True)[3] == [11, 5]  # 112 : 50
    assert settled(107, liga=True)[3] == [11, 6]  # 107 : 55
    assert settled(98, liga=True)[3] == [10, 6]  # 98 : 64
    assert settled(90, liga=True)[3] == [9, 7]  # 90 : 72
    assert settled(70, liga=True)[3] == [0, 16]  # 0 : 162
    assert settled(90, carry=100, liga=True, tie81="litige")[3] == [19, 7]


def test_augen_by_outcome() -> None:
    """MX34, M33."""
    model: dict[str, Any] = {"liga": True, "augen_model": "outcome"}
    assert settled(90, **model)[3] == [1, 0]
    assert settled(65, melds=(20, 0), **model)[3] == [0, 1]
    assert settled(70, **model)[3] == [0, 2]
    assert settled(162, tricks=(8, 0), **model)[3] == [2, 0]
    assert settled(0, tricks=(0, 8), factor=2, **model)[3] == [0, 6]
    assert settled(71, melds=(20, 0), **model)[3] == [0, 0]
    assert settled(81, tie81="litige", carry=50, factor=2, **model)[3] == [0, 0]
    table = {"takers": 3, "defenders": 5, "eiert": 7, "durchmarsch": 11}
    model["outcome_table"] = table
    assert settled(90, carry=50, factor=4, tie81="litige", **model)[3] == [12, 0]
    assert settled(65, melds=(20, 0), **model)[3] == [0, 5]
    assert settled(70, **model)[3] == [0, 7]
    assert settled(162, (0, 200), tricks=(8, 0), make_rule="more_than_opponents", **model)[3] == [
        11,
        7,
    ]


# Games


def winner_after(amounts: list[list[int]], **options: object) -> int | None:
    """Add rounds to a game, which must not end before the last of them."""
    game = Game(options)
    for bring in amounts:
        assert game.winner is None
        game.add_result(bring, 0, passed_out=False)
    return game.winner


def test_end_of_a_game() -> None:
    """MX35, M31."""
    assert winner_after([[300, 100], [200, 405]]) == 1
    assert winner_after([[300, 300], [210, 210], [80, 82]]) == 1
    assert winner_after([[500, 100]]) is None
    assert winner_after([[501, 100]]) == 0
    assert winner_after([[80, 20]], target=80) == 0
    assert winner_after([[50, 0]], liga=True) is None
    assert winner_after([[51, 0]], liga=True) == 0
    assert winner_after([[2, 4], [0, 1]], liga=True, augen_model="outcome") == 1


def test_targets() -> None:
    """M31 to M33."""
    cases: list[tuple[dict[str, Any], int]] = [
        ({}, 501),
        ({"liga": True}, 51),
        ({"liga": True, "augen_model": "outcome"}, 5),
        ({"liga": True, "augen_model": "outcome", "liga_target": 9}, 9),
        ({"liga": True, "liga_target": 30, "target": 100}, 30),
        ({"liga_target": 30, "target": 100, "augen_model": "outcome"}, 100),
    ]
    for options, target in cases:
        assert target_of(checked_options(options)) == target


def test_dealers() -> None:
    """M8, M12, M36."""
    for word, after in [("next", 0), ("same", 3)]:
        options = checked_options({"passout_dealer": word})
        assert next_dealer(3, True, options) == after  # M8
        assert next_dealer(3, False, options) == 0  # M12
    assert first_dealer(checked_options({}), 3) == 3
    assert first_dealer(checked_options({"first_dealer": 2}), 3) == 2


def test_options() -> None:
    """Section 3: defaults are allowed, unknown names and other values are errors."""
    assert checked_options(DEFAULTS) == DEFAULTS == checked_options(None)
    bad: list[dict[str, object]] = [
        {"trump": "H"},
        {"deal": "3-2"},
        {"overtrump": 1},
        {"durchmarsch_bonus": -1},
        {"durchmarsch_bonus": True},
        {"target": 0},
        {"liga_target": 0},
        {"first_dealer": 4},
        {"first_dealer": False},
        {"outcome_table": {"takers": 1}},
        {"outcome_table": {"takers": 1, "defenders": 1, "eiert": -1, "durchmarsch": 1}},
    ]
    for options in bad:
        with pytest.raises(ValueError, match="option"):
            checked_options(options)
