"""Apply each mutant to a copy of the package and see whether a rule test fails.

    python -m tests.mutation            all mutants; exit status 1 if one survives
    python -m tests.mutation --only 12  number 12 alone, with the output of the tests

The tests run without the compiler, so a mutant costs a few seconds.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.mutation import mutants_environments, mutants_klammern, mutants_kloepper
from tests.mutation.mutant import Mutant

ROOT: Final = Path(__file__).parents[2]
SUITES: Final = (
    *mutants_kloepper.SUITES,
    *mutants_klammern.SUITES,
    *mutants_environments.SUITES,
)
MUTANTS: Final = [(suite, mutant) for suite in SUITES for mutant in suite.mutants]


def mutated(mutant: Mutant) -> str:
    """The text of the mutant's file; ValueError unless the old text stands there once."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    count = text.count(mutant.old)
    if count != 1:
        raise ValueError(f"{mutant.old!r} stands {count} times in {mutant.file} instead of once")
    return text.replace(mutant.old, mutant.new)


def run(tests: tuple[str, ...], mutant: Mutant | None = None) -> tuple[bool, str]:
    """Whether tests pass with a mutant (with none: as things are), and what they print."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        copy = Path(name)
        for folder in ("kloepper_env", "seeds/rules", "tests"):
            shutil.copytree(ROOT / folder, copy / folder)
        shutil.copy(ROOT / "pyproject.toml", copy)
        if mutant is not None:
            (copy / mutant.file).write_text(mutated(mutant), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": name, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1, 2):  # neither passed nor failed, nor broke at the import
        raise RuntimeError(done.stdout + done.stderr)
    return done.returncode == 0, done.stdout


def try_mutant(number: int) -> tuple[bool, str]:
    suite, mutant = MUTANTS[number]
    return run(suite.tests, mutant)


def line(number: int, verdict: str) -> str:
    _, mutant = MUTANTS[number]
    old, new = (repr(text)[1:-1] for text in (mutant.old, mutant.new))
    return f"{number:3} {verdict:10} {mutant.rule:4} {Path(mutant.file).name}: {old} -> {new}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--only", type=int, metavar="N", help="run one mutant, by its number")
    only: int | None = parser.parse_args(arguments).only
    if only is not None and only not in range(len(MUTANTS)):
        parser.error(f"there is no mutant {only}; the numbers go from 0 to {len(MUTANTS) - 1}")
    try:
        for _, mutant in MUTANTS:
            mutated(mutant)
    except ValueError as error:
        parser.error(str(error))
    for suite in SUITES:
        passed, output = run(suite.tests)
        if not passed:
            print(f"{output}\nthese tests fail without any mutant")
            return 1
    numbers = range(len(MUTANTS)) if only is None else [only]
    idle = {number: MUTANTS[number][1].equivalent for number in numbers}
    wanted = [number for number in numbers if not idle[number]]
    survived = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (passed, output) in zip(wanted, pool.map(try_mutant, wanted), strict=True):
            survived += passed
            print(line(number, "SURVIVED" if passed else "killed"), flush=True)
            if only is not None:
                print(output)
    for number in numbers:
        if idle[number]:
            print(line(number, "equivalent"), f"({idle[number]})")
    print(f"{len(wanted) - survived} of {len(wanted)} mutants killed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
