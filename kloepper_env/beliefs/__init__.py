"""What a seat of Kloepper can know of the hidden cards: every deal that its View leaves possible.

`Belief` counts, lists and draws them and weighs them by a policy; nothing here sees a State.
"""

from kloepper_env.beliefs.kloepper.belief import MOST_LISTED, Belief, partner_probabilities
from kloepper_env.beliefs.kloepper.weights import Policy, effective_size

__all__ = ["MOST_LISTED", "Belief", "Policy", "effective_size", "partner_probabilities"]
