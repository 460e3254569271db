"""Best play with open cards: what a hand of Kloepper is worth when everybody sees everything.

`solve` tells all there is to say of a position, `Solver` answers single questions by name, and
`queries` are the compiled functions for many records.
"""

from kloepper_env.solver.kloepper.api import Solver
from kloepper_env.solver.kloepper.solution import Solution, Value, solve

__all__ = ["Solution", "Solver", "Value", "solve"]
