"""When `rules` knocks, knocks off, calls an ace or plays alone."""

from kloepper_agents.features import Sight
from kloepper_env._jit import jit, lowest
from kloepper_env.games.kloepper.record import CALL, PASS


@jit
def announce(sight: Sight) -> int:
    """The announcement to make now, or PASS."""
    calls = sight.legal >> CALL
    return CALL + lowest(calls) if calls else PASS
