"""A mutant: one small mistake in the rules of a game, and the rule it breaks."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """`old` must stand exactly once in its file.

    A mutant that changes nothing anybody could see says in `equivalent` why, and is not run.
    """

    file: str
    old: str
    new: str
    rule: str
    equivalent: str = ""


class Suite(NamedTuple):
    """Mutants of a game, and the tests of which one must fail with each of them."""

    game: str
    tests: tuple[str, ...]  # arguments of pytest
    mutants: tuple[Mutant, ...]
