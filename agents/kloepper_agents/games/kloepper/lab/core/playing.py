"""Hands played on from any point, one seat following a plan for its announcements.

N hands, F columns of an outcome.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.lockstep import play_out
from kloepper_agents.base import Agent, Int8Array, IntArray, ObservationAgent, WordArray
from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.announce import enemy_has_trick
from kloepper_agents.games.kloepper.features import MASK_WORDS, features_of
from kloepper_agents.games.kloepper.rules import Rules, rules_action
from kloepper_env import engine
from kloepper_env._jit import jit
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.kernels import black_points, outcome
from kloepper_env.games.kloepper.observe import LAYOUT, WORDS
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.kloepper.payoff import payoffs_to
from kloepper_env.games.kloepper.record import CALL, KNOCK, N_CARDS, N_SEATS, PASS, Hand
from kloepper_env.tricks import NONE
from kloepper_env.view import View

CALLS: Final = 0b111 << CALL
GAME: Final = get_game("kloepper")
_PLAYED: Final = [
    place for k in range(N_SEATS) for place in range(N_CARDS * (k + 1), N_CARDS * (k + 2))
]
assert LAYOUT["played.0"].start == _PLAYED[0], "an observation begins with the cards held"


def require_full_pack(options: Options) -> None:
    """Raise ConfigError for a short pack (K32): answers count six tricks, 61 and 91 points."""
    if options.pack != N_CARDS:
        raise ConfigError(
            f"option pack is {options.pack}, but the lab knows hands of the full pack only: "
            f"{N_CARDS}"
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a seat announces; all else it leaves to the policy.

    Of the announcements in the mask `decides` it makes none but `action`, and that one as soon as
    it is legal and `cards` cards have been played. No knock is made once a seat that may be an
    enemy has taken trick 1: it would fail (K19). An answer of the policy that the plan forbids
    becomes a pass.
    """

    decides: int = 0
    action: int = NONE
    cards: int = 0

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The plan for compiled code."""
        return self.decides, self.action, self.cards

    def revise(
        self, answers: IntArray, observations: Int8Array, masks: Int8Array, cards: IntArray
    ) -> IntArray:
        """What becomes of a policy's answers [N] to observations [N, W] and masks [N, A] that were
        given after `cards` [N] cards."""
        revised = np.where(self.decides >> answers & 1, PASS, answers)
        if self.action == NONE:
            return revised
        now = (masks[:, self.action] == 1) & (cards >= self.cards)
        if self.action == KNOCK:
            now &= ~lost_trick(observations, masks)
        return np.where(now, self.action, revised)


POLICY: Final = Plan()
"""The policy decides everything."""


def quiet(kinds: int) -> Plan:
    """Never any of these announcements."""
    return Plan(decides=kinds)


@jit
def _look_for_lost_tricks(
    words: NDArray[Any], mask_words: NDArray[Any], out: NDArray[np.bool_]
) -> None:
    for i in range(len(out)):
        out[i] = enemy_has_trick(features_of(words[i], bits_of(mask_words[i], 0, MASK_WORDS)))


def lost_trick(observations: Int8Array, masks: Int8Array) -> NDArray[np.bool_]:
    """Where a seat that may be an enemy has taken a trick: of observations [N, W], masks [N, A]."""
    out = np.empty(len(masks), np.bool_)
    _look_for_lost_tricks(words_of(observations, WORDS), words_of(masks, MASK_WORDS), out)
    return out


# --- any policy ----------------------------------------------------------------------------------


class _PlannedMany(ObservationAgent):
    """An agent that answers many seats at once, following a plan."""

    def __init__(self, agent: ObservationAgent, plan: Plan) -> None:
        self.agent, self.plan, self.name = agent, plan, agent.name

    def act_many(self, observations: Int8Array, masks: Int8Array, random: WordArray) -> IntArray:
        answers = self.agent.act_many(observations, masks, random)
        cards = observations[:, _PLAYED].sum(axis=1)
        return self.plan.revise(answers, observations, masks, cards)


class _PlannedOne(Agent):
    """An agent that answers Views, following a plan."""

    def __init__(self, agent: Agent, plan: Plan) -> None:
        self.agent, self.plan, self.name = agent, plan, agent.name

    def act(self, view: View, random: int) -> int:
        legal = np.flatnonzero(view.action_mask)
        cards = sum(action in GAME.codes for _, action in view.history)
        answer = self.agent.act(view, random) if len(legal) > 1 else int(legal[0])
        observations, masks = view.observation[None], view.action_mask[None]
        revised = self.plan.revise(np.array([answer]), observations, masks, np.array([cards]))
        return int(revised[0])


def planned(agent: Agent, plan: Plan) -> Agent:
    """The agent, following a plan."""
    if isinstance(agent, ObservationAgent):
        return _PlannedMany(agent, plan)
    return _PlannedOne(agent, plan)


def is_fast(policy: Agent) -> bool:
    """Whether a policy answers whole arrays of decisions."""
    return isinstance(policy, ObservationAgent)


@dataclass(frozen=True, eq=False)
class Lineup:
    """Four players of one policy, the rules they play by, and the seed of their luck."""

    policy: Agent
    options: Options
    seed: int

    def __post_init__(self) -> None:
        require_full_pack(self.options)

    def play(
        self,
        hands: Records,
        seats: IntArray,
        plan: Plan,
        numbers: IntArray,
        others: Plan = POLICY,
    ) -> IntArray:
        """Outcomes int64 [N, F] of copies of hands [N] played on to their end.

        `seats` [N] follow `plan`, the other seats `others`. Luck depends on the number of the deal
        (`numbers` [N]), on the seat, and on how many decisions it made before.
        """
        hands = hands.copy()
        if isinstance(self.policy, Rules):  # the same in compiled code: ten times as fast
            play_by_rules(hands, seats, plan.numbers, others.numbers, 0, np.zeros(WORDS, np.int64))
        elif len(hands):
            agents = [planned(self.policy, others), planned(self.policy, plan)]
            who = (np.arange(N_SEATS) == seats[:, None]).astype(np.int64)
            play_out(GAME, self.options, hands, who, agents, numbers, self.seed)
        return outcomes_of(hands)

    def until_asked(
        self, hands: Records, seats: IntArray, mask: int, numbers: IntArray
    ) -> tuple[Records, NDArray[np.intp]]:
        """Hands [M] as they are when `seats` may first announce something of a mask.

        Returns them with their places in `hands` [N]; those in which it never may are left out.
        """
        played = hands.copy()
        if isinstance(self.policy, Rules):
            plan = POLICY.numbers
            play_by_rules(played, seats, plan, plan, mask, np.zeros(WORDS, np.int64))
            asked = np.flatnonzero(played["over"] == 0)
            return played[asked], asked
        nobody = np.zeros((len(hands), N_SEATS), np.int64)
        done = play_out(GAME, self.options, played, nobody, [self.policy], numbers, self.seed)
        asking = (done.legal[..., 0] & mask != 0) & (done.turns == seats[:, None])
        asked = np.flatnonzero(asking.any(axis=1))
        return rewound(hands[asked], done.hands[asked], asking.argmax(axis=1)[asked]), asked


# --- `rules`, compiled ---------------------------------------------------------------------------


@jit
def play_by_rules(
    hands: Records,
    seats: IntArray,
    plan: tuple[int, int, int],
    others: tuple[int, int, int],
    stop: int,
    words: IntArray,
) -> None:
    """Play hands [N] by `rules`, `seats` [N] following one plan and the rest another.

    A hand goes to its end, or to where its seat of `seats` may announce something of the mask
    `stop`. `words` [W / 8] is scratch memory for an observation.
    """
    for i in range(len(hands)):
        play_hand_by_rules(hands[i], int(seats[i]), plan, others, stop, words)


@jit
def play_hand_by_rules(
    hand: Hand,
    seat: int,
    plan: tuple[int, int, int],
    others: tuple[int, int, int],
    stop: int,
    words: IntArray,
) -> None:
    """`play_by_rules` of one hand, whose `seat` follows `plan`."""
    while not hand.over:
        legal = engine.legal(hand)
        own = hand.turn == seat
        if own and legal & stop:
            break
        decides, planned_action, cards = plan if own else others
        engine.observe(hand, int(hand.turn), words)
        action = rules_action(words, legal)
        if decides >> action & 1:
            action = PASS
        ready = planned_action != NONE and hand.plies >= cards
        ready = ready and legal >> max(planned_action, 0) & 1 == 1
        if ready and (planned_action != KNOCK or not enemy_has_trick(features_of(words, legal))):
            action = planned_action
        engine.apply(hand, action)


# --- outcomes ------------------------------------------------------------------------------------

POINTS, BLACK, SWEPT, CARD_POINTS, KNOCKER, ANSWERED = range(6)
"""Columns of an outcome: points to each black seat or, negative, red seat; mask of the black side;
1 when it took all tricks; its card points, or UNKNOWN when the hand ended early; seat that knocked,
or NONE; 1 when somebody knocked off."""
N_FIELDS: Final = 6
UNKNOWN: Final = -1


@jit
def _describe(hands: Records, out: IntArray) -> None:
    for i in range(len(hands)):
        hand = hands[i]
        whole = hand.plies == N_CARDS
        out[i, POINTS] = outcome(hand)
        out[i, BLACK] = hand.black
        out[i, SWEPT] = whole and int(hand.won) & ~int(hand.black) == 0
        out[i, CARD_POINTS] = black_points(hand) if whole else UNKNOWN
        out[i, KNOCKER] = hand.knocker
        out[i, ANSWERED] = hand.knocked_off != NONE


def outcomes_of(hands: Records) -> IntArray:
    """The outcomes int64 [N, F] of hands [N] that are over."""
    out = np.empty((len(hands), N_FIELDS), np.int64)
    _describe(hands, out)
    return out


def payoffs_of(outcomes: IntArray, seats: IntArray) -> IntArray:
    """Payoff of outcomes [..., F] to seats [...]: the stake with its sign, two on two."""
    return payoffs_to(outcomes[..., POINTS], outcomes[..., BLACK], seats)


def side_points_of(outcomes: IntArray, seats: IntArray) -> IntArray:
    """Points to each seat on the side of `seats` [...]; negative when the other side gets them."""
    own = outcomes[..., BLACK] >> seats & 1
    return np.where(own, outcomes[..., POINTS], -outcomes[..., POINTS])


# --- going back ----------------------------------------------------------------------------------


@jit
def _apply_log(hands: Records, logs: IntArray, lengths: IntArray) -> None:
    for i in range(len(hands)):
        for t in range(lengths[i]):
            engine.apply(hands[i], engine.noted_action(int(logs[i, t])))


def rewound(dealt: Records, played: Records, lengths: IntArray) -> Records:
    """Hands as they were after their first `lengths` [N] actions.

    `dealt` [N] are the hands before any action, `played` [N] the same after theirs.
    """
    hands = dealt.copy()
    _apply_log(hands, played["log"].astype(np.int64), lengths)
    return hands


@jit
def _act(hands: Records, actions: IntArray) -> None:
    for i in range(len(hands)):
        engine.apply(hands[i], int(actions[i]))


def acted(hands: Records, actions: IntArray) -> Records:
    """Copies of hands [N] after one legal action each."""
    after = hands.copy()
    _act(after, actions)
    return after


KNOCKS: Final = 1 << KNOCK
