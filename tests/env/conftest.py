"""Tests that ask for `case` run once for every game."""

import pytest

from tests.env.cases import CASES, Case


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found
