"""Best play with open cards: what a hand of Kloepper is worth when everybody sees everything.

`Solver` is the friendly face; `queries` are the compiled functions for many records.
"""

from kloepper_env.solver.api import Solver

__all__ = ["Solver"]
