"""What a seat can know of the hidden cards: the deals that its View leaves possible.

`Belief`, for Kloepper, counts, lists, draws and weighs them, and `count_lone_sweeps` counts those
that a lone knocker sweeps; those of Klammern are drawn (beliefs/klammern). Nothing here sees a
State.
"""

from kloepper_env.beliefs.kloepper.belief import MOST_LISTED, Belief, partner_probabilities
from kloepper_env.beliefs.kloepper.lone_knock import SweepCount, count_lone_sweeps, leads_alone
from kloepper_env.beliefs.weights import Policy, effective_size

__all__ = [
    "MOST_LISTED",
    "Belief",
    "Policy",
    "SweepCount",
    "count_lone_sweeps",
    "effective_size",
    "leads_alone",
    "partner_probabilities",
]
