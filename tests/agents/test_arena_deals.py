"""The deals of a match: those of State.deal, or the lines of a file."""

from pathlib import Path

import pytest

from kloepper_agents.arena.deals import FrozenDeals, SeededDeals, open_deals
from kloepper_env.errors import ConfigError, NotationError
from kloepper_env.games import get_game
from kloepper_env.state import State

LINE = "2 9HKSKDQHQDKCASAC9CTSJDJSQCJHQSTC9DKHADJC9SAHTDTH"
KLOEPPER = get_game("kloepper")
DEV = Path(__file__).resolve().parents[2] / "seeds" / "deals" / "kloepper" / "dev.txt"


def test_seeded_deals_are_those_of_state_with_the_dealer_going_round() -> None:
    game = get_game("kloepper")
    options = game.options({"announce": "own_turn"})
    hands = SeededDeals(9).hands(game, options, 3, 14)
    for i in range(3, 14):
        state = State.deal(game, {"announce": "own_turn"}, seed=9, serial=i, dealer=i % 4)
        assert hands[i - 3 : i - 2].tobytes() == state.hands.tobytes()


def test_frozen_deals_are_the_lines_of_the_file() -> None:
    game = get_game("kloepper")
    options = game.options(None)
    hands = FrozenDeals(DEV).hands(game, options, 2, 6)
    lines = DEV.read_text().splitlines()[2:6]
    assert lines[0] == LINE
    for i, line in enumerate(lines):
        dealer, cards = line.split()
        deck = [cards[at : at + 2] for at in range(0, 48, 2)]
        expected = State.deal(game, deck=deck, dealer=int(dealer))
        state = State(game, options, hands[i : i + 1])
        assert state.dealer == expected.dealer == (i + 2) % 4
        assert [state.dealt(s) for s in range(4)] == [expected.dealt(s) for s in range(4)]
        assert state.turn == expected.turn


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4" + LINE[1:], "line 2 of .*begins with '4'.*0 to 3"),
        (LINE[2:], "line 2 of .*must begin with the seat of the dealer"),
        (LINE[:-2], "line 2 of .*23 cards instead of 24: TH missing"),
        (LINE[:-2] + "9H", "line 2 of .*9H more than once"),
        (LINE[:-1] + "X", "line 2 of .*'TX' is not a card"),
        ("", "line 2 of .*begins with ''"),
    ],
)
def test_a_line_that_is_no_deal_is_refused_with_its_number(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{LINE}\n{line}\n")
    game = get_game("kloepper")
    with pytest.raises(NotationError, match=message):
        FrozenDeals(path).hands(game, game.options(None), 0, 2)


def test_a_source_that_cannot_give_the_deals_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{LINE}\n")
    refusals: list[tuple[int, Path | None, int, str]] = [
        (0, path, 2, "holds 1 deals, but 2 are asked for"),
        (0, tmp_path / "none.txt", 1, "none.txt: no such file or directory"),
        (0, tmp_path, 1, "Is a directory"),
        (-1, None, 1, "seed is -1, but must be a whole number from 0 on"),
    ]
    for seed, file, deals, message in refusals:
        with pytest.raises(ConfigError, match=message):
            open_deals(seed, file, deals)


def test_no_more_is_read_than_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{LINE}\r\n{LINE}\n{'x' * 2000}\n")
    assert len(open_deals(0, path, 2).hands(KLOEPPER, KLOEPPER.options(None), 0, 2)) == 2
    for endless, deals in ((path, 3), (Path("/dev/zero"), 1)):
        with pytest.raises(NotationError, match=r"a line of .* is longer than 1,024 bytes"):
            open_deals(0, endless, deals)
    path.write_text("0 " + "é" * 500)
    with pytest.raises(NotationError, match=r"line 1 of .*the deck has 250 cards instead of 24"):
        FrozenDeals(path).hands(KLOEPPER, KLOEPPER.options(None), 0, 1)
