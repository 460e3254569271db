"""What a terminal is shown: tables of any width, names that are no orders, letters for symbols."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from kloepper_agents.arena.report import Grid
from kloepper_agents.commands.output import show
from kloepper_env import kloepper_v0
from kloepper_env.columns import COMFORT, fold
from kloepper_env.console import USAGE_ERROR, main
from kloepper_env.terminal import folded, say, visible
from kloepper_training.cli import app

PATH = "net:/runs/of/last/year/and/of/the/year/before/policy.safetensors"
NAMES = ["level:1", "level:2", "ismcts:iterations=1000", "greedy", PATH]


class Terminal(io.TextIOWrapper):
    """A stdout that is a terminal and keeps what is printed."""

    def __init__(self, encoding: str, *, is_terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding, write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def text(self) -> str:
        self.seek(0)
        return self.read()


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Puts a terminal, or with `width` None a file, in the place of stdout."""

    def opened(width: int | None, encoding: str = "utf-8") -> Terminal:
        stream = Terminal(encoding, is_terminal=width is not None)
        monkeypatch.setenv("COLUMNS", str(width or 20))
        monkeypatch.setenv("TERM", "dumb")  # no colours
        monkeypatch.setattr("sys.stdout", stream)
        return stream

    return opened


def grid() -> Grid:
    """A table of five players against each other, every figure another."""
    figures = [[f"{row:+}{column}.25±1.{row}{column}" for column in range(6)] for row in range(5)]
    rows = [[f"{i} {name}", *figures[i]] for i, name in enumerate(NAMES)]
    return Grid("Points a hand [red]not red[/red]", ["agent", "rating", *"12345"], rows)


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 60, 80, 120, None])
def test_a_table_of_any_width_holds_all_names_and_figures(
    terminal: Open, width: int | None
) -> None:
    stdout, asked = terminal(width), grid()
    show([asked], [])
    lines = stdout.text().splitlines()
    words = " ".join(lines).split()
    for row in asked.rows:
        for figure in row[1:]:
            assert words.count(figure) == 1
    for name in NAMES[:-1]:
        assert set(words) >= {name}  # in one piece
    assert PATH in re.sub(r"[+-]\d+\.\d+±\d+\.\d+|\s", "", " ".join(lines))
    assert max(map(len, lines)) <= (width or 1000)
    if width is None:
        assert all(any(name in line for line in lines) for name in NAMES)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "words",
    [
        ["agents"],
        ["arena", "random", "greedy", "random", "greedy", "random", "--deals", "5"],
        ["solve", "--seed", "3", "--serial", "2"],
    ],
    ids=["agents", "arena", "solve"],
)
def test_commands_print_the_same_words_into_a_file_and_on_a_terminal(
    terminal: Open, width: int, words: list[str]
) -> None:
    printed = []
    for one in (None, width):
        stdout = terminal(one)
        assert main(app, words) == 0
        lines = stdout.text().splitlines()
        printed.append({word for line in lines for word in line.split() if not _is_measured(word)})
    assert max(map(len, lines)) <= width
    lost = {word for word in printed[0] - printed[1] if not word.startswith("──")}
    assert lost == set()


def _is_measured(word: str) -> bool:
    """Whether a word may be a time, which no two runs share."""
    return re.fullmatch(r"\d+\.\d", word) is not None


def test_headings_and_texts_are_folded_between_words(terminal: Open) -> None:
    stdout = terminal(40)
    rows = [["done, against staying silent", "1.00"], ["let go", "2.00"]]
    show([Grid("", ["", "payoff over the mean of its aces"], rows)], [])
    assert stdout.text().splitlines() == [
        "                             payoff over",
        "                             the mean of",
        "                                its aces",
        "────────────────────────────────────────",
        "done, against staying               1.00",
        "silent",
        "let go                              2.00",
        "",
    ]


def test_a_word_longer_than_its_line_is_broken_behind_a_slash() -> None:
    assert fold("5 net:runs/last_year/policy", 20) == ["5 net:runs/", "last_year/policy"]
    assert fold("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert fold("one two", COMFORT) == ["one two"]


def test_lines_keep_the_column_behind_their_label() -> None:
    assert folded("announce    [1] pass  [2] knock  [3] call hearts", 30).splitlines() == [
        "announce    [1] pass  [2]",
        "            knock  [3] call",
        "            hearts",
    ]
    assert folded("x" * 50, 30) == "x" * 50
    assert folded("one two three", None) == "one two three"


# --- names are no orders -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["[red]", "r[/x]y", ":smile:", "[link=file:///etc]a[/link]", "\\["]
)
def test_names_are_no_markup(terminal: Open, name: str) -> None:
    stdout = terminal(80)
    show([Grid(name, [name, "1"], [[name, "2"]])], [name])
    assert stdout.text().count(name) == 4


@pytest.mark.parametrize(
    "order", ["\x1b[31m", "\r", "\n", "\u202e", "\x07", "\u2028", "\udcff", "\x9b"]
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(terminal: Open, order: str) -> None:
    name = f"net:a{order}b"
    stdout = terminal(80)
    show([Grid(name, [name, "1"], [[name, "2"]])], [name])
    printed = stdout.text()
    assert printed.count("net:a\\") == 4
    assert all(character == "\n" or character.isprintable() for character in printed)
    assert visible("net:ré 王") == "net:ré 王"


def test_a_complaint_holds_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(app, ["arena", "net:\x1b[31m\u202ered", "rules"]) != 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.strip().isprintable()


def test_a_complaint_keeps_names_that_a_terminal_has_no_letters_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr = Terminal("ascii")
    with monkeypatch.context() as patched:
        patched.setattr("sys.stderr", stderr)
        assert main(app, ["arena", "café:王", "rules"]) == USAGE_ERROR
    assert "unknown agent 'caf\\xe9:\\u738b'" in stderr.text()


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(app, ["lab", "study"]) == USAGE_ERROR
    err = capsys.readouterr().err
    assert "Choose from: knock, knock-off, call, alone" in err
    assert err.count("\n") == 1


def test_help_holds_every_word_of_its_texts(capsys: pytest.CaptureFixture[str]) -> None:
    import typer  # noqa: PLC0415

    def check(command: Any, words: list[str]) -> None:
        assert main(app, [*words, "--help"]) == 0
        printed = re.sub(r"\s", "", capsys.readouterr().out)
        texts = [parameter.help for parameter in command.params if getattr(parameter, "help", None)]
        for text in [*texts, command.help or "", command.epilog or ""]:
            assert re.sub(r"\s", "", text) in printed
        for name, one in getattr(command, "commands", {}).items():
            check(one, [*words, name])

    check(typer.main.get_command(app), [])


# --- characters that a terminal does not have ----------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp949", "utf-8", "utf-16"])
def test_symbols_are_letters_where_a_terminal_has_none(terminal: Open, encoding: str) -> None:
    stdout = terminal(80, encoding)
    say("10♥ J♣ 9♠ A♦ – ± µ é")
    show([Grid("", ["µs", "1"], [["a – b", "+1.00±0.25"]])], [])
    printed = stdout.text()
    has_suits = encoding.startswith("utf")
    assert ("10♥ J♣ 9♠ A♦" if has_suits else "10H JC 9S AD") in printed
    assert ("+1.00±0.25" in printed) != (encoding == "ascii")
    assert ("+1.00+-0.25" in printed) == (encoding == "ascii")
    assert "?" not in printed
    assert len({len(line) for line in printed.splitlines()[2:4]}) == 1  # columns still line up


class Write:
    """A stdout of some other program, which can do no more than write."""

    encoding: str | None = None

    def write(self, text: str) -> None:
        self.text = text

    def flush(self) -> None: ...


def _closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


def _unknown() -> Write:
    stream = Write()
    stream.encoding = "no-such-encoding"
    return stream


@pytest.mark.parametrize(
    "stdout",
    [
        None,
        _closed(),
        Write(),
        _unknown(),
        Terminal("ascii"),
        Terminal("cp1252", is_terminal=False),
    ],
    ids=["none", "closed", "writes", "unknown", "ascii", "cp1252"],
)
def test_drawing_never_raises(monkeypatch: pytest.MonkeyPatch, stdout: object) -> None:
    env = kloepper_v0.env(render_mode="human")
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdout", stdout)
        env.reset(seed=1)
    if isinstance(stdout, Terminal):
        assert "JC JH QD" in stdout.text()
