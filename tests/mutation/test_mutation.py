"""The table of mutants is in order; and, slowly, every mutant is killed."""

import pytest

from kloepper_env.rulebook import rules_of
from tests.mutation.__main__ import MUTANTS, SUITES, main, mutated
from tests.test_reliability import THREADS

STEPS = {  # the steps of the order of decisions, and what is public: see seeds/tests.md
    "kloepper": {*(f"O{n}" for n in range(1, 7)), *(f"P{n}" for n in range(1, 5))},
    "klammern": {*(f"MO{n}" for n in range(1, 7)), *(f"MP{n}" for n in range(1, 5))},
}


def test_every_mutant_finds_its_place_and_changes_it() -> None:
    assert len(set(MUTANTS)) == len(MUTANTS)
    for _, mutant in MUTANTS:
        assert mutant.old != mutant.new
        assert mutated(mutant)  # ValueError unless the old text stands there once


def test_every_mutant_breaks_a_rule_that_there_is() -> None:
    for suite in SUITES:
        steps = STEPS.get(suite.subject)
        known = THREADS if steps is None else {*rules_of(suite.subject), *steps}
        assert {mutant.rule for mutant in suite.mutants} <= known


@pytest.mark.slow
def test_every_mutant_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    status = main([])
    assert status == 0, capsys.readouterr().out
