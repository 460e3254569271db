"""The counted share of deals that a lone knocker sweeps, against the search for all tricks."""

import time

import numpy as np
import pytest

from kloepper_env.beliefs import Belief, count_lone_sweeps
from kloepper_env.beliefs.kloepper.lone_knock import beaten_by_order, lone_sweep
from kloepper_env.cards import mask_of
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import CODES, packets
from kloepper_env.solver import Solver
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.position import NO_WINNER
from kloepper_env.solver.kloepper.sweep import sweep
from kloepper_env.solver.kloepper.transpositions import WORDS
from kloepper_env.state import State
from tests.env.lone_endings import ALONE, differences, packs, subsets


def cards(codes: str) -> int:
    return mask_of(codes.split(), CODES)


@pytest.mark.parametrize(
    ("knocker", "defender", "beaten"),
    [
        ("QC JC AC", "QS TC KC", True),  # one trump falls, and then both clubs
        ("QC JC AC", "QS JS TC", False),  # his second trump is above the knocker's second
        ("QC AC", "JD TD", False),  # a trump is left over for the ace
        ("QC QS", "JD TD", True),  # nothing but trumps
        ("AC KC", "TC AS", True),  # the ten falls on the ace
        ("AC KC", "TC 9C", False),  # the nine guards the ten
        ("AC TC", "KC 9C", True),
        ("AC AS", "TC KC", True),
        ("9C", "AC", False),
        ("9C", "AS", True),
    ],
)
def test_condition_on_one_defender(knocker: str, defender: str, beaten: bool) -> None:
    assert beaten_by_order(cards(knocker), cards(defender)) is beaten


@pytest.mark.parametrize("size", [1, 2])
def test_condition_decides_every_ending_of_few_cards(size: int) -> None:
    check_all(size)


@pytest.mark.slow
def test_condition_decides_every_ending_of_three_cards() -> None:
    check_all(3)


def check_all(size: int) -> None:
    table = np.zeros(WORDS, np.int64)
    hands = [subsets(size, left * size) for left in (4, 3, 2)]
    total, swept = 0, 0
    for pack in packs(4 * size):
        found = differences(pack, hands[0], hands[1], hands[2], table)
        assert found[2] == 0, bin(pack)
        total, swept = total + found[0], swept + found[1]
    assert 0 < swept < total


def test_condition_decides_whole_hands() -> None:
    """Knockers of six cards whose hands are strong enough for either answer."""
    rng, table = np.random.default_rng(5), np.zeros(WORDS, np.int64)
    answers = []
    for _ in range(3_000):
        trumps, plain = rng.permutation(11)[:9], 11 + rng.permutation(13)
        own = [0, 1, *np.sort(trumps[trumps > 1])[: rng.integers(1, 4)]]
        own += sorted(plain)[: 6 - len(own)]
        rest = rng.permutation([card for card in range(24) if card not in own]).reshape(3, 6)
        hands = [int(sum(1 << int(card) for card in hand)) for hand in (own, *rest)]
        h0, h1, h2, h3 = hands
        answers.append(lone_sweep(*hands))
        assert answers[-1] == sweep(table, h0, h1, h2, h3, ALONE, 3, 0, NO_WINNER, 0)
    assert 300 < sum(answers) < 2_700


def lone_view_states(seed: int, least: int, most: int) -> list[State]:
    """Hands in which a double holder leads, in which it may have knocked, at random points."""
    rng = np.random.default_rng(seed)
    states: list[State] = []
    while len(states) < least:
        own = [0, 1, *(2 + rng.permutation(9)[: rng.integers(0, 3)])]
        plain = 11 + rng.permutation(13)
        own += list(plain[: 6 - len(own)] if rng.random() < 0.5 else np.sort(plain)[: 6 - len(own)])
        rest = rng.permutation([card for card in range(24) if card not in own]).reshape(3, 6)
        hands = [[CODES[card] for card in hand] for hand in (own, *rest)]
        seat, dealer = int(rng.integers(4)), int(rng.integers(4))
        turned = [hands[(k - seat) % 4] for k in range(4)]
        state = State.deal(deck=packets(turned, dealer), dealer=dealer)
        states += play_alone(state, seat, rng, most)
    return states


def play_alone(state: State, seat: int, rng: np.random.Generator, most: int) -> list[State]:
    """Random play in which only `seat` may knock: where it leads and has few consistent deals."""
    found = []
    while not state.is_over:
        legal = state.legal()
        leads = state.turn == seat and state.hand.leader == seat and state.hand.table == 0
        alive = state.hand.won & ~(1 << seat) == 0  # else there is nothing to count
        if leads and alive and Belief(state.view(seat)).count() <= most:
            found.append(state.copy())
        if "pass" in legal:
            knocks = "knock" in legal and state.turn == seat and rng.random() < 0.2
            state.push("knock" if knocks else "pass")
            continue
        top = state.turn == seat and rng.random() < 0.6  # so that it goes on
        state.push(legal[0] if top else str(rng.choice(legal)))
    return found


def compare(states: list[State]) -> list[float]:
    table, shares = np.zeros(WORDS, np.int64), []
    for state in states:
        view = state.view(int(state.hand.leader))
        worlds = Belief(view).enumerate()
        worlds["black"] = 1 << view.seat
        out = np.empty(len(worlds), np.int64)
        queries.sweeps_of_hands(table, worlds, out)
        counted = count_lone_sweeps(view)
        assert tuple(counted) == (out.sum(), len(worlds)), view.information_state
        shares.append(counted.share)
    return shares


def test_counted_share_is_that_of_the_search_over_all_deals() -> None:
    shares = compare(lone_view_states(1, 200, 35_000))
    assert sum(0 < share < 1 for share in shares) > 10


@pytest.mark.slow
def test_counted_share_is_that_of_the_search_in_10_000_views() -> None:
    shares = compare(lone_view_states(2, 10_000, 35_000))
    assert sum(0 < share < 1 for share in shares) > 500


def test_all_deals_before_the_lead_are_counted() -> None:
    state = State.deal(deck=packets([["QC", "QS", "JC", "JS", "JH", "JD"], *REST], 3), dealer=3)
    assert count_lone_sweeps(state.view(0)) == (17_153_136, 17_153_136)


REST = [
    ["AC", "TC", "KC", "9C", "AS", "TS"],
    ["KS", "9S", "AH", "TH", "KH", "AD"],
    ["QH", "9H", "TD", "KD", "QD", "9D"],
]


def test_a_lost_trick_leaves_nothing_to_sweep() -> None:
    hands = [["QC", "QS", "JC", "JS", "JH", "9H"], *[list(hand) for hand in REST]]
    hands[3][1] = "JD"
    state = State.deal(deck=packets(hands, 3), dealer=3)
    for action in ("9H", "AC", "AH", "QH", "JD"):
        while action not in state.legal() and "pass" in state.legal():
            state.push("pass")
        if action in state.legal():
            state.push(action)
    while "pass" in state.legal():
        state.push("pass")
    while state.hand.leader != 0:
        state.push(state.legal()[0])
    assert count_lone_sweeps(state.view(0)).sweeps == 0


@pytest.mark.parametrize(("seat", "dealer"), [(0, 0), (1, 3)])
def test_only_a_double_holder_who_leads_can_be_counted(seat: int, dealer: int) -> None:
    hands = [["QC", "QS", "JC", "JS", "JH", "JD"], *REST]
    state = State.deal(deck=packets(hands, dealer), dealer=dealer)
    with pytest.raises(ConfigError, match=f"seat {seat} does not lead alone here"):
        count_lone_sweeps(state.view(seat))


def test_who_has_called_is_not_alone() -> None:
    hands = [["QC", "QS", "JC", "JS", "JH", "JD"], *REST]
    state = State.deal(deck=packets(hands, 3), dealer=3)
    state.push("call:C")
    with pytest.raises(ConfigError, match="does not lead alone"):
        count_lone_sweeps(state.view(0))


def test_counting_takes_a_millisecond_at_most() -> None:
    state = State.deal(deck=packets([["QC", "QS", "JC", "JS", "AC", "AH"], *RIVALS], 3), dealer=3)
    view = state.view(0)
    counted = count_lone_sweeps(view)
    assert 0 < counted.share < 1
    began = time.process_time()
    for _ in range(100):
        count_lone_sweeps(view)
    assert time.process_time() - began < 100 * 0.010  # ten times what is promised


RIVALS = [
    ["JH", "TC", "KC", "9C", "AS", "TS"],
    ["KS", "9S", "KH", "TH", "JD", "AD"],
    ["QH", "9H", "TD", "KD", "QD", "9D"],
]


def sweeps_after(hands: list[str], lead: str) -> dict[str, bool]:
    """Seat 3 leads; what becomes of the sweep of seat 0 after each of its cards, all cards open."""
    state = State.deal(deck=packets([hand.split() for hand in hands], 2), dealer=2)
    for card in (lead, None):
        while "pass" in state.legal():
            state.push("pass")
        if card is not None:
            state.push(card)
    found = {}
    for card in state.legal():
        after = state.copy()
        after.push(card)
        found[card] = Solver().all_tricks(after)
    return found


def test_a_knocker_who_follows_in_trick_1_may_have_to_guess() -> None:
    """The example of docs/lone-knocker.md: where the ten is decides between ace and king."""
    own, first = "QC QS JC JS AH KH", "QH JH JD AD TD AS"
    with_leader = [own, first, "AC TC KC 9C TS KS", "9H TH KD QD 9D 9S"]
    behind = [own, first, "AC TC KC 9C TH KS", "9H TS KD QD 9D 9S"]
    assert sweeps_after(with_leader, "9H") == {"AH": False, "KH": True}
    assert sweeps_after(behind, "9H") == {"AH": True, "KH": False}


def test_partners_may_have_to_spend_a_trump_before_it_is_drawn() -> None:
    """The other example: from the top the leader's JC draws JS, and KS is lost."""
    table = np.zeros(WORDS, np.int64)
    leader, first, partner, second = map(cards, ("JC KS", "AS AC", "JS 9C", "AH TH"))
    sides = 0b0101
    assert sweep(table, leader, first, partner, second, sides, 3, 0, NO_WINNER, 0)
    kept, after = cards("KS"), (cards("AS"), cards("9C"), cards("TH"))
    assert not sweep(table, kept, *after, sides, 3, 0, NO_WINNER, 0)
    assert not lone_sweep(leader, first, partner, second)
