"""Fits the networks by which `rules` plays knocked hands, and writes knocked_weights.py.

`python -m kloepper_agents.games.kloepper.lab.choices.fit` makes choices in knocked hands as
sweeps.py does, of seeds that no test uses, and fits one network a side to the shares of deals in
which each class gets its way, of those in which it matters: the cross-entropy with a softmax of
these shares, by Adam. D choices, C classes at most, F counts, H units.
"""

import math
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.games.kloepper import knocked
from kloepper_agents.games.kloepper.features import features_of
from kloepper_agents.games.kloepper.lab.choices.sweeps import KINDS, KnockedChoice, Maker
from kloepper_agents.games.kloepper.lab.core.opportunities import BoolArray, FloatArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME
from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records
from kloepper_env.state import State

SEED: Final = 20_000  # of the hands
CHOICES: Final = {
    "partners, black": 36_000,
    "lone, black": 1_500,
    "partners, red": 12_000,
    "lone, red": 1_500,
}
SOLVED: Final = 400  # deals of a choice, listed or drawn
AT_ISSUE: Final = 0.005  # share of the deals in which it must matter which class is played
SHARP: Final = 0.1  # temperature of the softmax of the shares
UNITS: Final = 40
EPOCHS: Final = 80
BATCH: Final = 256
RATE: Final = 4e-3
DIGITS: Final = 3  # of the weights written


# --- what is learned from ------------------------------------------------------------------------


def choices(kind: str, n: int) -> Iterator[KnockedChoice]:
    """The first `n` choices of a kind in which something is at issue."""
    maker, place, made = Maker(kind, SOLVED, SOLVED), KINDS.index(kind), 0
    for serial in count():
        state = State.deal(GAME, seed=SEED + place, serial=serial)
        for one in maker.choices_of(state, np.random.default_rng([SEED, place, serial])):
            if at_issue(one).mean() >= AT_ISSUE:
                yield one
                made += 1
                if made == n:
                    return


def at_issue(one: KnockedChoice) -> BoolArray:
    """In which deals [N] it matters what is played.

    Only those count: most deals that a red seat must think possible cannot be swept at all, and a
    seat that has knocked does not hold what it would have in them.
    """
    won = one.choice.values > 0
    return np.asarray(won.any(axis=1) & ~won.all(axis=1))


@jit
def _count(hands: Records, words: IntArray, cards: IntArray, out: FloatArray) -> None:
    """Write the counts of each card [C] in hands[0] into `out` [C, F]."""
    hand = hands[0]
    engine.observe(hand, int(hand.turn), words)
    features = features_of(words, engine.legal(hand))
    for i in range(len(cards)):
        counts = knocked.counts_of(features, int(cards[i]))
        for j in range(knocked.N_COUNTS):
            out[i, j] = counts[j]


def table_of(found: list[KnockedChoice]) -> tuple[FloatArray, FloatArray]:
    """The counts [D, C, F] of choices, and the shares [D, C] of the deals at issue in which each
    class gets its way; shares of no class are -inf."""
    most = max(len(one.choice.classes) for one in found)
    counts = np.zeros((len(found), most, knocked.N_COUNTS))
    shares = np.full((len(found), most), -np.inf)
    words = np.zeros(GAME.words, np.int64)
    for i, one in enumerate(found):
        cards = np.array([mask.bit_length() - 1 for mask in one.choice.classes.tolist()])
        _count(one.state.hands, words, cards, counts[i])
        shares[i, : len(cards)] = (one.choice.values[at_issue(one)] > 0).mean(axis=0)
    return counts, shares


# --- the fit -------------------------------------------------------------------------------------


def softmax(values: FloatArray) -> FloatArray:
    """Softmax of the rows [D, C]."""
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    normed: FloatArray = powers / powers.sum(axis=1, keepdims=True)
    return normed


def values_of(weights: FloatArray, counts: FloatArray) -> FloatArray:
    """What a network [H, F + 2] makes of counts [..., F]: `knocked.weighed` of arrays."""
    hidden = np.maximum(counts @ weights[:, :-2].T + weights[:, -2], 0)
    values: FloatArray = hidden @ weights[:, -1]
    return values


def gradient(weights: FloatArray, counts: FloatArray, goal: FloatArray) -> FloatArray:
    """Gradient [H, F + 2] of the mean cross-entropy with `goal` [D, C], 0 where no class is."""
    hidden = np.maximum(counts @ weights[:, :-2].T + weights[:, -2], 0)  # [D, C, H]
    values = np.where(np.isnan(goal), -np.inf, hidden @ weights[:, -1])
    slope = (softmax(values) - np.nan_to_num(goal)) / len(goal)  # [D, C]
    back = slope[:, :, None] * weights[:, -1] * (hidden > 0)
    of_counts = np.tensordot(back, counts, axes=([0, 1], [0, 1]))
    of_output = np.tensordot(slope, hidden, axes=([0, 1], [0, 1]))
    return np.concatenate([of_counts, back.sum(axis=(0, 1))[:, None], of_output[:, None]], axis=1)


def fitted(
    counts: FloatArray, shares: FloatArray, rng: np.random.Generator, epochs: int = EPOCHS
) -> FloatArray:
    """The weights [UNITS, F + 2] of a network fitted to choices."""
    goal = softmax(shares / SHARP)
    goal[np.isinf(shares)] = np.nan
    n_counts = counts.shape[2]
    weights = rng.uniform(-1, 1, (UNITS, n_counts + 2)) / math.sqrt(n_counts)
    first, second, steps = np.zeros_like(weights), np.zeros_like(weights), 0
    total = epochs * -(-len(counts) // BATCH)
    for _ in range(epochs):
        order = rng.permutation(len(counts))
        for start in range(0, len(counts), BATCH):
            some = order[start : start + BATCH]
            slope = gradient(weights, counts[some], goal[some])
            steps += 1
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            rate = RATE * 0.5 * (1 + math.cos(math.pi * steps / total))
            moment = first / (1 - 0.9**steps)
            weights -= rate * moment / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8)
    return weights


def right(weights: FloatArray, counts: FloatArray, shares: FloatArray) -> float:
    """Share of the choices in which a network takes the best class."""
    values = np.where(np.isinf(shares), -np.inf, values_of(weights, counts))
    return float((values.argmax(axis=1) == shares.argmax(axis=1)).mean())


# --- the file ------------------------------------------------------------------------------------

HEAD: Final = '''"""The networks by which `rules` plays knocked hands: made by lab/choices/fit.py.

A row is a unit: the weight of each count, the bias, and what the unit adds to the value.
"""

from typing import Final

import numpy as np

# fmt: off
'''


def text_of(networks: dict[str, NDArray[np.float64]]) -> str:
    """The module that holds some networks."""
    parts = [HEAD]
    for name, weights in networks.items():
        numbers = [f"{number:.{DIGITS}g}" for number in weights.ravel()]
        lines, line = [], ""
        for number in numbers:
            if len(line) + len(number) > 90:
                lines.append(line.rstrip())
                line = ""
            line += number + " "
        text = "\n".join([*lines, line.rstrip()])
        shape = ", ".join(map(str, weights.shape))
        parts.append(
            f'_{name}: Final = """\n{text}\n"""\n'
            f"{name}: Final = np.array(_{name}.split(), float).reshape({shape})\n"
        )
    return "".join(parts)


def main() -> None:
    """Fit both networks and write them down."""
    rng, networks = np.random.default_rng(SEED), {}
    for side in ("black", "red"):
        kinds = [kind for kind in CHOICES if kind.endswith(side)]
        found = [one for kind in kinds for one in choices(kind, CHOICES[kind])]
        counts, shares = table_of(found)
        held_out = rng.random(len(found)) < 0.1
        weights = fitted(counts[~held_out], shares[~held_out], rng)
        networks[side.upper()] = weights
        print(f"{side}: {right(weights, counts[held_out], shares[held_out]):.1%} of the choices")
    Path(knocked.__file__).with_name("knocked_weights.py").write_text(text_of(networks), "utf-8")


if __name__ == "__main__":
    main()
