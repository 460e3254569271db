"""`kloepper solve`: where its positions come from, what it tells, what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from kloepper_env.records import VERSION
from kloepper_env.solver import Solver
from kloepper_env.state import State
from tests.cli.test_env_cli import Captured, run

SIX_TOP_TRUMPS = [
    "QC QS JC JS JH JD",
    "AC TC KC 9C AS TS",
    "KS 9S AH TH KH QH",
    "9H AD TD KD QD 9D",
]


def solved(capsys: Captured, *arguments: str) -> dict[str, Any]:
    assert run("solve", *arguments, "--json") == 0, capsys.readouterr().err
    captured = capsys.readouterr()
    assert captured.err == ""
    answer: dict[str, Any] = json.loads(captured.out)
    return answer


def recorded(folder: Path, *states: State) -> str:
    """A file of records of hands, finished or not."""
    path = folder / "hands.jsonl"
    path.write_text("".join(json.dumps(record_of(state)) + "\n" for state in states))
    return str(path)


def record_of(state: State) -> dict[str, Any]:
    return {
        "v": VERSION,
        "game": state.game.name,
        "rules": state.options.changed(),
        "dealer": state.dealer,
        "deck": state.deck(),
        "actions": state.history,
    }


def after(seed: int, *actions: str, **rules: Any) -> State:
    state = State.deal(seed=seed, rules=rules)
    for action in actions:
        state.push(action)
    return state


def expect(answer: dict[str, Any], state: State) -> None:
    """What the command says must be what the solver says."""
    solver = Solver()
    scores, points = solver.scores(state), solver.card_points(state)
    assert [tuple(action) for action in answer["actions"]] == state.history
    assert (answer["dealer"], answer["turn"]) == (state.dealer, state.turn)
    assert answer["black_points"] == solver.points(state)
    assert answer["score"] == solver.score(state)
    assert answer["all_tricks"] == solver.all_tricks(state)
    assert answer["cards"] == {
        card: {"black_points": points[card], "score": scores[card]} for card in points
    }
    announced = {name: value["score"] for name, value in answer["announcements"].items()}
    assert announced == solver.announcements(state)
    assert [card for _, card in answer["line"]] == solver.line(state)


# --- positions -----------------------------------------------------------------------------------


def test_a_deal_of_a_seed(capsys: Captured) -> None:
    state = State.deal(seed=5, serial=3, dealer=2)

    answer = solved(capsys, "--seed", "5", "--serial", "3", "--dealer", "2")

    assert answer["deck"] == state.deck()
    expect(answer, state)


def test_the_same_deal_as_a_pack_and_as_four_hands(capsys: Captured) -> None:
    state = State.deal(seed=5)
    dealer, hands = str(state.dealer), [" ".join(state.dealt(seat)) for seat in range(4)]

    by_seed = solved(capsys, "--seed", "5")
    by_deck = solved(capsys, "--deck", " ".join(state.deck()), "--dealer", dealer)
    by_hands = solved(capsys, "--cards", "/".join(hands), "--dealer", dealer)

    assert by_seed == by_deck == by_hands


def test_without_a_dealer_seat_0_deals_a_given_pack(capsys: Captured) -> None:
    answer = solved(capsys, "--cards", "/".join(SIX_TOP_TRUMPS))

    assert (answer["dealer"], answer["player"]) == (0, 1)
    assert answer["deck"] == State.deal(deck=answer["deck"], dealer=0).deck()


def test_a_position_in_the_middle_of_a_trick(tmp_path: Path, capsys: Captured) -> None:
    state = after(1, "pass", "AS", "pass", "KS", "pass", "KC", "pass", "TS", "pass", "TH", "JD")
    path = recorded(tmp_path, after(2), state)

    answer = solved(capsys, path, "--hand", "2", "--after", str(len(state.history)))

    expect(answer, state)
    assert set(answer["cards"]) == {"QH", "9H", "KH"}  # hearts were led
    assert [seat for seat, _ in answer["line"][:3]] == [2, 3, answer["line"][2][0]]
    assert len(answer["line"]) == 24 - 6


def test_a_record_is_solved_from_its_deal_if_nothing_else_is_said(
    tmp_path: Path, capsys: Captured
) -> None:
    answer = solved(capsys, recorded(tmp_path, after(1, "call:S", "pass")))

    expect(answer, State.deal(seed=1))


# --- values --------------------------------------------------------------------------------------


def test_six_top_trumps_take_everything(capsys: Captured) -> None:
    answer = solved(capsys, "--cards", "/".join(SIX_TOP_TRUMPS), "--dealer", "3")

    assert answer["black"] == [0]
    assert (answer["black_points"], answer["score"], answer["all_tricks"]) == (120, 18, True)
    assert {name: value["score"] for name, value in answer["announcements"].items()} == {
        "pass": 18,
        "knock": 30,
        "call:C": 6,
        "call:S": 6,
        "call:H": 6,
    }
    assert answer["best_announcements"] == ["knock"]
    assert answer["best_cards"]["score"] == SIX_TOP_TRUMPS[0].split()
    line = " ".join(card for seat, card in answer["line"] if seat == 0)
    assert line == "JD JH JS JC QS QC"


def test_an_uncalled_double_holder_has_the_values_of_alone_and_of_each_call(
    capsys: Captured,
) -> None:
    answer = solved(capsys, "--seed", "1")
    state = State.deal(seed=1)

    assert answer["black"] == [3]
    assert answer["calls"] == {
        "alone": {"black_points": 16, "score": -12},
        "call:S": {"black_points": 96, "score": 4},
    }
    assert answer["best_announcements"] == ["call:S"]
    state.push("call:S")
    assert (Solver().points(state), Solver().score(state)) == (96, 4)


def test_a_double_holder_who_may_call_later_has_them_too(tmp_path: Path, capsys: Captured) -> None:
    """K11: a call is possible up to the holder's first card, whoever decides now."""
    state = after(1, "pass", "AS")

    answer = solved(capsys, recorded(tmp_path, state), "--after", "1")
    own_turn = solved(capsys, "--seed", "1", "--rules", "announce=own_turn")

    assert answer["announcements"] == own_turn["announcements"] == {}
    for found in (answer, own_turn):
        assert found["calls"]["call:S"] == {"black_points": 96, "score": 4}


def test_a_called_hand(tmp_path: Path, capsys: Captured) -> None:
    state = after(1, "call:S", "pass")

    answer = solved(capsys, recorded(tmp_path, state), "--after", "2")

    expect(answer, state)
    assert answer["black"] == [0, 3]
    assert answer["calls"] == answer["announcements"] == {}
    assert answer["score"] == 4


def test_a_knocked_hand(tmp_path: Path, capsys: Captured) -> None:
    state = after(1, "knock")

    answer = solved(capsys, recorded(tmp_path, state), "--after", "1")

    expect(answer, state)
    assert answer["score"] == -30
    assert answer["calls"] == {}  # K17
    assert len(answer["line"]) == 4  # K28: over with the first trick lost


def test_options_of_the_rules_count(tmp_path: Path, capsys: Captured) -> None:
    path = recorded(tmp_path, after(6, "knock", failed_knock="none"))

    assert solved(capsys, path, "--after", "1")["score"] == 0
    assert solved(capsys, path)["rules"] == {"failed_knock": "none"}
    assert solved(capsys, "--seed", "6", "--rules", "failed_knock=none")["rules"] == {
        "failed_knock": "none"
    }


# --- for people ----------------------------------------------------------------------------------


def test_the_answer_for_people(capsys: Captured) -> None:
    assert run("solve", "--seed", "1") == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]

    assert "Double dummy: everybody sees all cards" in out
    assert "black side  seat 3, alone\n" in out
    assert "16 card points for the black side; 12 for each seat of the red side\n" in out
    assert "all tricks  the red side takes one\n" in out
    assert ["call", "spades", "96", "+4*"] in rows
    assert ["alone", "16", "-12"] in rows
    assert ["A♠", "16*", "-12*"] in rows
    assert ["J♣", "52", "-6"] in rows
    assert sum(line[:1] == ["6"] for line in rows) == 1


def test_the_line_goes_on_from_the_trick_in_play(tmp_path: Path, capsys: Captured) -> None:
    state = after(1, "pass", "AS", "pass", "KS", "pass", "KC", "pass", "TS", "pass", "TH", "JD")
    path = recorded(tmp_path, state)
    assert run("solve", path, "--after", str(len(state.history))) == 0
    line = capsys.readouterr().out.partition("best play\n")[2].splitlines()

    assert [row.split()[0] for row in line] == ["trick", "2", "3", "4", "5", "6"]
    assert line[1].split()[1].startswith("0:10♥")


def test_two_black_seats_and_a_hand_in_which_nobody_scores(
    tmp_path: Path, capsys: Captured
) -> None:
    state = after(6, "knock", failed_knock="none")
    assert run("solve", recorded(tmp_path, state), "--after", "1") == 0
    out = capsys.readouterr().out

    assert "black side  seats 0 and 1\n" in out
    assert "84 card points for the black side; nobody scores\n" in out


def test_help_has_an_example(capsys: Captured) -> None:
    assert run("solve", "--help") == 0
    assert "Example: kloepper solve hands.jsonl --hand 3 --after 16" in capsys.readouterr().out


# --- misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "one of FILE, --seed, --deck or --cards, not from nowhere"),
        ("--seed 1 --cards QC", "not from --seed and --cards"),
        ("{file} --seed 1", "not from FILE and --seed"),
        ("--seed 1 --hand 2", "--hand goes with FILE, not with --seed"),
        ("--seed 1 --after 2", "--after goes with FILE, not with --seed"),
        ("{file} --serial 2", "--serial goes with --seed, not with FILE"),
        ("{file} --dealer 2", "a record has its own --dealer and --rules"),
        ("{file} --rules target=40", "a record has its own --dealer and --rules"),
        ("{file} --hand 3", "hands.jsonl has no hand in line 3"),
        ("{file} --hand 2", "the file ends in the middle of this line"),
        ("{file} --after 99", "after is 99, but must be 0 to "),
        ("{file} --after {actions}", "after {actions} actions the hand is over"),
        ("--seed -1", "seed is -1, but must be a whole number"),
        ("--seed 1 --serial -1", "serial is -1"),
        ("--seed 1 --dealer 4", "dealer is 4, but must be 0 to 3"),
        ("--seed 1 --rules knock=1", "unknown option 'knock'"),
        ("--deck QC", "the deck has 1 cards instead of 24"),
        ("--cards QC/QS", "--cards deals 1 / 1 cards, but must deal 6 to each of 4 seats"),
        ("--cards QX", "'QX' is not a card of this pack"),
    ],
)
def test_misuse_is_one_sentence(
    arguments: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    state = after(2)
    while not state.is_over:
        state.push(state.legal()[0])
    path = recorded(tmp_path, state)
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"v": 1')
    names = {"file": path, "actions": len(state.history)}

    assert run("solve", *arguments.format(**names).split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message.format(**names) in captured.err


def test_a_hand_twice_in_the_pack_is_refused(capsys: Captured) -> None:
    hands = [SIX_TOP_TRUMPS[0], *SIX_TOP_TRUMPS[:3]]
    assert run("solve", "--cards", "/".join(hands)) == 2
    assert "the deck holds JC, JD, JH, JS, QC or QS more than once" in capsys.readouterr().err


def test_a_record_that_does_not_replay_fails(tmp_path: Path, capsys: Captured) -> None:
    record = record_of(after(1)) | {"actions": [[0, "knock"]]}
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(record) + "\n")

    assert run("solve", str(path), "--after", "1") == 1
    assert "it is the turn of seat 3" in capsys.readouterr().err


def test_a_missing_file_fails(tmp_path: Path, capsys: Captured) -> None:
    assert run("solve", str(tmp_path / "nowhere")) == 1
    assert "nowhere: No such file" in capsys.readouterr().err


def test_another_game_is_refused(tmp_path: Path) -> None:
    record = record_of(after(1)) | {"game": "bridge"}
    (tmp_path / "hands.jsonl").write_text(json.dumps(record) + "\n")

    assert run("solve", str(tmp_path / "hands.jsonl")) == 2


def test_short_packs(capsys: Captured) -> None:
    """K32: `--cards` deals as many to each as the pack gives, and only cards of the pack."""
    cards = ("--cards", "QC QS/AC TC/AH TH/JD AD")
    answer = solved(capsys, *cards, "--rules", "pack=8")
    assert (answer["black"], answer["black_points"], answer["score"]) == ([0], 61, 18)
    assert set(answer["calls"]) == {"alone", "call:C", "call:H"}
    assert len(answer["line"]) == 8
    for rules, sentence in (
        (("--rules", "pack=12"), "--cards deals 2 / 2 / 2 / 2 cards, but must deal 3 to each of"),
        ((), "--cards deals 2 / 2 / 2 / 2 cards, but must deal 6 to each of 4 seats"),
        (("--rules", "pack=16"), "option pack is 16, but must be 24, 12 or 8"),
    ):
        assert run("solve", *cards, *rules) == 2
        assert sentence in capsys.readouterr().err
    assert run("solve", "--cards", "QC QS/AC TC/AH TH/JD 9D", "--rules", "pack=8") == 2
    assert "'9D' is not a card of this pack" in capsys.readouterr().err
