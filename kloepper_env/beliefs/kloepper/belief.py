"""Belief: the deals that a View leaves possible, counted, listed, drawn and weighed."""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_env._jit import IntArray
from kloepper_env.beliefs.counting import count_ways, deal_hidden
from kloepper_env.beliefs.kloepper.knowledge import N_HIDDEN, N_SUITS, Knowledge
from kloepper_env.beliefs.kloepper.replay import replay
from kloepper_env.beliefs.kloepper.weights import likelihood_weights
from kloepper_env.beliefs.weights import FloatArray, Policy
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError, whole_number
from kloepper_env.games.kloepper.record import HAND, HAND_SIZE, N_SEATS, SUIT
from kloepper_env.view import View

MOST_LISTED: Final = 100_000
"""Most worlds that `enumerate` lists: 17 MB of records."""


class Belief:
    """All deals that are consistent with a View, each as likely as any other.

    A deal is consistent if the hand played from it with the same known actions leaves the seat with
    the same View. That comes down to three things: no seat holds a suit it did not follow (K8), the
    hands have their sizes, and the black queens and the called ace lie where the announcements,
    being asked, a lone knock and a hand that goes on allow it. There are 27 cases at most of how
    those three cards can lie; one deal of each is played through the engine, and the other cards
    make no difference. So worlds are counted without being listed, and any one is found by number.

    A world is a record of the game where the View is: the seat's next decision, the end of the
    hand, or, for a waiting seat, right after the last action it knows of. Its log holds the
    passes that the seat cannot have heard of. Its `key`, `serial` and `random` are 0, so set
    `random` before actions are drawn with the record's own generator.

    >>> from kloepper_env.state import State
    >>> belief = Belief(State.deal(seed=1).view(0))
    >>> belief.count()
    17153136
    >>> belief.sample(100, np.random.default_rng(0)).shape
    (100,)
    """

    def __init__(self, view: View) -> None:
        self._known = known = Knowledge.of(view)
        self._ways = np.zeros((N_SUITS + 1, HAND_SIZE + 1, HAND_SIZE + 1), np.int64)
        count_ways(known.others, known.barred, self._ways)
        given = _ways_to_give(known)
        capacity = known.capacity - np.bitwise_count(given)
        ways = self._ways[0, capacity[:, 0], capacity[:, 1]]
        sizes = np.where((capacity >= 0).all(axis=1), ways, 0)
        self._given, self._capacity = given[sizes > 0], capacity[sizes > 0]
        self._cases, agrees = self._played_again()
        self._sizes = sizes[sizes > 0] * agrees  # [case], and where their numbers end:
        self._ends = np.cumsum(self._sizes)

    def count(self) -> int:
        """Number of consistent deals."""
        return int(self._sizes.sum())

    def enumerate(self) -> Records:
        """All worlds, in a fixed order. Raises ConfigError above MOST_LISTED of them."""
        if self.count() > MOST_LISTED:
            raise ConfigError(
                f"there are {self.count()} worlds, more than the {MOST_LISTED} that can be listed: "
                "draw a sample of them"
            )
        return self._worlds(np.arange(self.count()))

    def sample(self, n: int, rng: np.random.Generator, *, replace: bool = False) -> Records:
        """Draw `n` worlds, each equally likely and all different; all there are, if not more.

        With `replace` they are `n` independent draws, which is a little quicker.
        """
        if whole_number("the number of worlds", n) == 0:
            raise ConfigError(f"the number of worlds is {n!r}, but must be at least 1")
        if replace:
            return self._worlds(rng.integers(self.count(), size=n))
        if n >= self.count():
            return self._worlds(np.arange(self.count()))
        return self._worlds(rng.choice(self.count(), n, replace=False))

    def weights(
        self,
        worlds: Records,
        policy: Policy | Sequence[Policy],
        *,
        temper: float = 0.7,
        uniform: float = 0.1,
    ) -> FloatArray:
        """Weights float64 [N], summing to 1, of `worlds` if the other seats play `policy`.

        A decision with the probability p counts as ((1 - uniform) p + uniform / choices) ** temper:
        nobody plays just like the policy, and its errors in many decisions multiply. The policy is
        asked about all decisions of the other seats so far, also those to keep silent. For a
        waiting seat this leaves out who may have passed since the last action it knows of.
        Of several policies each of the other seats plays one, and any of them as likely.

        Raises ConfigError for settings out of range, and when all worlds would have weight 0.
        """
        policies = [policy] if callable(policy) else list(policy)
        return likelihood_weights(worlds, self._known.hidden, policies, temper, uniform)

    def _played_again(self) -> tuple[Records, NDArray[np.bool_]]:
        """The first world of every case, and which of them agree with the View [case]."""
        known, n = self._known, len(self._given)
        worlds = np.zeros(n, HAND)
        worlds["option_flags"] = known.option_flags
        self._fill(worlds, np.zeros(n, np.int64), np.arange(n))
        worlds["hands"] |= known.played
        agrees = np.zeros(n, np.bool_)
        replay(
            worlds,
            known.dealer,
            known.known,
            known.seat,
            known.legal,
            known.over,
            known.lone,
            agrees,
        )
        return worlds, agrees

    def _worlds(self, numbers: IntArray) -> Records:
        """The worlds with these numbers, from 0 to `count() - 1`."""
        case = np.searchsorted(self._ends, numbers, side="right")
        worlds = self._cases[case]
        self._fill(worlds, numbers - (self._ends - self._sizes)[case], case)
        return worlds

    def _fill(self, worlds: Records, numbers: IntArray, case: IntArray) -> None:
        """Write the hands into worlds, by their numbers within their cases."""
        known = self._known
        worlds["hands"][:, known.seat] = known.held
        deal_hidden(
            worlds,
            known.seat,
            numbers,
            case,
            self._given,
            self._capacity,
            known.others,
            known.barred,
            self._ways,
        )


def _ways_to_give(known: Knowledge) -> IntArray:
    """Every way to give out the unseen telling cards that no void forbids.

    int64 [case, hidden seat]: masks of the cards given.
    """
    ways = [
        [
            sum(1 << card for card, to in zip(known.telling, holders, strict=True) if to == k)
            for k in range(N_HIDDEN)
        ]
        for holders in product(range(N_HIDDEN), repeat=len(known.telling))
        if not any(
            int(known.barred[SUIT[card]]) >> to & 1
            for card, to in zip(known.telling, holders, strict=True)
        )
    ]
    return np.array(ways, np.int64)


def partner_probabilities(view: View, worlds: Records, weights: FloatArray) -> FloatArray:
    """Probability that each seat is on the View's side, float64 [seat]; 0 for its own.

    Sides are those of the worlds: a double holder who may call later counts as alone.
    """
    black = worlds["black"][:, None] >> np.arange(N_SEATS) & 1
    with_me = (black == black[:, [view.seat]]).astype(np.float64)
    with_me[:, view.seat] = 0
    probabilities: FloatArray = weights @ with_me
    return probabilities
