"""How likely worlds are, by a policy that the other seats are thought to play.

Bayes: every deal is as likely as any other before the hand, so the weight of a world is the
likelihood of what the other seats did in it. Silence counts as well: whoever may announce and does
not has passed, and worlds hold every such pass although the observer never learned of it.
"""

from typing import Final

import numpy as np

from kloepper_env.beliefs.kloepper.replay import MOST_DECISIONS, decisions
from kloepper_env.beliefs.weights import FloatArray, Policy
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.options import PACK_SHIFT, PACKS
from kloepper_env.games.kloepper.record import ALL_CARDS, HAND, MAX_LOG

_NO_WORLDS: Final = "the worlds are no hands of the game as a Belief lists or draws them"
HANDS_AT_ONCE: Final = 512  # bounds the observations in memory: two megabytes


def likelihood_weights(
    worlds: Records, hidden: list[int], policies: list[Policy], temper: float, uniform: float
) -> FloatArray:
    """Weights [N] of worlds that agree with what one seat knows, summing to 1.

    `hidden` are the other seats; `temper` and `uniform` are explained at `Belief.weights`.

    What a seat saw and did in a hand follows from its own cards and from what is public, which is
    the same in all of these worlds. So each different hand of a seat is asked about once, however
    many worlds have it: of 34,650 worlds before trick 3 a seat has 495 hands.
    """
    if worlds.dtype != HAND or worlds.ndim != 1:
        raise ConfigError(_NO_WORLDS)
    if not policies:
        raise ConfigError("no policy is given, but one or more are needed")
    if not 0 < temper <= 1:
        raise ConfigError(f"temper is {temper!r}, but must be more than 0 and at most 1")
    if not 0 <= uniform <= 1:
        raise ConfigError(f"uniform is {uniform!r}, but must be from 0 to 1")
    logs = np.zeros(len(worlds))
    for seat in hidden:
        dealt = worlds["hands"][:, seat] | worlds["played"][:, seat]
        _, first, hand = np.unique(dealt, return_index=True, return_inverse=True)
        own = [_log_likelihoods(worlds[first], seat, policy, uniform) for policy in policies]
        logs += np.logaddexp.reduce(own)[hand]
    best = logs.max()
    if best == -np.inf:
        raise ConfigError(
            "under this policy none of the worlds can have come about: uniform must be more than 0"
        )
    weights: FloatArray = np.exp(temper * (logs - best))
    weights /= weights.sum()
    return weights


def _log_likelihoods(worlds: Records, seat: int, policy: Policy, uniform: float) -> FloatArray:
    """Logarithm of the probability of all that a seat did in each of some worlds, float64 [N]."""
    parts = [
        _of_some(worlds[start : start + HANDS_AT_ONCE], seat, policy, uniform)
        for start in range(0, len(worlds), HANDS_AT_ONCE)
    ]
    return np.concatenate(parts)


def _of_some(worlds: Records, seat: int, policy: Policy, uniform: float) -> FloatArray:
    game = get_game("kloepper")
    rows = MOST_DECISIONS * len(worlds)
    words = np.empty((rows, game.words), np.int64)
    mask_words = np.empty((rows, game.mask_words), np.int64)
    actions, owners = np.empty(rows, np.int64), np.empty(rows, np.int64)
    scratch = np.zeros(1, game.dtype)
    _require_cards(worlds)
    n = decisions(worlds, scratch, seat, words, mask_words, actions, owners)
    if n < 0:
        raise ConfigError(_NO_WORLDS)
    if n == 0:
        return np.zeros(len(worlds))
    masks = mask_words[:n].view(np.int8)[:, : game.n_actions]
    probabilities = policy(words[:n].view(np.int8), masks)[np.arange(n), actions[:n]]
    mixed = (1 - uniform) * probabilities + uniform / masks.sum(axis=1)
    with np.errstate(divide="ignore"):  # a policy may rule an action out
        logs = np.log(mixed)
    sums = np.zeros(len(worlds))
    np.add.at(sums, owners[:n], logs)
    return sums


def _require_cards(worlds: Records) -> None:
    """Raise ConfigError for hands and logs that compiled code could not read within its arrays."""
    dealt = (worlds["hands"] | worlds["played"]).astype(np.int64)
    logs, packs = worlds["log_length"], worlds["option_flags"] >> PACK_SHIFT
    known_packs = (packs >= 0) & (packs < len(PACKS))
    if (dealt & ~ALL_CARDS).any() or (logs < 0).any() or (logs > MAX_LOG).any():
        raise ConfigError(_NO_WORLDS)
    if not known_packs.all():
        raise ConfigError(_NO_WORLDS)
