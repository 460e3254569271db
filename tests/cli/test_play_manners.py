"""`kloepper play` treats people well: reasons, taking back, names, lessons, few questions."""

import io
import re
from collections.abc import Callable

import pytest
import typer

from kloepper_agents import kinds
from kloepper_agents.base import Agent
from kloepper_agents.commands import play as cli_play
from kloepper_env.console import main
from kloepper_env.state import State
from kloepper_env.view import View

Play = Callable[..., tuple[int, str, str]]


class Lowest(Agent):
    """The legal action with the smallest number: never announces anything."""

    name = "lowest"

    def act(self, view: View, random: int) -> int:
        return int(view.action_mask.argmax())


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Runs `kloepper play` with some input; returns status, output and errors."""
    monkeypatch.setattr(kinds, "make_agent", lambda name, game: Lowest())
    app = typer.Typer()
    cli_play.register(app)

    def run(lines: list[str], *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, ""])))
        status = main(app, list(arguments))
        return status, *capsys.readouterr()

    return run


def seed_where(wanted: Callable[[State], bool], game: str = "kloepper") -> str:
    return str(next(s for s in range(500) if wanted(State.deal(game, seed=s))))


PLAIN = seed_where(lambda s: s.dealer == 3 and not s.hand.queens & 1)
MAY_KNOCK = seed_where(lambda s: s.turn == 0 and s.legal()[1:] == ["knock"])
WHOLE = ["1"] * 12


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_a_hand_ends_with_what_its_score_is_made_of(play: Play, game: str) -> None:
    seed = seed_where(lambda s: s.dealer == 3, game)
    status, out, err = play(["take:C", "2", "take:D", *["1"] * 20], "--game", game, "--seed", seed)
    assert (status, err) == (0, "")
    end = out[out.index("the hand is over") :]
    assert re.search(r"^   0  you  ", end, re.MULTILINE)
    assert "eat 0 (you)" in end
    assert re.search(r"\((K27|M26|M8)\)", end)


def test_rules_can_be_asked_for_after_the_hand(play: Play) -> None:
    _, out, _ = play([*WHOLE, "? K26", "? terms", "? K99", ""], "--seed", PLAIN)
    end = out[out.index("the hand is over") :]
    assert "K26  Knock, alone." in end
    assert "double holder" in end
    assert "no rule 'K99'" in end
    assert "stopped" not in out


def test_a_single_legal_card_is_played_without_a_question(play: Play) -> None:
    _, out, _ = play(WHOLE, "--seed", PLAIN)
    _, asked, _ = play(WHOLE, "--seed", PLAIN, "--ask-forced")
    forced = out.count("(your only choice)")
    assert forced >= 1
    assert "only choice" not in asked
    assert asked.count("seat 0> ") == out.count("seat 0> ") + forced == 6


def test_nothing_this_trick_is_an_answer(play: Play) -> None:
    _, each, _ = play(["pass"] * 9, "--seed", MAY_KNOCK)
    _, once, _ = play(["nothing", *["1"] * 9], "--seed", MAY_KNOCK)
    asked = [out.split("trick 1 goes")[0].count("announce  ") for out in (each, once)]
    assert asked[0] >= 2
    assert asked[1] == 1
    assert "announce  " in once.split("trick 1 goes")[1]  # before trick 2 it may still knock (K15)
    assert "or nothing: pass until" in each
    _, out, _ = play(["nothing"], "--seed", PLAIN)
    assert "there is nothing to pass on" in out


def test_a_decision_is_taken_back(play: Play) -> None:
    _, plain, _ = play(["1", "1"], "--seed", PLAIN)
    _, undone, _ = play(["2", "undo", "1", "1"], "--seed", PLAIN)
    assert undone.endswith(plain.split("seat 0> ", 2)[2])
    assert "nothing can be undone" in play(["undo"], "--seed", PLAIN)[1]


def test_a_hand_is_played_again(play: Play) -> None:
    _, out, _ = play(["1", "again", *WHOLE], "--seed", PLAIN)
    assert out.count("Kloepper: seat 3 dealt, trick 1\n") == 2
    n_asked = play(WHOLE, "--seed", PLAIN)[1].count("seat 0> ")
    _, out, _ = play(
        [*["1"] * n_asked, "again", *["1"] * n_asked, "undo", "1", ""], "--seed", PLAIN
    )
    ends = re.findall(r"the hand is over\n.*?others 0 \(K27\)", out, re.DOTALL)
    assert len(ends) == 3
    assert len(set(ends)) == 1


def test_names_stand_in_place_of_numbers(play: Play) -> None:
    _, out, _ = play(WHOLE, "--seed", PLAIN, "--names", "Ann,Ben,Cid,Dee")
    assert "Ann> " in out
    assert re.search(r"^  Ben  (10|[2-9AJQK])[♣♠♥♦]", out, re.MULTILINE)
    assert re.search(r"Ann:\S+ Ben:\S+ Cid:\S+ Dee:", out)
    assert not re.search(r"seat \d", out)


@pytest.mark.parametrize(
    "names",
    ["Ann", "Ann,Ben,Cid,", "Ann,ann,Cid,Dee", "Ann,B\x1b,Cid,Dee", "Ann,B:,Cid,Dee", "A" * 99],
)
def test_names_that_are_none_are_refused(play: Play, names: str) -> None:
    status, out, err = play([], "--names", names)
    assert (status, out) == (2, "")
    assert err.startswith("kloepper: names has ")
    assert len(err) < 250


def test_teaching_tells_the_rule_of_each_choice(play: Play) -> None:
    _, out, _ = play(WHOLE, "--seed", PLAIN, "--teach")
    questions = out.count("seat 0> ")
    assert questions == len(re.findall(r"^rule  .*\(K", out, re.MULTILINE)) >= 1
    assert questions == out.count("advice      rules would choose ")
    assert re.search(r"your only choice\. .*\(K", out)
    assert "rule  " not in play(WHOLE, "--seed", PLAIN)[1]


def test_klammern_shows_the_partner_from_the_start(play: Play) -> None:
    _, out, _ = play([], "--game", "klammern", "--seed", "1")
    assert re.search(r"^   2  partner ", out, re.MULTILINE)
    assert "partner" not in play([], "--seed", "1")[1]
