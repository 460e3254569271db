"""A mutant: one small mistake in the code, and the rule it breaks."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """`old` must stand exactly once in its file.

    `rule` is an id of the rules of a game; for the environments, a thread of tests/reliability.md.
    A mutant that changes nothing anybody could see says in `equivalent` why, and is not run.
    """

    file: str
    old: str
    new: str
    rule: str
    equivalent: str = ""


class Suite(NamedTuple):
    """Mutants of a game or of the environments, and tests of which one must fail with each."""

    subject: str  # name of a game, or "environments"
    tests: tuple[str, ...]  # arguments of pytest
    mutants: tuple[Mutant, ...]
