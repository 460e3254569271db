"""`kloepper rules`, `kloepper replay`, and how every command ends."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from kloepper_env.commands import app as cli
from kloepper_env.console import main, progress, read_rules
from kloepper_env.errors import CheckpointError, ConfigError, NotationError
from kloepper_env.records import RecordWriter
from tests.env.hands import finished

Captured = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    """Run the commands of this package as the program would."""
    app = typer.Typer(no_args_is_help=True)
    cli.register(app)
    return main(app, arguments)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        for seed in range(3):
            writer.write(finished(seed))
    return path


def test_hands_of_several_games_replay_from_one_file(
    recorded: Path, tmp_path: Path, capsys: Captured
) -> None:
    other = tmp_path / "klammern.jsonl"
    with RecordWriter(other, "klammern") as writer:
        for seed in range(3):
            writer.write(finished(seed, game="klammern"))
    recorded.write_bytes(recorded.read_bytes() + other.read_bytes())
    assert run("replay", str(recorded)) == 0
    assert capsys.readouterr().out == "6 hands, 0 mismatches\n"
    assert run("replay", str(recorded), "--hand", "5", "--show") == 0
    assert "are trump" in capsys.readouterr().out


def spoil(path: Path) -> None:
    """Change the scores of line 2."""
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = json.dumps(json.loads(lines[1]) | {"scores": [9, 9, 9, 9]}) + "\n"
    path.write_text("".join(lines))


# --- rules ---------------------------------------------------------------------------------------


def test_rules_prints_those_asked_for(capsys: Captured) -> None:
    assert run("rules", "K12", "kx7") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == ["K12", "KX7"]
    assert max(map(len, lines)) <= 100


def test_rules_as_json(capsys: Captured) -> None:
    assert run("rules", "K16", "--json") == 0
    (rule,) = json.loads(capsys.readouterr().out)
    assert rule["id"] == "K16"
    assert rule["source"] == "convention"


def test_rules_of_another_game(capsys: Captured) -> None:
    assert run("rules", "--game", "klammern", "M1") == 0
    assert capsys.readouterr().out.startswith("M1  ")


def test_rules_of_klammern_by_range(capsys: Captured) -> None:
    assert run("rules", "--game", "klammern", "--json") == 0
    ids = [rule["id"] for rule in json.loads(capsys.readouterr().out)]
    assert {f"M{n}" for n in range(1, 37)} | {"M28a", "MX25", "MX41"} <= set(ids)


def test_an_unknown_rule_is_misuse(capsys: Captured) -> None:
    assert run("rules", "K99") == 2
    assert capsys.readouterr().err == (
        "kloepper: kloepper has no rule 'K99'; the ids are K1 to K32 or KX1 to KX23\n"
    )


# --- replay --------------------------------------------------------------------------------------


def test_replay_counts_hands(recorded: Path, capsys: Captured) -> None:
    assert run("replay", str(recorded)) == 0
    assert capsys.readouterr().out == "3 hands, 0 mismatches\n"


def test_a_mismatch_is_reported_with_its_line(recorded: Path, capsys: Captured) -> None:
    spoil(recorded)
    assert run("replay", str(recorded)) == 1
    captured = capsys.readouterr()
    assert captured.out == "3 hands, 1 mismatches\n"
    assert captured.err.startswith("line 2: scores is [9, 9, 9, 9], but the hand gives [")


def test_a_truncated_file_fails_but_its_other_lines_are_checked(
    recorded: Path, capsys: Captured
) -> None:
    recorded.write_bytes(recorded.read_bytes()[:-20])
    assert run("replay", str(recorded)) == 1
    captured = capsys.readouterr()
    assert captured.out == "2 hands, 0 mismatches\n"
    assert captured.err == "line 3: the file ends in the middle of this line\n"


def test_replay_as_json(recorded: Path, capsys: Captured) -> None:
    spoil(recorded)
    assert run("replay", str(recorded), "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["hands"], report["mismatches"]) == (3, 1)
    assert report["problems"][0]["line"] == 2
    assert report["problems"][0]["unreadable"] is False


def test_one_hand_is_shown_trick_by_trick(recorded: Path, capsys: Captured) -> None:
    assert run("replay", str(recorded), "--hand", "2", "--show") == 0
    out = capsys.readouterr().out
    assert out.startswith("hand 2\nKloepper: seat ")
    assert "taken by" in out
    assert out.endswith("1 hands, 0 mismatches\n")


def test_a_hand_that_does_not_replay_is_not_shown(recorded: Path, capsys: Captured) -> None:
    data = json.loads(recorded.read_text().splitlines()[0])
    data["actions"][0] = [data["actions"][0][0], "knock_off"]
    recorded.write_text(json.dumps(data) + "\n")
    assert run("replay", str(recorded), "--show") == 1
    captured = capsys.readouterr()
    assert "cannot be shown" in captured.out
    assert captured.err.startswith("line 1: action 1: knock_off is not legal")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["replay", "{folder}/nowhere"], 1, "cannot read {folder}/nowhere: No such file"),
        (["replay", "{folder}"], 1, "cannot read {folder}: Is a directory"),
        (["replay", "{file}", "--hand", "4"], 2, "hands.jsonl has no hand in line 4"),
        (["replay", "{file}", "--hand", "0"], 2, "--hand"),
        (["replay", "{file}", "--hand", "1", "--show", "--json"], 2, "take one of them"),
        (["replay"], 2, "(see `"),
        (["replay", "{file}", "--nonsense"], 2, "--nonsense"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_misuse_is_one_sentence(
    arguments: list[str], status: int, message: str, recorded: Path, capsys: Captured
) -> None:
    names = {"folder": recorded.parent, "file": recorded}
    assert run(*(argument.format(**names) for argument in arguments)) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("kloepper: ")
    assert message.format(**names) in captured.err


@pytest.mark.parametrize("command", ["rules", "replay"])
def test_help_has_an_example(command: str, capsys: Captured) -> None:
    assert run(command, "--help") == 0
    assert f"Example: kloepper {command}" in capsys.readouterr().out


def test_the_program_without_a_command_prints_its_help(capsys: Captured) -> None:
    run()
    captured = capsys.readouterr()
    assert "replay" in captured.out + captured.err


# --- how commands end ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ConfigError("no such thing"), 2, "no such thing"),
        (NotationError("no card"), 2, "no card"),
        (CheckpointError("damaged"), 1, "damaged"),
        (FileNotFoundError(2, "No such file", "x.yaml"), 1, "x.yaml: No such file"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_errors_become_a_sentence_and_a_status(
    error: BaseException, status: int, words: str, capsys: Captured
) -> None:
    app = typer.Typer()

    @app.command()
    def fail() -> None:
        raise error

    assert main(app, []) == status
    assert capsys.readouterr().err.strip() == f"kloepper: {words}"


def test_a_mistake_of_the_program_is_not_hidden() -> None:
    app = typer.Typer()

    @app.command()
    def fail() -> None:
        raise AssertionError("a bug")

    with pytest.raises(AssertionError):
        main(app, [])


def test_an_end_of_file_that_nobody_typed_is_no_interruption() -> None:
    app = typer.Typer()

    @app.command()
    def fail() -> None:
        raise EOFError("a damaged file")

    with pytest.raises(EOFError, match="a damaged file"):
        main(app, [])


def test_an_option_given_twice_is_refused() -> None:
    assert read_rules(["target=5", "announce=own_turn"]) == {"target": 5, "announce": "own_turn"}
    with pytest.raises(ConfigError, match="option 'target' is given twice"):
        read_rules(["target=5", "announce=own_turn", "target=6"])
    text = '{"takers": 1, "takers": 2}'  # an object that names a thing twice is none
    assert read_rules([f"outcome_table={text}"]) == {"outcome_table": text}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_suits_are_letters_on_a_terminal_without_symbols(recorded: Path, encoding: str) -> None:
    result = _python(["replay", str(recorded), "--show"], PYTHONIOENCODING=encoding)
    assert result.returncode == 0
    played = re.findall(rb"[0-3]:(?:10|[9AKQJ])([CSHD])\b", result.stdout)
    assert set(played) == {b"C", b"S", b"H", b"D"}


def _python(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[bytes]:
    code = "import sys; from tests.cli.test_env_cli import run; sys.exit(run(*sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env=os.environ | environment,
    )


def test_ctrl_c_leaves_whole_lines_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    code = f"""
import signal, sys, typer
from kloepper_env.console import main, read_rules
from kloepper_env.records import RecordWriter
from tests.env.hands import finished
# A shell that runs the tests in the background lets its children ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
app = typer.Typer()
@app.command()
def record():
    with RecordWriter({str(path)!r}) as writer:
        while True:
            writer.write(finished(1))
            print("written", flush=True)
sys.exit(main(app, []))
"""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors == b"kloepper: interrupted\n"
    assert run("replay", str(path)) == 0


# --- helpers -------------------------------------------------------------------------------------


def test_options_are_read_as_json_where_they_are_json() -> None:
    settings = ["failed_knock=normal", "prompt_all=true", "target=50", "name=a=b", "empty="]
    assert read_rules(settings) == {
        "failed_knock": "normal",
        "prompt_all": True,
        "target": 50,
        "name": "a=b",
        "empty": "",
    }


@pytest.mark.parametrize("setting", ["target", "=3"])
def test_an_option_without_a_name_or_a_value_is_refused(setting: str) -> None:
    with pytest.raises(ConfigError, match=f"'{setting}' is not NAME=VALUE"):
        read_rules([setting])


def test_progress_is_silent_without_a_terminal(capsys: Captured) -> None:
    with progress("hands", 3) as advance:
        advance(3)
    assert capsys.readouterr() == ("", "")


def test_progress_appears_on_a_terminal_after_two_seconds(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress("hands", 3) as advance:
        advance(1)
        assert capsys.readouterr() == ("", "")
        monkeypatch.setattr(time, "monotonic", lambda: now + 60)
        advance(1)
    captured = capsys.readouterr()
    assert "hands" in captured.err
    assert captured.out == ""


def test_replay_draws_a_hand_at_any_point(recorded: Path, tmp_path: Path) -> None:
    whole, early = tmp_path / "whole.svg", tmp_path / "early.svg"

    assert run("replay", str(recorded), "--hand", "2", "--svg", str(whole)) == 0
    assert run("replay", str(recorded), "--hand", "2", "--svg", str(early), "--after", "6") == 0

    assert whole.read_text("utf-8").startswith("<svg")
    assert whole.read_text("utf-8") != early.read_text("utf-8")


def test_replay_draws_with_other_faces(recorded: Path, tmp_path: Path, capsys: Captured) -> None:
    pictures = []
    for faces in ("french", "german"):
        picture = tmp_path / f"{faces}.svg"
        command = ["replay", str(recorded), "--hand", "2", "--svg", str(picture)]
        assert run(*command, "--faces", faces) == 0
        pictures.append(picture.read_text("utf-8"))
    assert "#french-H" in pictures[0]
    assert "#german-H" in pictures[1]
    capsys.readouterr()
    assert run(*command, "--faces", "swiss") == 2
    assert capsys.readouterr().err == (
        "kloepper: faces is 'swiss', but must be 'french' or 'german'\n"
    )
    assert picture.read_text("utf-8") == pictures[1]


@pytest.mark.parametrize(
    "options",
    [
        ["--svg", "a.svg"],
        ["--hand", "1", "--after", "3"],
        ["--hand", "1", "--faces", "german"],
    ],
)
def test_a_picture_takes_a_hand_and_a_file(
    recorded: Path, options: list[str], capsys: Captured
) -> None:
    assert run("replay", str(recorded), *options) == 2
    assert "a picture takes both --hand K and --svg FILE" in capsys.readouterr().err


@pytest.mark.parametrize("picture", ["", "/", "hand.png"])
def test_a_picture_needs_a_file(recorded: Path, picture: str, capsys: Captured) -> None:
    assert run("replay", str(recorded), "--hand", "1", "--svg", picture) == 2
    complaint = capsys.readouterr().err
    assert "is no file to write a picture to" in complaint or "must end in .svg" in complaint


def test_a_picture_of_what_was_not_played_is_refused(
    recorded: Path, tmp_path: Path, capsys: Captured
) -> None:
    picture = tmp_path / "late.svg"
    assert run("replay", str(recorded), "--hand", "1", "--svg", str(picture), "--after", "99") == 2
    assert "after is 99, but must be 0 to " in capsys.readouterr().err
    assert not picture.exists()


def test_deep_json_is_text() -> None:
    deep = "[" * 100_000
    assert read_rules([f"target={deep}"]) == {"target": deep}


def test_a_missing_extra_is_named(capsys: Captured) -> None:
    app = typer.Typer()

    @app.command()
    def needs() -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    assert main(app, []) == 1
    assert 'pip install "kloepper[train]"' in capsys.readouterr().err


def test_closed_stderr_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress("nothing", 1) as advance:
        advance(1)
