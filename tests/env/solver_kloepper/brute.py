"""Minimax without any pruning, on the engine's own rules; and the positions it is tried on."""

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit, lowest
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.kernels import black_points, outcome
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.record import MAX_LOG, N_CARDS, PASS, Hand
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS

GAME = get_game("kloepper")
POINTS, SCORE, SWEEP = range(3)
UNSET = 1000
MOST_ACTIONS = MAX_LOG + 1
RULES: tuple[Options, ...] = (
    Options(),
    Options(),  # twice: most hands of the corpus have the usual rules
    Options(failed_knock="normal", called_partner_may_knock=True),
    Options(failed_knock="none", stop_when_decided=False),
)


@jit
def open_node(hand: Hand, values: IntArray) -> int:
    """Start a node: the mask of the actions to try, and in `values` the worst of all values."""
    if hand.over:
        values[POINTS] = black_points(hand)
        values[SCORE] = outcome(hand)
        lost = int(hand.won) & ~int(hand.black) != 0
        values[SWEEP] = not lost and hand.hands.sum() == 0
        return 0
    values[:] = -sign_of(hand) * UNSET
    allowed = engine.legal(hand)
    return 1 << PASS if allowed >> PASS & 1 else allowed


@jit
def sign_of(hand: Hand) -> int:
    """1 when the seat that decides is black, else -1."""
    return 1 if int(hand.black) >> int(hand.turn) & 1 else -1


@jit
def minimax(stack: engine.Records, todo: IntArray, values: IntArray) -> None:
    """Write to values[0] the best black points, score and all-tricks bit of stack[0].

    The three are independent minimax values of one tree. Nobody announces anything. The points
    mean something only when the hand cannot end early.
    """
    depth = 0
    todo[0] = open_node(stack[0], values[0])
    while depth > 0 or todo[0]:
        if todo[depth]:
            action = lowest(int(todo[depth]))
            todo[depth] &= todo[depth] - 1
            stack[depth + 1] = stack[depth]
            depth += 1
            engine.apply(stack[depth], action)
            todo[depth] = open_node(stack[depth], values[depth])
        else:
            depth -= 1
            sign = sign_of(stack[depth])
            for k in range(3):
                values[depth, k] = sign * max(sign * values[depth, k], sign * values[depth + 1, k])


@jit
def solve_all(
    hands: engine.Records, stack: engine.Records, todo: IntArray, values: IntArray, out: IntArray
) -> None:
    """Points, score and all-tricks bit of each hand [N, 3]."""
    for i in range(len(hands)):
        stack[0] = hands[i]
        minimax(stack, todo, values)
        for k in range(3):
            out[i, k] = values[0, k]


@jit
def play_on(hands: engine.Records, plies: IntArray) -> None:
    """Play each hand at random up to a number of cards, passing three times of four."""
    for i in range(len(hands)):
        hand = hands[i]
        while hand.plies < plies[i] and not hand.over:
            allowed = engine.legal(hand)
            if allowed >> PASS & 1 and engine.draw(hand) & 3:
                engine.apply(hand, PASS)
            else:
                engine.apply(hand, engine.random_bit(hand, allowed))


def fresh(n: int, seed: int, options: Options = RULES[0]) -> engine.Records:
    """`n` hands just dealt."""
    hands = GAME.new_hands(n, options, engine.seed_key(seed))
    engine.start(hands, GAME.tables, -1)
    return hands


def endings(n: int, seed: int) -> engine.Records:
    """`n` positions with one to four cards a hand, at any point of a trick, under all RULES.

    The same seed gives the same positions; hands that ended early are left out.
    """
    rng = np.random.default_rng(seed)
    found: list[engine.Records] = []
    wanted = n
    for turn in range(1000):
        hands = fresh(wanted * 2, seed * 1000 + turn, RULES[turn % len(RULES)])
        play_on(hands, rng.integers(8, 24, len(hands)))
        going = hands[hands["over"] == 0][: max(1, -(-wanted // 2))]
        found.append(going)
        wanted -= len(going)
        if wanted == 0:
            return np.concatenate(found)
    raise AssertionError("the random hands end too early")


def brute_values(hands: engine.Records) -> NDArray[np.int64]:
    """Points, score and all-tricks bit [N, 3] of each hand by brute force."""
    stack, todo = np.zeros(MOST_ACTIONS, GAME.dtype), np.zeros(MOST_ACTIONS, np.int64)
    values, out = np.zeros((MOST_ACTIONS, 3), np.int64), np.zeros((len(hands), 3), np.int64)
    solve_all(hands, stack, todo, values, out)
    return out


def plays_to_the_end(hands: engine.Records) -> NDArray[np.bool_]:
    """Which hands have no knock that could end them early, so that their points are points."""
    return np.asarray(hands["stops"] == 0)


@jit
def pass_all(hand: Hand) -> None:
    """Let everybody pass who is still asked."""
    while not hand.over and engine.legal(hand) >> PASS & 1:
        engine.apply(hand, PASS)


@jit
def solve_children(
    hands: engine.Records, child: engine.Records, table: IntArray, out: IntArray
) -> None:
    """Best points, score and all-tricks bit [N, 3] over the cards of the seat to play.

    Each child is solved by itself: with an empty table, and by the engine's own rules up to it.
    """
    for i in range(len(hands)):
        pass_all(hands[i])
        allowed = engine.legal(hands[i])
        sign = 1 if int(hands[i].black) >> int(hands[i].turn) & 1 else -1
        for k in range(3):
            out[i, k] = -sign * UNSET
        for card in range(N_CARDS):
            if allowed >> card & 1:
                child[0] = hands[i]
                engine.apply(child[0], card)
                table[:] = 0
                value = queries.points_of_hand(table, child[0])
                out[i, POINTS] = sign * max(sign * value, sign * out[i, POINTS])
                table[:] = 0
                value = queries.score_of_hand(table, child[0])
                out[i, SCORE] = sign * max(sign * value, sign * out[i, SCORE])
                table[:] = 0
                value = int(queries.sweeps(table, child[0]))
                out[i, SWEEP] = sign * max(sign * value, sign * out[i, SWEEP])


def best_of_children(hands: engine.Records) -> NDArray[np.int64]:
    """Points, score and all-tricks bit [N, 3] of each hand from its cards solved one by one."""
    out = np.zeros((len(hands), 3), np.int64)
    solve_children(hands, np.zeros(1, GAME.dtype), np.zeros(WORDS, np.int64), out)
    return out


def solved(hands: engine.Records) -> NDArray[np.int64]:
    """Points, score and all-tricks bit [N, 3] by the solver, one table for all."""
    table = np.zeros(WORDS, np.int64)
    out = np.zeros((3, len(hands)), np.int64)
    queries.points_of_hands(table, hands, out[POINTS])
    queries.scores_of_hands(table, hands, out[SCORE])
    queries.sweeps_of_hands(table, hands, out[SWEEP])
    return np.ascontiguousarray(out.T)
