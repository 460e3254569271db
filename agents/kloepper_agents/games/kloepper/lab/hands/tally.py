"""Counting what comes of the options of a hand, in compiled code.

P options of a hand.
"""

from typing import Any, Final

from numpy.typing import NDArray

from kloepper_agents.base import IntArray
from kloepper_agents.games.kloepper.lab.core.deals import deal_rest_of
from kloepper_agents.games.kloepper.lab.core.playing import play_hand_by_rules
from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.games.kloepper.kernels import black_points, outcome
from kloepper_env.games.kloepper.payoff import payoff
from kloepper_env.games.kloepper.record import N_CARDS, N_SEATS
from kloepper_env.solver.kloepper import queries

DEALS, PAY, PAY_SQUARED, GAP, GAP_SQUARED, SWEPT, WON_61, WON_91 = range(8)
"""Columns of the sums over deals: how many; payoff and its square; payoff over the option compared
with, and its square; all tricks for black; 61 and 91 card points for the seat's side."""
N_SUMS: Final = 8
DECIDES, ACTION, CARDS, OTHERS_DECIDE, OTHERS_ACTION, OTHERS_CARDS, AGAINST = range(7)


@jit
def tally(
    hands: Records,
    tables: NDArray[Any],
    own: int,
    key: int,
    start: int,
    stop: int,
    options: IntArray,
    active: int,
    payoffs: IntArray,
    words: IntArray,
    sums: IntArray,
) -> None:
    """Play deals `start` to `stop` - 1 around a hand with every option of the mask `active`.

    `options` int64 [P, 7] are plans and what each is compared with, which must be active too and
    not come later; `sums` int64 [P, N_SUMS] takes what came of them. `hands` [2], `payoffs` [P] and
    `words` [W / 8] are scratch memory; the options of the rules are those of hands[0].
    """
    for number in range(start, stop):
        hands[0].key = key
        hands[0].serial = number
        seat = number & N_SEATS - 1
        deal_rest_of(hands[0], tables, own, seat)
        for p in range(len(options)):
            if active >> p & 1:
                hands[1] = hands[0]
                hand = hands[1]
                row = options[p]
                plan = (int(row[DECIDES]), int(row[ACTION]), int(row[CARDS]))
                others = (int(row[OTHERS_DECIDE]), int(row[OTHERS_ACTION]), int(row[OTHERS_CARDS]))
                play_hand_by_rules(hand, seat, plan, others, 0, words)
                whole = hand.plies == N_CARDS
                black = int(hand.black) >> seat & 1
                taken = black_points(hand) if black else 120 - black_points(hand)
                pay = payoff(outcome(hand), int(hand.black), seat)
                payoffs[p] = pay
                gap = pay - payoffs[row[AGAINST]]
                sums[p, DEALS] += 1
                sums[p, PAY] += pay
                sums[p, PAY_SQUARED] += pay * pay
                sums[p, GAP] += gap
                sums[p, GAP_SQUARED] += gap * gap
                sums[p, SWEPT] += whole and int(hand.won) & ~int(hand.black) == 0
                sums[p, WON_61] += whole and taken >= 61
                sums[p, WON_91] += whole and taken >= 91


@jit
def tally_open(
    hands: Records,
    tables: NDArray[Any],
    own: int,
    key: int,
    n_scores: int,
    n_sweeps: int,
    solver: IntArray,
    sums: IntArray,
) -> None:
    """Solve the first deals around a hand with open cards, nobody announcing anything.

    Adds to `sums` [3] the payoff in `n_scores` deals and its square, and in how many of `n_sweeps`
    the black side takes all tricks.
    """
    hand = hands[0]
    for number in range(max(n_scores, n_sweeps)):
        hand.key = key
        hand.serial = number
        seat = number & N_SEATS - 1
        deal_rest_of(hand, tables, own, seat)
        if number < n_scores:
            pay = payoff(queries.score_of_hand(solver, hand), int(hand.black), seat)
            sums[0] += pay
            sums[1] += pay * pay
        if number < n_sweeps:
            sums[2] += queries.sweeps(solver, hand)
