"""`kloepper play`, driven by piped input."""

import io
import re
from collections.abc import Callable
from typing import TextIO

import pytest
import typer

from kloepper_agents import kinds
from kloepper_agents.base import Agent
from kloepper_agents.commands import play as cli_play
from kloepper_agents.commands.speech import coloured, score_table
from kloepper_env.console import main
from kloepper_env.render import render_text
from kloepper_env.state import State
from kloepper_env.view import View

Play = Callable[..., tuple[int, str, str]]
base_make_agent = kinds.make_agent


class Lowest(Agent):
    """The legal action with the smallest number: never announces anything."""

    name = "lowest"

    def act(self, view: View, random: int) -> int:
        return int(view.action_mask.argmax())


class Highest(Agent):
    """The legal action with the largest number: announces whatever it can."""

    name = "highest"

    def act(self, view: View, random: int) -> int:
        return int(view.action_mask.nonzero()[0][-1])


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Runs `kloepper play` with some input; returns status, output and errors."""
    agents = {"rules": Lowest(), "bold": Highest(), "random": Highest()}
    agents["level:5"] = kinds.make_agent("pimc:worlds=9")
    monkeypatch.setattr(kinds, "make_agent", lambda name, game: agents[name])
    app = typer.Typer()
    cli_play.register(app)

    def run(lines: list[str] | TextIO, *arguments: str) -> tuple[int, str, str]:
        typed = io.StringIO("\n".join([*lines, ""])) if isinstance(lines, list) else lines
        monkeypatch.setattr("sys.stdin", typed)
        status = main(app, list(arguments))
        return status, *capsys.readouterr()

    return run


def deal(seed: int, wanted: Callable[[State], bool]) -> int:
    """A seed from `seed` on whose first hand is as wanted."""
    return next(s for s in range(seed, seed + 500) if wanted(State.deal(seed=s)))


FIRST_TO_PLAY = deal(0, lambda s: s.dealer == 3 and not s.hand.queens & 1)
FIRST_TO_ANNOUNCE = deal(0, lambda s: s.turn == 0 and s.legal()[1:] == ["knock"])
DOUBLE_HOLDER = deal(0, lambda s: s.turn == 0 and "call:H" in s.legal())


def test_a_hand_by_numbers_ends_with_its_summary(play: Play) -> None:
    status, out, err = play(["1"] * 40, "--seed", str(FIRST_TO_PLAY))
    assert (status, err) == (0, "")
    assert 1 <= out.count("seat 0> ") <= 6
    state = State.deal(seed=FIRST_TO_PLAY)
    while not state.is_over:
        state.push(state.legal()[0])
    assert render_text(state).splitlines()[-1] in out
    assert "stopped" not in out


@pytest.mark.parametrize("spelling", ["{0}", "{1}{2}", "{3}"])
def test_cards_are_accepted_in_any_spelling(play: Play, spelling: str) -> None:
    card = State.deal(seed=FIRST_TO_PLAY).cards(0)[2]
    rank = card[0].replace("T", "10")
    pretty = rank + {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}[card[1]]
    typed = spelling.format(card, rank, card[1].lower(), pretty)
    _, out, _ = play([typed], "--seed", str(FIRST_TO_PLAY))
    assert f"  seat 0  {pretty}\n" in out


@pytest.mark.parametrize("typed", ["call h", "call:H", "Call hearts", "CALL H", "2"])
def test_announcements_are_accepted_in_any_spelling(play: Play, typed: str) -> None:
    state = State.deal(seed=DOUBLE_HOLDER)
    typed = str(state.legal().index("call:H") + 1) if typed == "2" else typed
    _, out, _ = play([typed], "--seed", str(DOUBLE_HOLDER))
    assert "  seat 0  call hearts\n" in out
    assert "called A♥" in out


def test_the_choices_are_numbered(play: Play) -> None:
    _, out, _ = play([], "--seed", str(FIRST_TO_ANNOUNCE))
    assert "announce    [1] pass  [2] knock" in out
    _, out, _ = play([], "--seed", str(FIRST_TO_PLAY))
    assert re.search(r"play        \[1\] \S+  \[2\] \S+ .*\[6\]", out)


def test_a_card_that_may_not_be_played_carries_no_number(play: Play) -> None:
    _, out, _ = play(["1"] * 40, "--seed", str(FIRST_TO_PLAY))
    rows = re.findall(r"^play        (.*)$", out, re.MULTILINE)
    assert any(len(row.split("  ")) > row.count("[") > 0 for row in rows)


def test_a_refused_input_is_explained(play: Play) -> None:
    state = State.deal(seed=FIRST_TO_PLAY)
    unheld = next(card for card in state.game.codes if card not in state.cards(0))
    lines = [unheld, "nonsense", "99", "0", "knock"]
    status, out, _ = play(lines, "--seed", str(FIRST_TO_PLAY))
    assert status == 0
    assert "is not legal: you do not hold that card; you may choose" in out
    assert "'nonsense' is no action" in out
    assert "there is no choice 99: they go to 6" in out
    assert "there is no choice 0" in out
    assert "knock is not legal: you are to play a card" in out
    assert out.count("seat 0> ") == len(lines) + 1


def test_not_following_suit_names_the_rule(play: Play) -> None:
    for seed in range(100):
        state = State.deal(seed=seed)
        while not state.is_over and not (
            state.turn == 0 and "pass" not in state.legal() and len(state.legal()) < 6
        ):
            state.push(state.legal()[0] if "pass" not in state.legal() else "pass")
        if state.turn == 0 and int(state.hand.plies) < 4:
            break
    wrong = next(card for card in state.cards(0) if card not in state.legal())
    passes = sum(1 for seat, _ in state.history if seat == 0)
    _, out, _ = play(["pass"] * passes + [wrong], "--seed", str(seed))
    assert "must follow suit (K8)" in out


def test_help_rules_and_hint(play: Play) -> None:
    lines = ["?", "? k15", "?K99", "hint", "", "quit"]
    status, out, _ = play(lines, "--seed", str(FIRST_TO_PLAY))
    assert status == 0
    assert "stop playing" in out
    assert "K15  Knock." in out
    assert "the ids are K1 to K32" in out
    assert "rules would choose " in out
    assert out.count("Kloepper: seat") == 2  # an empty line shows the table again
    assert out.endswith("stopped\n")


def test_why_gives_reasons_for_every_choice(play: Play) -> None:
    _, out, _ = play(["why", "quit"], "--seed", str(FIRST_TO_PLAY))
    assert re.search(r"(10|[2-9AJQK])[♣♠♥♦] [+-]\d\.\d( ± \d\.\d)?; .* possible deals;", out)
    assert "on my side: " in out


def test_the_end_of_input_stops_cleanly(play: Play) -> None:
    status, out, err = play([], "--seed", str(FIRST_TO_PLAY))
    assert (status, err) == (0, "")
    assert out.endswith("stopped\n")


def test_passes_of_others_are_not_shown(play: Play) -> None:
    seed = deal(0, lambda s: s.turn != 0 and "pass" in s.legal() and not s.hand.queens & 1)
    _, out, _ = play(["1"] * 40, "--seed", str(seed))
    assert not re.search(r"seat \d  pass", out)
    _, out, _ = play(["1"] * 60, "--seed", str(seed), "--rules", "prompt_all=true")
    assert re.search(r"seat \d  pass", out)


def test_announcements_of_others_are_told(play: Play) -> None:
    seed = deal(0, lambda s: s.turn != 0 and "knock" in s.legal())
    _, out, _ = play(["1"] * 40, "--seats", "you,bold,bold,bold", "--seed", str(seed))
    assert re.search(r"seat [123]  (knock|call)", out)


def test_several_people_may_play(play: Play) -> None:
    _, out, _ = play(["1"] * 60, "--seats", "you,rules,you,rules", "--seed", "5")
    assert "seat 0> " in out
    assert "seat 2> " in out


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_a_byte_that_cannot_be_read_is_no_action(
    play: Play, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b"\xff\x9d\x00\xe9\nhint\nquit\n"), encoding)
    _, out, err = play(typed, "--seed", str(FIRST_TO_PLAY))
    assert "is no action" in out
    assert "rules would choose" in out
    assert out.endswith("stopped\n")
    assert err == ""


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_stops_cleanly(
    play: Play, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    app = typer.Typer()
    cli_play.register(app)
    with monkeypatch.context() as patched:
        patched.setattr(f"sys.{closed}", None)
        assert main(app, ["--seed", str(FIRST_TO_PLAY)]) == 0


def test_who_sees_all_cards_is_refused_before_the_deal(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "make_agent", base_make_agent)
    status, out, err = play([], "--seats", "you,rules,oracle,rules")
    assert (status, out) == (2, "")
    assert err == "kloepper: oracle sees all cards, so it plays in the arena only\n"


def test_nobody_need_play(play: Play) -> None:
    status, out, _ = play([], "--seats", "rules,rules,bold,bold", "--seed", "5")
    assert status == 0
    assert "taken by" in out
    assert ">" not in out


def test_a_game_goes_on_until_somebody_has_won(play: Play) -> None:
    arguments = ["--episode", "game", "--seats", "rules,rules,rules,bold", "--seed", "2"]
    status, out, _ = play([], *arguments)
    assert status == 0
    totals = [int(n) for n in re.findall(r"\d+", out[out.rindex("total") :])[:4]]
    assert max(totals) >= 30
    assert re.search(r"seats? [\d, and]+ (wins|share the win)\n$", out)
    dealers = [int(d) for d in re.findall(r"Kloepper: seat (\d) dealt, the hand is over", out)]
    assert dealers == [(1 + n) % 4 for n in range(len(dealers))]  # K6
    assert play([], *arguments)[1] == out


def test_the_seed_is_told(play: Play) -> None:
    assert re.match(r"seed \d+; seat 0: you, seat 1: rules", play([])[1])


def test_random_sits_where_a_game_has_no_rules(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "plays", lambda kind, game: kind == "random")
    assert "seat 0: you, seat 1: random" in play([])[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seats", "you,rules"], "seats names 2 players (you, rules), but kloepper has 4 seats"),
        (["--game", "whist"], "unknown game 'whist'"),
        (["--rules", "knock=1"], "unknown option 'knock'"),
        (["--rules", "knock"], "'knock' is not NAME=VALUE"),
        (["--episode", "day"], "--episode"),
        (["--seed", "-1"], "--seed"),
    ],
)
def test_misuse_is_one_sentence(play: Play, arguments: list[str], message: str) -> None:
    status, out, err = play([], *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("kloepper: ")
    assert err.count("\n") == 1
    assert message in err


def test_help_has_an_example(play: Play) -> None:
    assert "Example: kloepper play" in play([], "--help")[1]


def test_suits_are_coloured() -> None:
    text = coloured("[1] 10♥  K♠")
    assert text.plain == "[1] 10♥  K♠"
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert styles == {"10♥": "bold red", "K♠": "bold", "[1]": "bold yellow"}
    letters = coloured("10H  KS")
    assert [span.style for span in letters.spans] == ["bold red", "bold"]


def test_scores_hand_by_hand() -> None:
    assert score_table([[2, 0, 2, 0], [0, 12, 0, 12]], [2, 12, 2, 12]).splitlines() == [
        "  hand  seat 0  seat 1  seat 2  seat 3",
        "     1       2       0       2       0",
        "     2       0      12       0      12",
        " total       2      12       2      12",
    ]
