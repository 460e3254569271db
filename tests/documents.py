"""The documents people read, and the code and commands that stand in them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
README: Final = ROOT / "README.md"
DOCS: Final = ROOT / "docs"
PAGES: Final = tuple(sorted(DOCS.glob("**/*.md")))
DOCUMENTS: Final = (
    README,
    ROOT / "agents" / "README.md",
    ROOT / "training" / "README.md",
    ROOT / "seeds" / "README.md",
    *PAGES,
)
QUICKSTART: Final = DOCS / "quickstart.md"
FIGURES: Final = DOCS / "figures.md"
"""Where the command behind every figure stands."""

# What a reader waits minutes or hours for, a test does with next to nothing.
SMALL_TRAINING: Final = shlex.split(
    "--set budget.decisions=3000 --set budget.minutes=null --set lanes=16 "
    "--set evaluation.every=2 --set evaluation.deals=10 --set checkpoint_every=2"
)
SMALL: Final = {"--deals": "12", "--hands": "10", "--iterations": "2"}
TYPED: Final = {"play": "quit\n"}
SCRIPTS: Final = Path(sys.executable).parent


def name_of(document: Path) -> str:
    """A document as people name it: `docs/lab.md`."""
    return document.relative_to(ROOT).as_posix()


def blocks(document: Path, language: str) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", document.read_text("utf-8"), re.DOTALL)


def commands(document: Path, program: str = "kloepper") -> list[str]:
    """The command lines of a program, without remarks, in the order in which they stand."""
    lines = "\n".join(blocks(document, "bash")).splitlines()
    typed = (line.partition("  #")[0].strip() for line in lines)
    return [line for line in typed if line.startswith(f"{program} ")]


def arguments(command: str) -> list[str]:
    """What the program is given; where its output goes is the shell's affair."""
    return shlex.split(command.partition(" > ")[0])[1:]


def small(command: str) -> list[str]:
    """The arguments of a command, with a small budget."""
    words = arguments(command)
    if words[0] == "train" and "--resume" not in words:
        words += SMALL_TRAINING
    if words[0] == "exploiter":
        words += ["--set", "budget.decisions=3000", "--set", "lanes=16"]
    for option, value in SMALL.items():
        if option in words:
            words[words.index(option) + 1] = value
    return words


def write_files(document: Path, folder: Path) -> None:
    """Write the blocks that begin with a file's name, `# my_players.py`, to a folder."""
    for code in blocks(document, "python"):
        if named := re.match(r"# (\w+\.py)\n", code):
            (folder / named[1]).write_text(code, "utf-8")


def run(command: str, folder: Path, scripts: Path = SCRIPTS) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, with a small budget, by the script in `scripts`."""
    return subprocess.run(
        [str(scripts / "kloepper"), *small(command)],
        cwd=folder,
        input=TYPED.get(arguments(command)[0], ""),
        capture_output=True,
        text=True,
        check=False,
    )


def run_in_order(lines: list[str], folder: Path) -> None:
    """Run commands in a folder; all must end well."""
    (folder / "docs" / "pictures").mkdir(parents=True)
    for line in lines:
        done = run(line, folder)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
